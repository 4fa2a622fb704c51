#!/usr/bin/env python3
"""What each rule is worth: the tokens that it saved and the tests that it took, over several reductions.

    worth.py EVENTS...

Each argument is a file that `whittle --json FILE` wrote. Prints a Markdown table, most tokens first. A pass within another
pass counts for itself alone, and not for the outer one. Tokens that other passes saved after a rule had made it possible count for
those passes.
"""
import collections, json, sys


def main():
    worth = collections.defaultdict(lambda: [0, 0, 0])
    for path in sys.argv[1:]:
        inner = [[0, 0]]
        for line in open(path):
            event = json.loads(line)
            if event['kind'] == 'pass-begun':
                inner.append([0, 0])
            elif event['kind'] == 'pass-ended':
                tokens, tests = event['from']['units'] - event['size']['units'], event['pass_tests']
                of_inner = inner.pop()
                inner[-1][0] += tokens
                inner[-1][1] += tests
                entry = worth[event['pass']]
                entry[0] += tokens - of_inner[0]
                entry[1] += tests - of_inner[1]
                entry[2] += 1
    print('| pass | runs | tokens saved | tests |\n|---|---:|---:|---:|')
    for name, (tokens, tests, runs) in sorted(worth.items(), key=lambda item: (-item[1][0], item[1][1])):
        if tests or tokens:
            print(f'| {name} | {runs:,} | {tokens:,} | {tests:,} |')


if __name__ == '__main__':
    main()

#!/usr/bin/env python3
"""Prints what T-Rec saves: table.py WORK LANGUAGE..."""

import json
import sys


def totals(path):
    with open(path) as file:
        inputs = [input for group in json.load(file)["groups"] for input in group["inputs"]]
    of = lambda read: sum(map(read, inputs))
    return len(inputs), of(lambda i: i["after"]["tokens"]), of(lambda i: i["after"]["bytes"]), of(lambda i: i["tests"])


def main():
    work, *languages = sys.argv[1:]
    print("| language | inputs | tokens | with T-Rec | saved | bytes | with T-Rec | saved | tests | with T-Rec |")
    print("|---" * 10 + "|")
    for language in languages:
        inputs, tokens, size, tests = totals(f"{work}/{language}-perses-classic+ddmin.json")
        _, tokens_after, size_after, tests_after = totals(f"{work}/{language}-perses-classic+ddmin+trec.json")
        saved = lambda before, after: f"{100 - 100 * after / before:.0f}%"
        cells = [language, inputs, tokens, tokens_after, saved(tokens, tokens_after), size, size_after,
                 saved(size, size_after), tests, tests_after]
        print("| " + " | ".join(map(str, cells)) + " |")


if __name__ == "__main__":
    main()

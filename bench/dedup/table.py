#!/usr/bin/env python3
"""Prints the results of `whittle dedup` as table rows: table.py ALGORITHM... -- WORK

For each algorithm: groups and duplicates; the number of duplicates if whitespace did not count, and if near-duplicates
counted; then means: sizes of the results, tests, and time per input."""

import json
import sys


def merged(groups, *relations):
    """The number of groups after merging related ones."""
    return sum(
        all(other > group["group"] for relation in relations for other in group[relation]) for group in groups
    )


def without_whitespace(groups, folder):
    """The number of groups if whitespace does not count."""
    texts = set()
    for group in groups:
        with open(f"{folder}/reduced/{group['representative']}") as file:
            texts.add((group["signature"], "".join(file.read().split())))
    return len(texts)


def row(algorithm, work):
    with open(f"{work}/{algorithm}.json") as file:
        found = json.load(file)
    groups = found["groups"]
    inputs = [input for group in groups for input in group["inputs"]]
    mean = lambda values: sum(values) / len(inputs)
    return [
        algorithm,
        len(inputs),
        len({group["signature"] for group in groups}),
        len(groups),
        f"{found['duplicates']} ({100 * found['duplicates'] / len(inputs):.0f}%)",
        len(inputs) - without_whitespace(groups, f"{work}/{algorithm}"),
        len(inputs) - merged(groups, "equal_after_renaming"),
        len(inputs) - merged(groups, "equal_after_renaming", "same_kinds_of_tokens"),
        f"{mean(input['after']['tokens'] for input in inputs):.1f}",
        f"{mean(input['after']['bytes'] for input in inputs):.1f}",
        f"{mean(input['tests'] for input in inputs):.0f}",
        f"{mean(input['seconds'] for input in inputs):.2f}",
    ]


def main():
    *algorithms, _, work = sys.argv[1:]
    heads = "algorithm,inputs,bugs,groups,duplicates,ignoring whitespace,after renaming,by kinds,tokens,bytes,tests,seconds".split(",")
    print("| " + " | ".join(heads) + " |")
    print("|---" * len(heads) + "|")
    for algorithm in algorithms:
        print("| " + " | ".join(str(cell) for cell in row(algorithm, work)) + " |")


if __name__ == "__main__":
    main()

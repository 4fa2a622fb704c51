#!/usr/bin/env python3
"""Rows of what `whittle dedup` found: table.py ALGORITHM... -- WORK

For each algorithm: groups and duplicates, what more would be eliminated if near-duplicates were duplicates, sizes of the
results, tests and the time that the inputs took one after the other."""

import json
import sys


def merged(groups, *relations):
    """How many groups are left if related ones are one."""
    return sum(
        all(other > group["group"] for relation in relations for other in group[relation]) for group in groups
    )


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
        found["duplicates"],
        merged(groups, "equal_after_renaming"),
        merged(groups, "equal_after_renaming", "same_kinds_of_tokens"),
        f"{mean(input['after']['tokens'] for input in inputs):.1f}",
        f"{mean(input['after']['bytes'] for input in inputs):.1f}",
        f"{mean(input['tests'] for input in inputs):.0f}",
        f"{mean(input['seconds'] for input in inputs):.2f}",
    ]


def main():
    *algorithms, _, work = sys.argv[1:]
    heads = "algorithm,inputs,bugs,groups,duplicates,renamed,alike,tokens,bytes,tests,seconds".split(",")
    print("| " + " | ".join(heads) + " |")
    print("|---" * len(heads) + "|")
    for algorithm in algorithms:
        print("| " + " | ".join(str(cell) for cell in row(algorithm, work)) + " |")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Interesting: valid JSON with a number that is not an integer. The value counts, so 12.0 and 1e3 are integers."""

import json
import sys

INTERESTING, NOT_INTERESTING = 0, 1


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else "numbers.json"
    with open(path, "rb") as file:
        document = file.read()
    fractions = []

    def number(text):
        value = float(text)
        if value % 1 > 0:
            fractions.append(text)
        return value

    def constant(text):
        raise ValueError(f"{text} is not JSON, although Python reads it")

    try:
        json.loads(document.decode("utf-8"), parse_int=number, parse_float=number, parse_constant=constant)
    except (ValueError, RecursionError):
        return NOT_INTERESTING
    return INTERESTING if fractions else NOT_INTERESTING


sys.exit(main())

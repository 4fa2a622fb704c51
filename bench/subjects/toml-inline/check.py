"""Interesting: the only thing that tomllib says against the file is that a dotted key extends an inline table."""

import sys
import tomllib


def main():
    try:
        with open("project.toml", "rb") as file:
            tomllib.load(file)
    except tomllib.TOMLDecodeError as error:
        return 0 if "Cannot mutate immutable namespace" in str(error) else 1
    except (UnicodeDecodeError, RecursionError):
        return 1
    return 1


sys.exit(main())

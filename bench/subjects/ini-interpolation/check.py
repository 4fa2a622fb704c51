"""Interesting: values of at least two sections refer to each other in a circle; everything else can be read."""

import configparser
import sys


def main():
    parser = configparser.ConfigParser(interpolation=configparser.ExtendedInterpolation())
    try:
        parser.read("editor.ini", encoding="utf-8")
    except (configparser.Error, UnicodeDecodeError):
        return 1
    in_circle = set()
    for section in parser.sections():
        for option in parser.options(section):
            try:
                parser.get(section, option)
            except (configparser.InterpolationDepthError, RecursionError):
                in_circle.add(section)
            except (configparser.Error, ValueError):
                return 1
    return 0 if len(in_circle) >= 2 else 1


sys.exit(main())

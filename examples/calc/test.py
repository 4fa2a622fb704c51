#!/usr/bin/env python3
"""Interesting: calc.py itself fails, with an IndexError where it stores a local `let`. A user's error is not that."""

import os
import signal
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

import calc  # noqa: E402

INTERESTING, NOT_INTERESTING = 0, 1


def main():
    # calc.py counts its steps; should that ever fail, the alarm ends this process with a signal.
    signal.alarm(2)
    path = sys.argv[1] if len(sys.argv) > 1 else "bug.calc"
    with open(path, encoding="utf-8", errors="replace") as file:
        source = file.read()
    try:
        calc.Interpreter().run(source)
    except IndexError as error:
        return INTERESTING if innermost_function(error) == "eval_bind" else NOT_INTERESTING
    except (calc.CalcError, RecursionError):
        return NOT_INTERESTING
    return NOT_INTERESTING


def innermost_function(error):
    trace = error.__traceback__
    while trace.tb_next:
        trace = trace.tb_next
    return trace.tb_frame.f_code.co_name


sys.exit(main())

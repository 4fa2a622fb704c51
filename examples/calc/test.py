#!/usr/bin/env python3
"""Interesting: calc.py fails with an internal IndexError where it stores a local `let`, not with a user error."""

import os
import signal
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

import calc  # noqa: E402

INTERESTING, NOT_INTERESTING = 0, 1


def main():
    # calc.py limits its own steps. If that ever fails, the alarm kills this process.
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

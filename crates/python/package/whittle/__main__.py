"""The `whittle` command. Whittle also starts its helper processes by this file."""

import os
import signal
import sys


def main() -> None:
    """Runs the command, as the program of the same name does, and ends the process."""
    from whittle._whittle import main as run

    # As in a program of its own: what Python sets up for itself would be inherited by tests, or would swallow Ctrl-C.
    for name in ("SIGINT", "SIGXFSZ"):
        number = getattr(signal, name)
        if name != "SIGINT" or signal.getsignal(number) is signal.default_int_handler:
            signal.signal(number, signal.SIG_DFL)
    run(again(), sys.argv)


def again() -> "list[str]":
    """What starts the command again, wherever the package is: no setting of the user or the folder changes it."""
    return [sys.executable, "-I", "-S", os.path.abspath(__file__)]


if __name__ == "__main__":
    # Started by its path, the package is not on Python's.
    package = os.path.dirname(os.path.abspath(__file__))
    sys.path.insert(0, os.path.dirname(package))
    main()

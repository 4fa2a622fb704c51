"""Makes a Python function a test server for Whittle.

    from whittle_server import serve

    def is_interesting(path):
        return b"needle" in open(path, "rb").read()

    serve(is_interesting)

Run it with: whittle --server 'python3 {cwd}/server.py' INPUT

The function gets the path of a candidate and returns True or False, a status from 0 to 255 (0 is interesting), or a pair of
one of these and a text, which --stdout and --signature see. If it raises an exception, the candidate is not interesting, and
the text is the exception. What it prints goes to standard error.
"""

import os
import sys


def serve(is_interesting):
    """Answers Whittle until it closes the pipe."""
    answers = os.dup(1)
    os.dup2(2, 1)
    os.write(answers, b"ready\n")
    questions = sys.stdin.buffer
    while True:
        line = questions.readline()
        if not line:
            return
        path = os.fsdecode(line[:-1])
        try:
            verdict = is_interesting(path)
        except BaseException as error:
            verdict = 1, f"{type(error).__name__}: {error}"
        os.write(answers, _answer(verdict))


def _answer(verdict):
    text = ""
    if isinstance(verdict, tuple):
        verdict, text = verdict
    if not isinstance(verdict, int) or isinstance(verdict, bool):
        verdict = 0 if verdict else 1
    text = " ".join(str(text).split())
    return f"{verdict} {text}\n".encode("utf-8", "surrogateescape")

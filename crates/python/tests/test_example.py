"""The example runs, and shows what it says it shows."""

import subprocess
import sys

from conftest import REPOSITORY


def test_the_example_finds_the_same_bug_three_times():
    words = [sys.executable, str(REPOSITORY / "examples/python/shrink.py")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("{\n//\n") == 2
    assert done.stdout.splitlines()[-1].startswith(r"RecursionError for '{// comment\n}', reduced")

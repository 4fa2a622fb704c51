"""Ctrl-C, as a real signal to another process: it works while Python code runs and while commands run."""

import signal
import subprocess
import sys
import time

import pytest

PROGRAM = """
import os, signal, sys, time
import whittle

signal.signal(signal.SIGINT, signal.default_int_handler)
data = "needle " + "".join(f"hay{number} " for number in range(200))
flag = sys.argv[1]

# After the first improvement, tests take so long that the signal arrives while one runs.
def slow(text):
    if os.path.exists(flag):
        time.sleep(1)
    return "needle" in text

def stuck(text):
    while os.path.exists(flag):
        pass
    return "needle" in text

def command(seconds):
    return whittle.Command(["sh", "-c", f"test -e {flag} && sleep {seconds}; grep -q needle $0", "{}"], timeout=200)

def hear(progress):
    if progress.improved and not os.path.exists(flag):
        open(flag, "w").close()
        print("improved", flush=True)

try:
    whittle.reduce(data, TEST, language="none", on_progress=hear, jobs=JOBS)
except KeyboardInterrupt as interrupt:
    best = whittle.partial_result(interrupt)
    assert best is not None and "needle" in best.data and len(best.data) < len(data), best
    print(best.end, flush=True)
else:
    print("not interrupted")
"""

EARLY = """
import signal, whittle
signal.signal(signal.SIGINT, signal.default_int_handler)
print("improved", flush=True)
try:
    whittle.reduce("abc", whittle.Command("sleep 100", stdin=True, timeout=200))
except KeyboardInterrupt as interrupt:
    print(whittle.partial_result(interrupt))
"""


def interrupted(program: str, folder) -> str:
    """What the program prints at the end, if it is interrupted after its first line."""
    words = [sys.executable, "-c", program, str(folder / "flag")]
    child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert child.stdout.readline() == "improved\n"
        time.sleep(0.3)
        began = time.monotonic()
        child.send_signal(signal.SIGINT)
        output = child.communicate(timeout=20)[0]
        assert child.returncode == 0, output
        assert time.monotonic() - began < 10
        return output
    finally:
        child.kill()
        child.wait()


@pytest.mark.parametrize(
    ("test", "jobs"),
    [("slow", 1), ("slow", 3), ("stuck", 1), ("command(1)", 2), ("command(100)", 1)],
)
def test_ctrl_c_ends_a_reduction_and_keeps_the_best_result(test, jobs, tmp_path):
    program = PROGRAM.replace("TEST", test).replace("JOBS", str(jobs))
    assert interrupted(program, tmp_path) == "interrupted\n"


def test_ctrl_c_before_the_input_was_tested_propagates_too(tmp_path):
    assert interrupted(EARLY, tmp_path) == "None\n"

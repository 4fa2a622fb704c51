"""Ctrl-C, as a real signal to another process: it works while Python code runs and while commands run."""

import signal
import subprocess
import sys
import textwrap
import time

import pytest

PROGRAM = """
import sys, time, signal
import whittle

signal.signal(signal.SIGINT, signal.default_int_handler)
data = "needle " + "hay " * 200

def slow(text):
    time.sleep(0.02)
    return "needle" in text

def stuck(text):
    while "hay" in text and len(text) < 500:
        pass
    return "needle" in text

def hear(progress):
    if progress.improved:
        print("improved", flush=True)

began = time.monotonic()
try:
    whittle.reduce(data, {test}, language="none", on_progress=hear, jobs={jobs})
except KeyboardInterrupt as interrupt:
    best = whittle.partial_result(interrupt)
    assert best is not None and "needle" in best.data and len(best.data) < len(data), best
    assert best.end == "interrupted", best
    print("partial", best.end, flush=True)
else:
    print("not interrupted")
"""


@pytest.mark.parametrize(
    ("test", "jobs"),
    [
        ("slow", 1),
        ("slow", 3),
        ("stuck", 1),
        ("whittle.Command(\"sh -c 'sleep 0.05; grep -q needle $0' {}\")", 2),
        # The signal arrives while a test hangs.
        ("whittle.Command(\"sh -c 'grep -q hay.hay $0 || sleep 100; grep -q needle $0' {}\", timeout=200)", 1),
    ],
)
def test_ctrl_c_ends_a_reduction_and_keeps_the_best_result(test, jobs):
    program = textwrap.dedent(PROGRAM).replace("{test}", test).replace("{jobs}", str(jobs))
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "improved\n", child.stderr.read()
        time.sleep(0.3)
        began = time.monotonic()
        child.send_signal(signal.SIGINT)
        output, errors = child.communicate(timeout=30)
        elapsed = time.monotonic() - began
    assert output.splitlines()[-1] == "partial interrupted", output + errors
    assert child.returncode == 0
    assert elapsed < 10


def test_ctrl_c_before_the_input_was_tested_propagates_too():
    program = """
        import signal, whittle
        signal.signal(signal.SIGINT, signal.default_int_handler)
        print("ready", flush=True)
        try:
            whittle.reduce("abc", whittle.Command("sleep 100", stdin=True, timeout=200))
        except KeyboardInterrupt as interrupt:
            assert whittle.partial_result(interrupt) is None
            print("interrupted")
    """
    with subprocess.Popen([sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True) as child:
        child.stdout.readline()
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        assert child.communicate(timeout=30)[0] == "interrupted\n"

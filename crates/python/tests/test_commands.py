"""Commands as tests: conditions, limits, confinement, servers, and the GIL."""

import os
import pathlib
import stat
import sys
import threading
import time

import pytest

import whittle
from conftest import REPOSITORY


def script(path: pathlib.Path, text: str) -> pathlib.Path:
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_a_command_line_and_a_list_of_words_are_the_same():
    data = "one\ntwo\nit's a needle\nthree\n"
    by_line = whittle.reduce(data, """grep -q "it's a needle" {}""")
    by_words = whittle.reduce(data, ["grep", "-q", "it's a needle", "{}"])
    assert by_line.data == by_words.data == "it's a needle"
    assert by_line.tests == by_words.tests


def test_a_path_is_a_test_script_by_the_convention_of_creduce(tmp_path, program):
    test = script(tmp_path / "test.sh", "grep -q '/ zero' data.c && test -f \"$1\"\n")
    assert whittle.reduce(program, test, language="c").data.strip() == "/ zero"


def test_conditions_and_signature():
    command = whittle.Command(
        ["sh", "-c", "cat $0; grep -o 'error [0-9]*' $0 >&2; exit 3", "{}"],
        exit=3,
        stdout=["need", "le"],
        not_stderr="error 9",
        signature="error (.)",
    )
    result = whittle.reduce("hay\nneedle\nerror 1\nerror 2\nhay\n", command, language="none")
    assert result.signature == b"1"
    assert "error 1" in result.data and "need" in result.data and "error 2" not in result.data


def test_a_candidate_that_hangs_is_stopped():
    command = whittle.Command("sh -c 'grep -q bait $0 || sleep 60; grep -q fish $0' {}", timeout=0.3)
    result = whittle.reduce("bait\nfish\nwater\n", command, language="none", jobs=2)
    assert result.data == "baitfish" and result.timed_out > 0


def test_an_input_that_is_not_interesting_shows_what_the_command_did():
    with pytest.raises(whittle.NotInterestingError, match="exit status 1, expected 0") as caught:
        whittle.reduce("abc", "sh -c 'echo says this >&2; exit 1' {}")
    assert "says this" in str(caught.value)


def test_a_command_that_does_not_mention_the_candidate_is_refused():
    with pytest.raises(whittle.UsageError, match="does not mention the candidate"):
        whittle.reduce("abc", "true")


def test_a_command_that_does_not_exist_is_an_error():
    with pytest.raises(whittle.WhittleError, match="no-such-program"):
        whittle.reduce("abc", "no-such-program {}")


def test_result_and_tests_do_not_depend_on_jobs(program):
    command = whittle.Command("cat {}", stdout=["zero", "unused_7"])
    one, four = (whittle.reduce(program, command, language="c", jobs=jobs) for jobs in (1, 4))
    assert one.data.split() == ["unused_7", "zero"]
    assert (one.data, one.tests) == (four.data, four.tests)


def test_other_threads_go_on_while_a_command_runs():
    counted, ended = [0], threading.Event()

    def count():
        while not ended.is_set():
            counted[0] += 1
            time.sleep(0.005)

    thread = threading.Thread(target=count)
    thread.start()
    began = time.monotonic()
    whittle.reduce("a b c d\n", "sh -c 'sleep 0.1; grep -q b $0' {}", language="none", jobs=1)
    elapsed = time.monotonic() - began
    ended.set()
    thread.join()
    # Half of what it would count alone, since machines are busy; without the GIL it would count next to nothing.
    assert elapsed > 0.5 and counted[0] > elapsed / 0.01 / 2


def test_nothing_that_a_test_starts_outlives_it(tmp_path):
    command = "sh -c 'sleep 1000 & echo $! >> %s/pids; grep -q b $0' {}" % tmp_path
    whittle.reduce("a b c d\n", command, language="none", jobs=2)
    pids = (tmp_path / "pids").read_text().split()
    assert len(pids) > 3
    assert not [pid for pid in pids if os.path.exists(f"/proc/{pid}") and "sleep" in open(f"/proc/{pid}/comm").read()]


def test_no_helper_stays():
    whittle.reduce("a b c d\n", "grep -q b {}", language="none", jobs=2)
    deadline = time.monotonic() + 10
    while helpers() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not helpers()


def helpers() -> "list[str]":
    """The children of this process that are helpers."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_text()
            parent = (folder / "stat").read_text().rsplit(")", 1)[1].split()[1]
        except OSError:
            continue
        if "__whittle-helper" in words and parent == str(os.getpid()):
            found.append(words)
    return found


def test_memory_is_limited_for_tests_and_not_for_this_process():
    command = whittle.Command([sys.executable, "-c", "import sys; bytearray(1 << 28) if 'big' in open(sys.argv[1]).read() else 0", "{}"], exit=1, memory_limit="200M")
    assert whittle.reduce("big\nsmall\n", command, language="none").data == "big"
    assert len(bytearray(1 << 28)) == 1 << 28


def test_a_server_is_asked_about_one_candidate_after_the_other(tmp_path):
    (tmp_path / "server.py").write_text(
        "import sys, os\n"
        "open(sys.argv[1] + '/starts', 'a').write('x')\n"
        "print('ready', flush=True)\n"
        "for line in sys.stdin:\n"
        "    found = 'needle' in open(line.rstrip('\\n')).read()\n"
        "    print('yes' if found else 'no', flush=True)\n"
    )
    server = whittle.Server([sys.executable, str(tmp_path / "server.py"), str(tmp_path)], tests=1000)
    result = whittle.reduce("hay\n" * 20 + "needle\n" + "hay\n" * 20, server, language="none", jobs=1)
    assert result.data == "needle"
    assert len((tmp_path / "starts").read_text()) < result.tests / 2


def test_passes_by_other_programs_take_part(tmp_path):
    helper = tmp_path / "pass.py"
    helper.write_text(
        "import sys\n"
        "name, counter, path = sys.argv[1:]\n"
        "if counter != '1' or 'LONG' not in open(path).read(): sys.exit(1)\n"
        "print(open(path).read().replace('LONG', 'L'), end='')\n"
    )
    calls = []
    result = whittle.reduce(
        "LONG",
        lambda text: text in ("LONG", "L"),
        language="none",
        passes=[f"{sys.executable} {helper} shorten {{counter}} {{}}"],
        on_progress=lambda progress: calls.append(progress.pass_name),
    )
    assert result.data == "L", (result, calls)


def test_the_subject_of_the_bench_is_reduced(tmp_path):
    data = (REPOSITORY / "examples/json-float/numbers.json").read_text()
    test = REPOSITORY / "examples/json-float/test.py"
    result = whittle.reduce(data, test, name="numbers.json")
    assert result.size_after == 1 and result.language == "json"

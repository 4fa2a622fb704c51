"""The `whittle` command in the package: it is the same program, and starts itself again for helpers and judges."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import sysconfig
import time

import pytest

import whittle
from conftest import REPOSITORY

SCRIPT = str(pathlib.Path(sysconfig.get_path("scripts")) / "whittle")


def run(*words, **options):
    return subprocess.run([SCRIPT, *map(str, words)], capture_output=True, text=True, timeout=120, **options)


@pytest.fixture
def bug(tmp_path):
    path = tmp_path / "bug.c"
    path.write_text("int a;\nint b;\nint main(void) { return b / 0; }\n")
    return path


def test_the_version_is_that_of_the_package():
    assert run("--version").stdout == f"whittle {whittle.__version__}\n"
    by_module = subprocess.run([sys.executable, "-m", "whittle", "--version"], capture_output=True, text=True)
    assert by_module.stdout == f"whittle {whittle.__version__}\n"


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_file_is_reduced(bug, jobs):
    done = run("--run", "grep -q '/ 0' {}", bug, "--jobs", jobs)
    assert done.returncode == 0, done.stderr
    assert (bug.parent / "bug.reduced.c").read_text().strip() == "/ 0"
    assert "no pass found anything smaller" in done.stderr


def test_exit_statuses_are_those_of_the_program(bug):
    assert run("--run", "false {}", bug).returncode == 2
    assert run("--run", "grep -q b {}", bug, "--max-tests", 1).returncode == 1
    assert run("nonsense").returncode == 2


def test_the_folder_and_the_environment_cannot_change_what_runs(bug):
    (bug.parent / "whittle.py").write_text("raise SystemExit('the wrong module')")
    (bug.parent / "signal.py").write_text("raise SystemExit('the wrong module')")
    # The folder is first on Python's path for -c, after the package is loaded; helpers must not see it.
    program = "import sys, os, whittle; os.chdir(sys.argv[1]); print(whittle.reduce('ab', 'grep -q b {}').data)"
    words = [sys.executable, "-c", program, str(bug.parent)]
    environment = dict(os.environ, PYTHONSTARTUP=str(bug.parent / "whittle.py"))
    assert subprocess.run(words, capture_output=True, text=True, env=environment).stdout == "b\n"
    done = run("--run", "grep -q '/ 0' {}", bug, cwd=bug.parent)
    assert done.returncode == 0, done.stderr


def test_compare_and_slow_start_the_program_again(bug):
    done = run("compare", "--by", "status", "--reference", "true {}", "--suspect", "sh -c '! grep -q b $0' {}", bug)
    assert done.returncode == 0, done.stderr
    assert (bug.parent / "bug.reduced.c").read_text().strip() == "b"
    (bug.parent / "bug.reduced.c").unlink()
    # Counted rounds, not seconds: the limit is processor time, and other programs may run.
    busy = "sh -c 'grep -q main $0 && for a in $(seq 300); do for b in $(seq 1000); do :; done; done' {}"
    done = run("slow", "--run", busy, "--at-least", "0.1s", bug, "--", "--max-tests", 5)
    assert done.returncode in (0, 1), done.stderr
    assert "main" in (bug.parent / "bug.reduced.c").read_text()


def test_the_server_for_agents_starts_the_program_again(bug):
    calls = [
        {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}}},
        {
            "id": 2,
            "method": "tools/call",
            "params": {
                "name": "reduce",
                "arguments": {"folder": str(bug.parent), "run": "grep -q '/ 0' {}", "input": "bug.c"},
            },
        },
    ]
    lines = "".join(json.dumps(dict(call, jsonrpc="2.0")) + "\n" for call in calls)
    done = run("serve-mcp", input=lines)
    answers = {json.loads(line).get("id"): json.loads(line) for line in done.stdout.splitlines()}
    assert answers[2]["result"]["isError"] is False, done.stdout + done.stderr
    assert (bug.parent / "bug.reduced.c").read_text().strip() == "/ 0"


def test_a_generator_program_is_reduced(tmp_path):
    (tmp_path / "gen.py").write_text("import random\nrandom.seed(3)\nfor _ in range(random.randint(5, 9)): print('item', random.randint(0, 9))\n")
    done = run("generator", "--run", "grep -q item {}", "--", sys.executable, "gen.py", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "generated.reduced.txt").read_text() == "item 0\n" * 5


def test_a_server_is_asked(bug):
    (bug.parent / "server.py").write_text(
        "import sys\nprint('ready', flush=True)\nfor line in sys.stdin:\n    print('yes' if '/ 0' in open(line.rstrip('\\n')).read() else 'no', flush=True)\n"
    )
    done = run("--server", f"{sys.executable} {bug.parent}/server.py", bug, "--jobs", 2)
    assert done.returncode == 0, done.stderr
    assert (bug.parent / "bug.reduced.c").read_text().strip() == "/ 0"


def test_a_link_named_cvise_is_the_drop_in(bug):
    link = bug.parent / "cvise"
    link.symlink_to(SCRIPT)
    test = bug.parent / "test.sh"
    test.write_text("#!/bin/sh\ngrep -q '/ 0' bug.c\n")
    test.chmod(0o755)
    done = subprocess.run([str(link), "test.sh", "bug.c"], cwd=bug.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert bug.read_text().strip() == "/ 0" and (bug.parent / "bug.c.orig").exists()


def test_ctrl_c_keeps_the_best_result_and_a_kill_leaves_no_process(bug):
    for number, status in [(signal.SIGINT, 1), (signal.SIGKILL, -9)]:
        words = [SCRIPT, "--run", "sh -c 'sleep 0.2; grep -q b $0' {}", str(bug), "--json", "-", "--force"]
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
            while json.loads(child.stdout.readline())["kind"] != "improved":
                pass
            helpers = processes_with(str(child.pid))
            assert helpers
            child.send_signal(number)
            child.communicate(timeout=30)
        assert child.returncode == status
        assert "b" in (bug.parent / "bug.reduced.c").read_text()
        deadline = time.monotonic() + 20
        while any(pathlib.Path(f"/proc/{pid}").exists() for pid in helpers) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not [pid for pid in helpers if pathlib.Path(f"/proc/{pid}").exists()]


def processes_with(parent):
    """The processes whose parent this is."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if (folder / "stat").read_text().rsplit(")", 1)[1].split()[1] == parent:
                found.append(folder.name)
        except OSError:
            continue
    return found


def test_tests_inherit_no_signal_that_python_ignores(bug):
    """Python ignores SIGPIPE and SIGXFSZ; a test must see what it would see from a shell."""
    test = bug.parent / "test.sh"
    # The C library takes 32 and 33 for itself.
    test.write_text("#!/bin/sh\ngrep -q '^SigIgn:.*[08]0000000$' /proc/self/status && grep -q b bug.c\n")
    test.chmod(0o755)
    done = run(test, bug)
    assert done.returncode == 0, done.stderr
    assert whittle.reduce("a b c", test, name="bug.c").data.strip() == "b"


def test_the_first_example_of_the_readme_runs(tmp_path):
    for name in ("test.py", "numbers.json"):
        shutil.copy(REPOSITORY / "examples/json-float" / name, tmp_path)
    done = run("test.py", "numbers.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "language: JSON" in done.stderr

#!/usr/bin/env python3
"""Runs reducers on whole projects and prints what they reach as a Markdown table.

    run.py build                              create all projects below --work
    run.py run --reducers cvise --minutes 8   run them, one at a time, and record the results
    run.py run --reducers whittle --runs 200  the same, up to 200 runs of the test
    run.py table                              print the recorded results

Each run works on a copy of the project with one worker. A run that reaches the limit is stopped, and what it has written by then counts.
Each result is tested again, in a fresh copy, with the project's own test.

Tokens are words and signs: the matches of \\w+|[^\\w\\s] in each file, read as UTF-8. The same pattern serves all languages.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
PROJECTS = sorted(path.parent.name for path in HERE.glob("*/test.sh"))
TOKEN = re.compile(r"\w+|[^\w\s]")
# What a test leaves behind if a reducer kills it.
LEFT_BY_TESTS = ".scratch"
# C-Vise 2.7 takes files, but none in a subfolder. This character stands for "/" in the names that it sees. No project uses it.
FLAT_SLASH = "@"


def files_of(folder):
    return sorted(
        path for path in folder.rglob("*") if path.is_file() and LEFT_BY_TESTS not in path.relative_to(folder).parts
    )


def size(folder):
    texts = [path.read_bytes() for path in files_of(folder)]
    return {
        "files": len(texts),
        "empty": sum(not text for text in texts),
        "tokens": sum(len(TOKEN.findall(text.decode("utf-8", "replace"))) for text in texts),
        "bytes": sum(map(len, texts)),
    }


def is_interesting(project, folder, scratch):
    """Whether the project's own test accepts a copy of the folder."""
    shutil.rmtree(scratch, ignore_errors=True)
    shutil.copytree(folder, scratch, ignore=shutil.ignore_patterns(LEFT_BY_TESTS))
    status = subprocess.run([HERE / project / "test.sh", scratch], cwd=scratch, stdin=subprocess.DEVNULL)
    shutil.rmtree(scratch)
    return status.returncode == 0


def write_test(project, path, enter, on_success=":"):
    """The project's test between lines that count the run, enter the candidate's folder, and act on an interesting candidate."""
    path.write_text(
        f"""#!/usr/bin/env bash
printf . >>"$BENCH_COUNTER"
{enter} || exit 1
'{HERE / project / "test.sh"}' "$PWD" || exit 1
{on_success}
"""
    )
    path.chmod(0o755)


def whittle(args, project, run):
    write_test(project, run / "test.sh", ":")
    command = [args.whittle, "-j", "1", "--json", "events.jsonl", *args.whittle_options, "./test.sh", project]
    return command, run / f"{project}.reduced"


def shrinkray(args, project, run):
    # It writes its result file by file, so a run that is stopped can leave a mix. The smallest interesting candidate counts instead.
    best = run / "best"
    best.mkdir()
    (run / "smallest").write_text(str(sum(path.stat().st_size for path in files_of(run / project))))
    keep = f"""
size=$(cat $(find . -type f) </dev/null | wc -c)
[ "$size" -gt "$(cat '{run}/smallest')" ] || {{
    rm -rf '{run}/new' && cp -r . '{run}/new' && rm -rf '{best}' && mv '{run}/new' '{best}' && echo "$size" >'{run}/smallest'
}}"""
    write_test(project, run / "test.sh", 'cd "$1"', keep)
    # No language model: it would download gigabytes, and results would differ between machines.
    options = "--ui basic --volume quiet --no-history --no-llm --formatter none --trivial-is-not-error --input-type arg --seed 0"
    return [args.shrinkray, *options.split(), "--parallelism", "1", run / "test.sh", project], best


def cvise(args, project, run):
    unflatten = (
        "perl -MFile::Path=make_path -MFile::Basename -e "
        f"""'for (@ARGV) {{ my $to = "p/$_"; $to =~ s|{FLAT_SLASH}|/|g; make_path(dirname($to)); link($_, $to) or die }}' -- *"""
    )
    # C-Vise expects its files to be there after the test, so these are links.
    write_test(project, run / "test.sh", f"{unflatten} && cd p")
    flat = run / "flat"
    flat.mkdir()
    for path in files_of(run / project):
        shutil.copy(path, flat / str(path.relative_to(run / project)).replace("/", FLAT_SLASH))
    c_only = [] if project.startswith("c-") else ["--not-c"]
    command = [args.cvise, "--n", "1", "--tidy", "--skip-key-off", *c_only, run / "test.sh", *sorted(os.listdir(flat))]
    return command, flat


def unflattened(flat, to):
    # C-Vise's reports of its own bugs are folders there.
    for path in filter(pathlib.Path.is_file, flat.iterdir()):
        target = to / path.name.replace(FLAT_SLASH, "/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    return to


REDUCERS = {"whittle": whittle, "cvise": cvise, "shrinkray": shrinkray}


def at_limit(args, start, counter):
    return time.monotonic() - start >= args.minutes * 60 or (args.runs and counter.stat().st_size >= args.runs)


def finishes(process, is_over):
    """Waits for the process. If the limit comes first, kills it with all that it started."""
    while not is_over():
        try:
            process.wait(0.1)
            return True
        except subprocess.TimeoutExpired:
            pass
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return False


def run_one(args, reducer, project):
    run = args.work / "runs" / reducer / project
    shutil.rmtree(run, ignore_errors=True)
    run.mkdir(parents=True)
    shutil.copytree(args.work / project, run / project)
    command, result = REDUCERS[reducer](args, project, run)
    counter = run / "counter"
    counter.touch()
    start = time.monotonic()
    with open(run / "log", "wb") as log:
        process = subprocess.Popen(
            list(map(str, command)),
            cwd=run / "flat" if reducer == "cvise" else run,
            env={**os.environ, "BENCH_COUNTER": str(counter)},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        stopped = not finishes(process, lambda: at_limit(args, start, counter))
    seconds = time.monotonic() - start
    if reducer == "cvise":
        result = unflattened(result, run / "result")
    record = {
        "project": project,
        "reducer": f"{reducer} --runs" if args.runs else reducer,
        "runs": counter.stat().st_size,
        "seconds": round(seconds),
        "status": "limit" if stopped else process.returncode,
        "minutes": args.minutes,
    }
    if result.is_dir():
        record |= size(result)
        record["interesting"] = is_interesting(project, result, run / "again")
    return record


def load(path):
    return json.loads(path.read_text()) if path.exists() else []


def record_in(path, new):
    """Adds a record to the file; it replaces that of the same reducer and project."""
    same = lambda old: (old["project"], old["reducer"]) == (new["project"], new["reducer"])
    records = [old for old in load(path) if not same(old)] + [new]
    reducers = [name for reducer in REDUCERS for name in (reducer, f"{reducer} --runs")]
    order = ["(start)", *reducers, "(by hand)"]
    records.sort(key=lambda record: (record["project"], order.index(record["reducer"])))
    path.write_text("[\n" + ",\n".join("  " + json.dumps(record) for record in records) + "\n]\n")


def build(args):
    for project in args.projects:
        folder = args.work / project
        subprocess.run([HERE / project / "build.sh", folder], check=True)
        for name, source in [("(start)", folder), ("(by hand)", HERE / project / "hand")]:
            if not is_interesting(project, source, args.work / "again"):
                sys.exit(f"{project}: the test does not accept {source}: a tool is missing or has another version")
            record_in(args.record, {"project": project, "reducer": name, **size(source)})


def run(args):
    for project in args.projects:
        for reducer in args.reducers:
            record = run_one(args, reducer, project)
            print(json.dumps(record), flush=True)
            record_in(args.record, record)


def table(args):
    print("| project | reducer | files (empty) | tokens | bytes | runs | seconds |")
    print("|---|---|---:|---:|---:|---:|---:|")
    for record in load(args.record):
        if record["project"] not in args.projects:
            continue
        name = record["reducer"]
        if "files" not in record:
            print(f"| {record['project']} | {name} | no result (status {record['status']}) | | | {record['runs']} | {record['seconds']} |")
            continue
        note = " *" if record.get("status") == "limit" else ""
        note += "" if record.get("interesting", True) else " (not interesting)"
        cells = [f"{record['files']} ({record['empty']})", record["tokens"], record["bytes"], record.get("runs", ""), record.get("seconds", "")]
        print(f"| {record['project']} | {name}{note} | " + " | ".join(map(str, cells)) + " |")
    print("\n`*`: stopped at the limit.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["build", "run", "table"])
    names = lambda text: text.split(",")
    parser.add_argument("--projects", type=names, default=PROJECTS, help="default: all of " + ",".join(PROJECTS))
    parser.add_argument("--reducers", type=names, default=list(REDUCERS), help="default: " + ",".join(REDUCERS))
    parser.add_argument("--minutes", type=float, default=8, help="limit for each run (default: 8)")
    parser.add_argument("--runs", type=int, help="limit for each run, in runs of the test: on a busy machine it says more than minutes")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("projects"), help="folder for projects and runs (default: projects)")
    parser.add_argument("--record", type=pathlib.Path, default=HERE / "results.json", help="default: results.json beside this file")
    parser.add_argument("--whittle", default="whittle", help="its binary")
    parser.add_argument("--whittle-options", type=str.split, default=[], help="further options for it, in one argument")
    parser.add_argument("--cvise", default="cvise", help="its program")
    parser.add_argument("--shrinkray", default="shrinkray", help="its program")
    args = parser.parse_args()
    args.work = args.work.resolve()
    {"build": build, "run": run, "table": table}[args.action](args)


main()

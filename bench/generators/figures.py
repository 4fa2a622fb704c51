#!/usr/bin/env python3
"""Reduces generated inputs with all settings, and prints tables: size, tests, time, share of valid inputs.

usage: GENERATOR_TOOLS=FOLDER figures.py WORK_FOLDER [javascript] [graphs] [models] [REDUCER...]

A reducer is named as in the tables, such as "tree, halt"; without names, all are measured.
setup.sh fills GENERATOR_TOOLS. Runs `whittle` from PATH, or the one WHITTLE names; skips jsdelta if it is not installed.
Results are kept in WORK_FOLDER and not measured again.
"""

import json
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
WHITTLE = os.environ.get("WHITTLE", "whittle")
LIMITS = ["--jobs", "1", "--max-tests", "1000", "--max-time", "15m"]
ASK = os.path.join(HERE, "ask")

# For each domain: the check, a part of its answer that identifies the bug, and seeds that trigger it.
CASES = {
    "graphs": [
        ("delta-stepping", "misses a path", (0, 16, 19)),
        ("planarity", "NullPointerException", (1, 3)),
        ("matching", "AssertionError in verifyOptimum", (0, 1)),
        ("modularity", "KeyError in remove", (3, 4)),
        ("modularity", "IndexError in greedy_modularity", (0, 1)),
        ("goldberg-radzik", "AttributeError", (1,)),
    ],
    "models": [
        ("openvino", "primitive descriptors list is empty", (0, 1)),
        ("openvino", "Port for tensor name", (5,)),
        ("openvino", "another shape", (6,)),
        ("openvino", "another value", (7,)),
        ("openvino", "signal 4", (8,)),
        ("openvino", "in_out_elements_equal", (19,)),
        ("tvm", "InferTypeReshape", (54,)),
        ("tvm", "ONNX Expand", (35,)),
    ],
    "javascript": [
        ("closure", "NullPointerException in RemoveUnusedCode", (1, 2, 19)),
        ("butternut", "invalid output: Unexpected token ';'", (0,)),
        ("butternut", "TypeError in Program.addWord", (14,)),
        ("butternut", "invalid output: Invalid left-hand side in for-loop", (40,)),
        ("babel-minify", "Duplicate declaration", (5,)),
        ("uglify-es", "invalid output: Unexpected token '?'", (28,)),
        ("terser", "invalid output: Unexpected token '?'", (28,)),
    ],
}
SUFFIX = {"javascript": "js", "graphs": "py", "models": "py"}


def generator(domain, work):
    """The command that generates an input for a domain, without the seed."""
    if domain == "graphs":
        binary = os.path.join(work, "graphs-gen")
        include = os.path.join(HERE, "..", "..", "c")
        subprocess.run(["cc", "-O1", "-I", include, "-o", binary, os.path.join(HERE, "graphs", "gen.c")], check=True)
        return [binary]
    if domain == "models":
        # The system's own Python starts fastest.
        return [shutil.which("python3", path="/usr/bin") or "python3", os.path.join(HERE, "models", "gen.py")]
    return ["node", os.path.join(HERE, "javascript", "gen.js")]


def reducers():
    """Commands by name, the most telling first; INPUT, NAME and MAKE stand for the generated file, its name and the
    generator."""
    through = [WHITTLE, "generator", ASK, *LIMITS, "--name", "NAME", "-o", "RESULT"]
    commands = {
        "whittle on the text": [WHITTLE, ASK, "INPUT", *LIMITS, "-o", "RESULT"],
        "default": through + ["--", "MAKE"],
        "tree, re-align": through + ["--by", "tree", "--align", "re-align", "--", "MAKE"],
        "perses-classic": [WHITTLE, ASK, "INPUT", *LIMITS, "-a", "perses-classic+ddmin", "-o", "RESULT"],
        "default, then auto": through + ["--then", "auto", "--", "MAKE"],
    }
    for by, align in (("sequence", "re-align"), ("tree", "halt"), ("sequence", "halt"), ("tree", "bypass"), ("sequence", "bypass")):
        commands["%s, %s" % (by, align)] = through + ["--by", by, "--align", align, "--", "MAKE"]
    if shutil.which("jsdelta"):
        commands["jsdelta"] = ["jsdelta", "--cmd", ASK, "--msg", "bug", "--out", "RESULT", "INPUT"]
    return commands


def size(domain, text):
    """Sizes as in the paper: vertices and edges; operators and their inputs; non-blank characters."""
    if domain == "graphs":
        return [text.count("add_vertex("), text.count("add_edge(")]
    if domain == "models":
        names = dict.fromkeys(("inputs", "constants", "outputs"), [])
        nodes = []
        names.update(nodes=nodes, tensor=lambda *_: None, constant=lambda *_: None)
        exec(text, dict(names, make_node=lambda _, inputs, *others, **attributes: [name for name in inputs if name]))
        return [len(nodes), sum(map(len, nodes))]
    return [len("".join(text.split()))]


def measure(case, name, command, make, work):
    """Runs one reducer on one input. None if the input does not show the bug on this machine."""
    domain, check, bug, seed = case
    folder = os.path.join(work, re.sub(r"\W+", "-", "-".join((check, bug, str(seed)))), re.sub(r"\W+", "-", name))
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    made = os.path.join(folder, "input." + SUFFIX[domain])
    result, log = os.path.join(folder, "result." + SUFFIX[domain]), os.path.join(folder, "answers")
    with open(made, "w") as file:
        subprocess.run(make, stdout=file, check=True)
    places = {"NAME": made, "INPUT": made, "RESULT": result}
    words = [part for word in command for part in (make if word == "MAKE" else [places.get(word, word)])]
    environment = dict(os.environ, CHECK_LOG=log, BUG=bug, TMPDIR=folder, TIMEFORMAT="seconds: %U %S")
    # The time to start the server does not count, nor do the server's seconds.
    words = [os.path.join(HERE, "serving"), check, "bash", "-c", 'time "$@"', "_", *words]
    ran = subprocess.run(words, capture_output=True, text=True, env=environment)
    with open(os.path.join(folder, "report"), "w") as file:
        file.write(ran.stderr)
    if not os.path.exists(result):
        print("%s, seed %d, %s: no result, see %s/report" % (bug, seed, name, folder), file=sys.stderr)
        return None
    with open(log) as file:
        answers = file.read().split()
    with open(made) as first, open(result) as last:
        sizes = [size(domain, file.read()) for file in (first, last)]
    tests = re.search(r"tests: +([\d,]+) counted", ran.stderr)
    runs = re.search(r"([\d,]+) runs of the generator", ran.stderr)
    return {
        "domain": domain, "check": check, "bug": bug, "seed": seed, "reducer": name, "before": sizes[0], "after": sizes[1],
        "seconds": sum(map(float, re.search(r"seconds: ([\d.]+) ([\d.]+)", ran.stderr).groups())),
        "tests": int(tests.group(1).replace(",", "")) if tests else len(answers), "asked": len(answers),
        "valid": len(answers) - answers.count("invalid"), "runs": int(runs.group(1).replace(",", "")) if runs else 0,
        "limited": "stopped: the limit" in ran.stderr,
    }


def measured(path):
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return [json.loads(line) for line in file]


def mean(numbers):
    numbers = list(numbers)
    return sum(numbers) / len(numbers) if numbers else 0.0


def shown(sizes):
    return ", ".join("%.1f" % mean(column) for column in zip(*sizes))


ORDER = ["sequence, halt", "sequence, bypass", "sequence, re-align", "tree, halt", "tree, bypass", "tree, re-align",
         "default", "default, then auto", "whittle on the text", "perses-classic", "jsdelta"]
BASELINES = ["whittle on the text", "perses-classic"]


def case_of(row):
    return row["domain"], row["check"], row["bug"], row["seed"]


def share(pairs, measure):
    """The mean of one reducer as a percentage of that of another, as the paper computes it."""
    return "%.0f%%" % (100 * mean(measure(row) for row, _ in pairs) / max(1, mean(measure(other) for _, other in pairs)))


def tell(domain, rows):
    """The table of a domain, as Markdown: means, and shares of those of the two text reducers on the same cases."""
    rows = [row for row in rows if row["domain"] == domain]
    by_case = {(case_of(row), row["reducer"]): row for row in rows}
    print("\n**%s**, before: %s\n" % (domain, shown(row["before"] for row in rows if row["reducer"] == BASELINES[0])))
    columns = ["reducer", "size", "tests", "valid", "generator runs", "hit a limit"]
    columns += ["%s against %s" % (what, base) for base in BASELINES for what in ("size", "tests")]
    print("| %s |\n|%s" % (" | ".join(columns), "---|" * len(columns)))
    for name in ORDER:
        own = [row for row in rows if row["reducer"] == name]
        if not own:
            continue
        valid = 100 * sum(row["valid"] for row in own) / max(1, sum(row["asked"] for row in own))
        figures = [name, shown(row["after"] for row in own), "%.0f" % mean(row["tests"] for row in own), "%.0f%%" % valid,
                   "%.0f" % mean(row["runs"] for row in own), "%d of %d" % (sum(row["limited"] for row in own), len(own))]
        for base in BASELINES:
            pairs = [(row, by_case[case_of(row), base]) for row in own if (case_of(row), base) in by_case]
            figures += [share(pairs, lambda row: sum(row["after"])), share(pairs, lambda row: row["tests"])]
        print("| %s |" % " | ".join(figures))


def tell_cases(rows):
    """One line for each case."""
    print("\n| case | before | %s |\n|%s" % (" | ".join(ORDER), "---|" * (len(ORDER) + 2)))
    for case in dict.fromkeys(map(case_of, rows)):
        own = {row["reducer"]: row for row in rows if case_of(row) == case}
        cells = ["%s / %d" % ("+".join(map(str, own[name]["after"])), own[name]["tests"]) if name in own else "" for name in ORDER]
        before = "+".join(map(str, next(iter(own.values()))["before"]))
        print("| %s: %s, %d | %s | %s |" % (*case[1:], before, " | ".join(cells)))


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    work, words = os.path.abspath(sys.argv[1]), sys.argv[2:]
    domains = [word for word in words if word in CASES] or list(CASES)
    names = [word for word in words if word not in CASES]
    unknown = [name for name in names if name not in reducers()]
    if unknown:
        sys.exit("figures.py: no domain and no reducer: %s" % ", ".join(unknown))
    os.makedirs(work, exist_ok=True)
    path = os.path.join(work, "figures.jsonl")
    done = measured(path)
    cases = [(domain, check, bug, seed) for domain in domains for check, bug, seeds in CASES[domain] for seed in seeds]
    makes = {domain: generator(domain, work) for domain in domains}
    for name, command in reducers().items():
        if names and name not in names:
            continue
        for case in cases:
            known = any(case_of(row) == case and row["reducer"] == name for row in done)
            if known or (name == "jsdelta" and case[0] != "javascript"):
                continue
            row = measure(case, name, command, makes[case[0]] + [str(case[3])], work)
            if row is None:
                continue
            done.append(row)
            with open(path, "a") as file:
                file.write(json.dumps(row) + "\n")
            print(row, file=sys.stderr)
    for domain in domains:
        tell(domain, done)
    tell_cases([row for row in done if row["domain"] in domains])


if __name__ == "__main__":
    main()

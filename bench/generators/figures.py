#!/usr/bin/env python3
"""Reduces generated inputs with all settings, and prints tables: size, tests, time, share of valid inputs.

usage: GENERATOR_TOOLS=FOLDER figures.py WORK_FOLDER [javascript] [graphs] [models]

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
LIMITS = ["--jobs", "1", "--max-tests", "1000", "--max-time", "4m"]
ASK = os.path.join(HERE, "ask")

MATMUL, CONCAT = "Matmul requires the reduction length", "Concat expects the input tensors"
# Seeds that trigger the bug, and TVM's message for each.
SEEDS = {
    "javascript": [(seed, "") for seed in (1, 2, 19, 74)],
    "graphs": [(seed, "") for seed in (6, 13, 47, 88)],
    "models": [(402, "relax.greater"), (375, "relax.add"), (273, MATMUL), (487, CONCAT)],
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


def reducers(domain):
    """Commands by name; INPUT, NAME and MAKE stand for the generated file, its name and the generator."""
    through = [WHITTLE, "generator", ASK, *LIMITS, "--name", "NAME", "-o", "RESULT"]
    commands = {}
    for by in ("sequence", "tree"):
        for align in ("halt", "bypass", "re-align"):
            commands["%s, %s" % (by, align)] = through + ["--by", by, "--align", align, "--", "MAKE"]
    commands["default"] = through + ["--", "MAKE"]
    commands["default, then auto"] = through + ["--then", "auto", "--", "MAKE"]
    commands["whittle on the text"] = [WHITTLE, ASK, "INPUT", *LIMITS, "-o", "RESULT"]
    if domain == "javascript" and shutil.which("jsdelta"):
        commands["jsdelta"] = ["jsdelta", "--cmd", ASK, "--msg", "bug", "--out", "RESULT", "INPUT"]
    return commands


def size(domain, text):
    """Sizes as in the paper: nodes and edges; non-blank characters."""
    if domain == "graphs":
        return [text.count("add_vertex("), text.count("add_edge(")]
    if domain == "models":
        nodes = re.findall(r"make_node\(\s*[\"']\w+[\"']\s*,\s*\[(.*?)\]", text)
        return [len(nodes), sum(len(re.findall(r"[\"']\w+[\"']", inputs)) for inputs in nodes)]
    return [len("".join(text.split()))]


def measure(domain, seed, bug, name, command, make, work):
    """Runs one reducer on one input."""
    folder = os.path.join(work, "%s-%d" % (domain, seed), re.sub(r"\W+", "-", name))
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    made = os.path.join(folder, "input." + SUFFIX[domain])
    result, log = os.path.join(folder, "result." + SUFFIX[domain]), os.path.join(folder, "answers")
    with open(made, "w") as file:
        subprocess.run(make, stdout=file, check=True)
    places = {"NAME": made, "INPUT": made, "RESULT": result}
    words = [part for word in command for part in (make if word == "MAKE" else [places.get(word, word)])]
    environment = dict(os.environ, CHECK_LOG=log, BUG=bug, TMPDIR=folder)
    # The time to start the server does not count.
    words = [os.path.join(HERE, "serving"), domain, "bash", "-c", 'time "$@"', "_", *words]
    environment["TIMEFORMAT"] = "seconds: %R"
    ran = subprocess.run(words, capture_output=True, text=True, env=environment)
    with open(log) as file:
        answers = file.read().split()
    with open(made) as first, open(result) as last:
        sizes = [size(domain, file.read()) for file in (first, last)]
    tests = re.search(r"tests: +([\d,]+) counted", ran.stderr)
    runs = re.search(r"([\d,]+) runs of the generator", ran.stderr)
    return {
        "domain": domain, "seed": seed, "reducer": name, "before": sizes[0], "after": sizes[1], "seconds": float(re.search(r"seconds: ([\d.]+)", ran.stderr).group(1)),
        "tests": int(tests.group(1).replace(",", "")) if tests else len(answers), "asked": len(answers),
        "valid": len(answers) - answers.count("invalid"), "runs": int(runs.group(1).replace(",", "")) if runs else 0,
        "limited": "stopped: nothing more" not in ran.stderr and name != "jsdelta",
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


def tell(domain, rows):
    """The table of a domain, as Markdown."""
    rows = [row for row in rows if row["domain"] == domain]
    print("\n**%s**, before: %s\n" % (domain, shown(row["before"] for row in rows)))
    print("| reducer | size | tests | valid | runs of the generator | seconds | at a limit |\n|---|---|---|---|---|---|---|")
    for name in dict.fromkeys(row["reducer"] for row in rows):
        own = [row for row in rows if row["reducer"] == name]
        valid = 100 * sum(row["valid"] for row in own) / max(1, sum(row["asked"] for row in own))
        figures = (name, shown(row["after"] for row in own), mean(row["tests"] for row in own), valid,
                   mean(row["runs"] for row in own), mean(row["seconds"] for row in own),
                   sum(row["limited"] for row in own), len(own))
        print("| %s | %s | %.0f | %.0f%% | %.0f | %.0f | %d of %d |" % figures)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    work, domains = os.path.abspath(sys.argv[1]), sys.argv[2:] or list(SEEDS)
    os.makedirs(work, exist_ok=True)
    path = os.path.join(work, "figures.jsonl")
    done = measured(path)
    # Alternate between domains, so that partial figures are representative.
    rounds = zip(*([(domain, *subject) for subject in SEEDS[domain]] for domain in domains))
    for domain, seed, bug in (subject for subjects in rounds for subject in subjects):
        make = generator(domain, work) + [str(seed)]
        for name, command in reducers(domain).items():
            if any((row["domain"], row["seed"], row["reducer"]) == (domain, seed, name) for row in done):
                continue
            row = measure(domain, seed, bug, name, command, make, work)
            done.append(row)
            with open(path, "a") as file:
                file.write(json.dumps(row) + "\n")
            print(row, file=sys.stderr)
    for domain in domains:
        tell(domain, done)


main()

"""Runs programs with the package as users and Whittle do."""

import json
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Ran:
    """What a program printed, how it ended, and what was recorded of it."""

    def __init__(self, done, path):
        self.stdout, self.stderr, self.status = done.stdout, done.stderr, done.returncode
        self.records = []
        if path.endswith(".jsonl") and os.path.exists(path):
            with open(path) as file:
                self.records = [json.loads(line) for line in file]

    @property
    def end(self):
        return self.records[-1]

    def draws(self):
        return [record for record in self.records if record["do"] == "draw"]

    def shape(self):
        """The tree as nested text: a letter for each scope, the values of each draw."""
        parts = []
        for record in self.records:
            if record["do"] == "open":
                parts.append(record["kind"][0].upper() + "(")
            elif record["do"] == "close":
                parts.append(")")
            elif record["do"] == "draw":
                parts.append(",".join(map(str, record["value"])) + " ")
            elif record["do"] == "open-ended":
                parts.append("~")
        return "".join(parts)


def tell(record, *values):
    """Gives a draw other values. Like Whittle's edits, this drops its outputs."""
    record["value"] = list(values)
    record.pop("output", None)


class Case(unittest.TestCase):
    """A folder with programs in it."""

    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w") as file:
            file.write(textwrap.dedent(text))

    def plain(self, name, *arguments):
        """What a program prints without the package."""
        environment = dict(os.environ, PYTHONHASHSEED="0")
        command = [sys.executable, self.path(name), *arguments]
        return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=self.folder).stdout

    def traced(self, name, *arguments, script=None, by_hand=False, record="record.jsonl", **variables):
        """Runs a program, replaying `script` if there is one."""
        path = self.path(record)
        environment = dict(os.environ, PYTHONHASHSEED="0", WHITTLE_TRACE_RECORD=path, **variables)
        environment["PYTHONPATH"] = HERE if by_hand else os.pathsep.join([os.path.join(HERE, "start"), HERE])
        if script is not None:
            with open(self.path("replay.jsonl"), "w") as file:
                file.writelines(json.dumps(record) + "\n" for record in script)
            environment["WHITTLE_TRACE_REPLAY"] = self.path("replay.jsonl")
        module = ["-m", "whittle_choices"] if by_hand else []
        command = [sys.executable, *module, self.path(name), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=self.folder)
        return Ran(done, path)

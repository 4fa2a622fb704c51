"""Whittle from Python, in four cells: run it as a program, or cell by cell in an editor or a notebook.

    pip install ./crates/python && python examples/python/shrink.py     # from a checkout of Whittle; needs Rust
"""

# %% A function with a bug: it does not expect a comment in an empty object.
import json
import re

import whittle
from whittle import choices


def parse(text: str) -> object:
    """JSON with comments."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    if re.search(r"\{\s*//", text):
        raise RecursionError("comment loop")
    return json.loads(re.sub(r"//.*", "", text))


bug_report = """
{
    "name": "example",  // what it is called
    "versions": [1, 2, 3, {"major": 4, "minor": [5, 6]}],
    "options": {
        // nothing here yet
    },
    "tail": {"a": {"b": {"c": [null, true, false]}}}
}
"""


# %% A predicate says whether a candidate still shows the bug: this one, not any failure.
def shows_the_bug(text: str) -> bool:
    try:
        parse(text)
    except RecursionError:
        return True
    except ValueError:
        return False
    return False


result = whittle.reduce(bug_report, shows_the_bug, language="json")
print(result.data, result, sep="\n")

# %% The same with a command, on all cores, and with a look at what happens meanwhile.
command = whittle.Command(["grep", "-c", "-z", r"{\s*//", "{}"], stdout="1", timeout="5s")


def show(now: whittle.Progress[str]) -> None:
    if now.improved:
        print(f"{now.size} tokens after {now.tests} tests")


by_command = whittle.reduce(bug_report, command, language="json", on_progress=show)
print(by_command.data, by_command, sep="\n")


# %% If a function makes the inputs, reduce its choices: every candidate is then one that it could have made.
def document(source: choices.Source) -> str:
    with source.scope("value"):
        kind = source.choose(["null", "number", "list", "object"], weights=[3, 3, 2, 2])
        if kind == "number":
            return str(source.int(0, 999))
        if kind == "list":
            return "[" + ", ".join(document(source) for _ in source.repeat(0, 4)) + "]"
        if kind == "object":
            comment = source.optional(lambda: "// comment\n") or ""
            return "{" + comment + ", ".join(f'"{key}": ' + document(source) for key in source.repeat(0, 3)) + "}"
        return "null"


try:
    choices.check(document, parse, runs=200)
except choices.Falsified as failure:
    print(failure)

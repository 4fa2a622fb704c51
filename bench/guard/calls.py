"""A check of call chains by words alone, for the guard. Interesting: brackets nest, and each function of the file's chain is
defined and calls the next one in its body; the last name of the chain only has to be called. Python is read by its parser."""

import ast
import pathlib
import re
import sys

CHAINS = {
    "log.c": ["main", "record", "find", "strcmp"],
    "shapes.cpp": ["main", "accept", "visit", "with", "write", "encode"],
    "player.js": ["play", "perform", "take", "emit"],
    "stock.py": ["main", "night", "sweep", "sweep_shelf", "discard"],
}
CLOSING = {"(": ")", "[": "]", "{": "}"}


def words(text):
    """Names, numbers, strings and signs, without comments; None if brackets do not nest."""
    pattern = r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`[^`]*`|\w+|\S"
    found = [word for word in re.findall(pattern, text, re.S) if not word.startswith(("//", "/*"))]
    expected = []
    for word in found:
        if word in CLOSING:
            expected.append(CLOSING[word])
        elif word in CLOSING.values() and (not expected or expected.pop() != word):
            return None
    return None if expected else found


def end_of(found, at):
    """The place after the group that opens at a place."""
    depth = 0
    for place in range(at, len(found)):
        depth += (found[place] in CLOSING) - (found[place] in CLOSING.values())
        if depth == 0:
            return place + 1
    return len(found)


def bodies(found):
    """Each definition: a name, a group in parentheses, perhaps a word like const, and a block. Calls are the names before
    parentheses in that block."""
    for at, name in enumerate(found[:-1]):
        if not re.match(r"[A-Za-z_]", name) or found[at + 1] != "(":
            continue
        block = end_of(found, at + 1)
        while block < len(found) and found[block] in ("const", "override"):
            block += 1
        if block < len(found) and found[block] == "{":
            body = found[block:end_of(found, block)]
            yield name, {word for word, after in zip(body, body[1:]) if after == "("}


def python_bodies(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            calls = [call.func for call in ast.walk(node) if isinstance(call, ast.Call)]
            yield node.name, {getattr(call, "attr", getattr(call, "id", None)) for call in calls}


def main():
    (path,) = (path for path in pathlib.Path().iterdir() if path.name in CHAINS)
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix == ".py":
        try:
            defined = list(python_bodies(text))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return 1
    else:
        found = words(text)
        if found is None:
            return 1
        defined = list(bodies(found))
    chain = CHAINS[path.name]
    for caller, callee in zip(chain, chain[1:]):
        if not any(name == caller and callee in calls for name, calls in defined):
            return 1
    return 0


sys.exit(main())

"""Trace files: binary records, or one JSON object per line if the file's name ends in .jsonl."""

import os
import struct
import sys
from array import array

MAGIC = b"whittle-trace 2\n"
# Files of the first version have no outputs, and all lengths have 4 bytes.
MAGIC_1 = b"whittle-trace 1\n"
KINDS = ("call", "loop", "iteration", "selection", "branch")
DRAWS = ("integer", "fraction", "real", "arrangement", "wide")
OUTCOMES = ("complete", "halted", "over-budget")

CALL, LOOP, ITERATION, SELECTION, BRANCH = range(5)
INTEGER, FRACTION, REAL, ARRANGEMENT, WIDE = range(5)
COMPLETE, HALTED, OVER_BUDGET = range(3)

# Set in the kind of a draw: its values are followed by as many outputs; its numbers have 4 bytes instead of 8.
_WITH_OUTPUT, _SHORT = 0x80, 0x40
# In place of a length: it follows in 4 bytes.
_LONG_RECORD = 255

_LONG_HEAD = struct.Struct("<BBI")
_OPEN = struct.Struct("<BBBI")
_DRAW = struct.Struct("<BBBI")
_DRAW_SHORT = struct.Struct("<BBBII")
_END = struct.Struct("<BBBQI")
_TWO = struct.Struct("<II").pack
_CLOSE = b"C\0"

# Words of steps: the low byte says what it is, the rest is the number of the site.
LEAVE_WORD, FINISHED_WORD, INTEGER_WORD, OUTPUT_WORD, FRACTION_WORD, WITHIN_WORD, ROUND_WORD, NO_ROUND_WORD = range(8)
OPEN_WORD = 8  # plus the kind of scope
BACK_WORD, THEN_WORD, ELSE_WORD, LEAVE_NTH_WORD = range(13, 17)

# How much is buffered before it is written. If the program is killed, the rest is lost.
_CHUNK = 1 << 16


class Node:
    """A step of a script: its number, its site, its values and outputs if it is a draw, and the steps within it.

    No two kinds of steps share a site, except iterations, whose site is empty, and branches."""

    __slots__ = ("number", "site", "values", "outputs", "children")

    def __init__(self, number, site, values=(), outputs=()):
        self.number, self.site, self.values, self.outputs, self.children = number, site, values, outputs, []


class Words(dict):
    """The first word of a step by its site, without the low byte. New sites are written."""

    def __init__(self, number_of):
        self.number_of = number_of

    def __missing__(self, site):
        word = self[site] = self.number_of(site) << 8
        return word


class BinaryWriter:
    """Writes binary records as they occur."""

    def __init__(self, path):
        self.file = open(path, "wb")
        self.owner = os.getpid()
        self.buffer = bytearray(MAGIC)
        self.sites = {}
        # How the records of a site start.
        self.opens, self.draws, self.plain_draws = {}, {}, {}
        self.words = Words(self._site)

    def _site(self, site):
        number = self.sites.get(site)
        if number is None:
            number = self.sites[site] = len(self.sites)
            text = site.encode("utf-8", "surrogateescape")
            self.buffer += _LONG_HEAD.pack(0x53, _LONG_RECORD, len(text)) + text
        return number

    def open(self, kind, site):
        record = self.opens.get(site)
        if record is None:
            record = self.opens[site] = _OPEN.pack(0x4F, 5, kind, self._site(site))
        self.buffer += record

    def close(self):
        self.buffer += _CLOSE
        if len(self.buffer) > _CHUNK:
            self.flush()

    def open_ended(self):
        self.buffer += b"B\0"

    def number(self, kind, site, most, value, output=None):
        if output is None:
            head = self.plain_draws.get((site, most)) or self._plain_head(kind, site, most)
            self.buffer += head + value.to_bytes(8, "little")
        elif most >> 32 or output >> 32:
            self.draw(kind, site, most, (value,), (output,))
        else:
            head = self.draws.get((site, most)) or self._head(kind, site, most)
            self.buffer += head + _TWO(value, output)

    def _plain_head(self, kind, site, most):
        head = _DRAW.pack(0x44, 21, kind, self._site(site)) + most.to_bytes(8, "little")
        self.plain_draws[site, most] = head
        return head

    def _head(self, kind, site, most):
        head = _DRAW_SHORT.pack(0x44, 17, kind | _SHORT | _WITH_OUTPUT, self._site(site), most)
        self.draws[site, most] = head
        return head

    def draw(self, kind, site, most, values, outputs=()):
        numbers = (most, *values, *outputs)
        length = 5 + 8 * len(numbers)
        kind |= _WITH_OUTPUT if outputs else 0
        site = self._site(site)
        if length < _LONG_RECORD:
            self.buffer += _DRAW.pack(0x44, length, kind, site)
        else:
            self.buffer += _LONG_HEAD.pack(0x44, _LONG_RECORD, length) + struct.pack("<BI", kind, site)
        self.buffer += struct.pack("<%dQ" % len(numbers), *numbers)

    def steps(self, words):
        """Writes steps as words."""
        packed = array("Q", words)
        if sys.byteorder == "big":
            packed.byteswap()
        self.buffer += _LONG_HEAD.pack(0x57, _LONG_RECORD, 8 * len(words)) + packed.tobytes()
        self.flush()

    def end(self, outcome, misaligned, number):
        self.buffer += _END.pack(0x5A, 13, outcome, misaligned, number)
        self.flush()

    def flush(self):
        # A forked process has a copy of the buffer; only the first process writes.
        if os.getpid() == self.owner:
            self.file.write(self.buffer)
            self.file.flush()
        self.buffer.clear()


class JsonWriter:
    """Writes one JSON object per line."""

    def __init__(self, path):
        # Loading it takes as long as many generators run.
        import json

        self.dumps = json.dumps
        self.file = open(path, "w", encoding="utf-8", errors="surrogateescape")
        self.owner = os.getpid()

    def _line(self, **record):
        if os.getpid() == self.owner:
            self.file.write(self.dumps(record) + "\n")

    def open(self, kind, site):
        self._line(do="open", kind=KINDS[kind], site=site)

    def close(self):
        self._line(do="close")

    def open_ended(self):
        self._line(**{"do": "open-ended"})

    def number(self, kind, site, most, value, output=None):
        self.draw(kind, site, most, (value,), () if output is None else (output,))

    def draw(self, kind, site, most, values, outputs=()):
        known = {"output": list(outputs)} if outputs else {}
        self._line(do="draw", kind=DRAWS[kind], site=site, max=most, value=list(values), **known)

    def end(self, outcome, misaligned, number):
        self._line(do="end", outcome=OUTCOMES[outcome], misaligned=misaligned, node=number)
        if os.getpid() == self.owner:
            self.file.flush()


def writer(path):
    """A writer of the format that the file name implies."""
    return JsonWriter(path) if path.endswith(".jsonl") else BinaryWriter(path)


def read(path):
    """The root of the script in a file, and the values to draw where no step matches, by site."""
    with open(path, "rb") as file:
        data = file.read()
    root, defaults = Node(0, None), {}
    stack, number = [root], 0
    for step in steps(data):
        what = step[0]
        if what == "open-ended":
            continue
        if what == "close":
            stack.pop()
            continue
        if what == "default":
            defaults[step[1]] = step[2]
            continue
        number += 1
        if what == "open":
            node = Node(number, step[2])
            stack[-1].children.append(node)
            stack.append(node)
        else:
            stack[-1].children.append(Node(number, *step[1:]))
    return root, defaults


def steps(data):
    """The steps in a file, in either form."""
    return _binary_steps(data) if data.startswith((MAGIC, MAGIC_1)) else _json_steps(data)


def _binary_steps(data):
    sites, scopes, at, size = [], _Words(), len(MAGIC), len(data)
    unpack_site = struct.Struct("<I").unpack_from
    is_first_version = data.startswith(MAGIC_1)
    while at + (5 if is_first_version else 2) <= size:
        tag, length = data[at], data[at + 1]
        at += 2
        if is_first_version or length == _LONG_RECORD:
            at -= 1 if is_first_version else 0
            length = unpack_site(data, at)[0]
            at += 4
        if tag == 0x43:
            yield ("close",)
        elif tag == 0x42:
            yield ("open-ended",)
        elif tag == 0x4F:
            yield ("open", data[at], sites[unpack_site(data, at + 1)[0]])
        elif tag == 0x44:
            width, letter = (4, "I") if data[at] & _SHORT else (8, "Q")
            numbers = struct.unpack_from("<%d%s" % ((length - 5) // width, letter), data, at + 5)[1:]
            half = len(numbers) // 2 if data[at] & _WITH_OUTPUT else len(numbers)
            yield ("draw", sites[unpack_site(data, at + 1)[0]], numbers[:half], numbers[half:])
        elif tag == 0x53:
            sites.append(data[at : at + length].decode("utf-8", "surrogateescape"))
        elif tag == 0x57:
            yield from scopes.steps(struct.unpack_from("<%dQ" % (length // 8), data, at), sites)
        elif tag == 0x56:
            values = struct.unpack_from("<%dQ" % ((length - 4) // 8), data, at + 4)
            yield ("default", sites[unpack_site(data, at)[0]], values)
        at += length


class _Words:
    """Reads steps that are words, and knows which scopes are open."""

    def __init__(self):
        # Each: the number of its site, or None for rounds and branches; whether it is a loop that was not finished; and
        # how many scopes of the site were opened up to it.
        self.open, self.opened = [], {}

    def steps(self, words, sites):
        """The steps in one record."""
        words, steps = iter(words), []
        for first in words:
            what, site = first & 0xFF, first >> 8
            if what in (INTEGER_WORD, OUTPUT_WORD):
                _, value = next(words), next(words)
                steps.append(("draw", sites[site], (value,), (next(words),) if what == OUTPUT_WORD else ()))
            elif what == FRACTION_WORD:
                steps.append(("draw", sites[site], (next(words),), ()))
            elif what == NO_ROUND_WORD:
                if steps and steps[-1] == ("open", ITERATION, ""):
                    steps.pop()
                    self.open.pop()
            elif OPEN_WORD <= what < BACK_WORD:
                self.opened[site] = self.opened.get(site, 0) + 1
                self.open.append([site, what == OPEN_WORD + LOOP, self.opened[site]])
                steps.append(("open", what - OPEN_WORD, sites[site]))
            else:
                self._within(what, site, next(words) if what == LEAVE_NTH_WORD else None, steps)
        return steps

    def _within(self, what, site, number, steps):
        """A word that closes all in the innermost open scope of a site, or in the one of this number."""
        places = [place for place, scope in enumerate(self.open) if scope[0] == site and number in (None, scope[2])]
        if not places:
            return
        place = places[-1]
        if what == FINISHED_WORD:
            self.open[place][1] = False
        # A round stays open.
        keeps = what in (BACK_WORD, FINISHED_WORD) and self.open[place + 1 : place + 2] == [[None, False, 0]]
        left = place if what in (LEAVE_WORD, LEAVE_NTH_WORD) else place + 1 + keeps
        while len(self.open) > left:
            steps += [("open-ended",)] * self.open.pop()[1] + [("close",)]
        new = {ROUND_WORD: (ITERATION, ""), THEN_WORD: (BRANCH, "then"), ELSE_WORD: (BRANCH, "else")}.get(what)
        if new is not None:
            self.open.append([None, False, 0])
            steps.append(("open", *new))


def _json_steps(data):
    import json

    for line in data.decode("utf-8", "surrogateescape").splitlines():
        if not line.strip():
            continue
        record = json.loads(line)
        what = record["do"]
        if what == "open":
            yield ("open", KINDS.index(record["kind"]), record["site"])
        elif what == "draw":
            yield ("draw", record["site"], tuple(record["value"]), tuple(record.get("output", ())))
        elif what in ("close", "open-ended"):
            yield (what,)
        elif what == "default":
            yield ("default", record["site"], tuple(record["value"]))

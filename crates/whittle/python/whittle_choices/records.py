"""Trace files: binary records, or one JSON object per line if the file's name ends in .jsonl."""

import os
import struct

MAGIC = b"whittle-trace 1\n"
KINDS = ("call", "loop", "iteration", "selection", "branch")
DRAWS = ("integer", "fraction", "real", "arrangement", "wide")
OUTCOMES = ("complete", "halted", "over-budget")

CALL, LOOP, ITERATION, SELECTION, BRANCH = range(5)
INTEGER, FRACTION, REAL, ARRANGEMENT, WIDE = range(5)
COMPLETE, HALTED, OVER_BUDGET = range(3)

_HEAD = struct.Struct("<BI")
_OPEN = struct.Struct("<BIBI")
_DRAW = struct.Struct("<BIBIQ")
_END = struct.Struct("<BIBQI")

# How much is buffered before it is written. If the program is killed, the rest is lost.
_CHUNK = 1 << 16


class Node:
    """A step of a script: its number, its site, its values if it is a draw, and the steps within it.

    No two kinds of steps share a site, except iterations, whose site is empty, and branches."""

    __slots__ = ("number", "site", "values", "children")

    def __init__(self, number, site, values=()):
        self.number, self.site, self.values, self.children = number, site, values, []


class BinaryWriter:
    """Writes binary records as they occur."""

    def __init__(self, path):
        self.file = open(path, "wb")
        self.owner = os.getpid()
        self.buffer = bytearray(MAGIC)
        self.sites = {}
        # How the records of a site start.
        self.opens, self.draws = {}, {}

    def _site(self, site):
        number = self.sites.get(site)
        if number is None:
            number = self.sites[site] = len(self.sites)
            text = site.encode("utf-8", "surrogateescape")
            self.buffer += _HEAD.pack(0x53, len(text)) + text
        return number

    def open(self, kind, site):
        record = self.opens.get(site)
        if record is None:
            record = self.opens[site] = _OPEN.pack(0x4F, 5, kind, self._site(site))
        self.buffer += record

    def close(self):
        self.buffer += b"C\0\0\0\0"
        if len(self.buffer) > _CHUNK:
            self.flush()

    def open_ended(self):
        self.buffer += b"B\0\0\0\0"

    def number(self, kind, site, most, value):
        head = self.draws.get((site, most))
        if head is None:
            head = self.draws[site, most] = _DRAW.pack(0x44, 21, kind, self._site(site), most)
        self.buffer += head + value.to_bytes(8, "little")

    def draw(self, kind, site, most, values):
        self.buffer += _DRAW.pack(0x44, 13 + 8 * len(values), kind, self._site(site), most)
        self.buffer += struct.pack("<%dQ" % len(values), *values)

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

    def number(self, kind, site, most, value):
        self.draw(kind, site, most, (value,))

    def draw(self, kind, site, most, values):
        self._line(do="draw", kind=DRAWS[kind], site=site, max=most, value=list(values))

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
    steps = _binary_steps(data) if data.startswith(MAGIC) else _json_steps(data)
    root, defaults = Node(0, None), {}
    stack, number = [root], 0
    for step in steps:
        what = step[0]
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
            stack[-1].children.append(Node(number, step[1], step[2]))
    return root, defaults


def _binary_steps(data):
    sites, at, size = [], len(MAGIC), len(data)
    unpack_site = struct.Struct("<I").unpack_from
    while at + 5 <= size:
        tag, length = _HEAD.unpack_from(data, at)
        at += 5
        if tag == 0x43:
            yield ("close",)
        elif tag == 0x4F:
            yield ("open", data[at], sites[unpack_site(data, at + 1)[0]])
        elif tag == 0x44:
            values = struct.unpack_from("<%dQ" % ((length - 13) // 8), data, at + 13)
            yield ("draw", sites[unpack_site(data, at + 1)[0]], values)
        elif tag == 0x53:
            sites.append(data[at : at + length].decode("utf-8", "surrogateescape"))
        elif tag == 0x56:
            values = struct.unpack_from("<%dQ" % ((length - 4) // 8), data, at + 4)
            yield ("default", sites[unpack_site(data, at)[0]], values)
        at += length


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
            yield ("draw", record["site"], tuple(record["value"]))
        elif what == "close":
            yield ("close",)
        elif what == "default":
            yield ("default", record["site"], tuple(record["value"]))

"""Reads a part of YAML: block mappings and lists, plain scalars, anchors, aliases and merge keys. Interesting: a merge key
wins over a key that stands before it, which it must not, and the file is otherwise well-formed."""

import re
import sys

LINE = re.compile(r"( *)(.*?)\s*$")
KEY = re.compile(r"([A-Za-z_<][\w<.-]*):(?: +(.*))?$")


class Malformed(Exception):
    pass


class Reader:
    def __init__(self, text, is_right):
        self.lines = []
        for line in text.split("\n"):
            indent, rest = LINE.match(line).groups()
            if rest and not rest.startswith("#"):
                self.lines.append((len(indent), rest))
        self.at = 0
        self.anchors = {}
        self.is_right = is_right

    def document(self):
        value = self.block(0)
        if self.at != len(self.lines):
            raise Malformed
        return value

    def block(self, indent):
        if self.at == len(self.lines) or self.lines[self.at][0] != indent:
            raise Malformed
        is_list = self.lines[self.at][1].startswith("- ")
        return self.items(indent) if is_list else self.mapping(indent)

    def items(self, indent):
        values = []
        while self.at < len(self.lines) and self.lines[self.at][0] == indent:
            rest = self.lines[self.at][1]
            if not rest.startswith("- "):
                raise Malformed
            if KEY.match(rest[2:]):
                self.lines[self.at] = (indent + 2, rest[2:])
                values.append(self.mapping(indent + 2))
            else:
                self.at += 1
                values.append(self.scalar(rest[2:]))
        return values

    def mapping(self, indent):
        explicit, merged, seen = {}, {}, set()
        while self.at < len(self.lines) and self.lines[self.at][0] == indent:
            match = KEY.match(self.lines[self.at][1])
            if not match or match[1] in seen:
                raise Malformed
            seen.add(match[1])
            self.at += 1
            value = self.value(match[2] or "", indent)
            if match[1] == "<<":
                if not isinstance(value, dict):
                    raise Malformed
                merged.update(value)
                if not self.is_right:
                    explicit.update(value)
            else:
                explicit[match[1]] = value
        return {**merged, **explicit}

    def value(self, rest, indent):
        anchor = re.match(r"&(\w+) *", rest)
        if anchor:
            rest = rest[anchor.end() :]
        if rest:
            value = self.scalar(rest)
        elif self.at < len(self.lines) and self.lines[self.at][0] > indent:
            value = self.block(self.lines[self.at][0])
        else:
            value = None
        if anchor:
            self.anchors[anchor[1]] = value
        return value

    def scalar(self, text):
        if text.startswith("*"):
            if text[1:] not in self.anchors:
                raise Malformed
            return self.anchors[text[1:]]
        return text


def main():
    with open("pipeline.yaml", encoding="utf-8", errors="replace") as file:
        text = file.read()
    try:
        return 0 if Reader(text, is_right=True).document() != Reader(text, is_right=False).document() else 1
    except (Malformed, RecursionError):
        return 1


sys.exit(main())

"""A minifier of style sheets. Interesting: it merges rules of the same selector, and so changes which declaration wins for
an element that matches two selectors; the sheet is otherwise well-formed."""

import re
import sys

RULE = re.compile(r"\s*([^{}]+)\{([^{}]*)\}")
SELECTOR = re.compile(r"^[a-z]*(\.[a-z][a-z0-9-]*)*$")


def parse(text):
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    rules, at = [], 0
    while text[at:].strip():
        match = RULE.match(text, at)
        if not match:
            return None
        at = match.end()
        declarations = []
        for part in filter(str.strip, match[2].split(";")):
            name, colon, value = part.partition(":")
            if not colon or not re.fullmatch(r"[a-z-]+", name.strip()) or not value.strip():
                return None
            declarations.append((name.strip(), value.strip()))
        rules.append(([selector.strip() for selector in match[1].split(",")], declarations))
    return rules


def minify(rules):
    """The bug: a rule moves up to the first one of the same selectors, past others that it overrode."""
    merged = {}
    for selectors, declarations in rules:
        merged.setdefault(tuple(selectors), []).extend(declarations)
    return [(list(selectors), declarations) for selectors, declarations in merged.items()]


def weight(selector):
    return (selector.count("."), 0 if selector.startswith(".") else 1)


def style(rules, classes):
    """The computed style of a div with these classes."""
    best = {}
    for order, (selectors, declarations) in enumerate(rules):
        for selector in selectors:
            tag, *names = selector.split(".")
            if tag not in ("", "div") or not set(names) <= classes or not selector:
                continue
            for index, (name, value) in enumerate(declarations):
                is_important = value.endswith("!important")
                rank = (is_important, weight(selector), order, index)
                if name not in best or best[name][0] <= rank:
                    best[name] = (rank, value)
    return {name: value for name, (_, value) in best.items()}


def main():
    with open("site.css", encoding="utf-8", errors="replace") as file:
        rules = parse(file.read())
    if not rules or not all(SELECTOR.match(selector) for selectors, _ in rules for selector in selectors):
        return 1
    classes = {name for selectors, _ in rules for selector in selectors for name in selector.split(".")[1:]}
    small = minify(rules)
    for first in sorted(classes):
        for second in sorted(classes):
            if first < second and style(rules, {first, second}) != style(small, {first, second}):
                return 0
    return 1


sys.exit(main())

#!/usr/bin/env python3
"""Generates random Rust libraries as fuzzers of compilers do: crates.py FOLDER COUNT

Typed expressions and statements over integers, Booleans, arrays and structures, with the long names that tools generate.
Those for which rustc warns by fewer than three lints (lints.sh) are left out. The same arguments generate the same
files."""

import os
import random
import subprocess
import sys
import tempfile

PARTS = "invariant loop_head state heap frame guard counter index bound witness summary transition".split()
TYPES = ["u8", "u32", "i32", "i64", "usize", "bool"]
HERE = os.path.dirname(os.path.abspath(__file__))


class Library:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.functions, self.structure = [], self.name().title().replace("_", "")
        self.fields = [(self.name(), self.type()) for _ in range(3)]

    def name(self):
        return "_".join(self.random.choices(PARTS, k=2)) + f"_{self.random.randrange(1000)}"

    def type(self):
        return self.random.choice(TYPES)

    def expression(self, type, names, depth):
        choose, more = self.random.choice, lambda type: self.expression(type, names, depth - 1)
        known = [name for name, known in names if known == type]
        if depth <= 0:
            literal = choose(["true", "false"]) if type == "bool" else f"{self.random.choice([0, 1, 2, 7, 100])}{type}"
            return choose(known + [literal])
        ways = [lambda: f"if {more('bool')} {{ {more(type)} }} else {{ {more(type)} }}", lambda: f"({more(type)})"]
        if type == "bool":
            number = self.random.choice(TYPES[:-1])
            ways += [lambda: f"({more(number)} {choose(['<', '>=', '==', '!='])} {more(number)})"] * 2
            ways += [lambda: f"({more('bool')} {choose(['&&', '||', '^'])} {more('bool')})", lambda: f"!{more('bool')}"]
        else:
            operator = lambda: choose(["wrapping_add", "wrapping_mul", "wrapping_sub", "min", "max"])
            ways += [lambda: f"({more(type)}).{operator()}({more(type)})"] * 2
            ways += [lambda: f"({more(self.random.choice(TYPES[:-1]))} as {type})"]
        ways += [lambda f=f: f"{f[0]}({', '.join(more(t) for t in f[1])})" for f in self.functions if f[2] == type]
        return choose(ways)()

    def statement(self, names, depth):
        choose, kind = self.random.choice, self.type()
        made = lambda type: self.expression(type, names, self.random.randint(0, 2))
        mutable = [entry for entry in names if entry[0].startswith("mut_")]
        if depth > 0 and self.random.random() < 0.4:
            head = choose([f"if {made('bool')}", f"while {choose(['true', made('bool')])}", "loop"])
            end = "" if head.startswith("if") else "break;"
            return f"{head} {{ {self.block(list(names), depth - 1)} {end} }}"
        if mutable and self.random.random() < 0.4:
            name, type = choose(mutable)
            return f"{name} = {made(type)};"
        name = choose(["", "mut_"]) + self.name()
        text = f"let {'mut ' if name.startswith('mut_') else ''}{name}: {kind} = {made(kind)};"
        names.append((name, kind))
        return text

    def block(self, names, depth):
        return "\n".join(self.statement(names, depth) for _ in range(self.random.randint(2, 4)))

    def function(self):
        parameters = [(self.name(), self.type()) for _ in range(self.random.randint(1, 4))]
        name, result = self.name(), self.type()
        value = f"value_{self.random.randrange(1000)}"
        names = parameters + [(f"{value}.{field}", type) for field, type in self.fields]
        listed = ", ".join(f"{name}: {type}" for name, type in parameters)
        body = self.block(names, 2)
        fields = ", ".join(f"{field}: {self.expression(type, parameters, 1)}" for field, type in self.fields)
        text = (f"{self.random.choice(['', 'pub '])}fn {name}({listed}) -> {result} {{\nlet {value} = {self.structure} {{ {fields} }};\n"
                f"{body}\n{self.expression(result, names, 2)}\n}}\n")
        self.functions.append((name, [type for _, type in parameters], result))
        return text

    def text(self):
        fields = ", ".join(f"{name}: {type}" for name, type in self.fields)
        return f"struct {self.structure} {{ {fields} }}\n" + "".join(self.function() for _ in range(4))


def main():
    folder, count = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    os.makedirs(folder, exist_ok=True)
    seed = 0
    while len(os.listdir(folder)) < count:
        seed += 1
        path = os.path.join(folder, f"{seed:03}.rs")
        with open(path, "w") as file:
            file.write(Library(seed).text())
        command = [os.path.join(HERE, "lints.sh"), path]
        with tempfile.TemporaryDirectory() as scratch:
            said = subprocess.run(command, capture_output=True, text=True, cwd=scratch)
        if said.returncode or len(said.stdout.split()) < 4:
            os.remove(path)


if __name__ == "__main__":
    main()

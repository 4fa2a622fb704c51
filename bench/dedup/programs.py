#!/usr/bin/env python3
"""Generates random programs that crash a compiler: programs.py COMPILER FOLDER COUNT

Each seed generates a program in the subset of C that minic accepts. Programs on which COMPILER exits with status 3 are kept
in FOLDER as SEED.c, until there are COUNT. The same arguments generate the same files."""

import os
import random
import subprocess
import sys

SYLLABLES = "ba co du el fi gor hu in jo ka lum mi no pra qui ros ta un vex win".split()
WORDS = "sum result of the loop is now done value next index for node".split()


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.functions = {}
        self.scopes = [[]]
        self.arrays = []
        self.current = None
        self.taken = {"print"}

    def name(self):
        while True:
            name = "".join(self.random.choices(SYLLABLES, k=self.random.randint(1, 3)))
            name += self.random.choice(["", "", "_t", "2", "_"])
            if name not in self.taken and name not in ("do", "if", "int"):
                self.taken.add(name)
                return name

    def number(self):
        value = self.random.choice([0, 1, 2, 3, 512, 1024, 4096, self.random.randrange(10_000)])
        return self.random.choice(["{}", "{}", "{:#x}", "{}u", "{}L"]).format(value)

    def words(self):
        return self.random.choices(WORDS + ["%d", "%x", "%s"], k=self.random.randint(1, 6))

    def variable(self):
        return self.random.choice([name for scope in self.scopes for name in scope] or ["0"])

    def element(self):
        if not self.arrays:
            return self.number()
        index = self.random.choice([self.number, self.variable, self.stepped])()
        return f"{self.random.choice(self.arrays)}[{index}]"

    def stepped(self):
        variable = self.variable()
        return variable if variable == "0" else variable + self.random.choice(["++", "--"])

    def call(self, depth):
        others = [name for name in self.functions if name != self.current]
        itself = self.random.random() < 0.01
        if not others and not itself:
            return self.number()
        name = self.current if itself else self.random.choice(others)
        return f"{name}({', '.join(self.expression(depth + 1) for _ in range(self.functions[name]))})"

    def expression(self, depth=0):
        leaves = [self.number, self.variable, self.variable, self.element]
        if depth > 2 or self.random.random() < 0.3:
            return self.random.choice(leaves)()
        deeper = lambda: self.expression(depth + 1)
        kind = self.random.random()
        if kind < 0.55:
            sign = self.random.choice("+ - * / % & | ^ << >> < > == !=".split())
            text = f"{deeper()} {sign} {deeper()}"
            return f"({text})" if depth else text
        if kind < 0.65:
            return self.random.choice("-!~") + self.random.choice(leaves[:3])()
        if kind < 0.75:
            return f"({deeper()} ? {deeper()} : {deeper()})"
        return self.call(depth)

    def statement(self, depth):
        pad = "    " * depth
        kind = self.random.random()
        variable = self.variable()
        if kind < 0.2 or variable == "0":
            value = self.expression()
            self.scopes[-1].append(self.name())
            return f"{pad}int {self.scopes[-1][-1]} = {value};\n"
        if kind < 0.45:
            place = self.element() if self.arrays and self.random.random() < 0.5 else variable
            return f"{pad}{place} {self.random.choice(['=', '+=', '-='])} {self.expression()};\n"
        if kind < 0.6:
            words = self.words()
            wanted = sum(word[0] == "%" for word in words) - (self.random.random() < 0.06)
            values = "".join(f", {self.expression(2)}" for _ in range(wanted))
            return f'{pad}print("{" ".join(words)}{self.random.choice(["", "!", chr(92) + "n"])}"{values});\n'
        if depth > 3:
            return f"{pad}{self.stepped()};\n"
        if kind < 0.75:
            condition = self.expression(1)
            if self.random.random() < 0.3:
                condition = f"{variable} = {condition}"
            text = f"{pad}if ({condition}) {self.block(depth)}"
            return text + (f"{pad}else {self.block(depth)}" if self.random.random() < 0.5 else "")
        if kind < 0.93:
            return self.loop(depth, variable)
        if kind < 0.97:
            return f"{pad}return {self.expression(1)};\n"
        return f"{pad}/* {' '.join(self.random.choices(WORDS, k=4))} */\n"

    def loop(self, depth, variable):
        pad = "    " * depth
        if self.random.random() < 0.5:
            head = f"while ({self.expression(1)})"
        else:
            head = f"for ({variable} = {self.expression(2)}; {variable} < {self.expression(2)}; {self.stepped()})"
        return f"{pad}{head} {self.block(depth)}"

    def block(self, depth):
        self.scopes.append([])
        body = "".join(self.statement(depth + 1) for _ in range(self.random.randint(1, 3)))
        self.scopes.pop()
        return "{\n" + body + "    " * depth + "}\n"

    def function(self):
        name, parameters = self.name(), [self.name() for _ in range(self.random.randint(0, 3))]
        self.scopes.append(list(parameters))
        self.current, self.functions[name] = name, len(parameters)
        head = f"int {name}({', '.join('int ' + parameter for parameter in parameters)})"
        body = "".join(self.statement(1) for _ in range(self.random.randint(2, 5)))
        end = f"    return {self.expression(1)};\n"
        self.scopes.pop()
        return f"{head} {{\n{body}{end}}}\n"

    def text(self):
        parts = []
        for _ in range(self.random.randint(1, 3)):
            name = self.name()
            parts.append(f"int {name} = {self.number()};\n")
            self.scopes[0].append(name)
        for _ in range(self.random.randint(0, 2)):
            self.arrays.append(self.name())
            parts.append(f"int {self.arrays[-1]}[{self.random.randint(2, 99)}];\n")
        parts += [self.function() for _ in range(self.random.randint(2, 3))]
        return "\n".join(parts)


def main():
    compiler, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    os.makedirs(folder, exist_ok=True)
    seed = kept = 0
    while kept < count:
        seed += 1
        path = os.path.join(folder, f"{seed}.c")
        with open(path, "w") as file:
            file.write(Program(seed).text())
        if subprocess.run([compiler, path], stderr=subprocess.DEVNULL).returncode == 3:
            kept += 1
        else:
            os.remove(path)


if __name__ == "__main__":
    main()

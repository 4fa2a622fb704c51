#!/usr/bin/env python3
"""Generates random SMT-LIB files as fuzzers of solvers do: formulas.py FOLDER COUNT

Typed terms over integers, Booleans, an array, uninterpreted functions and quantifiers, with the long names that tools
generate. The same arguments generate the same files."""

import os
import random
import sys

PARTS = "invariant loop_head pre_state heap frame guard counter index bound witness summary transition".split()


class Formula:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = {sort: [self.name() for _ in range(self.random.randint(2, 5))] for sort in ("Int", "Bool")}
        self.function, self.predicate, self.array = self.name(), self.name(), self.name()

    def name(self):
        return "!".join(self.random.choices(PARTS, k=2)) + f"!{self.random.randrange(1000)}"

    def term(self, sort, depth):
        choose, term = self.random.choice, lambda sort: self.term(sort, depth - 1)
        if depth <= 0:
            number = str(self.random.choice([0, 1, 2, 17, 1024, self.random.randrange(100_000)]))
            return choose(self.names[sort] + [number if sort == "Int" else choose(["true", "false"])])
        if sort == "Int":
            return choose([
                lambda: f"({choose(['+', '-', '*'])} {term('Int')} {term('Int')})",
                lambda: f"({choose(['div', 'mod'])} {term('Int')} {self.random.randint(2, 9)})",
                lambda: f"(ite {term('Bool')} {term('Int')} {term('Int')})",
                lambda: f"({self.function} {term('Int')} {term('Int')})",
                lambda: f"(select {self.array} {term('Int')})",
                lambda: f"(select (store {self.array} {term('Int')} {term('Int')}) {term('Int')})",
            ])()
        return choose([
            lambda: f"({choose(['<', '<=', '>', '>=', '=', 'distinct'])} {term('Int')} {term('Int')})",
            lambda: f"({choose(['and', 'or', 'xor', '=>', '='])} {term('Bool')} {term('Bool')})",
            lambda: f"(not {term('Bool')})",
            lambda: f"({self.predicate} {term('Int')})",
            lambda: self.bound(depth),
        ])()

    def bound(self, depth):
        name = self.name()
        binder, sort = self.random.choice(["forall", "exists", "let"]), self.random.choice(["Int", "Bool"])
        value = self.term(sort, depth - 2)
        self.names[sort].append(name)
        body = self.term("Bool", depth - 1)
        self.names[sort].remove(name)
        return f"({binder} (({name} {value if binder == 'let' else sort})) {body})"

    def text(self):
        declared = [f"(declare-fun {name} () {sort})" for sort in self.names for name in self.names[sort]]
        declared += [f"(declare-fun {self.function} (Int Int) Int)", f"(declare-fun {self.predicate} (Int) Bool)"]
        declared += [f"(declare-fun {self.array} () (Array Int Int))"]
        asserted = [f"(assert {self.term('Bool', 4)})" for _ in range(self.random.randint(3, 8))]
        return "\n".join(["(set-logic ALL)", *declared, *asserted, "(check-sat)", "(get-model)", ""])


def main():
    folder, count = sys.argv[1], int(sys.argv[2])
    os.makedirs(folder, exist_ok=True)
    for seed in range(count):
        with open(f"{folder}/{seed:03}.smt2", "w") as file:
            file.write(Formula(seed).text())


if __name__ == "__main__":
    main()

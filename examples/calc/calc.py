#!/usr/bin/env python3
"""An interpreter for a small calculator language. It has one bug, which this example is about.

    program   = { statement }
    statement = "let" NAME "=" expr ";" | "def" NAME "(" [ NAME { "," NAME } ] ")" "=" expr ";" | "print" expr { "," expr } ";"
    expr      = "let" NAME "=" expr "in" expr | "if" expr "then" expr "else" expr | operators, calls, names, numbers

Functions are looked up when they are called, so they may be recursive and may be redefined. Parameters and local
`let`s live in numbered slots of the call's frame; everything else is global. `#` starts a comment.
"""

import math
import operator
import re
import sys

TOKEN = re.compile(r"(?:\s|#[^\n]*)*(?:([0-9]+(?:\.[0-9]+)?)|([A-Za-z_][A-Za-z_0-9]*)|([<>=!]=|[-+*/%^<>=(),;])|(\Z)|(.))", re.S)
KEYWORDS = {"let", "in", "if", "then", "else", "def", "print"}
PRECEDENCE = {"==": 1, "!=": 1, "<": 2, ">": 2, "<=": 2, ">=": 2, "+": 3, "-": 3, "*": 4, "/": 4, "%": 4, "^": 6}
OPERATORS = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge,
             "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "%": operator.mod, "^": math.pow}
BUILTINS = {"sqrt": (1, math.sqrt), "floor": (1, math.floor), "abs": (1, abs), "min": (2, min), "max": (2, max)}
MAX_DEPTH = 250
MAX_STEPS = 20_000


class CalcError(Exception):
    """A user error: a syntax error, an unknown name, a division by zero, a program that runs too long."""


class Parser:
    def __init__(self, source):
        self.tokens = []
        self.position = 0
        self.depth = 0
        for number, name, symbol, _, other in TOKEN.findall(source):
            if other:
                raise CalcError(f"unexpected character {other!r}")
            kind = "number" if number else "name" if name and name not in KEYWORDS else ""
            self.tokens.append((kind, number or name or symbol))

    def next(self, kind):
        found, text = self.tokens[self.position]
        if found != kind:
            raise CalcError(f"expected a {kind}, found {text or 'the end'}")
        self.position += 1
        return text

    def accept(self, text):
        accepted = self.tokens[self.position] == ("", text)
        self.position += accepted
        return accepted

    def expect(self, text):
        if not self.accept(text):
            raise CalcError(f"expected {text}, found {self.tokens[self.position][1] or 'the end'}")

    def separated(self, element, end):
        elements = []
        while not self.accept(end):
            if elements:
                self.expect(",")
            elements.append(element())
        return elements

    def program(self):
        statements = []
        while self.tokens[self.position][1]:
            statements.append(self.statement())
        return statements

    def statement(self):
        if self.accept("print"):
            return "print", self.separated(lambda: self.expression([]), ";")
        parameters = []
        kind = "def" if self.accept("def") else "let"
        if kind == "let":
            self.expect("let")
        name = self.next("name")
        if kind == "def":
            self.expect("(")
            parameters = self.separated(lambda: self.next("name"), ")")
        self.expect("=")
        body = self.expression(parameters)
        self.expect(";")
        return kind, name, len(parameters), body

    def expression(self, scope, level=1):
        """Parses by precedence; `scope` lists the names in the frame's slots, in order."""
        self.depth += 1
        if self.depth > MAX_DEPTH // 2:
            raise CalcError("nested too deeply")
        left = self.operand(scope)
        while PRECEDENCE.get(self.tokens[self.position][1], 0) >= level:
            symbol = self.next("")
            left = ("binary", symbol, left, self.expression(scope, PRECEDENCE[symbol] + (symbol != "^")))
        self.depth -= 1
        return left

    def operand(self, scope):
        if self.accept("let"):
            name = self.next("name")
            self.expect("=")
            value = self.expression(scope)
            self.expect("in")
            return "bind", len(scope), value, self.expression(scope + [name])
        if self.accept("if"):
            condition = self.expression(scope)
            self.expect("then")
            yes = self.expression(scope)
            self.expect("else")
            return "if", condition, yes, self.expression(scope)
        if self.accept("-"):
            return "binary", "-", ("number", 0.0), self.expression(scope, 5)
        if self.accept("("):
            inner = self.expression(scope)
            self.expect(")")
            return inner
        if self.tokens[self.position][0] == "number":
            return "number", float(self.next("number"))
        name = self.next("name")
        if self.accept("("):
            return "call", name, *self.separated(lambda: self.expression(scope), ")")
        return ("slot", len(scope) - 1 - scope[::-1].index(name)) if name in scope else ("global", name)


def count_binds(tree):
    """The number of slots that the `let`s of a body need, in addition to the parameters."""
    count, rest = 0, [tree]
    while rest:
        node = rest.pop()
        count += node[0] == "bind"
        rest += [part for part in node if isinstance(part, tuple)]
    return count


class Interpreter:
    def __init__(self):
        self.globals = {}
        self.functions = {}
        self.frame_sizes = {}
        self.steps = 0
        self.depth = 0

    def run(self, source):
        """Runs a program and returns the lines it prints."""
        lines = []
        for kind, *parts in Parser(source).program():
            if kind == "print":
                lines.append(" ".join(f"{self.evaluate(tree, [0.0] * count_binds(tree)):g}" for tree in parts[0]))
            elif kind == "def":
                self.functions[parts[0]] = parts[1:]
            else:
                self.globals[parts[0]] = self.evaluate(parts[2], [0.0] * count_binds(parts[2]))
        return lines

    def evaluate(self, tree, frame):
        self.steps += 1
        self.depth += 1
        if self.steps > MAX_STEPS or self.depth > MAX_DEPTH:
            raise CalcError("the program runs too long or too deep")
        try:
            value = float(getattr(self, "eval_" + tree[0])(frame, *tree[1:]))
        except (ArithmeticError, ValueError) as error:
            raise CalcError(str(error)) from error
        self.depth -= 1
        return value

    def eval_number(self, _, value):
        return value

    def eval_slot(self, frame, slot):
        return frame[slot]

    def eval_global(self, _, name):
        if name not in self.globals:
            raise CalcError(f"unknown variable {name}")
        return self.globals[name]

    def eval_binary(self, frame, symbol, left, right):
        return OPERATORS[symbol](self.evaluate(left, frame), self.evaluate(right, frame))

    def eval_if(self, frame, condition, yes, no):
        return self.evaluate(yes if self.evaluate(condition, frame) else no, frame)

    def eval_bind(self, frame, slot, value, body):
        frame[slot] = self.evaluate(value, frame)
        return self.evaluate(body, frame)

    def eval_call(self, frame, name, *arguments):
        arity, body = self.functions.get(name) or BUILTINS.get(name) or (None, None)
        if arity != len(arguments):
            raise CalcError(f"no function {name} that takes {len(arguments)} arguments")
        values = [self.evaluate(argument, frame) for argument in arguments]
        if callable(body):
            return body(*values)
        if name not in self.frame_sizes:
            self.frame_sizes[name] = count_binds(body)
        return self.evaluate(body, values + [0.0] * self.frame_sizes[name])


if __name__ == "__main__":
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            print("\n".join(Interpreter().run(file.read())))
    except CalcError as error:
        sys.exit(f"error: {error}")

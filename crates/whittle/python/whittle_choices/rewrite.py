"""Rewrites a program so that it reports its calls, loops and selections.

Only functions need a try statement. Any other scope that is left by return, break or an exception is closed with the
scope around it. So nothing is nested deeper than before, and long chains of elif still work. Names start with one
underscore, because names with two are mangled in classes.
"""

import ast

RUNTIME = "_whittle_"


def rewrite(source, path, name):
    """The rewritten code of a module. `name` is the start of its sites."""
    tree = ast.parse(source, path)
    _Rewriter(name).module(tree)
    ast.fix_missing_locations(tree)
    return compile(tree, path, "exec", dont_inherit=True)


def _calls(*nodes):
    """Whether these nodes contain a call: code without calls does not draw."""
    flat = [node for part in nodes for node in (part if isinstance(part, list) else [part])]
    loud = (ast.Call, ast.Yield, ast.YieldFrom, ast.Await)
    return any(isinstance(inner, loud) for node in flat for inner in ast.walk(node))


def _suspends(function):
    """Whether a function can be suspended and resumed."""
    if isinstance(function, ast.AsyncFunctionDef):
        return True
    pending = list(function.body)
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await)):
            return True
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            pending.extend(ast.iter_child_nodes(node))
    return False


def _name(name):
    return ast.Name(name, ast.Load())


def _call(function, *arguments):
    return ast.Call(_name(function), list(arguments), [])


def _set(name, value):
    return ast.Assign([ast.Name(name, ast.Store())], value)


class _Rewriter(ast.NodeTransformer):
    def __init__(self, name):
        self.name = name
        self.count = 0
        # The names of the surrounding functions and classes.
        self.path = []
        # The innermost scope to return to; None where nothing is rewritten.
        self.scope = None
        self.quiet = False
        # The statements that make the functions of each scope.
        self.made = []

    def module(self, tree):
        body = [self.visit(statement) for statement in tree.body]
        flat = [s for part in body for s in (part if isinstance(part, list) else [part])]
        at = 0
        if flat and isinstance(flat[0], ast.Expr) and isinstance(flat[0].value, ast.Constant):
            at = 1
        while at < len(flat) and isinstance(flat[at], ast.ImportFrom) and flat[at].module == "__future__":
            at += 1
        # `import a.b as c` looks up an attribute that exists only after the submodule is loaded.
        flat[at:at] = [ast.Import([ast.alias("whittle_choices.runtime", RUNTIME)]), *self.made]
        tree.body = flat

    def make(self, maker, site, *functions, options=()):
        """The name of a new scope, whose functions a maker of the runtime makes: names that end in these words."""
        self.count += 1
        scope = "%s%d" % (RUNTIME, self.count)
        names = [ast.Name(scope + function, ast.Store()) for function in functions]
        target = names[0] if len(names) == 1 else ast.Tuple(names, ast.Store())
        made = ast.Call(ast.Attribute(_name(RUNTIME), maker, ast.Load()), [ast.Constant(site), *options], [])
        self.made.append(ast.Assign([target], made))
        return scope

    def site(self, what, node):
        return "%s %s:%d:%d" % (what, self.name, node.lineno, node.col_offset)

    # -- scopes of names

    def within(self, node, name, scope, quiet):
        outer = self.scope, self.quiet
        self.path.append(name)
        self.scope, self.quiet = scope, quiet
        self.generic_visit(node)
        self.path.pop()
        self.scope, self.quiet = outer

    def visit_FunctionDef(self, node):
        suspends, scope = _suspends(node), None
        if not suspends and _calls(node.body):
            name = "%s %s" % (self.name, ".".join(self.path + [node.name]))
            scope = self.make("function", name, "open", "close", "back")
        self.within(node, node.name, scope, suspends)
        if scope is None:
            return node
        head = node.body[:1] if ast.get_docstring(node, clean=False) is not None else []
        body = node.body[len(head) :]
        if body:
            opened = _set(scope, _call(scope + "open"))
            node.body = head + [opened, ast.Try(body, [], [], [self.close(scope)])]
        return node

    @staticmethod
    def close(scope):
        return ast.Expr(_call(scope + "close", _name(scope)))

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node):
        self.within(node, "lambda", None, True)
        return node

    def visit_ClassDef(self, node):
        self.within(node, node.name, None, True)
        return node

    # -- statements

    def visit_For(self, node):
        loud = _calls(node.body)
        if self.quiet or not loud:
            self.generic_visit(node)
            return node
        scope = self.make("loop", self.site("for", node), "open", "close", "back")
        opened = _set(scope, _call(scope + "open", self.visit(node.iter)))
        node.iter = _name(scope)
        self.inside(node, scope)
        return [opened, node, self.close(scope)]

    def visit_While(self, node):
        loud = _calls(node.test, node.body)
        if self.quiet or not loud:
            self.generic_visit(node)
            return node
        scope = self.make("condition_loop", self.site("while", node), "open", "begin", "goes", "close", "back")
        opened = _set(scope, _call(scope + "open"))
        begun = _call(scope + "begin", _name(scope))
        node.test = _call(scope + "goes", _name(scope), ast.BoolOp(ast.Or(), [begun, self.visit(node.test)]))
        self.inside(node, scope)
        return [opened, node, self.close(scope)]

    def inside(self, loop, scope):
        outer, self.scope = self.scope, scope
        loop.body = self.statements(loop.body)
        loop.orelse = self.statements(loop.orelse)
        self.scope = outer

    def statements(self, statements):
        visited = [self.visit(statement) for statement in statements]
        return [s for part in visited for s in (part if isinstance(part, list) else [part])]

    def visit_If(self, node):
        loud = _calls(node.test, node.body, node.orelse)
        if self.quiet or not loud:
            self.generic_visit(node)
            return node
        has_else = ast.Constant(bool(node.orelse))
        scope = self.make("selection", self.site("if", node), "open", "test", "close", options=[has_else])
        self.generic_visit(node)
        node.test = _call(scope + "test", _name(scope), node.test)
        return [_set(scope, _call(scope + "open")), node, self.close(scope)]

    def visit_ExceptHandler(self, node):
        self.generic_visit(node)
        if self.scope is not None and not self.quiet:
            node.body.insert(0, ast.Expr(_call(self.scope + "back", _name(self.scope))))
        return node

    # -- expressions

    def visit_IfExp(self, node):
        loud = _calls(node)
        self.generic_visit(node)
        if self.quiet or not loud:
            return node
        scope = self.make("choice", self.site("if", node), "choose", "chosen", "done")
        node.test = _call(scope + "chosen", node.test)
        return ast.copy_location(_call(scope + "done", ast.BoolOp(ast.Or(), [_call(scope + "choose"), node])), node)

    def comprehension(self, node):
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        loud = _calls(parts, *[list(each.ifs) for each in node.generators], [g.iter for g in node.generators[1:]])
        self.generic_visit(node)
        if loud and not self.quiet:
            for place, each in enumerate(node.generators):
                if not each.is_async:
                    site = "%s:%d" % (self.site("in", node), place)
                    each.iter = _call(self.make("comprehension", site, "over") + "over", each.iter)
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = comprehension

"""Interesting: a dictionary changes its size during iteration, at least three calls deep in the program itself."""

import builtins
import signal
import sys

DEPTH = 3


def main():
    signal.alarm(3)
    sys.setrecursionlimit(200)
    with open("stock.py", encoding="utf-8", errors="replace") as file:
        source = file.read()
    try:
        code = compile(source, "stock.py", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return 1
    # No imports, no files: candidates are programs that nobody has read.
    names = "dict list set tuple len range print sorted sum min max str int float isinstance enumerate zip".split()
    names += ["__build_class__", "ValueError", "KeyError", "Exception", "property", "super", "any", "all", "abs"]
    allowed = {name: getattr(builtins, name) for name in names}
    allowed["print"] = lambda *words, **options: None
    try:
        exec(code, {"__builtins__": allowed, "__name__": "stock"})
    except RuntimeError as error:
        if str(error) != "dictionary changed size during iteration":
            return 1
        trace, depth = error.__traceback__, 0
        while trace:
            depth += trace.tb_frame.f_code.co_filename == "stock.py"
            trace = trace.tb_next
        return 0 if depth > DEPTH else 1
    except BaseException:
        return 1
    return 1


sys.exit(main())

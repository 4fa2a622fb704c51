"""python -m whittle_choices gen.py ARGS: runs gen.py, recorded or replayed as the environment asks."""

import os
import sys

from . import start


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: python -m whittle_choices PROGRAM.py [ARGS]; see docs/trace-protocol.md for the environment")
    del sys.argv[0]
    script = os.path.abspath(sys.argv[0])
    if not os.path.isfile(script):
        sys.exit("whittle_choices: there is no file %s" % sys.argv[0])
    sys.path[0] = os.path.dirname(script)
    start.start(script)

    import types

    from .loading import Loader

    module = types.ModuleType("__main__")
    module.__file__ = sys.argv[0]
    loader = Loader("__main__", script)
    module.__loader__, module.__builtins__ = loader, __builtins__
    sys.modules["__main__"] = module
    exec(loader.get_code("__main__"), module.__dict__)


main()

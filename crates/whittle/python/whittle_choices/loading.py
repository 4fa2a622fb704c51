"""Rewrites the program and the modules beside it while they are loaded. Other modules are loaded unchanged.

Python asks `sys.path_hooks` whether modules can be imported from a script, as from a zip file. The hook here agrees, so
that the script becomes `__main__` the usual way, with its own name, file, arguments and exit.
"""

import _imp
import marshal
import os
import sys
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader

from . import draws

# Increase this when the rewritten code changes.
_FORM = 2


class Loader(SourceFileLoader):
    """Loads and rewrites a file, and never writes a file beside it."""

    def get_code(self, fullname):
        path = os.path.abspath(self.path)
        if fullname == "__main__":
            # A script finds modules in its own folder, a zip file in itself.
            if sys.path and os.path.abspath(sys.path[0]) == path:
                sys.path[0] = os.path.dirname(path)
        name = os.path.relpath(path, draws.root) if draws.root else os.path.basename(path)
        return _cached(path, name) or _store(path, name)


def _cache_file(path, name):
    folder = os.environ.get("WHITTLE_TRACE_CACHE")
    if not folder:
        return None
    status = os.stat(path)
    key = (sys.version, path, name, status.st_mtime_ns, status.st_size)
    return os.path.join(folder, "%s.code" % _imp.source_hash(_FORM, repr(key).encode()).hex())


def _cached(path, name):
    file = _cache_file(path, name)
    try:
        with open(file or "", "rb") as stored:
            return marshal.load(stored)
    except (OSError, EOFError, ValueError, TypeError):
        return None


def _store(path, name):
    from .rewrite import rewrite

    with open(path, "rb") as file:
        code = rewrite(file.read(), path, name)
    file = _cache_file(path, name)
    if file is not None:
        try:
            unfinished = "%s.%d" % (file, os.getpid())
            with open(unfinished, "wb") as stored:
                marshal.dump(code, stored)
            os.replace(unfinished, file)
        except OSError:
            pass
    return code


class ScriptFinder:
    """Finds `__main__` in a script."""

    def __init__(self, path):
        self.path = path

    def find_spec(self, name, target=None):
        if name != "__main__":
            return None
        spec = ModuleSpec(name, Loader(name, self.path), origin=self.path)
        spec.has_location = True
        return spec


def script_hook(script):
    """A path hook that allows imports from `script`."""

    def hook(path):
        if os.path.abspath(path) != script:
            raise ImportError(path)
        return ScriptFinder(path)

    return hook


class BesideFinder:
    """Finds the modules below the program's folder, and has them rewritten."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or type(spec.loader) is not SourceFileLoader or not _is_ours(spec.origin):
            return None
        spec.loader = Loader(name, spec.origin)
        spec.cached = None
        return spec


def _is_ours(path):
    path = os.path.abspath(path)
    if not draws.root or not path.startswith(draws.root + os.sep):
        return False
    parts = path[len(draws.root) :].split(os.sep)
    return not {"site-packages", "dist-packages", "whittle_choices"} & set(parts)


class NumpyFinder:
    """Puts the player between the program and `numpy.random` when that is loaded."""

    def __init__(self, player, source):
        self.player, self.source = player, source

    def find_spec(self, name, path=None, target=None):
        if name != "numpy.random":
            return None
        sys.meta_path.remove(self)
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def exec_module(module):
                from . import numpy_draws

                # Its request for a seed from the system is not a choice of the program.
                self.source.really(load, module)
                numpy_draws.install(self.player, self.source, module)

            spec.loader.exec_module = exec_module
        return spec


def install(root, script=None):
    """Rewrites everything loaded from `root` from now on, and `script` if it is about to run."""
    draws.root = root
    sys.meta_path.insert(0, BesideFinder)
    if script is not None:
        sys.path_hooks.insert(0, script_hook(script))

"""Starts recording or replaying if the environment asks for it."""

import atexit
import os
import sys


def start(script=None):
    """Starts if there is a file to record to. `script` is the program that is about to run, if it is known."""
    record = os.environ.pop("WHITTLE_TRACE_RECORD", None)
    if not record:
        return
    # They do not apply to programs that this one starts.
    replay = os.environ.pop("WHITTLE_TRACE_REPLAY", None)
    halts = os.environ.pop("WHITTLE_TRACE_MISFIT", "re-align") == "halt"
    budget = os.environ.pop("WHITTLE_TRACE_BUDGET", None)

    from . import draws, loading, records, runtime
    from .player import Player
    from .recording import Recording

    writer, budget = records.writer(record), int(budget) if budget else None
    if replay or budget is not None or not isinstance(writer, records.BinaryWriter):
        root, defaults = records.read(replay) if replay else (None, None)
        runtime.player = player = Player(writer, root, defaults, halts, budget)
    else:
        player = Recording(writer)
        for maker in ("function", "loop", "condition_loop", "comprehension", "selection", "choice"):
            setattr(runtime, maker, getattr(player, maker))
    sys.meta_path.insert(0, loading.NumpyFinder(player, draws.install(player, runtime.loop)))
    script = script or _script()
    folder = os.path.dirname(script) if script else os.getcwd()
    loading.install(folder, script)
    atexit.register(player.finish)


def _script():
    """The file that Python was asked to run."""
    if not sys.argv or sys.argv[0] in ("", "-c", "-m"):
        return None
    path = os.path.abspath(sys.argv[0])
    return path if os.path.isfile(path) else None

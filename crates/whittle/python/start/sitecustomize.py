"""Python runs this when it starts, because its folder is on the path. It starts recording, then runs the sitecustomize
that would have run without it."""

import os
import sys

_here = os.path.dirname(os.path.abspath(__file__))
try:
    from whittle_choices import start as _start

    _start.start()
finally:
    sys.path[:] = [folder for folder in sys.path if os.path.abspath(folder or ".") != _here]
    _this = sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize
    except ImportError:
        sys.modules["sitecustomize"] = _this

"""Whittle makes an input that triggers a bug small.

>>> import whittle
>>> whittle.reduce("int unused;\\nint main(void) { return 1 / 0; }\\n", lambda text: "1 / 0" in text, language="c").data
'1 / 0\\n'

`reduce` takes a text or bytes and a test: a function, or a command. `reduce_generator` reduces what a generator makes by
its choices; `whittle.choices` has what generators draw from. docs/python.md explains both.
"""

from . import choices
from ._commands import Command, Server
from ._errors import FlakyError, GeneratorError, NotInterestingError, TestError, UsageError, WhittleError
from ._reduce import reduce
from ._results import GeneratorResult, Progress, Result, partial_result
from ._whittle import languages, version
from .choices import reduce_generator

__version__ = version()

__all__ = [
    "Command",
    "FlakyError",
    "GeneratorError",
    "GeneratorResult",
    "NotInterestingError",
    "Progress",
    "Result",
    "Server",
    "TestError",
    "UsageError",
    "WhittleError",
    "choices",
    "languages",
    "partial_result",
    "reduce",
    "reduce_generator",
]

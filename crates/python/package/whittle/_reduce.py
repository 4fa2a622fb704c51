"""`reduce`, and how its options become those of the command line."""

from __future__ import annotations

import os
import pathlib
from collections import abc
from typing import Any, Callable, Dict, List, Optional, Sequence, TypeVar, Union

from . import _whittle
from .__main__ import again
from ._commands import Command, Time, Words, flag, option
from ._errors import UsageError, raised
from ._results import Progress, Result, attach

T = TypeVar("T", str, bytes)
Test = Union[Command, Words, "os.PathLike[str]"]
Path = Union[str, "os.PathLike[str]"]


def reduce(
    data: T,
    predicate: Union[Callable[[T], object], Test],
    *,
    language: Optional[str] = None,
    name: Optional[str] = None,
    grammar: Optional[Path] = None,
    effort: Optional[str] = None,
    algorithm: Optional[str] = None,
    options: Optional[str] = None,
    rules: Optional[Path] = None,
    passes: Sequence[str] = (),
    alphabet: Optional[str] = None,
    well_formed: bool = False,
    repeat: Union[int, str, None] = None,
    jobs: Optional[int] = None,
    max_tests: Optional[int] = None,
    max_time: Optional[Time] = None,
    output: Optional[Path] = None,
    force: bool = False,
    identity: Optional[str] = None,
    resume: bool = False,
    on_progress: Optional[Callable[[Progress[T]], object]] = None,
) -> Result[T]:
    """Reduces `data` to the smallest text or bytes for which `predicate` holds.

    `predicate` is a function of a candidate, which has the type of `data`; or a `Command` or `Server`; or a command line, a
    list of words or the path of a test script, which is the same as a `Command` without conditions.

    The language is `language`, or what the file name `name` and the content show; "none" means plain text. `name` must not be
    absolute or have `..`. `effort` is "quick", "normal" or "max". The other options are those of the command line, and mean the same.

    With one job, which is the default for a function, it is called on this thread; with more, on several threads. The result
    and its number of tests do not depend on `jobs`. `output` is a file that has the best result at all times; with `identity`,
    a name for what a function tests, a run that was stopped can be continued with `resume`.

    Raises NotInterestingError if the predicate does not hold for `data`. What the predicate or `on_progress` raises ends the
    reduction, as Ctrl-C does; `partial_result` gives the best result so far of such an exception.
    """
    words = run_words(
        language, grammar, effort, algorithm, options, rules, passes, alphabet, well_formed, max_tests, max_time
    )
    words += option("repeat", repeat) + option("output", output) + flag("force", force) + flag("resume", resume)
    if not isinstance(data, (str, bytes)):
        raise TypeError(f"the input is a str or bytes, not {type(data).__name__}")
    as_text = isinstance(data, str)
    asked = request(predicate, words, name, language, jobs, as_text, on_progress, identity)
    raw = data.encode() if isinstance(data, str) else data
    fields, error, refusal = _whittle.reduce(raw, asked)
    result: Optional[Result[T]] = None if fields is None else Result(**fields)
    return finished(result, error, refusal)


def run_words(
    language: Optional[str],
    grammar: Optional[Path],
    effort: Optional[str],
    algorithm: Optional[str],
    options: Optional[str],
    rules: Optional[Path],
    passes: Sequence[str],
    alphabet: Optional[str],
    well_formed: bool,
    max_tests: Optional[int],
    max_time: Optional[Time],
) -> List[str]:
    """The options that say how to reduce, and for how long."""
    words = option("language", language) + option("grammar", grammar) + option("effort", effort)
    words += option("algorithm", algorithm) + option("options", options) + option("rules", rules)
    words += option("pass", passes) + option("alphabet", alphabet) + flag("well-formed", well_formed)
    return words + option("max-tests", max_tests) + option("max-time", max_time)


def request(
    predicate: Any,
    words: List[str],
    name: Optional[str],
    language: Optional[str],
    jobs: Optional[int],
    as_text: bool,
    on_progress: Optional[Callable[[Any], object]],
    identity: Optional[str] = None,
) -> _whittle.Request:
    """What the extension module is asked for."""
    if not isinstance(predicate, Command) and not callable(predicate):
        if isinstance(predicate, bytes) or not isinstance(predicate, (str, os.PathLike, abc.Sequence)):
            kinds = "a function, a Command, a command line, a list of words or the path of a script"
            raise TypeError(f"predicate is {kinds}, not {type(predicate).__name__}")
        predicate = Command(predicate)
    is_command = isinstance(predicate, Command)
    if is_command:
        if identity is not None:
            raise UsageError("identity is for functions: a command is known by its words")
        words = words + predicate.words
        if not again()[0]:
            raise UsageError("sys.executable is empty: tests that are commands run in processes of this Python")
    elif jobs is None:
        jobs = 1
    return {
        "name": plain(name) if name else (_whittle.file_name(language) if language else None) or "data",
        "words": words + option("jobs", jobs),
        "predicate": None if is_command else predicate,
        "identity": identity,
        "on_progress": None if on_progress is None else heard(on_progress),
        "as_text": as_text,
        "is_direct": jobs is not None and jobs > 1,
        "again": again(),
    }


def plain(name: str) -> str:
    """The name, if a candidate of that name is a file in the folder of a test."""
    path = pathlib.PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts or "\0" in name:
        raise UsageError(f"name is the name of a file, or a path within the folder of the test, not {name!r}")
    return str(path)


def heard(on_progress: Callable[[Any], object]) -> Callable[[Dict[str, Any]], None]:
    """The callback, as the extension module calls it."""

    def hear(fields: Dict[str, Any]) -> None:
        on_progress(Progress(**fields))

    return hear


R = TypeVar("R", bound="Result[Any]")


def finished(result: Optional[R], error: Optional[BaseException], refusal: Optional["tuple[str, str]"]) -> R:
    """The result, or the exception that ended the reduction, with the best result so far."""
    ending = raised(error, refusal)
    if ending is not None:
        attach(ending, result)
        raise ending
    assert result is not None
    return result

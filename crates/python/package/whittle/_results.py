"""What a reduction came to, and how it goes on."""

import sys
from dataclasses import dataclass, field
from typing import Any, Generic, List, Optional, TypeVar, Union

T = TypeVar("T", str, bytes)
V = TypeVar("V")


@dataclass(frozen=True)
class Result(Generic[T]):
    """The smallest interesting candidate, and how it was found."""

    #: The smallest candidate that the test accepted.
    data: T = field(repr=False)
    #: What it was reduced from.
    input: T = field(repr=False)
    #: What sizes count: "tokens" if the language is known, otherwise "bytes".
    unit: str
    size_before: int
    size_after: int
    #: Why it ended: "complete", "max-tests", "max-time", "interrupted" or "failed".
    end: str
    #: The same as a sentence.
    reason: str
    #: Whether the result was interesting when it was tested once more at the end. False: another candidate was not, so the
    #: test is flaky, and the result is an earlier one. None: the test was stopped before.
    confirmed: Optional[bool]
    #: Tests that a run with one worker makes: the same for any number of jobs.
    tests: int
    #: Tests that ran ahead on other workers and were not needed.
    speculative: int
    #: Candidates that were known already and did not run.
    cached: int
    timed_out: int
    #: Seconds.
    elapsed: float
    #: The language by which the input was reduced, if it is known.
    language: Optional[str]
    #: What the signature captured from the command's output on the input.
    signature: Optional[bytes]
    #: What you may want to know about the test or the language.
    notices: List[str]

    @property
    def complete(self) -> bool:
        """Whether no pass found anything smaller: nothing stopped the reduction."""
        return self.end == "complete"

    def __str__(self) -> str:
        size = f"{self.size_before:,} -> {self.size_after:,} {self.unit}"
        return f"{size}, {self.tests:,} tests, {self.elapsed:.1f} s: {self.reason}"


@dataclass(frozen=True)
class GeneratorResult(Result[T], Generic[T, V]):
    """The smallest interesting input that a generator makes."""

    #: What the generator made: `data` itself if that is a text or bytes.
    value: V
    #: Steps of the generator's run: choices, calls, loops and rounds.
    steps_before: int
    steps_after: int
    #: How often the generator ran.
    generator_runs: int


@dataclass(frozen=True)
class Progress(Generic[T]):
    """A moment of a reduction, for a callback."""

    #: Whether a smaller candidate was found; otherwise, a pass begins.
    improved: bool
    #: The pass that runs, such as "perses".
    pass_name: str
    tests: int
    #: The size of the best candidate, in tokens or bytes.
    size: int
    #: The best candidate.
    data: T = field(repr=False)
    #: Seconds since the input was checked.
    elapsed: float


def partial_result(error: BaseException) -> Optional["Result[Any]"]:
    """The best result of a reduction that `error` ended, if the input had been checked by then.

    An exception of the predicate or the callback, and KeyboardInterrupt, leave `reduce` as they are. The best result so far
    goes with them.
    """
    return getattr(error, "whittle_result", None)


def attach(error: BaseException, result: "Union[Result[Any], None]") -> None:
    """Lets an exception carry the best result so far."""
    if result is None:
        return
    try:
        error.whittle_result = result  # type: ignore[attr-defined]
    except AttributeError:
        return  # A class with slots.
    if sys.version_info >= (3, 11):
        error.add_note(f"whittle: the best result so far is in whittle.partial_result(error): {result}")

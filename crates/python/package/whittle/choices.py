"""Generators: functions that make test inputs from random choices which can be recorded and replayed.

    from whittle import choices

    def expression(source: choices.Source) -> str:
        with source.scope("expression"):
            if source.int(0, 4) < 3:
                return str(source.int(0, 99))
            operator = source.choose(["+", "*", "/"])
            return f"({expression(source)} {operator} {expression(source)})"

    def test_evaluation():
        choices.check(expression, lambda text: evaluate(text))

A choice is known by its place in the source code. Put the simplest first: numbers shrink to the lower end of their range,
choices to the first item.
"""

from __future__ import annotations

import copy
import math
import os
import random
import sys
from contextlib import contextmanager
from typing import Any, Callable, Iterator, List, Optional, Sequence, TypeVar, Union

from . import _whittle
from ._commands import Time, option
from ._errors import WhittleError
from ._outputs import fingerprints as _fingerprints
from ._reduce import Path, Test, finished, request, run_words
from ._results import GeneratorResult, Progress
from ._values import Values

V = TypeVar("V")
I = TypeVar("I")

# A source has methods of the same names.
Int = int
Bytes = bytes
Random = random.Random

_SKIPPED = {__file__, random.__file__}
_WORD = 64
_FRACTION = 53


class Source:
    """Where a generator gets its choices from. It is good for one run."""

    def __init__(self, seed: Int = 0, *, player: Optional[_whittle.Player] = None) -> None:
        self._player = _whittle.Player.seeded(seed) if player is None else player

    def int(self, low: Int, high: Int) -> Int:
        """A number from `low` to `high`, both of which are possible."""
        if low > high:
            raise ValueError(f"the range from {low} to {high} is empty")
        if -(1 << 63) <= low and high < 1 << 63:
            return self._player.number(_site("int"), low, high - low)
        return low + self._wide(_site("int"), high - low)

    def choose(self, items: Sequence[I], weights: Optional[Sequence[float]] = None) -> I:
        """One of the items. A replay chooses the recorded item, wherever it is among the items now."""
        return items[self._place("choose", items, weights)]

    def index(self, count: Int) -> Int:
        """A number below `count`. A replay repeats the number, so this suits lists that are always the same."""
        if count < 1:
            raise ValueError("there is nothing to choose from")
        return self._player.draw(_site("index"), count - 1)

    def repeat(self, least: Int, most: Int) -> Iterator[Int]:
        """The rounds of a loop that runs a random number of times. Rounds are left out one by one."""
        if least > most:
            raise ValueError(f"the range from {least} to {most} is empty")
        site = _site("repeat")
        return self._rounds(site, self._player.number(_site("count"), least, most - least))

    def optional(self, body: Callable[[], V]) -> Optional[V]:
        """What `body` returns, or None without calling it, with equal probability."""
        self._player.open("selection", _site("optional"))
        made = None
        if self._player.draw(_site("whether"), 1):
            self._player.open("branch", "then")
            made = body()
            self._player.close()
        self._player.close()
        return made

    @contextmanager
    def scope(self, name: str) -> Iterator[None]:
        """Choices that belong together, such as those of a recursive function: one such part can replace another around it."""
        self._player.open("call", name)
        yield
        self._player.close()

    def bytes(self, least: Int, most: Int) -> Bytes:
        """Bytes for code that makes its choices from bytes."""
        return Bytes(self._player.draw(_site("byte"), 255) for _ in self.repeat(least, most))

    @property
    def random(self) -> Random:
        """The same choices for code that wants a `random.Random`."""
        return _Random(self)

    def _rounds(self, site: str, count: Int) -> Iterator[Int]:
        self._player.open("loop", site)
        try:
            for number in range(count):
                self._player.open("iteration", "")
                yield number
                self._player.close()
        except GeneratorExit:
            # The loop was left by break or return: its round and it are closed, which ends the run if it was not to end here.
            try:
                self._player.close()
                self._player.close()
            except _whittle.Interrupted:
                pass
            raise
        self._player.close()

    def _place(self, what: str, items: Sequence[Any], weights: Optional[Sequence[float]]) -> Int:
        if not items:
            raise ValueError("there is nothing to choose from")
        if weights is not None and (len(weights) != len(items) or min(weights) < 0 or not 0 < sum(weights) < math.inf):
            raise ValueError("each item needs a finite weight, and one of them must be above 0")
        return self._player.choose(_site(what), len(items), _fingerprints(items) or None, weights)

    def _below(self, what: str, count: Int) -> Int:
        if count <= 1 << _WORD:
            return self._player.draw(_site(what), count - 1)
        return self._wide(_site(what), count - 1)

    def _wide(self, site: str, most: Int) -> Int:
        """A number of more than 64 bits, part by part, the lowest first: the search keeps the first of two that will do.

        The lower parts leave room for the highest. All have about the same width, which is at least 32 bits, so that the room
        hardly depends on them, and the numbers are spread evenly.
        """
        bits = most.bit_length()
        parts = -(-bits // _WORD)
        number = 0
        for place in range(parts):
            below, above = bits * place // parts, bits * (place + 1) // parts
            limit = min((1 << above - below) - 1, (most - number) >> below)
            number += self._player.draw(f"{site} {place}", limit) << below
        return number


class _Random(random.Random):
    """Draws from a source. The methods of `random.Random` that are not here use those that are."""

    def __init__(self, source: Source) -> None:
        self._source = source
        super().__init__()

    def seed(self, *arguments: Any, **keywords: Any) -> None:
        """The source decides."""

    def random(self) -> float:
        return self._source._below("random", 1 << _FRACTION) / (1 << _FRACTION)

    def getrandbits(self, k: int, /) -> int:
        return self._source._below("getrandbits", 1 << k) if k > 0 else 0

    def _randbelow(self, n: int) -> int:
        return self._source._below("randbelow", n) if n > 0 else 0

    def choice(self, seq: Any) -> Any:
        return seq[self._source._place("choice", seq, None)] if len(seq) else super().choice(seq)

    def randint(self, a: int, b: int) -> int:
        return self._source.int(a, b) if a <= b else super().randint(a, b)


def _site(what: str) -> str:
    """Names the place of a choice in the generator's source code."""
    frame = sys._getframe(2)
    while frame.f_code.co_filename in _SKIPPED and frame.f_back is not None:
        frame = frame.f_back
    return f"{what} {frame.f_code.co_filename}:{frame.f_lineno}:{frame.f_lasti}"


def reduce_generator(
    generator: Union[Callable[[Source], V], Sequence[str]],
    predicate: Union[Callable[[V], object], Test],
    *,
    seed: int = 0,
    then: Optional[str] = None,
    text: bool = True,
    language: Optional[str] = None,
    name: Optional[str] = None,
    effort: Optional[str] = None,
    jobs: Optional[int] = None,
    max_tests: Optional[int] = None,
    max_time: Optional[Time] = None,
    repeat: Union[int, str, None] = None,
    on_progress: Optional[Callable[[Progress[Any]], object]] = None,
) -> GeneratorResult[Any, V]:
    """Reduces what `generator` makes by its choices, so that every candidate is something that it could have made.

    `generator` is a function of a `Source`, which is called with `seed`; or the words of a command that prints an input, such
    as ["python3", "gen.py", "7"]. The command is a Python program that draws from `random` or `numpy.random`, which needs no
    change, or any program that speaks the trace protocol.

    A function may return any value that `copy.deepcopy` can copy. It is written as its `repr` if it is neither text nor
    bytes: that decides what is smaller, and commands see that. What a command prints is a text, or bytes if not `text`.

    `then="auto"` goes on as `reduce` does when the choices cannot be reduced further. The other options are those of `reduce`.
    """
    if then not in (None, "auto"):
        raise ValueError('then is "auto" or None')
    inputs = _Inputs(generator if callable(generator) else None, text, then is not None)
    words = run_words(language, None, effort, None, None, None, (), None, False, max_tests, max_time)
    words += option("repeat", repeat)
    asked_predicate: Any = inputs.asked(predicate) if callable(predicate) else predicate
    asked = request(asked_predicate, words, name, language, jobs, False, inputs.heard(on_progress))
    fields, error, refusal = _whittle.reduce_generator(
        {
            "function": None if inputs.generate is None else inputs.make,
            "program": [] if callable(generator) else [os.fspath(word) for word in generator],
            "seed": seed,
            "as_text": text,
            "then": then is not None,
        },
        asked,
    )
    result: Optional[GeneratorResult[Any, V]] = None
    if fields is not None:
        value = inputs.value(fields["data"])
        fields.update(data=inputs.shown(fields["data"]), input=inputs.shown(fields["input"]), value=value)
        result = GeneratorResult(**fields)
    return finished(result, error, refusal)


class _Inputs:
    """Values as bytes, for a search that knows bytes alone."""

    def __init__(self, generate: Optional[Callable[[Source], Any]], text: bool, then: bool) -> None:
        self.generate, self.takes_others = generate, then or generate is None
        # Whether what the generator did not make is text: None until a function has made its first value.
        self.is_text = text if generate is None else None
        self.values = Values()

    def make(self, player: _whittle.Player) -> bytes:
        """One run of the generator."""
        assert self.generate is not None
        value = self.generate(Source(player=player))
        written = value if isinstance(value, bytes) else (value if isinstance(value, str) else repr(value)).encode()
        self.values.add(written, value)
        if self.is_text is None:
            self.is_text = not isinstance(value, bytes)
            self.values.keep(written)
        return written

    def value(self, written: bytes) -> Any:
        """The value that is written so: a copy, which the user's code may change."""
        for value in self.values.found(written):
            return copy.deepcopy(value)
        return self.shown(written)

    def shown(self, written: bytes) -> Union[str, bytes]:
        """How a result shows it. What a test that is a command accepts may not be UTF-8, and stays bytes."""
        is_text = self.is_text
        for value in self.values.found(written):
            is_text = not isinstance(value, bytes)
        try:
            return written.decode() if is_text else written
        except UnicodeDecodeError:
            return written

    def asked(self, predicate: Any) -> Callable[[bytes], object]:
        """A predicate of values, for what is written."""

        def ask(written: bytes) -> object:
            if self.values.found(written):
                return predicate(self.value(written))
            # The first candidates of every search are next to nothing, which the generator may not make.
            if not self.takes_others:
                return False
            shown = self.shown(written)
            # A predicate of texts never sees what is not UTF-8.
            return isinstance(shown, str) == self.is_text and predicate(shown)

        return ask

    def heard(self, on_progress: Optional[Callable[[Progress[Any]], object]]) -> Callable[[Progress[bytes]], object]:
        """Keeps the best values, for a callback that sees what a result shows."""

        def hear(progress: Progress[bytes]) -> object:
            self.values.keep(progress.data)
            if on_progress is None:
                return None
            fields = dict(vars(progress), data=self.shown(progress.data))
            return on_progress(Progress(**fields))

        return hear


class Falsified(WhittleError, AssertionError):
    """A test failed for a generated value, which was reduced."""

    def __init__(self, message: str, value: Any, seed: int, result: Optional[GeneratorResult[Any, Any]]) -> None:
        super().__init__(message)
        #: The smallest value for which the test fails in the same way.
        self.value = value
        #: The seed of the first such value.
        self.seed = seed
        #: How it was reduced.
        self.result = result


def check(
    generator: Callable[[Source], V],
    test: Callable[[V], object],
    *,
    runs: int = 100,
    seed: int = 0,
    max_tests: Optional[int] = None,
    max_time: Optional[Time] = None,
) -> None:
    """Tests `runs` generated values, with the seeds from `seed` on. For use in a test function, as of pytest.

    `test` fails by raising an exception. The first value for which it does is reduced as long as it fails with the same type of
    exception at the same place. `Falsified`, raised from that exception, has the smallest value.
    """
    for number in range(seed, seed + runs):
        value = generator(Source(number))
        failure = _failure(test, copy.deepcopy(value))
        if failure is None:
            continue
        kept = _kind(failure)

        def fails_alike(value: V) -> bool:
            again = _failure(test, value)
            return again is not None and _kind(again) == kept

        result = reduce_generator(generator, fails_alike, seed=number, max_tests=max_tests, max_time=max_time)
        last = _failure(test, copy.deepcopy(result.value)) or failure
        message = f"{type(last).__name__} for {result.value!r}, reduced in {result.tests} tests from seed {number}"
        raise Falsified(message, result.value, number, result) from last


def _failure(test: Callable[[V], object], value: V) -> Optional[Exception]:
    try:
        test(value)
    except Exception as failure:
        return failure
    return None


def _kind(failure: Exception) -> List[Any]:
    """What says that two failures are the same: the type, and where it was raised."""
    trace = failure.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return [type(failure), trace and (trace.tb_frame.f_code.co_filename, trace.tb_lineno)]

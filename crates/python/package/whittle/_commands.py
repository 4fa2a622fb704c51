"""Tests that are commands. What can be said about them is what the command line has; so are the names."""

import os
import shlex
from typing import List, Optional, Sequence, Union

#: A time in seconds, or with its unit: 5, 0.5, "2m".
Time = Union[int, float, str]
#: A number of bytes, or with K, M or G: "512M".
Size = Union[int, str]
Patterns = Union[str, Sequence[str], None]
Words = Union[str, Sequence[str]]


class Command:
    """A command that tests candidates, each in a fresh folder, with limits.

    `run` is a command line, or a list of words, in which {} is the path of the candidate; no shell is involved. Without a
    condition, the candidate is interesting if the command exits with 0. A pathlib.Path is a test script: an executable that
    finds the candidate in its folder and exits with 0 if it is interesting.

    All conditions must hold. `exit` is a set such as "1,128-255", "nonzero" or "!0". Patterns are regular expressions, of which
    all given must match.
    """

    def __init__(
        self,
        run: Union[Words, "os.PathLike[str]"],
        *,
        exit: Union[int, str, None] = None,
        signal: Patterns = None,
        stdout: Patterns = None,
        stderr: Patterns = None,
        not_stdout: Patterns = None,
        not_stderr: Patterns = None,
        stderr_like: "Union[str, os.PathLike[str], None]" = None,
        similarity: Optional[float] = None,
        signature: Optional[str] = None,
        timeout: Optional[Time] = None,
        timeout_is_interesting: bool = False,
        valid: Optional[Words] = None,
        stdin: bool = False,
        memory_limit: Optional[Size] = None,
        output_limit: Optional[Size] = None,
        scratch: "Union[str, os.PathLike[str], None]" = None,
    ) -> None:
        self.words = self._program(run)
        self.words += option("exit", exit) + option("signal", signal)
        self.words += option("stdout", stdout) + option("stderr", stderr)
        self.words += option("not-stdout", not_stdout) + option("not-stderr", not_stderr)
        self.words += option("stderr-like", stderr_like) + option("similarity", similarity)
        self.words += option("signature", signature) + option("timeout", timeout)
        self.words += flag("timeout-is-interesting", timeout_is_interesting) + flag("stdin", stdin)
        self.words += option("valid", None if valid is None else line(valid))
        self.words += option("memory-limit", memory_limit) + option("output-limit", output_limit)
        self.words += option("scratch", scratch)

    def _program(self, run: Union[Words, "os.PathLike[str]"]) -> List[str]:
        if isinstance(run, os.PathLike):
            return option("script", run)
        return option("run", line(run))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({shlex.join(self.words)})"


class Server(Command):
    """A command that stays alive and is asked about one candidate after the other, a line each (docs/servers.md).

    `memory` and `tests` say when it is replaced. Conditions are those of `Command`.
    """

    def __init__(
        self,
        run: Words,
        *,
        memory: Optional[Size] = None,
        tests: Optional[int] = None,
        exit: Union[int, str, None] = None,
        stdout: Patterns = None,
        stderr: Patterns = None,
        not_stdout: Patterns = None,
        not_stderr: Patterns = None,
        signature: Optional[str] = None,
        timeout: Optional[Time] = None,
        memory_limit: Optional[Size] = None,
        scratch: "Union[str, os.PathLike[str], None]" = None,
    ) -> None:
        super().__init__(
            run,
            exit=exit,
            stdout=stdout,
            stderr=stderr,
            not_stdout=not_stdout,
            not_stderr=not_stderr,
            signature=signature,
            timeout=timeout,
            memory_limit=memory_limit,
            scratch=scratch,
        )
        self.words += option("server-memory", memory) + option("server-tests", tests)

    def _program(self, run: Union[Words, "os.PathLike[str]"]) -> List[str]:
        if isinstance(run, os.PathLike):
            raise TypeError("a server is a command line or a list of words")
        return option("server", line(run))


def line(words: Words) -> str:
    """A command line. The words of a list are quoted, so that each stays one word."""
    return words if isinstance(words, str) else shlex.join(words)


def option(name: str, value: "Union[str, int, float, os.PathLike[str], Sequence[str], None]") -> List[str]:
    """An option of the command line, once for each value."""
    if value is None:
        return []
    if isinstance(value, (str, int, float)):
        return [f"--{name}={value}"]
    if isinstance(value, os.PathLike):
        return [f"--{name}={os.fspath(value)}"]
    return [f"--{name}={one}" for one in value]


def flag(name: str, given: bool) -> List[str]:
    """An option without a value."""
    return [f"--{name}"] if given else []

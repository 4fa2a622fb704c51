"""What can go wrong. Exceptions of the user's own code are not among these: they propagate as they are."""

from typing import Dict, Optional, Type


class WhittleError(Exception):
    """Why there is no result."""


class UsageError(WhittleError, ValueError):
    """An option is wrong. Messages name options as the command line does."""


class NotInterestingError(WhittleError):
    """The predicate does not hold for the input, so there is nothing to keep."""


class FlakyError(WhittleError):
    """The test does not always give the same answer for the input."""


class TestError(WhittleError):
    """The test could not be run, or the result could not be written."""

    # Not a class of tests, whatever pytest thinks of its name.
    __test__ = False


class GeneratorError(WhittleError):
    """The generator fails, makes no choice, or makes something else from the same choices."""


_KINDS: Dict[str, Type[WhittleError]] = {
    "usage": UsageError,
    "not-interesting": NotInterestingError,
    "flaky": FlakyError,
    "failed": TestError,
    "stopped": TestError,
    "generator": GeneratorError,
}


def error_of(kind: str, message: str) -> WhittleError:
    """The exception for an error that the extension module reports."""
    return _KINDS[kind](message)


def raised(error: Optional[BaseException], refusal: Optional["tuple[str, str]"]) -> Optional[BaseException]:
    """What to raise: what the user's code or a signal has raised comes first."""
    if error is None and refusal is not None:
        return error_of(*refusal)
    return error

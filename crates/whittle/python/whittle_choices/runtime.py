"""The functions that rewritten programs call. They do nothing as long as there is no player."""

from .records import BRANCH, CALL, LOOP, SELECTION

player = None


class Loop:
    """An open loop; it iterates over what the program's loop iterated over."""

    __slots__ = ("frame", "iterable")

    def __init__(self, frame, iterable):
        self.frame, self.iterable = frame, iterable

    def __iter__(self):
        frame = self.frame
        if frame is None:
            yield from self.iterable
            return
        next_round = player.next_round
        for item in self.iterable:
            next_round(frame)
            yield item
        frame.unfinished = False
        player.back_to(frame)


def call(site):
    """Opens a call of a function."""
    return player and player.enter(CALL, site)


def close(scope):
    """Closes a scope and everything open in it."""
    if scope is not None:
        player.leave(scope.frame if type(scope) is Loop else scope)


def back(scope):
    """Closes everything open in a scope, after an exception was caught there."""
    if scope is not None:
        player.back_to(scope.frame if type(scope) is Loop else scope)


def loop(site, iterable):
    """Opens a loop over `iterable`, which is None for a while loop."""
    return Loop(player and player.enter(LOOP, site), iterable)


def begin(scope):
    """Starts a round of a while loop, before its condition is evaluated. Returns None."""
    if scope.frame is not None:
        player.next_round(scope.frame, pending=True)


def goes(scope, condition):
    """Whether a while loop continues."""
    if condition:
        if player and player.pending is not None:
            player.settle()
        return True
    if player and player.pending is not None:
        player.leave(player.pending)
    return False


def over(site, iterable):
    """Iterates over what a comprehension iterates over."""
    opened = loop(site, iterable)
    try:
        yield from opened
    finally:
        close(opened)


def selection(site):
    """Opens a selection."""
    return player and player.enter(SELECTION, site)


def test(scope, condition, has_else):
    """Starts the branch for this value of a selection's condition."""
    condition = bool(condition)
    if scope is not None and (condition or has_else):
        player.back_to(scope)
        player.enter(BRANCH, "then" if condition else "else")
    return condition


_choosing = []


def choose(site):
    """Opens a selection that is an expression. Returns None."""
    _choosing.append(selection(site))


def chosen(condition):
    """Starts the branch for this value of the innermost such selection's condition."""
    return test(_choosing[-1] if _choosing else None, condition, True)


def done(value):
    """Closes it, and returns the chosen value."""
    if _choosing:
        close(_choosing.pop())
    return value

"""The functions that rewritten programs call.

For each scope of a program, one of these makers is called when the program is loaded, with the scope's site. It returns
the functions that the program calls to open the scope, to close it, and so on. They do nothing if there is no player.
`recording.py` has makers of its own, which are faster.
"""

from .records import BRANCH, CALL, LOOP, SELECTION

player = None


def _close(scope):
    """Closes a scope with everything open in it."""
    if scope is not None:
        player.leave(scope)


def _back(scope):
    """Closes what is open in a scope, after an exception was caught there."""
    if scope is not None:
        player.back_to(scope)


def function(site):
    """For a function: opens it; closes it; goes back to it."""

    def opened():
        return player and player.enter(CALL, site)

    return opened, _close, _back


class Rounds:
    """An open loop over an iterable."""

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


def loop(site):
    """For a loop over an iterable: opens it, and returns what to iterate over; closes it; goes back to it."""

    def opened(iterable):
        return Rounds(player and player.enter(LOOP, site), iterable)

    return opened, lambda rounds: _close(rounds.frame), lambda rounds: _back(rounds.frame)


def condition_loop(site):
    """For a while loop: opens it; starts a round, before its condition is evaluated, and returns None; says whether the
    loop continues; closes it; goes back to it."""

    def opened():
        return player and player.enter(LOOP, site)

    def begin(frame):
        if frame is not None:
            player.next_round(frame, pending=True)

    def goes(frame, condition):
        if condition:
            if player and player.pending is not None:
                player.settle()
            return True
        if player and player.pending is not None:
            player.leave(player.pending)
        return False

    return opened, begin, goes, _close, _back


def comprehension(site):
    """For what a comprehension iterates over."""
    opened, close, _ = loop(site)

    def over(iterable):
        rounds = opened(iterable)
        try:
            yield from rounds
        finally:
            close(rounds)

    return over


def selection(site, has_else):
    """For a selection: opens it; starts the branch for a value of its condition, and returns that value; closes it."""

    def opened():
        return player and player.enter(SELECTION, site)

    def test(scope, condition):
        condition = bool(condition)
        if scope is not None and (condition or has_else):
            player.back_to(scope)
            player.enter(BRANCH, "then" if condition else "else")
        return condition

    return opened, test, _close


def expression(opened, test, close):
    """The same for a selection that is an expression: opens it, and returns None; starts a branch; closes it, and returns
    its value."""
    scopes = []

    def choose():
        scopes.append(opened())

    def chosen(condition):
        return test(scopes[-1] if scopes else None, condition)

    def done(value):
        if scopes:
            close(scopes.pop())
        return value

    return choose, chosen, done


def choice(site):
    """For a selection that is an expression."""
    return expression(*selection(site, True))

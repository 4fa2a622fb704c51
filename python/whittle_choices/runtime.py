"""What rewritten programs call. Everything does nothing as long as there is no player."""

from .records import BRANCH, CALL, LOOP, SELECTION

player = None


class Loop:
    """A loop that is open; it runs over what the program's loop ran over."""

    __slots__ = ("frame", "iterable")

    def __init__(self, frame, iterable):
        self.frame, self.iterable = frame, iterable

    def __iter__(self):
        frame = self.frame
        if frame is None:
            yield from self.iterable
            return
        for item in self.iterable:
            player.next_round(frame)
            yield item
        frame.unfinished = False
        player.back_to(frame)


def call(site):
    """Opens a call of a function."""
    return player and player.enter(CALL, site)


def close(scope):
    """Closes a scope and all that is open in it."""
    if scope is not None:
        player.leave(scope.frame if type(scope) is Loop else scope)


def back(scope):
    """Closes all that is open in a scope: an exception was caught there."""
    if scope is not None:
        player.back_to(scope.frame if type(scope) is Loop else scope)


def loop(site, iterable):
    """Opens a loop over `iterable`; over nothing if it is a while loop."""
    return Loop(player and player.enter(LOOP, site), iterable)


def begin(scope):
    """Begins a round of a while loop, before its condition is looked at. Gives nothing."""
    if scope.frame is not None:
        player.next_round(scope.frame, pending=True)


def goes(scope, condition):
    """Whether a while loop goes on."""
    if condition:
        if player and player.pending is not None:
            player.settle()
        return True
    if player and player.pending is not None:
        player.leave(player.pending)
    return False


def over(site, iterable):
    """Runs over what a comprehension runs over."""
    opened = loop(site, iterable)
    try:
        yield from opened
    finally:
        close(opened)


def selection(site):
    """Opens a selection."""
    return player and player.enter(SELECTION, site)


def test(scope, condition, has_else):
    """The condition of a selection came out like this: its branch begins."""
    condition = bool(condition)
    if scope is not None and (condition or has_else):
        player.back_to(scope)
        player.enter(BRANCH, "then" if condition else "else")
    return condition


_choosing = []


def choose(site):
    """Opens a selection that is an expression. Gives nothing."""
    _choosing.append(selection(site))


def chosen(condition):
    """The condition of the innermost such selection came out like this."""
    return test(_choosing[-1] if _choosing else None, condition, True)


def done(value):
    """Closes it, and gives the value that was chosen."""
    if _choosing:
        close(_choosing.pop())
    return value

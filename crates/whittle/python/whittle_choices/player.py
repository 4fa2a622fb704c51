"""Records a run of a program, and replays a script if there is one.

A step is matched to the n-th step of the same kind and site within the scope that its own scope is matched to. So
after a removal the rest still aligns, and steps that got out of alignment are aligned again after their scope. A
matched draw has the recorded output if that is still possible, whatever its place among the alternatives.
"""

import os

from .outputs import fingerprints, places
from .quiet import QUIET_AFTER, Fresh, Site
from .records import ARRANGEMENT, BRANCH, CALL, COMPLETE, HALTED, ITERATION, LOOP, OVER_BUDGET


class Frame:
    """An open scope. Rounds and branches have no state of a site: they are recorded if what they are in is."""

    __slots__ = ("kind", "site", "draws", "waiting", "unfinished", "rounds")

    def __init__(self, kind, site, draws, waiting):
        self.kind, self.site, self.draws, self.waiting = kind, site, draws, waiting
        if kind == LOOP:
            # Whether it was left before its iterable was exhausted.
            self.unfinished = True
            self.rounds = 0


def _waiting(node):
    """The steps within a step of the script, by site, the next one last; and under None the step itself."""
    if node is None:
        return None
    waiting = {None: node}
    for child in reversed(node.children):
        waiting.setdefault(child.site, []).append(child)
    return waiting


def _matching(fitting, most, outputs):
    """The number that matches a step of the script, or None."""
    if fitting is None or len(fitting.values) != 1:
        return None
    value = fitting.values[0]
    if fitting.outputs and outputs is not None:
        return outputs.find(fitting.outputs[0], value, most)
    return value if value <= most else None


def arrangement(values, size, count):
    """The arrangement of `count` of `size` things that is nearest to a given one, which may not fit."""
    kept = list(dict.fromkeys(value for value in values if value < size))[:count]
    taken = set(kept)
    rest = (value for value in range(size) if value not in taken)
    while len(kept) < count:
        kept.append(next(rest))
    return tuple(kept)


class Player:
    """The choices of one run."""

    def __init__(self, writer, script=None, defaults=None, halts=False, budget=None):
        self.writer, self.script, self.defaults = writer, script, defaults or {}
        self.halts, self.budget = halts, float("inf") if budget is None else budget
        self.draws = self.misaligned = 0
        self.sites, self.fresh = {}, Fresh()
        self.stack = [Frame(CALL, None, 0, _waiting(script))]
        # A round of a while loop whose condition is not yet evaluated: it may turn out not to be a round.
        self.pending = None
        self.ended = False
        self.open_scope, self.close_scope, self.write_number = writer.open, writer.close, writer.number

    # -- scopes

    def enter(self, kind, site):
        """Opens a scope. Returns None if it is not recorded."""
        known = None
        if kind != BRANCH:
            known = self.sites.get(site)
            if known is None:
                known = self.sites[site] = Site()
            if not known.drew and self.fresh.is_quiet(known):
                return None
        if self.pending is not None:
            self.settle()
        stack = self.stack
        waiting = None
        if self.script is not None:
            fitting = self.fit(site, stack[-1])
            waiting = fitting and _waiting(fitting)
        frame = Frame(kind, known, self.draws, waiting)
        stack.append(frame)
        self.open_scope(kind, site)
        return frame

    def leave(self, frame):
        """Closes a scope with everything open in it, if it is open at all."""
        if frame is not None:
            if frame.site is not None and not frame.site.drew:
                self.fresh.closed(frame.site)
            self._leave(frame)

    def _leave(self, frame):
        stack = self.stack
        if stack[-1] is not frame:
            # Most often one branch or round is open in it.
            if stack[-2] is not frame and frame not in stack:
                return
        elif self.pending is None:
            stack.pop()
            self._close(frame)
            return
        while True:
            top = stack.pop()
            if top is self.pending:
                self.pending = None
            else:
                self._close(top)
            if top is frame:
                return

    def back_to(self, frame):
        """Closes everything open within a scope; the round of a loop stays open."""
        if frame is None:
            return
        stack = self.stack
        if not frame.site.drew:
            self.fresh.emptied(frame.site)
        if stack[-1] is not frame and frame in stack:
            while stack[-1] is not frame and not (frame.kind == LOOP and stack[-2] is frame):
                self._leave(stack[-1])

    def _close(self, frame):
        if frame.kind == LOOP and frame.unfinished:
            self.writer.open_ended()
        self.close_scope()
        if self.halts:
            self._check_all_came(frame)

    def next_round(self, loop, pending=False):
        """Starts a round of a loop."""
        stack = self.stack
        loop.rounds += 1
        if not loop.site.drew:
            self.fresh.emptied(loop.site)
        while stack[-1] is not loop:
            self._leave(stack[-1])
        if loop.rounds > QUIET_AFTER and loop.draws == self.draws:
            return
        frame = Frame(ITERATION, None, self.draws, None)
        if pending:
            self.pending = frame
        else:
            self._begin_round(frame, loop)
        stack.append(frame)

    def settle(self):
        """The round whose condition was not yet evaluated is a round."""
        frame, self.pending = self.pending, None
        self._begin_round(frame, self.stack[self.stack.index(frame) - 1])

    def _begin_round(self, frame, loop):
        if self.script is not None:
            frame.waiting = _waiting(self.fit("", loop))
        self.open_scope(ITERATION, "")

    # -- matching

    def fit(self, site, frame):
        """The step of the script that matches one of this site within `frame`."""
        waiting = frame.waiting
        if waiting is None:
            return None
        nodes = waiting.get(site)
        if nodes:
            return nodes.pop()
        if self.halts:
            self.stop(HALTED, waiting[None].number)
        return None

    def _check_all_came(self, frame):
        if frame.waiting is not None:
            missing = [nodes[-1].number for key, nodes in frame.waiting.items() if key is not None and nodes]
            if missing:
                self.stop(HALTED, min(missing))

    # -- draws

    def _fitting_draw(self, site):
        """Counts a draw, and returns the step of the script that matches it."""
        self.draws += 1
        self.fresh.drawn()
        if self.draws > self.budget:
            self.stop(OVER_BUDGET, 0)
        if self.pending is not None:
            self.settle()
        return self.fit(site, self.stack[-1]) if self.script is not None else None

    def draw(self, kind, site, most, real, legal, nearest):
        """The values of a draw: from `real`, or from the script if they are `legal`, or the `nearest` to those."""
        fitting = self._fitting_draw(site)
        if self.script is None:
            values = real()
        elif fitting is not None and legal(fitting.values):
            values = fitting.values
        else:
            values = nearest(self._misfit(fitting, site))
        self.writer.draw(kind, site, most, values)
        return values

    def number(self, kind, site, most, outputs, real, *arguments):
        """The same for one number from 0 to `most`, which `real` draws. It stands for one of `outputs`, or for itself
        if that is None."""
        fitting = self._fitting_draw(site)
        if self.script is None:
            value = real(*arguments)
        else:
            value = _matching(fitting, most, outputs)
            if value is None:
                told = self._misfit(fitting, site)
                value = min(told[0], most) if told else 0
        self.writer.number(kind, site, most, value, None if outputs is None else outputs.of(value))
        return value

    def arrange(self, site, count, items, real):
        """The places of `count` of the items in some order, which `real` draws."""
        fitting = self._fitting_draw(site)
        size = len(items)
        if self.script is None:
            values = tuple(real())
        else:
            values = fitting.values if fitting is not None else ()
            found = places(fitting.outputs, items) if fitting is not None and fitting.outputs else None
            if found is None:
                fits = fitting is not None and len(values) == count and all(value < size for value in values)
            else:
                fits = len(found) == count and None not in found
                values = [place for place in found if place is not None]
            if not fits:
                told = self._misfit(fitting, site)
                values = told if fitting is None else values
            values = arrangement(values, size, count)
        outputs = fingerprints(items[value] for value in values)
        self.writer.draw(ARRANGEMENT, site, max(size - 1, 0), values, outputs)
        return values

    def _misfit(self, fitting, site):
        """The default values, for where no step of the script matches."""
        if self.halts:
            self.stop(HALTED, fitting.number)
        self.misaligned += 1
        return self.defaults.get(site, ()) if fitting is None else fitting.values

    # -- the end

    def stop(self, outcome, number):
        """Exits the program: its output is not needed."""
        self.writer.end(outcome, self.misaligned, number)
        os._exit(0)

    def finish(self):
        """Ends the run."""
        if self.ended:
            return
        self.ended = True
        if self.halts:
            while len(self.stack) > 1:
                self.leave(self.stack[-1])
            self._check_all_came(self.stack[0])
        self.writer.end(COMPLETE, self.misaligned, 0)

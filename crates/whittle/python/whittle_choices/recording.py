"""Records the first run of a program, as fast as Python allows.

It does what `player.Player` does without a script. Steps are numbers in a list, which becomes bytes only when it is
written. Functions are closures and frames are lists, because these are the cheapest calls and objects.
"""

import os

from .outputs import fingerprints
from .records import ARRANGEMENT, BRANCH, CALL, COMPLETE, FRACTION, INTEGER, ITERATION, LOOP, OVER_BUDGET, SELECTION
from .records import CLOSE_WORD, FRACTION_WORD, INTEGER_WORD, OPEN_ENDED_WORD, OPEN_WORD, OUTPUT_WORD

# A site that was entered this often without a draw is no longer recorded: a trace is about choices, and a program may
# have loops that run a million times without any.
QUIET_AFTER = 1000

# How many words are kept before they are written. If the program is killed, the rest is lost.
_WORDS_KEPT = 1 << 13

# What a site knows: its word in the file, how often it was entered, and whether anything was ever drawn in it.
_WORD, _ENTERED, _DREW = range(3)
# What an open scope knows: its site, and how many draws there were when it was opened.
_SITE, _DRAWS = range(2)


class LoopFrame(list):
    """An open loop."""

    __slots__ = ("unfinished", "rounds")


class Recording:
    """The choices of a run without a script; the same methods as those of `player.Player`."""

    def __init__(self, writer, budget=None):
        self.writer, self.pending = writer, None
        budget = float("inf") if budget is None else budget
        log, sites, stack, words = [], {}, [[[0, 0, True], 0]], writer.words
        append, extend, push, pop = log.append, log.extend, stack.append, stack.pop
        draws = 0

        def site_of(kind, site):
            known = sites[site] = [words[site] + OPEN_WORD + kind, 0, False]
            return known

        round_word = site_of(ITERATION, "")[_WORD]
        branches = [site_of(BRANCH, "else"), site_of(BRANCH, "then")]

        def open_site(known):
            if not known[_DREW]:
                known[_ENTERED] += 1
                if known[_ENTERED] > QUIET_AFTER:
                    return None
            if self.pending is not None:
                settle()
            append(known[_WORD])
            frame = [known, draws]
            push(frame)
            return frame

        def call(site):
            return open_site(sites.get(site) or site_of(CALL, site))

        def selection(site):
            return open_site(sites.get(site) or site_of(SELECTION, site))

        def test(scope, condition, has_else):
            condition = True if condition else False
            if scope is not None and (condition or has_else):
                if stack[-1] is not scope:
                    back_to(scope)
                open_site(branches[condition])
            return condition

        def enter(kind, site):
            frame = open_site(sites.get(site) or site_of(kind, site))
            if kind != LOOP or frame is None:
                return frame
            loop = stack[-1] = LoopFrame(frame)
            loop.unfinished, loop.rounds = True, 0
            return loop

        def leave(frame):
            if frame is None:
                return
            if stack[-1] is not frame:
                if not any(frame is other for other in stack):
                    return
                while stack[-1] is not frame:
                    close(pop())
            close(pop())

        def close(frame):
            if frame is self.pending:
                self.pending = None
                return
            if frame[_DRAWS] != draws:
                frame[_SITE][_DREW] = True
            if type(frame) is LoopFrame and frame.unfinished:
                append(OPEN_ENDED_WORD)
            append(CLOSE_WORD)

        def back_to(frame):
            if frame is None or stack[-1] is frame or not any(frame is other for other in stack):
                return
            is_loop = type(frame) is LoopFrame
            while stack[-1] is not frame and not (is_loop and stack[-2] is frame):
                close(pop())

        def next_round(loop, pending=False):
            loop.rounds += 1
            if not pending and stack[-2] is loop and self.pending is None:
                # The frame of the last round can be used again.
                frame = stack[-1]
                if frame[_DRAWS] != draws:
                    loop[_SITE][_DREW] = True
                    frame[_DRAWS] = draws
                    extend((CLOSE_WORD, round_word))
                    return
            while stack[-1] is not loop:
                close(pop())
            if loop.rounds > QUIET_AFTER and loop[_DRAWS] == draws:
                return
            frame = [loop[_SITE], draws]
            if pending:
                self.pending = frame
            else:
                append(round_word)
            push(frame)

        def settle():
            self.pending = None
            append(round_word)

        def note(kind, site, most, value, output):
            nonlocal draws
            draws += 1
            if draws > budget:
                stop()
            if self.pending is not None:
                settle()
            if kind == FRACTION:
                extend((words[site] + FRACTION_WORD, value))
            elif output is None:
                extend((words[site] + INTEGER_WORD, most, value))
            else:
                extend((words[site] + OUTPUT_WORD, most, value, output))
            if len(log) > _WORDS_KEPT:
                flush()

        def number(kind, site, most, outputs, real, *arguments):
            value = real(*arguments)
            if kind == INTEGER or kind == FRACTION:
                note(kind, site, most, value, None if outputs is None else outputs.of(value))
            else:
                whole(kind, site, most, (value,))
            return value

        def whole(kind, site, most, values, outputs=()):
            """Records a draw that is no word."""
            nonlocal draws
            draws += 1
            if draws > budget:
                stop()
            if self.pending is not None:
                settle()
            flush()
            writer.draw(kind, site, most, values, outputs)

        def draw(kind, site, most, real, legal, nearest):
            values = real()
            whole(kind, site, most, values)
            return values

        def arrange(site, count, items, real):
            values = tuple(real())
            whole(ARRANGEMENT, site, max(len(items) - 1, 0), values, fingerprints(items[value] for value in values))
            return values

        def flush():
            writer.steps(log)
            log.clear()

        def stop():
            flush()
            writer.end(OVER_BUDGET, 0, 0)
            os._exit(0)

        def finish():
            flush()
            writer.end(COMPLETE, 0, 0)

        self.call, self.selection, self.test, self.enter, self.leave = call, selection, test, enter, leave
        self.back_to, self.next_round, self.settle, self.note = back_to, next_round, settle, note
        self.number, self.draw, self.arrange, self.finish = number, draw, arrange, finish

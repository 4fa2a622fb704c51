"""Records the first run of a program, as fast as Python allows.

It does what `player.Player` does without a script. Steps are numbers in a list, which becomes bytes only when it is
written. There is no stack: a word that closes a scope names its site, and the reader of the file closes what is open in
it. Functions are closures, because these are the cheapest calls, and each has one scope of the program.
"""

from itertools import islice
from sys import _getframe as frame_at

from .outputs import fingerprint, fingerprints, texts
from .quiet import QUIET_AFTER, Fresh, Site
from .records import ARRANGEMENT, CALL, COMPLETE, FRACTION, INTEGER, LOOP, SELECTION
from .records import BACK_WORD, FINISHED_WORD, FRACTION_WORD, INTEGER_WORD, LEAVE_WORD, NO_ROUND_WORD, OPEN_WORD
from .records import ELSE_WORD, LEAVE_NTH_WORD, OUTPUT_WORD, ROUND_WORD, THEN_WORD, WITHIN_WORD
from .runtime import expression

# How many draws are kept before they are written. If the program is killed, the rest is lost.
_DRAWS_KEPT = 1 << 11

_FRACTIONS, _MASK = 1 << 53, (1 << 64) - 1
# Numbers and ranges from here on are left to the general methods, which know how to record them.
_WIDEST = 1 << 62


class Recording:
    """The choices of a run without a script and without a limit; the same methods as those of `player.Player` for draws,
    and the makers of `runtime`."""

    def __init__(self, writer):
        log, words, fresh, sites = [], writer.words, Fresh(), {}
        append, extend = log.append, log.extend
        # The sites of draws by the code that draws, as words.
        places = {}
        draws, written = 0, _DRAWS_KEPT
        # The first site is the number 0, and a word of 0 would look like none.
        words[""]

        def scope_of(kind, site):
            """The state of a site, the words that open and close a scope, and the functions that close it."""
            known, word = sites.setdefault(site, Site()), words[site]
            leave, back, within = word + LEAVE_WORD, word + BACK_WORD, word + WITHIN_WORD

            def closed(scope):
                if scope is not None:
                    if not known.drew:
                        fresh.closed(known)
                    append(leave)

            def back_to(scope):
                if scope is not None:
                    if not known.drew:
                        fresh.emptied(known)
                    append(back)

            return known, word + OPEN_WORD + kind, within, closed, back_to

        def function(site):
            known, word, _, closed, back_to = scope_of(CALL, site)

            def opened():
                if not known.drew and fresh.is_quiet(known):
                    return None
                append(word)
                return known

            return opened, closed, back_to

        def loop(site):
            known, word, within, closed, back_to = scope_of(LOOP, site)
            next_round, finished = words[site] + ROUND_WORD, words[site] + FINISHED_WORD

            def rounds(iterable):
                before = draws
                iterator = iter(iterable)
                for item in islice(iterator, QUIET_AFTER):
                    if not known.drew:
                        fresh.emptied(known)
                    append(next_round)
                    yield item
                for item in iterator:
                    if not known.drew:
                        fresh.emptied(known)
                    if draws != before:
                        append(next_round)
                    elif not log or log[-1] != within:
                        append(within)
                    yield item
                if not known.drew:
                    fresh.emptied(known)
                append(finished)

            is_recorded = rounds.__code__

            def opened(iterable):
                if not known.drew and fresh.is_quiet(known):
                    return (item for item in iterable)
                known.opened += 1
                append(word)
                return rounds(iterable)

            def closed_loop(iterator):
                if iterator.gi_code is is_recorded:
                    closed(known)

            def back_to_loop(iterator):
                if iterator.gi_code is is_recorded:
                    back_to(known)

            return opened, closed_loop, back_to_loop

        def condition_loop(site):
            known, word, within, closed, back_to = scope_of(LOOP, site)
            next_round, no_round = words[site] + ROUND_WORD, words[site] + NO_ROUND_WORD

            def opened():
                if not known.drew and fresh.is_quiet(known):
                    return None
                append(word)
                return [0, draws]

            def begin(scope):
                if scope is None:
                    return
                if not known.drew:
                    fresh.emptied(known)
                scope[0] += 1
                if scope[0] <= QUIET_AFTER or scope[1] != draws:
                    append(next_round)
                elif not log or log[-1] != within:
                    append(within)

            def goes(scope, condition):
                if condition:
                    return True
                if scope is not None:
                    append(no_round)
                return False

            return opened, begin, goes, closed, back_to

        def comprehension(site):
            opened, _, _ = loop(site)
            known, leave = sites[site], words[site] + LEAVE_NTH_WORD

            def over(iterable):
                before = known.opened
                rounds = opened(iterable)
                number = known.opened
                try:
                    yield from rounds
                finally:
                    # It may have been closed long before, if the comprehension is a generator.
                    if number != before:
                        if not known.drew:
                            fresh.closed(known)
                        extend((leave, number))

            return over

        def selection(site, has_else):
            known, word, _, closed, _ = scope_of(SELECTION, site)
            then, otherwise = words[site] + THEN_WORD, words[site] + ELSE_WORD

            def opened():
                if not known.drew and fresh.is_quiet(known):
                    return None
                append(word)
                return known

            def test(scope, condition):
                condition = True if condition else False
                if scope is not None and (condition or has_else):
                    if not known.drew:
                        fresh.emptied(known)
                    append(then if condition else otherwise)
                return condition

            return opened, test, closed

        def choice(site):
            return expression(*selection(site, True))

        def drawn():
            """Before a draw, if there are fresh scopes or enough to write."""
            nonlocal written
            fresh.drawn()
            if draws > written:
                flush()
                written = draws + _DRAWS_KEPT

        def number(kind, site, most, outputs, real, *arguments):
            nonlocal draws
            value = real(*arguments)
            if kind != INTEGER and kind != FRACTION:
                whole(kind, site, most, (value,))
                return value
            draws += 1
            if fresh or draws > written:
                drawn()
            output = None if outputs is None else outputs.of(value)
            if kind == FRACTION:
                extend((words[site] + FRACTION_WORD, value))
            elif output is None:
                extend((words[site] + INTEGER_WORD, most, value))
            else:
                extend((words[site] + OUTPUT_WORD, most, value, output))
            return value

        def whole(kind, site, most, values, outputs=()):
            """Records a draw that is no word."""
            nonlocal draws
            draws += 1
            drawn()
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

        def methods(cls, source, site_of):
            """The methods of a class of `random` that are called most: the others go through `number` and `draw`."""
            fraction, bits = cls.random, cls.getrandbits
            really_choice, really_randint, really_randrange = cls.choice, cls.randint, cls.randrange
            # An instruction's number seldom belongs to two places, and looking it up alone costs less than half.
            firsts, nowhere = {}, (None, 0)
            word_at, first_at = places.get, firsts.get

            def place(frame, site):
                word = words[site]
                if frame.f_code.co_filename not in source.skipped:
                    places[id(frame.f_code), frame.f_lasti] = word
                    firsts.setdefault(frame.f_lasti, (frame.f_code, word))
                return word

            def random(self):
                nonlocal draws
                value = fraction(self)
                if source.inside:
                    return value
                frame = frame_at(1)
                code, word = first_at(frame.f_lasti, nowhere)
                if code is not frame.f_code:
                    word = word_at((id(frame.f_code), frame.f_lasti)) or place(frame, site_of(2))
                draws += 1
                if fresh or draws > written:
                    drawn()
                extend((word + FRACTION_WORD, int(value * _FRACTIONS)))
                return value

            def choice(self, seq):
                nonlocal draws
                size = len(seq)
                if not size or source.inside or type(self) is not cls:
                    return really_choice(self, seq)
                frame = frame_at(1)
                code, word = first_at(frame.f_lasti, nowhere)
                if code is not frame.f_code:
                    word = word_at((id(frame.f_code), frame.f_lasti)) or place(frame, site_of(2))
                k = size.bit_length()
                value = bits(self, k)
                while value >= size:
                    value = bits(self, k)
                item = seq[value]
                draws += 1
                if fresh or draws > written:
                    drawn()
                output = texts.get(item) if type(item) is str else None
                if output is None:
                    output = fingerprint(item)
                    if output is None:
                        extend((word + INTEGER_WORD, size - 1, value))
                        return item
                extend((word + OUTPUT_WORD, size - 1, value, output))
                return item

            def randint(self, a, b):
                nonlocal draws
                if type(a) is not int or type(b) is not int or source.inside or type(self) is not cls:
                    return really_randint(self, a, b)
                width = b - a + 1
                if not 0 < width < _WIDEST or not -_WIDEST < a < _WIDEST:
                    return really_randint(self, a, b)
                frame = frame_at(1)
                code, word = first_at(frame.f_lasti, nowhere)
                if code is not frame.f_code:
                    word = word_at((id(frame.f_code), frame.f_lasti)) or place(frame, site_of(2))
                k = width.bit_length()
                value = bits(self, k)
                while value >= width:
                    value = bits(self, k)
                draws += 1
                if fresh or draws > written:
                    drawn()
                number = a + value
                extend((word + OUTPUT_WORD, b - a, value, number & _MASK))
                return number

            def randrange(self, start, stop=None, step=1):
                nonlocal draws
                if stop is None and step == 1:
                    start, stop = 0, start
                if type(start) is not int or type(stop) is not int or step != 1 or source.inside or type(self) is not cls:
                    return really_randrange(self, start, stop, step)
                width = stop - start
                if not 0 < width < _WIDEST or not -_WIDEST < start < _WIDEST:
                    return really_randrange(self, start, stop, step)
                frame = frame_at(1)
                code, word = first_at(frame.f_lasti, nowhere)
                if code is not frame.f_code:
                    word = word_at((id(frame.f_code), frame.f_lasti)) or place(frame, site_of(2))
                k = width.bit_length()
                value = bits(self, k)
                while value >= width:
                    value = bits(self, k)
                draws += 1
                if fresh or draws > written:
                    drawn()
                number = start + value
                extend((word + OUTPUT_WORD, width - 1, value, number & _MASK))
                return number

            return random, choice, randint, randrange

        def flush():
            writer.steps(log)
            log.clear()

        def finish():
            flush()
            writer.end(COMPLETE, 0, 0)

        self.function, self.loop, self.condition_loop, self.comprehension = function, loop, condition_loop, comprehension
        self.selection, self.choice, self.methods = selection, choice, methods
        self.number, self.draw, self.arrange, self.finish = number, draw, arrange, finish

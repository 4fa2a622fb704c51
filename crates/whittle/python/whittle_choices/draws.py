"""Puts a player between a program and the `random` module.

It replaces methods of the classes, so that module functions, instances and early imports are all covered. The first run
draws from the real source, in the same order as without a player, so a seed gives the same output as ever.
"""

import os
import random
import sys
from bisect import bisect_left

from .outputs import Items, Numbers
from .records import FRACTION, INTEGER, WIDE

_LIMBS = 64
_FRACTIONS = 1 << 53
_SKIPPED = {random.__file__, __file__}

# The folder that sites are named relative to; set when the program is known.
root = ""
# Sites by code object and instruction. The code objects are kept alive, because their ids could be reused.
_sites = {}
_codes = []


def skip_file(path):
    """Draws in this file belong to its caller."""
    _SKIPPED.add(path)


def site_of(depth):
    """Names the place of a draw in the program: the function called, file, line and instruction."""
    frame = sys._getframe(depth)
    known = _sites.get((id(frame.f_code), frame.f_lasti))
    if known is not None:
        return known
    code = frame.f_code
    while code.co_filename in _SKIPPED:
        frame = frame.f_back
        code = frame.f_code
    key = id(code), frame.f_lasti
    known = _sites.get(key)
    if known is None:
        known = _sites[key] = _describe(frame, sys._getframe(depth))
        _codes.append(code)
    return known


def _describe(frame, inner):
    api = sys._getframe(2).f_code.co_name if inner is frame else "draw"
    while inner is not frame:
        api, inner = inner.f_code.co_name, inner.f_back
    path = frame.f_code.co_filename
    if root and path.startswith(root + os.sep):
        path = path[len(root) + 1 :]
    return "%s %s:%d:%d" % (api, path, frame.f_lineno, frame.f_lasti)


def limbs(number, count):
    """A number as `count` words of 64 bits, the lowest first."""
    return tuple((number >> (_LIMBS * place)) & ((1 << _LIMBS) - 1) for place in range(count))


def whole(values):
    """The number with these words of 64 bits."""
    return sum(value << (_LIMBS * place) for place, value in enumerate(values))


class Source:
    """The replaced methods. While one of them draws, the methods that it calls are not recorded."""

    def __init__(self, player, make_loop):
        self.player, self.make_loop, self.loops = player, make_loop, {}
        self.inside, self.skipped = False, _SKIPPED

    def loop(self, site):
        """The functions that open and close a loop of draws."""
        known = self.loops.get(site)
        if known is None:
            known = self.loops[site] = self.make_loop(site)[:2]
        return known

    def really(self, function, *arguments, **keywords):
        """Calls an original method without recording."""
        outer, self.inside = self.inside, True
        try:
            return function(*arguments, **keywords)
        finally:
            self.inside = outer

    def integer(self, site, most, outputs, function, *arguments):
        """One number from 0 to `most`."""
        player = self.player
        if most < 1 << 64:
            return player.number(INTEGER, site, most, outputs, function, *arguments)
        count = (most.bit_length() + _LIMBS - 1) // _LIMBS
        return whole(
            player.draw(
                WIDE,
                site,
                count,
                lambda: limbs(function(*arguments), count),
                lambda values: whole(values) <= most,
                lambda values: limbs(min(whole(values), most), count),
            )
        )


def install(player, make_loop):
    """Replaces the methods of `random`'s classes, and returns the source that they now draw from."""
    source = Source(player, make_loop)
    for cls in (random.Random, random.SystemRandom):
        _replace_basics(cls, source)
    _replace_compounds(source)
    # These were bound to the original methods when the module was loaded.
    for name in ("random", "getrandbits", "shuffle", "sample", "choices", "choice", "randint", "randrange"):
        setattr(random, name, getattr(random._inst, name))
    return source


def _replace_basics(cls, source):
    bits = cls.getrandbits

    def really_below(self, n):
        # The same as the original method, which would draw bits that would be recorded.
        k = n.bit_length()
        number = bits(self, k)
        while number >= n:
            number = bits(self, k)
        return number

    def _randbelow(self, n):
        if source.inside or n < 1:
            return really_below(self, n) if n > 0 else 0
        return source.integer(site_of(2), n - 1, None, really_below, self, n)

    def getrandbits(self, k):
        if source.inside or k < 1:
            return bits(self, k)
        return source.integer(site_of(2), (1 << k) - 1, None, bits, self, k)

    make = getattr(source.player, "methods", None)
    cls.random, cls.choice, cls.randint, cls.randrange = (
        make(cls, source, site_of) if make is not None else _methods(cls, source, really_below)
    )
    cls._randbelow, cls.getrandbits = _randbelow, getrandbits


def _methods(cls, source, really_below):
    """The methods that need not go through those above, except for subclasses, which may have their own."""
    fraction, player = cls.random, source.player
    really_choice, really_randint, really_randrange = cls.choice, cls.randint, cls.randrange

    def really_fraction(self):
        return int(fraction(self) * _FRACTIONS)

    def _random(self):
        if source.inside:
            return fraction(self)
        return player.number(FRACTION, site_of(2), _FRACTIONS - 1, None, really_fraction, self) / _FRACTIONS

    def choice(self, seq):
        size = len(seq)
        if size == 0 or source.inside or type(self) is not cls:
            return really_choice(self, seq)
        return seq[player.number(INTEGER, site_of(2), size - 1, Items(seq), really_below, self, size)]

    def randint(self, a, b):
        if type(a) is int and type(b) is int and a <= b and not source.inside and type(self) is cls:
            return a + source.integer(site_of(2), b - a, Numbers(a), really_below, self, b - a + 1)
        return really_randint(self, a, b)

    def randrange(self, start, stop=None, step=1):
        if type(start) is int and step == 1 and not source.inside and type(self) is cls:
            low, width = (0, start) if stop is None else (start, stop - start) if type(stop) is int else (0, 0)
            if width > 0:
                return low + source.integer(site_of(2), width - 1, Numbers(low), really_below, self, width)
        if stop is None:
            return really_randrange(self, start)
        return really_randrange(self, start, stop, step)

    _random.__name__ = "random"
    _random.__code__ = _random.__code__.replace(co_name="random")
    return _random, choice, randint, randrange


def _replace_compounds(source):
    cls = random.Random
    really_shuffle, really_sample, really_choices = cls.shuffle, cls.sample, cls.choices

    def shuffle(self, x, *arguments):
        if source.inside or arguments:
            return really_shuffle(self, x, *arguments)
        order = list(range(len(x)))
        if len(order) > 1:

            def real():
                source.really(really_shuffle, self, order)
                return order

            order = source.player.arrange(site_of(2), len(order), x, real)
        x[:] = [x[place] for place in order]

    def sample(self, population, k, **keywords):
        plain = not keywords and hasattr(population, "__getitem__") and 0 <= k <= len(population)
        if source.inside or not plain:
            return really_sample(self, population, k, **keywords)
        size = len(population)
        real = lambda: source.really(really_sample, self, range(size), k)
        return [population[place] for place in source.player.arrange(site_of(2), k, population, real)]

    def choices(self, population, weights=None, *, cum_weights=None, k=1):
        player = source.player
        possible = None if source.inside else _possible(len(population), weights, cum_weights)
        if not possible:
            return really_choices(self, population, weights, cum_weights=cum_weights, k=k)
        items, everything = Items([population[place] for place in possible]), range(len(population))

        def real():
            place = source.really(really_choices, self, everything, weights, cum_weights=cum_weights)[0]
            return bisect_left(possible, place)

        site = site_of(2)
        opened, closed = source.loop(site)
        rounds, number = opened(range(k)), player.number
        chosen = [items.items[number(INTEGER, site, len(possible) - 1, items, real)] for _ in rounds]
        closed(rounds)
        return chosen

    cls.shuffle, cls.sample, cls.choices = shuffle, sample, choices


def _possible(size, weights, cum_weights):
    """The places that can be drawn; empty if the arguments are not as they should be."""
    if weights is None and cum_weights is None:
        return range(size)
    given = list(weights if cum_weights is None else cum_weights)
    if len(given) != size or (weights is not None and cum_weights is not None):
        return []
    if cum_weights is not None:
        given = [high - low for high, low in zip(given, [0] + given)]
    return [place for place in range(size) if given[place] > 0]

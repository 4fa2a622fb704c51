"""Puts a player between a program and the `random` module.

It replaces methods of the classes, so that module functions, instances and early imports are all covered. The first run
draws from the real source, in the same order as without a player, so a seed gives the same output as ever.
"""

import os
import random
import sys

from .records import ARRANGEMENT, FRACTION, INTEGER, LOOP, WIDE

_LIMBS = 64
_FRACTIONS = 1 << 53
_SKIPPED = {random.__file__, __file__}

# The folder that sites are named relative to; set when the program is known.
root = ""
_sites = {}


def skip_file(path):
    """Draws in this file belong to its caller."""
    _SKIPPED.add(path)


def site_of(depth):
    """Names the place of a draw in the program: the function called, file, line and instruction."""
    frame = sys._getframe(depth)
    code = frame.f_code
    while code.co_filename in _SKIPPED:
        frame = frame.f_back
        code = frame.f_code
    known = _sites.get((id(code), frame.f_lasti))
    if known is None:
        # The code object is kept alive, because its id could be reused.
        known = _sites[id(code), frame.f_lasti] = (_describe(frame, sys._getframe(depth)), code)
    return known[0]


def _describe(frame, inner):
    api = "draw"
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


def arrangement(values, size, count):
    """The arrangement of `count` of `size` things that is nearest to a given one, which may not fit."""
    kept = []
    for value in values:
        if value < size and value not in kept and len(kept) < count:
            kept.append(value)
    taken = set(kept)
    rest = (value for value in range(size) if value not in taken)
    while len(kept) < count:
        kept.append(next(rest))
    return tuple(kept)


class Source:
    """The replaced methods. While one of them draws, the methods that it calls are not recorded."""

    def __init__(self, player):
        self.player = player
        self.inside = False

    def really(self, function, *arguments, **keywords):
        """Calls an original method without recording."""
        outer, self.inside = self.inside, True
        try:
            return function(*arguments, **keywords)
        finally:
            self.inside = outer

    def integer(self, most, function, *arguments):
        """One number from 0 to `most`."""
        player, site = self.player, site_of(3)
        if most < 1 << 64:
            return player.number(INTEGER, site, most, function, *arguments)
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

    def arrange(self, size, count, real):
        """`count` of `size` things in some order."""
        return self.player.draw(
            ARRANGEMENT,
            site_of(3),
            max(size - 1, 0),
            lambda: tuple(real()),
            lambda values: len(values) == count and all(value < size for value in values),
            lambda values: arrangement(values, size, count),
        )


def install(player):
    """Replaces the methods of `random`'s classes, and returns the source that they now draw from."""
    source = Source(player)
    for cls in (random.Random, random.SystemRandom):
        _replace_basics(cls, source)
    _replace_compounds(source)
    # These were bound to methods not written in Python when the module was loaded.
    for name in ("random", "getrandbits", "shuffle", "sample", "choices"):
        setattr(random, name, getattr(random._inst, name))
    return source


def _replace_basics(cls, source):
    fraction, bits = cls.random, cls.getrandbits
    player = source.player

    def really_below(self, n):
        # The same as the original method, which would draw bits that would be recorded.
        k = n.bit_length()
        number = bits(self, k)
        while number >= n:
            number = bits(self, k)
        return number

    def really_fraction(self):
        return int(fraction(self) * _FRACTIONS)

    def _randbelow(self, n):
        if source.inside or n < 1:
            return really_below(self, n) if n > 0 else 0
        return source.integer(n - 1, really_below, self, n)

    def _random(self):
        if source.inside:
            return fraction(self)
        return player.number(FRACTION, site_of(2), _FRACTIONS - 1, really_fraction, self) / _FRACTIONS

    def getrandbits(self, k):
        if source.inside or k < 1:
            return bits(self, k)
        return source.integer((1 << k) - 1, bits, self, k)

    _random.__name__ = "random"
    cls._randbelow, cls.random, cls.getrandbits = _randbelow, _random, getrandbits


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

            order = source.arrange(len(order), len(order), real)
        x[:] = [x[place] for place in order]

    def sample(self, population, k, **keywords):
        plain = not keywords and hasattr(population, "__getitem__") and 0 <= k <= len(population)
        if source.inside or not plain:
            return really_sample(self, population, k, **keywords)
        size = len(population)
        places = source.arrange(size, k, lambda: source.really(really_sample, self, range(size), k))
        return [population[place] for place in places]

    def choices(self, population, weights=None, *, cum_weights=None, k=1):
        player = source.player
        if source.inside:
            return really_choices(self, population, weights, cum_weights=cum_weights, k=k)
        loop, chosen = player.enter(LOOP, site_of(2)), []
        for _ in range(k):
            if loop is not None:
                player.next_round(loop)
            chosen += really_choices(self, population, weights, cum_weights=cum_weights, k=1)
        if loop is not None:
            loop.unfinished = False
            player.leave(loop)
        return chosen

    cls.shuffle, cls.sample, cls.choices = shuffle, sample, choices

"""Puts a player between a program and the `random` module.

It replaces methods of the classes, so that module functions, instances and early imports are all covered. The first run
draws from the real source, in the same order as without a player, so a seed gives the same output as ever.
"""

import os
import random
import sys
from bisect import bisect_left

from .outputs import Items, Numbers, fingerprint
from .records import FRACTION, INTEGER, LOOP, WIDE

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


def install(player):
    """Replaces the methods of `random`'s classes, and returns the source that they now draw from."""
    source = Source(player)
    for cls in (random.Random, random.SystemRandom):
        _replace_basics(cls, source)
    _replace_compounds(source)
    # These were bound to the original methods when the module was loaded.
    for name in ("random", "getrandbits", "shuffle", "sample", "choices", "choice", "randint", "randrange"):
        setattr(random, name, getattr(random._inst, name))
    return source


def _replace_basics(cls, source):
    fraction, bits = cls.random, cls.getrandbits
    really_choice, really_randint, really_randrange = cls.choice, cls.randint, cls.randrange
    player, sites, frame_at = source.player, _sites, sys._getframe
    note = player.note

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
        return source.integer(site_of(2), n - 1, None, really_below, self, n)

    def _random(self):
        if source.inside:
            return fraction(self)
        frame = frame_at(1)
        site = sites.get((id(frame.f_code), frame.f_lasti)) or site_of(2)
        if note is not None:
            value = fraction(self)
            note(FRACTION, site, _FRACTIONS - 1, int(value * _FRACTIONS), None)
            return value
        return player.number(FRACTION, site, _FRACTIONS - 1, None, really_fraction, self) / _FRACTIONS

    def getrandbits(self, k):
        if source.inside or k < 1:
            return bits(self, k)
        return source.integer(site_of(2), (1 << k) - 1, None, bits, self, k)

    # The following need not go through the methods above, except for subclasses, which may have their own.

    def choice(self, seq):
        if source.inside or type(self) is not cls:
            return really_choice(self, seq)
        size = len(seq)
        if size == 0:
            return really_choice(self, seq)
        frame = frame_at(1)
        site = sites.get((id(frame.f_code), frame.f_lasti)) or site_of(2)
        if note is None:
            return seq[player.number(INTEGER, site, size - 1, Items(seq), really_below, self, size)]
        k = size.bit_length()
        place = bits(self, k)
        while place >= size:
            place = bits(self, k)
        item = seq[place]
        note(INTEGER, site, size - 1, place, fingerprint(item))
        return item

    def randint(self, a, b):
        if type(a) is int and type(b) is int and a <= b and not source.inside and type(self) is cls:
            frame = frame_at(1)
            site = sites.get((id(frame.f_code), frame.f_lasti)) or site_of(2)
            return between(self, site, a, b - a + 1)
        return really_randint(self, a, b)

    def randrange(self, start, stop=None, step=1):
        if type(start) is int and step == 1 and not source.inside and type(self) is cls:
            low, width = (0, start) if stop is None else (start, stop - start) if type(stop) is int else (0, 0)
            if width > 0:
                frame = frame_at(1)
                return between(self, sites.get((id(frame.f_code), frame.f_lasti)) or site_of(2), low, width)
        if stop is None:
            return really_randrange(self, start)
        return really_randrange(self, start, stop, step)

    def between(self, site, low, width):
        if note is None or width >= 1 << 63:
            return low + source.integer(site, width - 1, Numbers(low), really_below, self, width)
        k = width.bit_length()
        value = bits(self, k)
        while value >= width:
            value = bits(self, k)
        number = low + value
        note(INTEGER, site, width - 1, value, fingerprint(number))
        return number

    _random.__name__ = "random"
    _random.__code__ = _random.__code__.replace(co_name="random")
    cls._randbelow, cls.random, cls.getrandbits = _randbelow, _random, getrandbits
    cls.choice, cls.randint, cls.randrange = choice, randint, randrange


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
        loop, chosen = player.enter(LOOP, site), []
        for _ in range(k):
            if loop is not None:
                player.next_round(loop)
            chosen.append(items.items[player.number(INTEGER, site, len(possible) - 1, items, real)])
        if loop is not None:
            loop.unfinished = False
            player.leave(loop)
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

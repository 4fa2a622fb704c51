"""Puts a player between a program and `numpy.random`, if the program loads it.

numpy's classes cannot be changed, so subclasses replace them, and the module's functions become methods of one that
shares their state. In the first run the real method is called once, and its result is recorded number by number.
Results are always built from the recorded numbers, so recording and replay return the same types.
"""

import struct
from bisect import bisect_left

from . import draws
from .outputs import Items, Numbers
from .records import FRACTION, INTEGER, REAL

_FRACTIONS = 1 << 53

# Methods that return fractions of one, and methods that return any numbers.
_UNIT = ("random", "random_sample", "ranf", "sample")
_REAL = (
    "uniform normal standard_normal exponential standard_exponential beta gamma standard_gamma lognormal laplace logistic"
    " gumbel pareto power rayleigh triangular vonmises wald weibull chisquare f standard_t standard_cauchy"
    " noncentral_chisquare noncentral_f"
).split()
_COUNT = "poisson binomial geometric hypergeometric logseries negative_binomial zipf".split()


def install(player, random_source, module):
    """Replaces classes and functions of the module."""
    import numpy

    draws.skip_file(__file__)
    source = _Source(player, random_source, numpy)
    state = source.subclass(module.RandomState, int)
    generator = source.subclass(module.Generator, numpy.int64)
    really_default = module.default_rng

    def default_rng(seed=None):
        if isinstance(seed, module.Generator):
            return seed
        # Its request for a seed from the system is not a choice of the program.
        return generator(random_source.really(really_default, seed).bit_generator)

    default = module.mtrand._rand
    shared = state(default._bit_generator)
    for name in dir(module):
        if getattr(getattr(module, name), "__self__", None) is default and name not in ("seed", "get_state", "set_state"):
            setattr(module, name, getattr(shared, name))
    # isinstance should still work with them.
    module.RandomState, module.Generator, module.default_rng = state, generator, default_rng


class _Source:
    def __init__(self, player, source, numpy):
        self.player, self.source, self.numpy = player, source, numpy

    def subclass(self, base, integer):
        """A class whose methods ask the player. `integer` is the type of a single number."""
        numpy, methods = self.numpy, {}

        def add(name, method):
            real = getattr(base, name, None)
            if real is None:
                return

            def guarded(this, *arguments, **keywords):
                if self.source.inside:
                    return real(this, *arguments, **keywords)
                return method(this, *arguments, **keywords)

            guarded.__name__ = name
            methods[name] = guarded

        def __init__(this, *arguments, **keywords):
            self.source.really(base.__init__, this, *arguments, **keywords)

        methods["__init__"] = __init__

        for name in _UNIT:
            add(name, self.unit(getattr(base, name, None)))
        for name in _REAL:
            add(name, self.numbers(getattr(base, name, None), REAL, float))
        for name in _COUNT:
            add(name, self.numbers(getattr(base, name, None), INTEGER, integer))
        add("randint", self.integers(getattr(base, "randint", None), integer))
        add("integers", self.integers(getattr(base, "integers", None), integer))
        add("rand", lambda this, *shape: this.random_sample(shape or None))
        add("randn", lambda this, *shape: this.standard_normal(shape or None))
        add("choice", self.choice(base.choice, integer))
        add("permutation", self.permutation(base.shuffle))
        add("shuffle", self.shuffle(base.shuffle))
        return type(base.__name__, (base,), methods)

    # -- one number at a time

    def many(self, site, size, one):
        """An array of this size, or one number if there is no size. Each number is a round of a loop."""
        if size is None:
            return one(0)
        numpy = self.numpy
        shape = (size,) if isinstance(size, (int, numpy.integer)) else tuple(size)
        opened, closed = self.source.loop(site)
        rounds = opened(range(int(numpy.prod(shape))))
        values = [one(place) for place in rounds]
        closed(rounds)
        return numpy.array(values).reshape(shape)

    def real(self, method, *arguments, **keywords):
        """One number in the result of the real method, which is called when it is first needed."""
        drawn = []

        def at(place):
            if not drawn:
                result = self.source.really(method, *arguments, **keywords)
                drawn.extend(self.numpy.ravel(result).tolist())
            return drawn[place]

        return at

    def unit(self, method):
        def draw(this, size=None, *arguments, **keywords):
            site, at = draws.site_of(2), self.real(method, this, size, *arguments, **keywords)
            number = self.player.number

            def one(place):
                return number(FRACTION, site, _FRACTIONS - 1, None, lambda: int(at(place) * _FRACTIONS)) / _FRACTIONS

            return self.many(site, size, one)

        return draw

    def numbers(self, method, kind, single):
        def draw(this, *arguments, **keywords):
            site, at = draws.site_of(2), self.real(method, this, *arguments, **keywords)
            size, most = _size(method, arguments, keywords), (1 << 64) - 1
            number = self.player.number
            if kind == REAL:
                one = lambda place: _real(number(REAL, site, most, None, lambda: _bits(at(place))))
            else:
                one = lambda place: single(number(INTEGER, site, (1 << 63) - 1, None, lambda: at(place)))
            return self.many(site, size, one)

        return draw

    def integers(self, method, single):
        def draw(this, low, high=None, size=None, dtype=None, endpoint=False):
            numpy = self.numpy
            keywords = {} if dtype is None else {"dtype": dtype}
            if endpoint:
                keywords["endpoint"] = True
            first, last = (0, low) if high is None else (low, high)
            if numpy.ndim(first) or numpy.ndim(last):
                return method(this, low, high, size, **keywords)
            most = int(last) - int(first) - (0 if endpoint else 1)
            site, at = draws.site_of(2), self.real(method, this, low, high, size, **keywords)
            if most < 0:
                return method(this, low, high, size, **keywords)
            number = self.player.number
            outputs = Numbers(int(first))
            one = lambda place: int(first) + number(INTEGER, site, most, outputs, lambda: int(at(place)) - int(first))
            result = self.many(site, size, one)
            if size is None:
                return result if dtype is None and single is int else numpy.dtype(dtype or single).type(result)
            return result.astype(dtype or numpy.int64)

        return draw

    # -- compound draws

    def shuffled(self, site, this, shuffle, items):
        def real():
            order = list(range(len(items)))
            self.source.really(shuffle, this, order)
            return order

        return list(self.player.arrange(site, len(items), items, real))

    def shuffle(self, method):
        def shuffle(this, x, *arguments, **keywords):
            if arguments or keywords:
                return method(this, x, *arguments, **keywords)
            order = self.shuffled(draws.site_of(2), this, method, x)
            x[:] = self.numpy.asarray(x)[order] if hasattr(x, "dtype") else [x[place] for place in order]

        return shuffle

    def permutation(self, method):
        def permutation(this, x, axis=0):
            items = self.numpy.arange(x) if isinstance(x, (int, self.numpy.integer)) else self.numpy.asarray(x)
            order = self.shuffled(draws.site_of(2), this, method, items.swapaxes(0, axis))
            return items.take(order, axis)

        return permutation

    def choice(self, method, single):
        def choice(this, a, size=None, replace=True, p=None, **keywords):
            numpy = self.numpy
            whole = isinstance(a, (int, numpy.integer))
            items = None if whole else numpy.asarray(a)
            count = int(a) if whole else len(items)
            site = draws.site_of(2)
            at = self.real(method, this, count, size, replace, p, **keywords)
            if replace or size is None:
                number, possible = self.player.number, _possible(count, p)
                outputs = Items([place if whole else items[place] for place in possible])
                most = len(possible) - 1
                real = lambda place: bisect_left(possible, int(at(place)))
                one = lambda place: possible[number(INTEGER, site, most, outputs, lambda: real(place))]
                places = self.many(site, size, one)
            else:
                total = int(numpy.prod(size))
                real = lambda: [int(at(place)) for place in range(total)]
                chosen = self.player.arrange(site, total, range(count) if whole else items, real)
                places = numpy.array(chosen, dtype=numpy.int64).reshape(size)
            if whole:
                return single(places) if size is None else places
            return items[places]

        return choice


def _possible(count, p):
    """The places with a probability."""
    return range(count) if p is None else [place for place in range(count) if p[place] > 0]


def _size(method, arguments, keywords):
    """The size argument of a method, which comes after its parameters."""
    if "size" in keywords:
        return keywords["size"]
    name = method.__name__
    before = {"standard_normal": 0, "standard_exponential": 0, "standard_cauchy": 0}.get(name)
    if before is None:
        two = "uniform normal beta gamma lognormal laplace logistic gumbel vonmises wald binomial negative_binomial f"
        three = "triangular hypergeometric noncentral_f"
        two = two.split() + ["noncentral_chisquare"]
        before = 2 if name in two else 3 if name in three.split() else 1
    return arguments[before] if len(arguments) > before else None


def _bits(number):
    return struct.unpack("<Q", struct.pack("<d", number))[0]


def _real(bits):
    return struct.unpack("<d", struct.pack("<Q", bits))[0]

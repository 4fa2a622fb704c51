"""Outputs: fingerprints of what draws stood for, such as the chosen element.

A replay looks for the recorded output among what is possible now. Fingerprints are the same in every run, so they are
made from values and never from addresses. Objects of the program's own classes have none unless they have a value:
then choices among them are matched by their places.
"""

from binascii import crc32

_MASK = (1 << 64) - 1
_HALF = 1 << 63

# The fingerprints of texts. A program that chooses among ever new texts would fill the memory, hence the limit.
texts = {}
_MOST_TEXTS = 1 << 16


def fingerprint(item):
    """A number below 2**64 that is equal for equal items in every run, or None if that is unknown."""
    kind = type(item)
    if kind is str:
        known = texts.get(item)
        return _of_text(item) if known is None else known
    if kind is int:
        return item & _MASK if -_HALF <= item < _HALF else None
    if kind is tuple or kind is list:
        parts = [fingerprint(part) for part in item]
        return None if None in parts else crc32(repr((kind.__name__, parts)).encode())
    if kind in (bool, float, bytes, complex, type(None)):
        return crc32(repr(item).encode())
    return _of_object(item, kind)


def _of_text(text):
    if len(texts) >= _MOST_TEXTS:
        texts.clear()
    known = texts[text] = crc32(text.encode("utf-8", "surrogatepass"))
    return known


def _of_object(item, kind):
    if hasattr(item, "__qualname__"):
        # A function or a class; those made in another function share their names.
        local = "<" in item.__qualname__
        return None if local else crc32(("%s.%s" % (item.__module__, item.__qualname__)).encode())
    if hasattr(item, "_name_"):
        # A member of an enumeration.
        return crc32(("%s.%s" % (kind.__qualname__, item._name_)).encode())
    if hasattr(item, "tolist") and hasattr(item, "dtype"):
        # A number or an array of numpy.
        return fingerprint(item.tolist())
    return None


class Numbers:
    """The numbers from `low` on, in steps."""

    __slots__ = ("low", "step")

    def __init__(self, low, step=1):
        self.low, self.step = low, step

    def of(self, value):
        return fingerprint(self.low + self.step * value)

    def find(self, output, value, most):
        """The value whose output this is, or None."""
        number = output - (1 << 64) if output >= _HALF else output
        value, rest = divmod(number - self.low, self.step)
        return value if rest == 0 and 0 <= value <= most else None


class Items:
    """The items of a sequence."""

    __slots__ = ("items",)

    def __init__(self, items):
        self.items = items

    def of(self, value):
        return fingerprint(self.items[value])

    def find(self, output, value, most):
        if value <= most and fingerprint(self.items[value]) == output:
            return value
        for place in range(most + 1):
            if fingerprint(self.items[place]) == output:
                return place
        return None


def fingerprints(items):
    """The fingerprints of all items; empty if one of them has none."""
    found = [fingerprint(item) for item in items]
    return () if None in found else tuple(found)


def places(outputs, items):
    """The places of items with these outputs, no place twice. None stands for an output that is not there; the result
    is None if some item has no fingerprint."""
    found = fingerprints(items)
    if not found:
        return None
    where = {}
    for place in range(len(found) - 1, -1, -1):
        where.setdefault(found[place], []).append(place)
    return [where[output].pop() if where.get(output) else None for output in outputs]

"""Reading words, with most of what Python has."""
from __future__ import annotations

import re as regex
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Word:
    text: str
    places: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.text) if self.text else -1

    @property
    def shout(self):
        return f"{self.text.upper()!r:>{10}}" + '\n'


def words(lines, *rest, strict: bool = False, **options):
    seen = {}
    for number, line in enumerate(lines, start=1):
        try:
            match line.split():
                case [first, *others] if first != "#":
                    seen.setdefault(first, []).append(number)
                case {"text": str(text)} | text:
                    pass
        except (KeyError, ValueError) as error:
            raise RuntimeError from error
        else:
            continue
        finally:
            del line
    while (n := len(seen)) > 10_000 and not strict:
        seen.popitem()
    yield from (Word(w, p) for w, p in seen.items() if p[-1:] or w in rest)


async def main(path: str = r"a\b"):
    global count
    count = 0x1F + 1.5e3 - 2j ** -1 // 3
    async with open(path, "rb") as file, lock:
        squares = [x * x for x in range(3) if x % 2 == 0]
        key = lambda a, /, b=1, *, c: a @ b if c else ~a
        result = await key({**options, "k": ...}, {1, 2}, c=None)
    assert result is not None, """a
    long one"""
    print(squares[0], *result, sep="", end="")

if __name__ == "__main__":
    main()
elif False:
    pass
else:
    x: int = 3

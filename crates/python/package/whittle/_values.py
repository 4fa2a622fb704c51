"""The values behind the bytes that a search asks about."""

import threading
from typing import Any, Dict, List

# How many written bytes of values are kept at least: as many as the search remembers the runs of (`Runs` in crates/traces), so
# that it never asks about a value that is forgotten.
_KEPT_BYTES = 1 << 20
# How many values are kept at least, however large: more than workers make ahead.
_KEPT_VALUES = 256


class Values:
    """What a generator made lately, by how it is written, and the best values. Older ones are forgotten."""

    def __init__(self) -> None:
        self.best: Dict[bytes, Any] = {}
        self.recent: Dict[bytes, Any] = {}
        self.earlier: Dict[bytes, Any] = {}
        self.size = 0
        self.lock = threading.Lock()

    def add(self, written: bytes, value: Any) -> None:
        with self.lock:
            if self.size > _KEPT_BYTES and len(self.recent) > _KEPT_VALUES:
                self.earlier, self.recent, self.size = self.recent, {}, 0
            self.recent[written] = value
            self.size += len(written) + 1

    def found(self, written: bytes) -> List[Any]:
        """The value that is written so, if it is known."""
        with self.lock:
            return [values[written] for values in (self.best, self.recent, self.earlier) if written in values][:1]

    def keep(self, written: bytes) -> None:
        """Never forgets this one: it may be the result."""
        for value in self.found(written):
            self.best[written] = value

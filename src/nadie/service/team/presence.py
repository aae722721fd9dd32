"""Who has which document open. Kept in memory only."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

_SECONDS = 15.0
_MOST = 1_000


@dataclass(frozen=True, slots=True)
class Present:
    """A user whose page was active a moment ago; `document` is the one that is open."""

    editor: str
    document: int | None


class Presence:
    """The people whose pages are open."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: dict[str, tuple[float, int | None]] = {}

    def seen(self, editor: str, document: int | None) -> None:
        """Record that a user is active, with this document open."""
        if editor in self._seen or len(self._seen) < _MOST:
            self._seen[editor] = (self._clock() + _SECONDS, document)

    def left(self, editor: str) -> None:
        self._seen.pop(editor, None)

    def others(self, editor: str) -> list[Present]:
        """All other active users."""
        now = self._clock()
        self._seen = {name: place for name, place in self._seen.items() if place[0] > now}
        return [Present(name, document) for name, (_, document) in sorted(self._seen.items()) if name != editor]

"""Who has which document open. Kept in memory only."""

from __future__ import annotations

import time
from collections.abc import Callable

from nadie.service.team.schemas import PresentBody

_SECONDS = 15.0
_MOST = 1_000


class Presence:
    """The people whose pages are open."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: dict[str, tuple[float, int | None]] = {}

    def seen(self, editor: str, document: int | None) -> float:
        """Record that a user is here, with this document open; return the seconds since the last report of the same.

        It is 0 if the last report is too long ago or was about another document.
        """
        until, before = self._seen.get(editor, (0.0, None))
        now = self._clock()
        if editor in self._seen or len(self._seen) < _MOST:
            self._seen[editor] = (now + _SECONDS, document)
        return max(0.0, now - until + _SECONDS) if before == document is not None and until > now else 0.0

    def left(self, editor: str) -> None:
        self._seen.pop(editor, None)

    def others(self, editor: str) -> list[PresentBody]:
        """All other active users, each with the document that is open."""
        now = self._clock()
        self._seen = {name: seen for name, seen in self._seen.items() if seen[0] > now}
        seen = sorted(self._seen.items())
        return [PresentBody(editor=name, document=document) for name, (_, document) in seen if name != editor]

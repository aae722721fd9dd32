"""The jobs waiting for a worker, and which of them is next, so that no caller keeps the others waiting."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import count

# A job of a batch counts as queued this many seconds later, so that single requests precede it but it cannot starve.
_PATIENCE = 1.0
_MOST_CALLERS = 1_000
_SLOW_TIMES = 5.0  # how many times the limit of a document its caller counts as slow after exceeding it

CALLER: ContextVar[str] = ContextVar("caller", default="")
"""The caller whose request is being handled."""


@dataclass(eq=False)
class Work:
    """A job in the form in which it is sent, and the future of its reply."""

    number: int
    caller: str
    urgent: bool
    queued: float
    message: bytes
    done: asyncio.Future[bytes]
    tries: int = 0
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    expected: float = 0.0
    """The seconds that were charged to the caller when the job was begun."""


class FairQueue:
    """Jobs in the order in which they came, except that each caller waits for the time that their earlier jobs took.

    So a caller who sends many waits behind the first job of everybody else. Callers of whom a document recently
    exceeded its time leave one worker to the others, if there are several.
    """

    def __init__(self, workers: int, seconds: float) -> None:
        self._workers = workers
        self._slow_seconds = seconds * _SLOW_TIMES
        self._waiting: list[Work] = []
        self._running: set[Work] = set()
        self._numbers = count()
        self._changed = asyncio.Event()
        self._paid_until: defaultdict[tuple[str, bool], float] = defaultdict(float)
        self._slow_until: defaultdict[str, float] = defaultdict(float)
        self._seconds_per_byte = 0.0

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, message: bytes, *, urgent: bool) -> Work:
        loop = asyncio.get_running_loop()
        queued = loop.time() + (0.0 if urgent else _PATIENCE)
        work = Work(next(self._numbers), CALLER.get(), urgent, queued, message, loop.create_future())
        self._add(work)
        return work

    async def get(self) -> Work:
        """The next job, as soon as there is one that may begin; report its end with `ended`."""
        while (work := self._next()) is None:
            self._changed.clear()
            await self._changed.wait()
        self._waiting.remove(work)
        self._running.add(work)
        work.expected = len(work.message) * self._seconds_per_byte
        self._charge(work, work.expected)
        return work

    def ended(self, work: Work, seconds: float, *, is_done: bool = False, is_late: bool = False) -> None:
        """Charge the caller the time that a job took: it is done, or its worker was lost, perhaps for its slowness."""
        self._running.discard(work)
        self._charge(work, seconds - work.expected)
        if is_done:
            self._seconds_per_byte += (seconds / len(work.message) - self._seconds_per_byte) / 8
        if is_late:
            self._slow_until[work.caller] = asyncio.get_running_loop().time() + self._slow_seconds
        self._changed.set()

    def try_again(self, work: Work) -> None:
        """Put back a job whose worker was lost before the job was begun."""
        self._add(work)

    def _add(self, work: Work) -> None:
        self._waiting.append(work)
        self._changed.set()

    def _next(self) -> Work | None:
        self._waiting = [work for work in self._waiting if not work.done.done()]  # without those given up
        slow = sum(self._is_slow(work) for work in self._running)
        is_full = 0 < self._workers - 1 <= slow
        ready = [work for work in self._waiting if not (is_full and self._is_slow(work))]
        return min(ready, key=self._turn, default=None)

    def _is_slow(self, work: Work) -> bool:
        return self._slow_until.get(work.caller, 0.0) > asyncio.get_running_loop().time()

    def _turn(self, work: Work) -> tuple[float, int]:
        return max(work.queued, self._paid_until.get((work.caller, work.urgent), 0.0)), work.number

    def _charge(self, work: Work, seconds: float) -> None:
        key = work.caller, work.urgent
        self._paid_until[key] = max(self._paid_until[key], work.queued) + seconds / self._workers
        now = asyncio.get_running_loop().time()
        if len(self._paid_until) > _MOST_CALLERS:
            self._paid_until = defaultdict(float, {each: at for each, at in self._paid_until.items() if at > now})
        if len(self._slow_until) > _MOST_CALLERS:
            self._slow_until = defaultdict(float, {each: at for each, at in self._slow_until.items() if at > now})

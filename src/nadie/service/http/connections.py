"""Closing of connections to clients that are too slow, so that they hold a slot for a bounded time only.

A request must arrive in time, and a response must be read in time. No other layer checks this: the server passes a
request on when its head is complete, and waits for a client that does not read.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

from nadie.service.monitoring import ERRORS
from nadie.service.options import Limits

_LEAST_BYTES = 32_768  # that a client must read in `answer_seconds` while more is waiting


def timed_protocol(limits: Limits) -> type[H11Protocol]:
    """The HTTP protocol of the server with these limits."""

    class TimedProtocol(H11Protocol):
        _head: asyncio.TimerHandle | None = None
        _reading: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._head = self.loop.call_later(limits.body_seconds, self._give_up, "sent no complete request")

        def connection_lost(self, exc: Exception | None) -> None:
            _cancel(self._head, self._reading)
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            is_idle = self.cycle is None or self.cycle.response_complete
            if not is_idle:
                _cancel(self._head)
                self._head = None
            elif self._head is None:
                self._head = self.loop.call_later(limits.body_seconds, self._give_up, "sent no complete request")

        def pause_writing(self) -> None:
            super().pause_writing()
            self._watch(self.transport.get_write_buffer_size())

        def resume_writing(self) -> None:
            _cancel(self._reading)
            super().resume_writing()

        def _watch(self, unread: int) -> None:
            self._reading = self.loop.call_later(limits.answer_seconds, self._check, unread)

        def _check(self, before: int) -> None:
            """Keep waiting only for a client that has read enough since the last check."""
            now = self.transport.get_write_buffer_size()
            if now > before - _LEAST_BYTES:
                self._give_up("did not read its response")
            else:
                self._watch(now)

        def _give_up(self, why: str) -> None:
            ERRORS.warning("a connection was closed: the client %s in time", why)
            self.transport.abort()

    return TimedProtocol


def _cancel(*timers: asyncio.TimerHandle | None) -> None:
    for timer in timers:
        if timer is not None:
            timer.cancel()

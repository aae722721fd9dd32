"""The worker processes and the queue of jobs waiting for them.

Processes are used instead of threads because they use every core, can be ended when a document takes too long, and may
crash without ending the service.
"""

from __future__ import annotations

import asyncio
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import count
from typing import TypeVar

from nadie.errors import ModelError
from nadie.service.monitoring import ERRORS, Metrics
from nadie.service.options import Limits
from nadie.service.problems import ProblemError
from nadie.service.workers.jobs import (
    HEADER_BYTES,
    STARTED,
    TAKEN,
    Job,
    Setup,
    Started,
    decode_length,
    decode_results,
    encode,
)

_START_SECONDS = 120.0
_RESTART_PAUSE = 1.0
_TRIES = 3  # attempts of a job whose worker dies before it accepts the job
# A job of a batch counts as queued this many seconds later, so that single requests precede it but it cannot starve.
_PATIENCE = 1.0
_MOST_CALLERS = 1_000

CALLER: ContextVar[str] = ContextVar("caller", default="")
"""The caller whose request is being handled: each has a queue of its own, so to say."""


R = TypeVar("R")


@dataclass(order=True)
class _Work:
    due: float
    number: int
    message: bytes = field(compare=False)
    done: asyncio.Future[bytes] = field(compare=False)
    tries: int = field(default=0, compare=False)
    begun: asyncio.Event = field(default_factory=asyncio.Event, compare=False)


class WorkerPool:
    """Workers with the same setup, and the jobs waiting for them."""

    def __init__(self, setup: Setup, workers: int, limits: Limits, metrics: Metrics) -> None:
        self._setup = setup
        self._count = workers
        self._limits = limits
        self._metrics = metrics
        self._waiting: asyncio.PriorityQueue[_Work] = asyncio.PriorityQueue()
        self._numbers = count()
        self._next_due: dict[tuple[str, bool], float] = {}
        self._seconds_per_byte = 0.0
        self._keepers: list[asyncio.Task[None]] = []
        self._ready = 0

    @property
    def ready(self) -> bool:
        return self._ready > 0

    @property
    def size(self) -> int:
        return self._count

    async def start(self) -> None:
        """Return when every worker has loaded its models; raise the error of one that could not."""
        processes = await asyncio.gather(*(self._spawn() for _ in range(self._count)), return_exceptions=True)
        started = [process for process in processes if isinstance(process, Process)]
        for failure in processes:
            if isinstance(failure, BaseException):
                for process in started:
                    await _end(process)
                raise failure
        self._keepers = [asyncio.create_task(self._keep(process)) for process in started]

    async def close(self) -> None:
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)

    async def run(self, job: Job[R], *, urgent: bool = True) -> list[R | ProblemError]:
        """The results of the job, one for each document. Jobs with a waiting caller (`urgent`) precede batches."""
        return decode_results(job, await self._reply(encode(job), urgent))

    async def run_one(self, job: Job[R]) -> R:
        """The result of a job with a single document or file; raises its problem."""
        (result,) = await self.run(job)
        if isinstance(result, ProblemError):
            raise result
        return result

    async def _reply(self, message: bytes, urgent: bool) -> bytes:
        loop = asyncio.get_running_loop()
        if urgent and self._waiting.qsize() >= self._limits.queue:
            raise ProblemError("overloaded", "too many jobs are waiting", retry_after=2)
        done: asyncio.Future[bytes] = loop.create_future()
        due = self._due(loop.time() + (0.0 if urgent else _PATIENCE), len(message), urgent)
        work = _Work(due, next(self._numbers), message, done)
        self._waiting.put_nowait(work)
        self._metrics.waiting.set(self._waiting.qsize())
        if urgent:
            try:
                async with asyncio.timeout(self._limits.wait_seconds):
                    await work.begun.wait()
            except TimeoutError:
                done.cancel()
                raise ProblemError("overloaded", "no worker was free in time", retry_after=10) from None
            except asyncio.CancelledError:
                done.cancel()
                raise
        return await done

    def _due(self, earliest: float, size: int, urgent: bool) -> float:
        """When a job is due: those of one caller follow each other by the time that each takes.

        So a caller who sends many at once waits behind the first job of everybody else.
        """
        key = (CALLER.get(), urgent)
        due = max(earliest, self._next_due.get(key, 0.0))
        self._next_due[key] = due + size * self._seconds_per_byte / self._count
        if len(self._next_due) > _MOST_CALLERS:
            self._next_due = {each: at for each, at in self._next_due.items() if at > earliest}
        return due

    async def _keep(self, process: Process | None) -> None:
        """Send jobs to one worker, and replace it if it crashes or is ended."""
        try:
            while True:
                if process is None:
                    process = await self._respawn()
                work = await self._next(process)
                self._metrics.waiting.set(self._waiting.qsize())
                if work is None or (not work.done.done() and not await self._do(process, work)):
                    self._count_ready(-1)
                    await _end(process)
                    process = None
        finally:
            if process is not None:
                self._count_ready(-1)
                await _end(process)

    async def _next(self, process: Process) -> _Work | None:
        """The next job for an idle worker; None if the worker died in the meantime."""
        coming = asyncio.ensure_future(self._waiting.get())
        death = asyncio.ensure_future(process.wait())
        try:
            await asyncio.wait((coming, death), return_when=asyncio.FIRST_COMPLETED)
            if coming.done():
                return coming.result()
        finally:
            coming.cancel()
            death.cancel()
        self._report_lost("it died while it was idle")
        return None

    async def _do(self, process: Process, work: _Work) -> bool:
        """Do a job. Return whether the worker is still running; a job that it did not accept waits for another one."""
        is_taken = False
        work.begun.set()
        started = time.perf_counter()
        try:
            async with asyncio.timeout(self._limits.seconds):
                await _send(process, work.message)
                is_taken = await _receive(process, len(TAKEN)) == TAKEN
                reply = await _receive_message(process)
        except TimeoutError:
            problem = ProblemError("timeout", f"the limit is {self._limits.seconds:g} seconds", retry_after=30)
        except (asyncio.IncompleteReadError, ConnectionError):
            problem = ProblemError("worker-died", retry_after=5)
        else:
            if not work.done.done():
                work.done.set_result(reply)
            seconds = (time.perf_counter() - started) / len(work.message)
            self._seconds_per_byte += (seconds - self._seconds_per_byte) / 8
            return True
        self._report_lost(problem.type)
        work.tries += 1
        if not is_taken and problem.type == "worker-died" and work.tries < _TRIES:
            self._waiting.put_nowait(work)
        elif not work.done.done():
            work.done.set_exception(problem)
        return False

    def _report_lost(self, why: str) -> None:
        self._metrics.restarts.inc()
        ERRORS.error("a worker was lost (%s) and is replaced", why)

    async def _respawn(self) -> Process:
        while True:
            try:
                return await self._spawn()
            except (ModelError, OSError) as error:
                ERRORS.error("a worker cannot be started again (%s)", type(error).__name__)
                await asyncio.sleep(_RESTART_PAUSE)

    async def _spawn(self) -> Process:
        # A separate session, so that Ctrl-C in a terminal reaches only the service, which then ends the workers in
        # order.
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            __package__ + ".worker",
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(_START_SECONDS):
                await _send(process, encode(self._setup))
                started = STARTED.validate_json(await _receive_message(process))
        except (TimeoutError, asyncio.IncompleteReadError, ConnectionError):
            started = Started("a worker died while it loaded the models")
        except asyncio.CancelledError:
            await _end(process)
            raise
        if started.error:
            await _end(process)
            raise ModelError(started.error)
        self._count_ready(+1)
        return process

    def _count_ready(self, change: int) -> None:
        self._ready += change
        self._metrics.workers.set(self._ready)


async def _send(process: Process, message: bytes) -> None:
    if process.stdin is None:
        raise ConnectionError
    process.stdin.write(message)
    await process.stdin.drain()


async def _receive(process: Process, length: int) -> bytes:
    if process.stdout is None:
        raise ConnectionError
    return await process.stdout.readexactly(length)


async def _receive_message(process: Process) -> bytes:
    return await _receive(process, decode_length(await _receive(process, HEADER_BYTES)))


async def _end(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    await process.wait()

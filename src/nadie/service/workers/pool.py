"""The worker processes, to which the jobs of the queue are sent.

Processes are used instead of threads because they use every core, can be ended when a document takes too long, and may
crash without ending the service.
"""

from __future__ import annotations

import asyncio
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from nadie.errors import ModelError
from nadie.service.monitoring import ERRORS, Metrics
from nadie.service.options import Limits
from nadie.service.problems import ProblemError
from nadie.service.workers.jobs import (
    HEADER_BYTES,
    STARTED,
    TAKEN,
    DocumentsJob,
    Job,
    Setup,
    Started,
    decode_length,
    decode_results,
    encode,
)
from nadie.service.workers.queue import FairQueue, Work

_START_SECONDS = 120.0
_RESTART_PAUSE = 1.0
_TRIES = 3  # attempts of a job whose worker dies before it accepts the job

R = TypeVar("R")


class WorkerPool:
    """Workers with the same setup, and the jobs waiting for them."""

    def __init__(self, setup: Setup, workers: int, limits: Limits, metrics: Metrics) -> None:
        self._setup = setup
        self._count = workers
        self._limits = limits
        self._metrics = metrics
        self._queue = FairQueue(workers, limits.seconds)
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

    async def run_apart(self, job: DocumentsJob[R]) -> list[R | ProblemError]:
        """The results of a job of a batch. If it ends its worker, each document is done alone, so only one is lost."""
        try:
            return await self.run(job, urgent=False)
        except ProblemError as problem:
            if len(job.documents) == 1:
                return [problem]
        return [(await self.run_apart(replace(job, documents=(each,))))[0] for each in job.documents]

    async def run_one(self, job: Job[R]) -> R:
        """The result of a job with a single document or file; raises its problem."""
        (result,) = await self.run(job)
        if isinstance(result, ProblemError):
            raise result
        return result

    async def _reply(self, message: bytes, urgent: bool) -> bytes:
        if urgent and len(self._queue) >= self._limits.queue:
            raise ProblemError("overloaded", "too many jobs are waiting", retry_after=2)
        work = self._queue.put(message, urgent=urgent)
        self._metrics.waiting.set(len(self._queue))
        if urgent:
            try:
                async with asyncio.timeout(self._limits.wait_seconds):
                    await work.begun.wait()
            except TimeoutError:
                work.done.cancel()
                raise ProblemError("overloaded", "no worker was free in time", retry_after=10) from None
            except asyncio.CancelledError:
                work.done.cancel()
                raise
        return await work.done

    async def _keep(self, process: Process | None) -> None:
        """Send jobs to one worker, and replace it if it crashes or is ended."""
        try:
            while True:
                if process is None:
                    process = await self._respawn()
                work = await self._next(process)
                self._metrics.waiting.set(len(self._queue))
                if work is None or not await self._do(process, work):
                    self._count_ready(-1)
                    await _end(process)
                    process = None
        finally:
            if process is not None:
                self._count_ready(-1)
                await _end(process)

    async def _next(self, process: Process) -> Work | None:
        """The next job for an idle worker; None if the worker died in the meantime."""
        coming = asyncio.ensure_future(self._queue.get())
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

    async def _do(self, process: Process, work: Work) -> bool:
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
            problem = _too_slow(self._limits.seconds)
        except (asyncio.IncompleteReadError, ConnectionError):
            problem = ProblemError("worker-died", retry_after=5)
        else:
            if not work.done.done():
                work.done.set_result(reply)
            self._queue.ended(work, time.perf_counter() - started, is_done=True)
            return True
        self._report_lost(problem.type)
        self._queue.ended(work, time.perf_counter() - started, is_late=problem.type == "timeout")
        work.tries += 1
        if not is_taken and problem.type == "worker-died" and work.tries < _TRIES:
            self._queue.try_again(work)
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


def _too_slow(limit: float) -> ProblemError:
    detail = f"it took longer than {limit:g} seconds and was stopped: split it, or raise limits.seconds"
    return ProblemError("timeout", detail, limit=limit)


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

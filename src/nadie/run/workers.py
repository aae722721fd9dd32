"""Worker processes. If one is killed, the others continue and its documents are tried once more."""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Generic, TypeVar

from nadie.errors import NadieError

I = TypeVar("I")  # noqa: E741
O = TypeVar("O")  # noqa: E741
A = TypeVar("A")
Work = Callable[[list[I]], list[O]]

_END_SECONDS = 5.0


class WorkerError(NadieError):
    """Worker processes that cannot be started, or that ended before they returned a result."""


class _LostError(Exception):
    """The process ended before it returned a result."""


class Workers(Generic[I, O]):
    """A number of processes, each initialised by `make(argument)`, which returns the function that does the work.

    `lost` returns the result of an item whose process ended twice: once with its batch, and once with the item alone.
    Workers end when this process ends.
    """

    def __init__(self, count: int, make: Callable[[A], Work[I, O]], argument: A, lost: Callable[[I], O]) -> None:
        self._make = make
        self._argument = argument
        self._lost = lost
        self._own = threading.local()
        self._processes: dict[SpawnProcess, Connection] = {}
        self._lock = threading.Lock()
        self._is_closing = False
        # One thread per process, which waits for its results.
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="worker")

    def submit(self, batch: list[I]) -> Future[list[O]]:
        """The results of a batch, one for each item."""
        return self._threads.submit(self._do, batch)

    def close(self) -> None:
        """End the processes. Unfinished batches are dropped."""
        with self._lock:
            self._is_closing = True
            ending = list(self._processes.items())
        for process, _ in ending:
            process.kill()
        self._threads.shutdown(cancel_futures=True)
        for process, pipe in ending:
            process.join(_END_SECONDS)
            pipe.close()

    def _do(self, batch: list[I]) -> list[O]:
        try:
            return self._exchange(batch)
        except _LostError:
            return [self._alone(item) for item in batch]

    def _alone(self, item: I) -> O:
        try:
            return self._exchange([item])[0]
        except _LostError:
            return self._lost(item)

    def _exchange(self, batch: list[I]) -> list[O]:
        """Send a batch to the process of this thread, which is started if necessary, and wait for the results."""
        process = getattr(self._own, "process", None)
        if process is None:
            process = self._own.process = self._started()
        pipe = self._processes[process]
        try:
            pipe.send(batch)
            results: list[O] = pipe.recv()
        except (EOFError, OSError):
            self._own.process = None
            self._forget(process)
            raise _LostError from None
        return results

    def _started(self) -> SpawnProcess:
        context = multiprocessing.get_context("spawn")
        own, others = context.Pipe()
        process = context.Process(target=_serve, args=(others, self._make, self._argument), daemon=True)
        with self._lock:
            if self._is_closing:
                raise WorkerError("the run is over")
            process.start()
            self._processes[process] = own
        others.close()  # so that the pipe closes when the process ends
        try:
            error = own.recv()
        except (EOFError, OSError):
            self._forget(process)
            raise WorkerError(
                f"a worker process ended at its start (code {process.exitcode}): is there enough memory for so many?"
            ) from None
        if error is not None:
            self._forget(process)
            raise error
        return process

    def _forget(self, process: SpawnProcess) -> None:
        process.kill()
        process.join(_END_SECONDS)
        with self._lock:
            self._processes.pop(process).close()


def _serve(pipe: Connection, make: Callable[[A], Work[I, O]], argument: A) -> None:
    """The main loop of a process: batches in, results out, until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole process group; the parent handles it
    try:
        work = make(argument)
    except NadieError as error:
        pipe.send(error)
        return
    pipe.send(None)
    with suppress(EOFError, OSError):
        while True:
            batch: Sequence[I] = pipe.recv()
            pipe.send(work(list(batch)))

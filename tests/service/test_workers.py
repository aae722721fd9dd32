"""The worker processes: the order of jobs, and what happens when one is lost or cannot start."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from nadie.anonymize.secret import Secret
from nadie.document import Document
from nadie.errors import ModelError
from nadie.options import DetectionOptions
from nadie.service.monitoring import Metrics
from nadie.service.options import Limits
from nadie.service.problems import ProblemError
from nadie.service.workers.jobs import AnnotateJob, Setup
from nadie.service.workers.pool import WorkerPool
from nadie.service.workers.queue import CALLER


def job(text: str) -> AnnotateJob:
    return AnnotateJob((Document("", text),), "probe")


def with_pool(model: Path, work: Callable[[WorkerPool], Awaitable[None]], workers: int = 1, **limits: Any) -> None:
    async def run() -> None:
        setup = Setup({"probe": str(model)}, DetectionOptions(), Secret.random().to_text())
        pool = WorkerPool(setup, workers, Limits(**limits), Metrics())
        await pool.start()
        try:
            await work(pool)
        finally:
            await pool.close()

    asyncio.run(run())


def test_a_batch_is_not_starved_by_those_who_keep_asking(model: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        patient = asyncio.create_task(pool.run(job("54 años"), urgent=False))
        async with asyncio.timeout(30):
            while not patient.done():
                await asyncio.gather(*(pool.run(job("61 años " * 400)) for _ in range(8)))
        assert [len(result) for result in await patient if isinstance(result, tuple)] == [1]

    with_pool(model, work)


def test_urgent_work_goes_first(model: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        done: list[str] = []

        async def tell(name: str, urgent: bool) -> None:
            await pool.run(job("61 años " * 200), urgent=urgent)
            done.append(name)

        batch = [asyncio.create_task(tell("batch", False)) for _ in range(5)]
        await asyncio.sleep(0)
        await asyncio.gather(*(tell("urgent", True) for _ in range(3)), *batch)
        assert done.index("urgent") <= 1
        assert done[-1] == "batch"

    with_pool(model, work)


def test_many_lost_workers_are_replaced_one_after_the_other(model: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        for text, kind in [("PROBE-CRASH", "worker-died"), ("PROBE-HANG", "timeout"), ("PROBE-CRASH", "worker-died")]:
            with pytest.raises(ProblemError) as problem:
                await pool.run(job(text))
            assert problem.value.type == kind
        results = await pool.run(job("54 años"))
        assert all(results)
        assert pool.ready

    with_pool(model, work, seconds=1.0)


def test_what_nobody_waits_for_any_more_is_not_done(model: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        first = asyncio.create_task(pool.run(job("61 años " * 2000)))
        given_up = [asyncio.create_task(pool.run(job("PROBE-HANG"))) for _ in range(5)]
        await asyncio.sleep(0)
        for task in given_up:
            task.cancel()
        await first
        async with asyncio.timeout(50):
            await pool.run(job("54 años"))

    with_pool(model, work, seconds=60.0)


def test_a_model_that_cannot_be_loaded_is_told(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="there is no model"):
        with_pool(tmp_path / "none", lambda pool: asyncio.sleep(0))


def test_a_caller_who_sends_many_jobs_does_not_keep_others_waiting(model: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        done: list[str] = []

        async def ask(caller: str) -> None:
            CALLER.set(caller)
            await pool.run(job("61 años " * 2000))
            done.append(caller)

        await ask("first")  # the pool learns how long a job takes
        greedy = [asyncio.create_task(ask("greedy")) for _ in range(20)]
        await asyncio.sleep(0.01)
        await asyncio.gather(asyncio.create_task(ask("modest")), *greedy)
        assert done.index("modest") < 10, "behind the jobs that had begun, not behind all"

    with_pool(model, work)


def test_a_request_that_waits_too_long_is_not_begun(model: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        slow = asyncio.create_task(pool.run(job("PROBE-HANG")))
        await asyncio.sleep(0.05)
        with pytest.raises(ProblemError, match="no worker was free"):
            await pool.run(job("54 años"))
        slow.cancel()

    with_pool(model, work, wait_seconds=0.1, seconds=5.0)


async def asked(pool: WorkerPool, caller: str, text: str) -> str:
    """The type of the problem of a document, or nothing."""
    CALLER.set(caller)
    try:
        await pool.run(job(text))
    except ProblemError as problem:
        return problem.type
    return ""


def test_documents_that_take_too_long_leave_a_worker_to_the_others(model: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        slow = [asyncio.create_task(asked(pool, "slow", "PROBE-HANG")) for _ in range(4)]
        await asyncio.wait(slow, return_when=asyncio.FIRST_COMPLETED)
        for _ in range(10):
            assert not await asyncio.create_task(asked(pool, "quick", "54 años"))
        assert not all(task.done() for task in slow), "nobody else waits for a document of the slow caller"
        assert set(await asyncio.gather(*slow)) == {"timeout"}, "each was stopped, not only the first"
        assert not await asked(pool, "slow", "54 años"), "what does not take long is not refused"

    with_pool(model, work, workers=2, seconds=4.0)


def test_between_two_slow_documents_of_a_caller_others_have_their_turn(model: Path) -> None:
    async def work(pool: WorkerPool) -> None:
        slow = [asyncio.create_task(asked(pool, "slow", "PROBE-HANG")) for _ in range(3)]
        await asyncio.sleep(0.1)
        assert not await asyncio.create_task(asked(pool, "quick", "54 años"))
        assert [task.done() for task in slow] == [True, False, False]
        await asyncio.gather(*slow)

    with_pool(model, work, seconds=1.0)

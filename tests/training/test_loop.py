"""The loop: it learns, it stops, and an interrupted training ends like an uninterrupted one."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

if TYPE_CHECKING:
    import torch
else:
    torch = pytest.importorskip("torch")

from nadie.errors import ConfigError
from nadie.neural.config import Optimisation
from nadie.training.loop import clip, fit, learning_rate

PLAIN = Optimisation(epochs=1, schedule="constant", warmup=0, patience=0, precision="float32")


class Watch:
    def __init__(self) -> None:
        self.seen: list[dict[str, float]] = []

    def start(self, task: str, total: int) -> None:
        self.total = total

    def advance(self, done: int, **figures: float) -> None:
        self.seen.append(figures)


class Line:
    """Fits a line, with dropout, so that every random number counts. `dies_at` an epoch it is killed."""

    def __init__(self, dies_at: int | None = None, scores: tuple[float, ...] = ()) -> None:
        torch.manual_seed(0)
        self.network: torch.nn.Module = torch.nn.Sequential(
            torch.nn.Linear(2, 8), torch.nn.Dropout(0.3), torch.nn.Linear(8, 1)
        )
        self.dies_at = dies_at
        self.scores = scores
        self.evaluated = 0

    def batches(self, epoch: int) -> list[torch.Tensor]:
        generator = torch.Generator().manual_seed(epoch)
        return [torch.randn(4, 2, generator=generator) for _ in range(5)]

    def forward(self, batch: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        found = self.network(batch)
        return found, (found - batch.sum(dim=1, keepdim=True)).square().mean()

    def evaluate(self) -> Mapping[str, float]:
        if self.dies_at is not None and self.evaluated == self.dies_at:
            raise KeyboardInterrupt
        self.evaluated += 1
        return {"f1": self.scores[self.evaluated - 1]} if self.scores else {}


def test_resumed_is_the_same_as_uninterrupted(tmp_path: Path) -> None:
    plan = replace(PLAIN, epochs=6, learning_rate=0.01, schedule="linear", warmup=3)
    whole = Line()
    expected = fit(whole, plan, 7, tmp_path / "whole", Watch())
    with pytest.raises(KeyboardInterrupt):
        fit(Line(dies_at=3), plan, 7, tmp_path / "cut", Watch())
    resumed = Line()
    watch = Watch()
    history = fit(resumed, plan, 7, tmp_path / "cut", watch)
    for name, value in whole.network.state_dict().items():
        assert torch.equal(value, resumed.network.state_dict()[name]), name
    assert [entry["loss"] for entry in history] == [entry["loss"] for entry in expected]
    assert resumed.evaluated == 3
    assert len(watch.seen) == watch.total == 6
    lines = (tmp_path / "cut" / "training.jsonl").read_text().splitlines()
    assert [json.loads(line)["epoch"] for line in lines] == [1, 2, 3, 4, 5, 6]


def test_seeds_matter(tmp_path: Path) -> None:
    one, other = Line(), Line()
    fit(one, PLAIN, 1, tmp_path / "1", Watch())
    fit(other, PLAIN, 2, tmp_path / "2", Watch())
    assert not torch.equal(next(one.network.parameters()), next(other.network.parameters()))


def test_the_best_epoch_is_kept_and_patience_ends_it(tmp_path: Path) -> None:
    task = Line(scores=(0.2, 0.9, 0.5, 0.4, 0.95, 0.99))
    history = fit(task, replace(PLAIN, epochs=6, patience=2), 1, tmp_path / "stopped", Watch())
    assert [entry["f1"] for entry in history] == [0.2, 0.9, 0.5, 0.4]
    same = Line(scores=(0.2, 0.9))
    fit(same, replace(PLAIN, epochs=2), 1, tmp_path / "two", Watch())
    assert torch.equal(next(task.network.parameters()), next(same.network.parameters()))


def test_another_plan_does_not_go_on_from_a_checkpoint(tmp_path: Path) -> None:
    fit(Line(), PLAIN, 1, tmp_path, Watch())
    with pytest.raises(ConfigError, match="other settings"):
        fit(Line(), replace(PLAIN, epochs=2), 1, tmp_path, Watch())


def test_a_loss_that_is_no_number_ends_it(tmp_path: Path) -> None:
    class Broken(Line):
        def forward(self, batch: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            found, loss = super().forward(batch)
            return found, loss * float("nan")

    with pytest.raises(ConfigError, match="not a number"):
        fit(Broken(), PLAIN, 1, tmp_path, Watch())


@pytest.mark.parametrize(
    ("schedule", "step", "expected"),
    [
        ("constant", 0, 0.25),
        ("constant", 4, 1.0),
        ("constant", 99, 1.0),
        ("linear", 1, 0.5),
        ("linear", 4, 1.0),
        ("linear", 52, 0.5),
        ("linear", 100, 0.0),
        ("cosine", 52, 0.5),
        ("cosine", 100, 0.0),
    ],
)
def test_schedules(schedule: Literal["constant", "linear", "cosine"], step: int, expected: float) -> None:
    assert learning_rate(schedule, 1.0, step, 100, warmup=4) == pytest.approx(expected)


@pytest.mark.parametrize("most", [0.1, 1000.0])
def test_gradients_are_clipped_as_by_torch(most: float) -> None:
    pairs = [[torch.nn.Parameter(torch.zeros(4, 2)), torch.nn.Parameter(torch.zeros(3))] for _ in range(2)]
    for ours, theirs in zip(*pairs, strict=True):
        ours.grad = torch.randn_like(ours)
        theirs.grad = ours.grad.clone()
    clip([*pairs[0], torch.nn.Parameter(torch.zeros(1))], most)
    torch.nn.utils.clip_grad_norm_(pairs[1], most)
    assert all(torch.equal(a.grad, b.grad) for a, b in zip(*pairs, strict=True))


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="an option of glibc")
def test_freed_memory_is_not_taken_from_the_system_again() -> None:
    program = """
import resource, torch
from nadie.training.memory import keep_freed_memory
assert keep_freed_memory()
two = [torch.ones(2**24), torch.ones(2**24)]
del two
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
torch.ones(2**24)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""
    command = [sys.executable, "-c", program]
    taken = (int(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(8))
    assert any(pages < 1000 for pages in taken)  # of 16,384; where the system puts the heap is chance

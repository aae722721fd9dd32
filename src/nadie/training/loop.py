"""The training loop, over batches, a loss and a dev score."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from nadie.detector import Progress
from nadie.errors import ConfigError
from nadie.neural.config import Optimisation, Schedule
from nadie.training.checkpoint import Checkpoint, read_checkpoint, write_checkpoint
from nadie.training.memory import keep_freed_memory
from nadie.training.records import append_epoch


class TrainingTask(Protocol):
    """What the loop needs from a system. The randomness of `batches` must depend only on the epoch and a seed."""

    network: nn.Module

    def batches(self, epoch: int) -> Sequence[Any]:
        """The batches of this epoch, in order. Their number may differ between epochs, but the schedule expects about
        as many as in the first epoch.
        """
        ...

    def forward(self, batch: Any) -> tuple[Any, Tensor]:
        """The network's scores for a batch, and the loss."""
        ...

    def evaluate(self) -> Mapping[str, float]:
        """Dev figures of the network in its present state; `f1` selects the best epoch. Empty without a dev set."""
        ...


def fit(task: TrainingTask, plan: Optimisation, seed: int, work: Path, progress: Progress) -> list[dict[str, float]]:
    """Train the task's network and leave the best weights in it; return the figures of every epoch.

    After each epoch the state is written to `work`. A training that finds a checkpoint of the same plan there resumes
    from it and ends with the same weights as an uninterrupted one.
    """
    work.mkdir(parents=True, exist_ok=True)
    keep_freed_memory()
    trained = [p for p in task.network.parameters() if p.requires_grad]
    optimizer = torch.optim.Adam(trained, lr=plan.learning_rate, fused=True)
    described = {**asdict(plan), "seed": seed}
    state = read_checkpoint(work, task.network, optimizer, described) or Checkpoint()
    steps = len(task.batches(0))
    if steps == 0:
        raise ConfigError("there are no batches to train on")
    progress.start("training", plan.epochs)
    for entry in state.history:
        progress.advance(1, **_shown(entry))
    while state.epoch < plan.epochs and not _is_over(state, plan):
        begun = time.monotonic()
        torch.manual_seed(seed * 100_003 + state.epoch)
        loss = _one_epoch(task, plan, optimizer, task.batches(state.epoch), state.epoch * steps)
        figures = dict(task.evaluate())
        entry = {"epoch": state.epoch + 1, "loss": loss, **figures, "seconds": time.monotonic() - begun}
        state.add(entry, task.network)
        write_checkpoint(work, state, task.network, optimizer, described)
        append_epoch(work, entry, state.epoch)
        progress.advance(1, **_shown(entry))
    task.network.load_state_dict(state.best)
    return state.history


def _shown(entry: Mapping[str, float]) -> dict[str, float]:
    return {name: entry[name] for name in ("loss", "f1") if name in entry}


def _is_over(state: Checkpoint, plan: Optimisation) -> bool:
    return 0 < plan.patience <= state.epoch - state.best_epoch


def _one_epoch(
    task: TrainingTask, plan: Optimisation, optimizer: torch.optim.Optimizer, batches: Iterable[Any], step: int
) -> float:
    """Run one pass over the batches and return the mean loss."""
    task.network.train()
    losses: list[float] = []
    trained = [p for group in optimizer.param_groups for p in group["params"]]
    batches = list(batches)
    total = plan.epochs * len(batches)
    for batch in batches:
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(plan.schedule, plan.learning_rate, step, total, plan.warmup)
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=plan.precision == "bfloat16"):
            _, loss = task.forward(batch)
        if not torch.isfinite(loss):
            raise ConfigError(f"the loss is not a number at step {step}: try a lower learning rate")
        loss.backward()  # type: ignore[no-untyped-call]
        clip(trained, plan.clip)
        optimizer.step()
        losses.append(float(loss.detach()))
        step += 1
    return sum(losses) / len(losses)


def clip(trained: Sequence[nn.Parameter], most: float) -> None:
    """Clip the norm of the gradients. A norm that is low enough leaves them unread: tables of words are large."""
    norm = nn.utils.get_total_norm([p.grad for p in trained if p.grad is not None])
    if norm > most:
        nn.utils.clip_grads_with_norm_(trained, most, norm)


def learning_rate(schedule: Schedule, peak: float, step: int, total: int, warmup: int = 0) -> float:
    """The rate at `step` of `total`: linearly up to `peak` over `warmup` steps, then along the schedule to 0."""
    if step < warmup:
        return peak * (step + 1) / warmup
    left = max(0.0, 1.0 - (step - warmup) / max(1, total - warmup))
    if schedule == "constant":
        return peak
    if schedule == "linear":
        return peak * left
    return peak * 0.5 * (1.0 - math.cos(math.pi * left))

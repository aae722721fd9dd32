"""The state of a training, in one file of a safe format, from which an interrupted training continues exactly."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from nadie.errors import ConfigError, MissingExtraError

_FILE = "checkpoint.safetensors"


@dataclass
class Checkpoint:
    """The state of a training: epochs done, their figures, and the best weights so far."""

    history: list[dict[str, float]] = field(default_factory=list)
    best_epoch: int = 0
    best: dict[str, Tensor] = field(default_factory=dict)

    @property
    def epoch(self) -> int:
        return len(self.history)

    def add(self, entry: dict[str, float], network: nn.Module) -> None:
        """Add an epoch; its weights are stored as the best if its `f1` is the highest, or if there is no dev set."""
        self.history.append(entry)
        best = self.history[self.best_epoch - 1].get("f1") if self.best_epoch else None
        if best is None or entry.get("f1", 0.0) > best:
            self.best_epoch = self.epoch
            self.best = {name: value.detach().clone() for name, value in network.state_dict().items()}


def write_checkpoint(
    work: Path, state: Checkpoint, network: nn.Module, optimizer: torch.optim.Optimizer, plan: Mapping[str, Any]
) -> None:
    """Write the state atomically: an incomplete file never replaces a complete one."""
    save_file = _safetensors("save_file")
    tensors = {f"network.{name}": value for name, value in network.state_dict().items()}
    tensors |= {f"best.{name}": value for name, value in state.best.items()}
    for index, slots in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{index}.{name}": torch.as_tensor(value) for name, value in slots.items()}
    about = {"plan": dict(plan), "history": state.history, "best_epoch": state.best_epoch}
    staging = work / f".{_FILE}"
    save_file({k: v.detach().contiguous().clone() for k, v in tensors.items()}, staging, {"about": json.dumps(about)})
    staging.replace(work / _FILE)


def read_checkpoint(
    work: Path, network: nn.Module, optimizer: torch.optim.Optimizer, plan: Mapping[str, Any]
) -> Checkpoint | None:
    """Restore network and optimizer from the checkpoint in `work`; None if there is no checkpoint."""
    path = work / _FILE
    if not path.is_file():
        return None
    with _safetensors("safe_open")(path, "pt") as file:
        about = json.loads(file.metadata()["about"])
        tensors: dict[str, Tensor] = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    if about["plan"] != json.loads(json.dumps(dict(plan))):
        raise ConfigError(f"{work} has a training with other settings: finish it, or choose another folder")
    try:
        network.load_state_dict(_part(tensors, "network."))
    except RuntimeError as error:
        raise ConfigError(f"{work} has a training of another network: choose another folder") from error
    slots: dict[int, dict[str, Tensor]] = {}
    for name, value in _part(tensors, "optimizer.").items():
        index, _, slot = name.partition(".")
        slots.setdefault(int(index), {})[slot] = value
    optimizer.load_state_dict({"state": slots, "param_groups": optimizer.state_dict()["param_groups"]})
    return Checkpoint(about["history"], about["best_epoch"], _part(tensors, "best."))


def best_weights(work: Path) -> dict[str, Tensor]:
    """The best weights of the training in `work`, to initialise another training."""
    path = work / _FILE
    if not path.is_file():
        raise ConfigError(f"{work} holds no training to start from")
    with _safetensors("safe_open")(path, "pt") as file:
        names = [name for name in file.keys() if name.startswith("best.")]  # noqa: SIM118
        return {name.removeprefix("best."): file.get_tensor(name) for name in names}


def _part(tensors: Mapping[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}


def _safetensors(name: str) -> Any:
    try:
        import safetensors
        import safetensors.torch as for_torch
    except ModuleNotFoundError as error:
        raise MissingExtraError("training", "train") from error
    return getattr(for_torch, name, None) or getattr(safetensors, name)

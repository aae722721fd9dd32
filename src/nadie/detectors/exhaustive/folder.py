"""The files of a model folder that holds one variant or several."""

from __future__ import annotations

VOCABULARY = "vocab.json"
TABLE = "vectors.npz"


def network_file(variant: str) -> str:
    return f"{variant}.onnx"


def log_file(variant: str) -> str:
    return f"{variant}.jsonl"


def curve_file(variant: str) -> str:
    return f"{variant}.png"

"""Running networks: ONNX sessions on the CPU."""

from __future__ import annotations

import os
from typing import Any


def onnx_session(model: bytes, threads: int) -> Any:
    """An ONNX session with this number of threads.

    This is the only place that imports onnxruntime. Its wheel sends usage data to its maker unless the variable is set
    before the first import; the call turns off what another package may have started by importing it earlier.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    options: Any = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def processors(most: int) -> int:
    """The number of threads to use: the processors available to this process, but at most `most`."""
    return min(most, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2)

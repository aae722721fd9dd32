"""Building an ONNX file node by node, with weights in as few bits as they need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from nadie.errors import MissingExtraError
from nadie.neural.config import Storage
from nadie.training.vectors import quantise

Dimensions = Sequence[int | str]
_OPSET = 17
_SMALL = 4096  # smaller weights are not quantised
_HIGHEST_IN_LSTM = 63


class Graph:
    """An ONNX graph under construction. Values are named by strings, as in ONNX itself."""

    def __init__(self, storage: Storage, opset: int = _OPSET) -> None:
        try:
            import onnx
        except ModuleNotFoundError as error:
            raise MissingExtraError("exporting a network", "train") from error
        self._onnx = onnx
        self.storage = storage
        self._opset = opset
        self._nodes: list[Any] = []
        self._initializers: list[Any] = []
        self._inputs: list[Any] = []
        self._outputs: list[Any] = []

    def input(self, name: str, dimensions: Dimensions, *, real: bool = False) -> str:
        kind = self._onnx.TensorProto.FLOAT if real else self._onnx.TensorProto.INT64
        self._inputs.append(self._onnx.helper.make_tensor_value_info(name, kind, list(dimensions)))
        return name

    def output(self, value: str, name: str, dimensions: Dimensions) -> None:
        self._nodes.append(self._onnx.helper.make_node("Identity", [value], [name]))
        kind = self._onnx.TensorProto.FLOAT
        self._outputs.append(self._onnx.helper.make_tensor_value_info(name, kind, list(dimensions)))

    def node(self, operation: str, inputs: Sequence[str], *, outputs: int = 1, **attributes: Any) -> str:
        """Add a node and return its (last) output."""
        made = [f"{operation.lower()}_{len(self._nodes)}_{i}" for i in range(outputs)]
        self._nodes.append(self._onnx.helper.make_node(operation, list(inputs), made, **attributes))
        return made[-1]

    def constant(self, values: npt.NDArray[Any], name: str = "") -> str:
        """A value that is not quantised."""
        name = name or f"constant_{len(self._initializers)}"
        self._initializers.append(self._onnx.numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def integers(self, *values: int) -> str:
        return self.constant(np.array(values, dtype=np.int64))

    def weight(self, values: npt.NDArray[np.floating], name: str = "") -> str:
        """A float weight in the storage type of this graph; onnxruntime unpacks it once, on loading. A weight that is
        stored as it is can have a name, by which `stored_weights` finds it.
        """
        if self.storage == "float32" or values.size < _SMALL:
            return self.constant(values.astype(np.float32), name)
        if self.storage == "float16":
            return self.as_float(self.constant(values.astype(np.float16)))
        rows, scales = quantise(values.reshape(-1, values.shape[-1]))
        stored = self.constant(rows)
        zeros = self.constant(np.zeros(len(rows), dtype=np.int8))
        real = self.node("DequantizeLinear", [stored, self.constant(scales), zeros], axis=0)
        return self.node("Reshape", [real, self.integers(*values.shape)])

    def table(self, values: npt.NDArray[np.floating], rows: str) -> str:
        """Rows of a large table: (words, width), ids (N,) → (N, width). An eight-bit table stays so in memory."""
        if self.storage == "float32":
            return self.node("Gather", [self.weight(values), rows])
        packed, scales = quantise(values)
        found = self.as_float(self.node("Gather", [self.constant(packed), rows]))
        scale = self.node("Gather", [self.constant(scales[:, None]), rows])
        return self.node("Mul", [found, scale])

    def by_column(self, stacked: npt.NDArray[np.floating]) -> tuple[str, str, str]:
        """Matrices (2, rows, columns), transposed, in seven bits: (2, columns, rows), scales and zeros (2, rows).

        onnxruntime multiplies them without unpacking; the other factor is rounded to eight bits at run time.
        """
        # Without VNNI, a CPU adds pairs of products of unsigned and signed bytes in 16 bits, which saturate at 32,767:
        # 2 * 255 * 127 exceeds this, 2 * 255 * 63 does not. With seven bits all CPUs give the same results.
        packed = [quantise(matrix, _HIGHEST_IN_LSTM) for matrix in stacked]
        values = self.constant(np.stack([rows.T for rows, _ in packed]))
        scales = np.stack([scale for _, scale in packed])
        return values, self.constant(scales), self.constant(np.zeros(scales.shape, dtype=np.int8))

    def as_float(self, value: str) -> str:
        return self.node("Cast", [value], to=self._onnx.TensorProto.FLOAT)

    def as_int32(self, value: str) -> str:
        return self.node("Cast", [value], to=self._onnx.TensorProto.INT32)

    def to_bytes(self, name: str, metadata: Mapping[str, str] | None = None) -> bytes:
        helper = self._onnx.helper
        graph = helper.make_graph(self._nodes, name, self._inputs, self._outputs, self._initializers)
        opsets = [helper.make_opsetid("", self._opset), helper.make_opsetid("com.microsoft", 1)]
        model = helper.make_model(graph, opset_imports=opsets, producer_name="nadie")
        model.ir_version = 9
        helper.set_model_props(model, dict(metadata or {}))
        self._onnx.checker.check_model(model)
        content: bytes = model.SerializeToString()
        return content


def stored_weights(content: bytes) -> dict[str, npt.NDArray[Any]]:
    """The constants of an ONNX file by their names."""
    try:
        import onnx
    except ModuleNotFoundError as error:
        raise MissingExtraError("reading the weights of a network", "train") from error
    graph = onnx.load_model_from_string(content).graph
    return {each.name: onnx.numpy_helper.to_array(each) for each in graph.initializer}

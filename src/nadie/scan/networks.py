"""The networks that read pages, loaded once for each process and verified against their checksums."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import Any

from nadie.errors import ModelError
from nadie.inference import onnx_session

_FOLDER = "models/page-reader"


@cache
def network(name: str) -> Any:
    """The session of `detector`, `tiny` or `small`. A session may be used by several threads."""
    return onnx_session(_content(f"{name}.onnx"), 1)


@cache
def characters() -> tuple[str, ...]:
    """The characters that the recognisers know; the first output of the networks is none of them."""
    return tuple(_content("characters.txt").decode().split("\n")[:-1])


def _content(name: str) -> bytes:
    folder = files("nadie").joinpath(_FOLDER)
    content = folder.joinpath(name).read_bytes()
    sums = json.loads(folder.joinpath("checksums.json").read_text(encoding="utf-8"))
    if hashlib.sha256(content).hexdigest() != sums[name]:
        raise ModelError(f"the file {name!r} of the page reader does not match its checksum: it is damaged")
    return content

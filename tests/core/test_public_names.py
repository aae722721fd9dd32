"""The public names exist, are few, and cost nothing to import."""

from __future__ import annotations

import subprocess
import sys

import nadie


def test_every_public_name_is_there() -> None:
    for name in nadie.__all__:
        assert getattr(nadie, name) is not None
    assert set(dir(nadie)) == set(nadie.__all__)
    assert not hasattr(nadie, "no_such_name")


def test_importing_nadie_loads_nothing_heavy() -> None:
    code = "import nadie, nadie.cli.main, sys; print(*sys.modules)"
    loaded = set(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    )
    assert not loaded & {"torch", "fastapi", "onnxruntime", "numpy", "pycrfsuite", "faker", "matplotlib", "pyspark"}

"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def meddocan() -> Path:
    """The folder of the MEDDOCAN corpus, or a skip that says what is missing."""
    for place in (os.environ.get("NADIE_MEDDOCAN"), _ROOT.parent / "shared" / "meddocan"):
        if place and (folder := Path(place)).is_dir():
            return folder
    pytest.skip("the MEDDOCAN corpus is not here: set NADIE_MEDDOCAN to its folder")

"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# No test is timed, and all see the same examples every time; `pytest --hypothesis-profile=search` looks for new ones.
settings.register_profile("search", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", settings.get_profile("search"), derandomize=True)
settings.load_profile("same")

_ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def meddocan() -> Path:
    """The folder of the MEDDOCAN corpus, or a skip that says what is missing."""
    for place in (os.environ.get("NADIE_MEDDOCAN"), _ROOT.parent / "shared" / "meddocan"):
        if place and (folder := Path(place)).is_dir():
            return folder
    pytest.skip("the MEDDOCAN corpus is not here: set NADIE_MEDDOCAN to its folder")

"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# No test is timed, and all see the same examples every time; `pytest --hypothesis-profile=search` looks for new ones.
settings.register_profile("search", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", settings.get_profile("search"), derandomize=True)
settings.load_profile("same")

_ROOT = Path(__file__).resolve().parent.parent
_CI = os.environ.get("CI") == "true"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Under CI everything is there: what is skipped for want of a corpus, a browser or a library has failed."""
    report = yield
    if _CI and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, which CI does not allow: {report.longrepr}"
    return report


@pytest.fixture(scope="session")
def meddocan() -> Path:
    """The folder of the MEDDOCAN corpus, or a skip that says what is missing."""
    for place in (os.environ.get("NADIE_MEDDOCAN"), _ROOT.parent / "shared" / "meddocan"):
        if place and (folder := Path(place)).is_dir():
            return folder
    pytest.skip("the MEDDOCAN corpus is not here: set NADIE_MEDDOCAN to its folder")

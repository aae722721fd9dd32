"""How good the shipped models are is pinned: a change that makes them worse fails here.

The floors are a little below what was measured on the notes of the suite; raise them when a model gets better.
"""

from __future__ import annotations

from collections import Counter

import pytest
from cases import MODELS, cases, failures, known_failures

from nadie.evaluation.suite.runner import SuiteResult, run_suite
from nadie.labels import Label
from nadie.run.documents import load
from nadie.run.pipeline import Pipeline

FLOORS = {  # characters covered, precision, most traps masked
    "fast": (0.977, 0.954, 90),
    "best": (0.98, 0.957, 90),
}


@pytest.fixture(scope="module", params=MODELS)
def model(request: pytest.FixtureRequest) -> tuple[str, Pipeline]:
    return request.param, load(request.param)


@pytest.fixture(scope="module")
def result(model: tuple[str, Pipeline]) -> SuiteResult:
    return run_suite(model[1])


def test_the_notes_of_the_suite(model: tuple[str, Pipeline], result: SuiteResult) -> None:
    recall, precision, traps = FLOORS[model[0]]
    assert result.notes.characters.recall >= recall
    assert result.notes.characters.precision >= precision
    assert result.notes.traps.masked <= traps


@pytest.mark.parametrize("name", MODELS)
def test_the_regression_cases_fail_that_are_known_to_fail(name: str) -> None:
    """No other may fail, and one that no longer fails is taken off the list: `python tests/models/cases.py`."""
    found, known = failures(name), known_failures(name)
    assert (set(found) - set(known), set(known) - set(found)) == (set(), set())
    assert found == known


def test_every_label_has_cases_and_traps_are_many() -> None:
    marked = cases().values()
    count = Counter(span.label for case in marked for span in case.spans)
    assert {label for label in Label if count[label] < 2} == set()
    assert sum(bool(case.traps) for case in marked) > 80

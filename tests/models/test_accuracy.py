"""How good the shipped models are is pinned: a change that makes them worse fails here.

The floors are a little below what was measured on the notes of the suite; raise them when a model gets better.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from nadie.evaluation.suite.runner import SuiteResult, run_suite
from nadie.formats.notes import Marked, parse_marks
from nadie.pipeline import Pipeline
from nadie.run import load

MODELS = ("fast", "best")
FLOORS = {  # characters covered, precision, most traps masked
    "fast": (0.965, 0.955, 87),
    "best": (0.972, 0.957, 95),
}
_LINES = (Path(__file__).parent / "cases.txt").read_text(encoding="utf-8").splitlines()
CASES = [(n, line) for n, line in enumerate(_LINES, start=1) if line and not line.startswith("#")]


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


@pytest.mark.parametrize(("number", "line"), CASES, ids=[f"line {number}" for number, _ in CASES])
def test_regression_cases(model: tuple[str, Pipeline], number: int, line: str) -> None:
    case: Marked = parse_marks(line, file="cases.txt", line=number)
    covered = {at for span in model[1].annotate(case.text).spans for at in range(span.start, span.end)}
    missed = [
        case.text[span.start : span.end]
        for span in case.spans
        if any(case.text[at].isalnum() and at not in covered for at in range(span.start, span.end))
    ]
    masked = [case.text[start:end] for start, end in case.traps if covered & set(range(start, end))]
    assert (missed, masked) == ([], [])

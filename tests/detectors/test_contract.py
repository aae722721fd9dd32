"""The contract of every detector, tested on each shipped model and each built-in detector."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from nadie import load
from nadie.detector import DETECTORS, Detector
from nadie.document import Document, Span
from nadie.evaluation.suite.runner import load_notes
from nadie.storage import read_model, shipped_models

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NOTES = [Document(path.stem, path.read_text(encoding="utf-8")) for path in sorted(EXAMPLES.glob("*.txt"))]
HOSTILE = {
    "empty": "",
    "blank": " \n\t\n ",
    "one letter": "a",
    "one sign": ".",
    "one word without end": "a" * 10_000,
    "digits without end": "1" * 5_000,
    "nothing but signs": ":./-@" * 1_000,
    "no line break": "Paciente Ana Soto, 70 años. " * 300,
    "nothing but line breaks": "\n" * 3_000,
    "other scripts": "患者 王芳 пациент Ольга المريض 😀👩🏽‍⚕️ ñÑ",
    "digits that are no numbers": "10 ³ ² ① ¹ 5 ²",
    "control characters": "a\x00b\x01c\x7f\x1b[31m",
    "combining marks": "e" + "\u0301" * 500,
}


def _ready_made() -> list[str]:
    """Registered detectors that need no model folder, and no table as `known` does."""
    return [name for name in DETECTORS.names() if name != "known" and not hasattr(DETECTORS.get(name), "load")]


@pytest.fixture(scope="module", params=[*shipped_models(), *(f"registered:{name}" for name in _ready_made())])
def detector(request: pytest.FixtureRequest) -> Detector:
    name: str = request.param
    if name.startswith("registered:"):
        made: Detector = DETECTORS.get(name.removeprefix("registered:"))()
        return made
    folder = read_model(shipped_models()[name])
    loaded: Detector = DETECTORS.get(folder.system).load(folder)
    return loaded


def test_it_keeps_the_protocol(detector: Detector) -> None:
    assert isinstance(detector, Detector)
    assert detector.name


def test_spans_lie_in_their_document_and_cover_something(detector: Detector) -> None:
    found = detector.detect(NOTES)
    assert len(found) == len(NOTES)
    for document, spans in zip(NOTES, found, strict=True):
        for span in document.with_spans(spans).spans:
            text = document.text_of(span)
            assert text == text.strip() != ""
            assert span.source


def test_it_finds_something(detector: Detector) -> None:
    assert sum(map(len, detector.detect(NOTES))) > 10


def test_the_same_twice_and_in_any_company(detector: Detector) -> None:
    together = detector.detect(NOTES)
    assert detector.detect(NOTES) == together
    assert [detector.detect([note])[0] for note in NOTES] == together
    assert detector.detect(NOTES[::-1])[::-1] == together
    scores = [[round(span.score, 4) for span in spans] for spans in together]
    assert [[round(s.score, 4) for s in detector.detect([note])[0]] for note in NOTES] == scores


def test_spans_that_are_there_already_do_not_matter(detector: Detector) -> None:
    marked = [note.with_spans([Span(0, 5, "FECHAS")]) for note in NOTES]
    assert detector.detect(marked) == detector.detect(NOTES)


def test_no_documents(detector: Detector) -> None:
    assert detector.detect([]) == []


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text(detector: Detector, name: str) -> None:
    document = Document("hostile", HOSTILE[name])
    (spans,) = detector.detect([document])
    document.with_spans(spans)


def test_hostile_text_does_not_harm_its_neighbours(detector: Detector) -> None:
    hostile = [Document(name, text) for name, text in HOSTILE.items()]
    assert detector.detect([*hostile, *NOTES])[len(hostile) :] == detector.detect(NOTES)


def test_a_saved_model_gives_the_same(detector: Detector, tmp_path: Path) -> None:
    if not hasattr(detector, "save"):
        assert not hasattr(detector, "train")  # what is not trained has nothing to save
        return
    path = tmp_path / detector.name
    detector.save(path, {})
    folder = read_model(path)
    again: Detector = DETECTORS.get(folder.system).load(folder)
    assert again.detect(NOTES) == detector.detect(NOTES)
    shutil.rmtree(path)


@pytest.fixture
def hasty_threads() -> Iterator[None]:
    """Threads that take turns every few microseconds, so that what they share is caught half done."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("hasty_threads")
@pytest.mark.parametrize("model", shipped_models())
def test_threads_that_share_a_pipeline_find_what_one_alone_finds(model: str) -> None:
    """Both pipelines are freshly loaded: what a detector keeps of words it has seen is built up while threads run."""
    documents = [note.with_spans(()) for note in load_notes()[::5]]
    shared, alone = load(model), load(model)
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(shared.annotate, documents))
    assert [_exact(document) for document in together] == [_exact(alone.annotate(each)) for each in documents]


def _exact(document: Document) -> list[tuple[int, int, str, float, str]]:
    return [(span.start, span.end, span.label, span.score, span.source) for span in document.spans]

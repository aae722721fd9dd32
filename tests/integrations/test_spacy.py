"""The component in a real spaCy pipeline."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest
import spacy
from spacy.language import Language
from spacy.pipeline import EntityRuler
from spacy.tokens import DocBin

import nadie
import nadie.integrations.spacy as component

from .notes import CLEAN, LATER, NOTE

TEXTS = [NOTE, LATER, CLEAN]


@pytest.fixture(scope="module")
def expected() -> list[list[tuple[int, int, str]]]:
    model = nadie.load("fast")
    return [[(s.start, s.end, s.label) for s in model.annotate(text).spans] for text in TEXTS]


def pipeline(**config: str) -> Language:
    nlp = spacy.blank("es")
    nlp.add_pipe("nadie", config=config)
    return nlp


def exact(doc: spacy.tokens.Doc) -> list[tuple[int, int, str]]:
    return [(start, end, label) for start, end, label, _ in doc.user_data["nadie"]]


def test_it_fills_ents_with_what_nadie_finds(expected: list[list[tuple[int, int, str]]]) -> None:
    docs = list(pipeline().pipe(TEXTS))
    assert [exact(doc) for doc in docs] == expected
    assert ("Ana Pérez Soto", "NOMBRE_SUJETO_ASISTENCIA") in [(e.text, e.label_) for e in docs[0].ents]
    assert not docs[2].ents
    assert [doc.text for doc in docs] == TEXTS


def test_it_fills_a_span_group_with_scores() -> None:
    doc = pipeline(into="spans", spans_key="phi")(NOTE)
    group = doc.spans["phi"]
    assert not doc.ents
    assert len(group) == len(group.attrs["scores"]) == len(doc.user_data["nadie"]) > 2
    assert all(0 <= score <= 1 for score in group.attrs["scores"])


def test_two_processes_find_the_same(expected: list[list[tuple[int, int, str]]]) -> None:
    nlp = pipeline()
    nlp(NOTE)  # the parent has loaded the model before it forks
    assert [exact(doc) for doc in nlp.pipe(TEXTS * 2, n_process=2, batch_size=2)] == expected * 2


def test_it_is_saved_loaded_and_pickled(tmp_path: Path, expected: list[list[tuple[int, int, str]]]) -> None:
    nlp = pipeline(into="spans")
    nlp.to_disk(tmp_path / "pipeline")
    again = spacy.load(tmp_path / "pipeline")
    assert getattr(again.get_pipe("nadie"), "into", None) == "spans"
    for copy in (again, pickle.loads(pickle.dumps(nlp)), again.from_bytes(nlp.to_bytes())):
        assert exact(copy(NOTE)) == expected[0]
    doc = again(NOTE)
    stored = DocBin(store_user_data=True, docs=[doc]).to_bytes()
    (read,) = DocBin(store_user_data=True).from_bytes(stored).get_docs(again.vocab)
    assert exact(read) == exact(doc)
    assert [(s.start, s.label_) for s in read.spans["nadie"]] == [(s.start, s.label_) for s in doc.spans["nadie"]]


def test_other_entities_stay_where_they_touch_no_phi() -> None:
    nlp = spacy.blank("es")
    ruler = nlp.add_pipe("entity_ruler")
    assert isinstance(ruler, EntityRuler)
    ruler.add_patterns([{"label": "DRUG", "pattern": "ibuprofeno"}, {"label": "WRONG", "pattern": "Ana"}])
    nlp.add_pipe("nadie")
    labels = {ent.label_ for ent in nlp("Paciente: Ana Pérez Soto toma ibuprofeno.").ents}
    assert labels == {"DRUG", "NOMBRE_SUJETO_ASISTENCIA"}


def test_a_span_inside_a_token_is_widened_to_it() -> None:
    doc = pipeline()("Contacto:ana.perez@example.org/612345678")
    for start, end, label in exact(doc):
        assert any(e.start_char <= start and end <= e.end_char for e in doc.ents), label


def test_a_failure_goes_to_the_error_handler_without_text(monkeypatch: pytest.MonkeyPatch) -> None:
    nlp = pipeline()
    told: list[str] = []

    def tell(name: str, pipe: object, docs: object, error: Exception) -> None:
        told.append(f"{name} {error}")

    handler: Any = tell  # spaCy declares handlers that never return
    nlp.set_error_handler(handler)
    broken = spacy.tokens.Doc(nlp.vocab, words=[NOTE])

    class Bad:
        def annotate_all(self, documents: list[nadie.Document]) -> list[nadie.Document]:
            raise ValueError(documents[0].text)

    monkeypatch.setattr(component, "_loaded", lambda *_: Bad())
    assert not list(nlp.pipe([broken]))
    assert told == ["nadie ValueError while it was being processed"]


def test_an_unknown_model_is_told() -> None:
    with pytest.raises(nadie.NadieError, match="no-such"):
        pipeline(model="no-such")(NOTE)

"""The detector Adapted: a layer over the tags of its base, hashed terms, and a folder without text."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from nadie.detector import Model
from nadie.detectors.adapted.fitting import fit_adapted, recurring_terms
from nadie.detectors.adapted.layer import Layer, fit_layer
from nadie.detectors.adapted.model import Adapted
from nadie.detectors.adapted.terms import HashedTerms
from nadie.document import Document, Span
from nadie.errors import ConfigError, ModelError
from nadie.evaluation.suite.runner import load_notes
from nadie.neural.model import Calibration
from nadie.storage import read_model

SALT = bytes(range(16))
STAFF = "NOMBRE_PERSONAL_SANITARIO"


@pytest.fixture(scope="module")
def base() -> Model:
    return Model.of("fast")


def test_a_layer_begins_as_the_identity() -> None:
    values = np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1]], dtype=np.float32)
    assert np.allclose(Layer.identity("OBI").apply(values), values, atol=1e-5)
    more = Layer.identity("OBI").apply(values, 2.0)
    assert (more[:, 0] < values[:, 0]).all()


def test_a_layer_undoes_a_confusion_and_stays_where_nothing_is_known() -> None:
    wrong = np.tile(np.array([[0.1, 0.6, 0.3]], dtype=np.float32), (200, 1))
    right = np.tile(np.array([[0.0, 0.0, 1.0]], dtype=np.float32), (200, 1))
    layer = fit_layer("OBI", wrong, right, 1.0)
    assert layer.apply(wrong)[0].argmax() == 2
    same = fit_layer("OBI", wrong, wrong, 1.0)
    assert np.allclose(same.weights, np.eye(3), atol=1e-3)
    back = Layer.from_bytes(layer.to_bytes())
    assert np.array_equal(back.weights, layer.weights)
    with pytest.raises(ModelError, match="layer"):
        Layer.from_bytes(b"nothing")


def test_hashed_terms_are_found_in_any_spelling_and_are_not_in_clear() -> None:
    terms = HashedTerms.of({"Ruiz Oterino": STAFF, "C.S. Nogal": "CENTRO_SALUD"}, SALT)
    text = "Avisada la Dra. RUIZ  OTERINO del c.s. nogal. Ruiz sola no."
    assert [(text[m.start : m.end], m.payload) for m in terms.find(text)] == [
        ("RUIZ  OTERINO", STAFF),
        ("c.s. nogal", "CENTRO_SALUD"),
    ]
    stored = terms.to_bytes()
    assert b"oterino" not in stored.lower()
    assert HashedTerms.from_bytes(stored) == terms
    with pytest.raises(ModelError, match="terms"):
        HashedTerms.from_bytes(b"{}")


def test_only_terms_of_the_centre_that_are_never_words_recur() -> None:
    def note(words: str, label: str, before: str = "Firma ") -> Document:
        return Document("", f"{before}{words}.", (Span(len(before), len(before) + len(words), label),))

    notes = [
        *[note("Ruiz Oterino", STAFF)] * 2,
        *[note("Campo", STAFF)] * 2,
        Document("", "Aspira del campo operatorio."),
        *[note("Ana Roca", "NOMBRE_SUJETO_ASISTENCIA")] * 2,
        note("Solo Una", STAFF),
    ]
    assert recurring_terms(notes) == {"ruiz oterino": STAFF}


def test_with_an_identity_it_finds_what_its_base_finds(base: Model) -> None:
    notes = [note.with_spans(()) for note in load_notes()[:10]]
    plain = base.detector()
    probabilities = plain.token_probabilities(notes[:1])[0]  # type: ignore[attr-defined]
    adapted = Adapted(base, Layer.identity(probabilities.tags), HashedTerms.of({}, SALT), Calibration(), "same")
    places = [[(s.start, s.end, s.label) for s in spans] for spans in plain.detect(notes)]
    assert [[(s.start, s.end, s.label) for s in spans] for spans in adapted.detect(notes)] == places
    assert sum(map(len, adapted.with_bias(4.0).detect(notes))) > sum(map(len, places))
    assert adapted.unbiased().bias == 0.0


def test_a_folder_is_a_model_and_has_no_text(base: Model, tmp_path: Path) -> None:
    notes = load_notes()[:16]
    made = fit_adapted(base, notes, ())
    made.save(tmp_path / "mine", {"base": "fast"})
    again = Model.of(str(tmp_path / "mine"))
    assert again.system == "adapted"
    assert again.detector().detect(notes[:3]) == made.detect(notes[:3])
    made.with_bias(2.0).save(tmp_path / "more", {})
    assert Model.of(str(tmp_path / "more")).detector().detect(notes[:3]) == made.with_bias(2.0).detect(notes[:3])
    assert again.folder is not None
    assert again.folder.size > 1_000_000
    names = {note.text_of(s) for note in notes for s in note.spans if s.label.startswith("NOMBRE") and len(s) > 5}
    content = b"".join(file.read_bytes() for file in (tmp_path / "mine").rglob("*") if file.is_file()).lower()
    assert names
    assert not [name for name in names if name.lower().encode() in content]


def test_another_base_is_refused(base: Model, tmp_path: Path) -> None:
    fit_adapted(base, load_notes()[:4], ()).save(tmp_path / "mine", {})
    folder = read_model(tmp_path / "mine")
    with pytest.raises(ModelError, match="another version"):
        Adapted.load(folder.with_settings({"base_sha256": "0" * 64}))
    with pytest.raises(ConfigError, match="cannot be adapted"):
        fit_adapted(Model.of("patterns"), load_notes()[:4], ())

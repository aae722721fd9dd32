"""One surrogate for centres and places in all notes, few for staff, and one for each patient's own values."""

from __future__ import annotations

from collections import Counter

import pytest

from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import parse_policy, read_policy
from nadie.anonymize.secret import Key
from nadie.document import Document, Span
from nadie.errors import ConfigError
from nadie.labels import Label
from nadie.resolve.completing import complete

VALUES = {
    "Ana Pérez Soto": Label.NOMBRE_SUJETO_ASISTENCIA,
    "Mario Cabezas Llorente": Label.NOMBRE_PERSONAL_SANITARIO,
    "mcabezas@hospital-x.es": Label.CORREO_ELECTRONICO,
    "Hospital de la Ribera Alta": Label.HOSPITAL,
    "Ponferrada": Label.TERRITORIO,
    "C/ Hilera, 13": Label.CALLE,
}
TEXT = (
    "Paciente: Ana Pérez Soto, C/ Hilera, 13, Ponferrada. Firma: Mario Cabezas Llorente, mcabezas@hospital-x.es. "
    "Hospital de la Ribera Alta."
)


def surrogates(patient: str, policy: str = "research") -> dict[str, str]:
    spans = tuple(Span(TEXT.index(v), TEXT.index(v) + len(v), label) for v, label in VALUES.items())
    engine = Engine(read_policy(policy), Key(b"k" * 32))
    done = engine.run(complete(Document(f"{patient}/1", TEXT, spans, {"patient": patient})))
    return {done.document.text_of(r.span): done.text[r.start : r.end] for r in done.replaced}


def test_centres_and_places_keep_one_surrogate_in_all_notes_and_staff_have_few() -> None:
    notes = [surrogates(f"p{n}") for n in range(8)]
    for value in [*VALUES][3:]:
        assert len({note[value] for note in notes}) == 1, value
    for value in [*VALUES][1:3]:
        assert Counter(note[value] for note in notes).most_common(1)[0][1] >= 5, value
    assert len({note["Ana Pérez Soto"] for note in notes}) == 8


def test_a_policy_may_scope_them_by_patient() -> None:
    text = 'name = "own"\nscope = "patient"\ndefault = "surrogate"\n[scopes]\nstaff = "patient"\n'
    engine = Engine(parse_policy(text, "own"), Key(b"k" * 32))
    note = "Firma: Mario Cabezas Llorente."
    span = Span(7, 29, Label.NOMBRE_PERSONAL_SANITARIO)
    texts = {engine.run(Document(str(n), note, (span,), {"patient": str(n)})).text for n in range(8)}
    assert len(texts) == 8


def test_mixed_gives_some_patients_another_surrogate() -> None:
    """So that a name which stands in few notes may as well be a surrogate."""
    text = 'name = "own"\nscope = "patient"\ndefault = "surrogate"\n[scopes]\nstaff = "mixed"\n'
    engine = Engine(parse_policy(text, "own"), Key(b"k" * 32))
    note, span = "Firma: Mario Cabezas Llorente.", Span(7, 29, Label.NOMBRE_PERSONAL_SANITARIO)
    texts = Counter(engine.run(Document(str(n), note, (span,), {"patient": str(n)})).text for n in range(300))
    (_, usual), *others = texts.most_common()
    assert 220 < usual < 280
    assert 20 <= len(others) <= 32


@pytest.mark.parametrize("section", ["[scopes]\nnurses = 'corpus'", "[scopes]\nstaff = 'world'", "scopes = 1"])
def test_unknown_scopes_are_errors(section: str) -> None:
    with pytest.raises(ConfigError, match="centres, places, staff one of document, patient, corpus, mixed"):
        parse_policy(f"name = 'own'\n{section}\n", "own")

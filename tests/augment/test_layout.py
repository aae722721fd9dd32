"""Changes of layout and spelling on an invented note."""

from __future__ import annotations

import unicodedata
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augment.notes import invented, texts
from nadie.augment import ALTERATIONS, Split
from nadie.augment.fields import field_labels, find_cues
from nadie.augment.layout import labels_removed, one_line, read_header, relabelled, restyled
from nadie.augment.surface import (
    badly_scanned,
    crlf,
    decomposed,
    dictated,
    lower,
    mixed_case,
    scanned,
    spacing,
    typos,
    upper,
    without_accents,
)
from nadie.document import Document, Span

NOTE = invented()


def test_the_header_is_read_as_fields() -> None:
    fields, end = read_header(NOTE)
    kinds = [field.kind for field in fields]
    assert (
        kinds
        == (
            "given surnames history social_security street town postcode birth_date country age sex admission service "
            "physician licence"
        ).split()
    )
    assert NOTE.text[end:].startswith("Informe clínico")
    assert fields[5].value.text == "Villarrobledo, Albacete"
    assert [s.label for s in fields[5].value.spans] == ["TERRITORIO", "TERRITORIO"]


def test_cues_lie_outside_of_spans() -> None:
    cues = list(find_cues(NOTE))
    assert {"phone", "mail", "physician", "licence"} <= {cue.kind for cue in cues}
    for cue in cues:
        assert not any(s.start < cue.end and cue.start < s.end for s in NOTE.spans)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Tel. 600 100 200", ["phone"]),
        ("tel: 600 100 200", ["phone"]),
        ("Informe clínico del paciente: bien", []),
        ("El nombre no consta", []),
        ("Fax 91 555 00 11 E-mail: x@y.es", ["fax", "mail"]),
        ("PACIENTE: X", ["name"]),
        ("", []),
        (":::: \n:", []),
    ],
)
def test_cues(text: str, kinds: list[str]) -> None:
    assert [cue.kind for cue in find_cues(Document("d", text))] == kinds


def test_labels_go_and_values_stay() -> None:
    bare = labels_removed(NOTE, Random(0))
    assert texts(bare) == texts(NOTE)
    for label in ("Nombre:", "NHC", "NASS", "Edad:", "NºCol", "Remitido por", "Tel.", "E-mail", "Datos del paciente"):
        assert label not in bare.text


@pytest.mark.parametrize("split", list(Split))
def test_labels_are_renamed(split: Split) -> None:
    own = {label for labels in field_labels(split).values() for label in labels}
    for i in range(20):
        renamed = relabelled(NOTE, Random(i), split)
        assert texts(renamed) == texts(NOTE)
        assert any(label in renamed.text for label in own)


def test_a_restyled_header_has_the_same_values() -> None:
    values = {text for _, text in texts(NOTE)}
    for i in range(60):
        new = restyled(NOTE, Random(i))
        for _, text in texts(new):
            assert text in values or text == "Brígida Montalbán Úbeda"
        assert "hematuria de tres semanas" in new.text


def test_a_note_without_header_stays() -> None:
    plain = Document("d", "Mujer de 70 años.\n", (Span(9, 16, "EDAD_SUJETO_ASISTENCIA"),))
    assert restyled(plain, Random(0)) is plain


def test_one_line() -> None:
    line = one_line(NOTE, Random(0))
    assert "\n" not in line.text.strip()
    assert texts(line) == texts(NOTE)


def test_surface_changes_letters_only() -> None:
    assert texts(upper(NOTE, Random(0))) == [(label, text.upper()) for label, text in texts(NOTE)]
    assert texts(lower(NOTE, Random(0))) == [(label, text.lower()) for label, text in texts(NOTE)]
    nfd = decomposed(NOTE, Random(0))
    assert nfd.text == unicodedata.normalize("NFD", NOTE.text)
    assert texts(nfd) == [(label, unicodedata.normalize("NFD", text)) for label, text in texts(NOTE)]
    windows = crlf(NOTE, Random(0))
    assert windows.text == NOTE.text.replace("\n", "\r\n")
    assert texts(windows) == texts(NOTE)
    assert crlf(windows, Random(0)).text == windows.text


def test_accents() -> None:
    plain = [without_accents(NOTE, Random(i)) for i in range(8)]
    assert any("Montalban Ubeda" in d.text for d in plain)
    assert all("á" not in d.text for d in plain)
    assert {"ñ" in d.text for d in plain} == {True, False}
    assert all("2º" in d.text for d in plain)


@pytest.mark.parametrize("change", [typos, scanned, spacing, mixed_case])
def test_noise_keeps_the_spans(change: object) -> None:
    assert callable(change)
    changed = 0
    for i in range(20):
        noisy = change(NOTE, Random(i))
        changed += noisy.text != NOTE.text
        assert [s.label for s in noisy.spans] == [s.label for s in NOTE.spans]
        for (_, old), (_, new) in zip(texts(NOTE), texts(noisy), strict=True):
            assert abs(len(old) - len(new)) <= len(old)
            assert new == new.strip()
    assert changed > 10


HOSTILE = ["", "\n", "\r\n\r\n", " " * 50, "Nombre:", "Nombre:\n" * 50, "ß\u0301ﬁ\u200b\ufeff", "A" * 500, "::\t|" * 30]


@pytest.mark.parametrize("name", list(ALTERATIONS))
@pytest.mark.parametrize("text", HOSTILE)
def test_alterations_of_hostile_text(name: str, text: str) -> None:
    whole = (Span(0, len(text), "TERRITORIO"),) if text.strip() else ()
    for document in (Document("h", text), Document("h", text, whole)):
        altered = ALTERATIONS[name](document, Random(0))
        assert len(altered.spans) <= 1


@given(
    st.text(alphabet="aOl1 .:,;@\n\rñé5rncº|()", max_size=60),
    st.integers(0, 60),
    st.integers(1, 20),
    st.integers(0, 99),
)
def test_surface_of_any_text(text: str, start: int, length: int, seed: int) -> None:
    """Whatever the text and wherever the span: no change fails, and the span stays inside the text."""
    end = min(len(text), start + length)
    document = Document("d", text, (Span(start, end, "TERRITORIO"),) if start < end else ())
    for change in (upper, lower, mixed_case, without_accents, decomposed, crlf, spacing, badly_scanned, dictated):
        assert len(change(document, Random(seed)).spans) <= 1
    for change in (typos, scanned):
        assert len(change(document, Random(seed), rate=0.5).spans) <= 1


def test_a_lost_comma_makes_one_name_of_two() -> None:
    """Around a comma stand two mentions, around a space one (M1.1)."""
    name = "NOMBRE_SUJETO_ASISTENCIA"
    note = Document("d", "Paciente: Gil Soto, Ana. Bien.", (Span(10, 18, name), Span(20, 23, name)))
    heard = [dictated(note, Random(i)) for i in range(8)]
    assert "paciente gil soto ana bien" in {document.text for document in heard}
    for document in heard:
        expected = ["gil soto ana"] if "," not in document.text else ["gil soto", "ana"]
        assert [document.text_of(span) for span in document.spans] == expected

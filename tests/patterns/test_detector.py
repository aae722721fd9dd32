"""The detector as a whole: every label, scores, overlaps, hostile text, and what it finds in the corpus."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nadie.detectors.patterns import Patterns
from nadie.detectors.patterns.plain_text import PlainText
from nadie.document import Document
from nadie.files.annotated.brat import Brat
from nadie.labels import LABELS
from nadie.spanish.folding import plain

from . import test_care, test_contact, test_people, test_places, test_things
from .tables import ALL, SURE, found


def test_all_29_types_can_be_found() -> None:
    tables = (test_care, test_things, test_contact, test_people, test_places)
    shown = {label for table in tables for _, label in table.POSITIVES}
    shown |= {"FECHAS", "EDAD_SUJETO_ASISTENCIA", "SEXO_SUJETO_ASISTENCIA", "PROFESION"}  # tables of one label each
    assert shown == LABELS


def test_the_threshold_keeps_the_doubtful_out() -> None:
    document = Document("", "Visto el 458721 en planta, Madrid. DNI 12345678Z")
    counts = [len(Patterns(threshold).detect([document])[0]) for threshold in (0.0, 0.5, 0.9)]
    assert counts[0] > counts[1] >= counts[2] > 0


def test_a_town_in_a_hospitals_name_is_not_a_town() -> None:
    assert found("Complejo Hospitalario de Navarra") == [("Complejo Hospitalario de Navarra", "HOSPITAL")]


def test_case_and_accents_do_not_matter_where_there_is_a_cue() -> None:
    text = "Médico: nada. NHC: 4587213. Teléfono: 612 345 678. Fecha de nacimiento: 3 de Mayo de 1950. DNI: 12345678Z"
    expected = [value.lower() for value, _ in found(text)]
    assert len(expected) == 4
    for variant in (text.upper(), text.lower(), plain(text)):
        assert [value.lower() for value, _ in found(variant)] == expected


@pytest.mark.parametrize("character", "áéíóúüñçÁÑøł－３ºª…–’«\u00a0\u2028€²½患Ωж😀")
def test_the_plain_text_has_the_length_of_the_text(character: str) -> None:
    text = f"a{character}b"
    note = PlainText.of(text)
    assert len(note.plain) == len(text) == len(note.raw)
    assert note.plain.isascii()


@settings(max_examples=150)
@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=300))
def test_any_text_gives_spans_that_stand_in_it(text: str) -> None:
    document = Document("", text)
    document.with_spans(ALL.detect([document])[0])


@settings(max_examples=150)
@given(
    st.lists(
        st.sampled_from("DNI NHC: Dr. C/ 5 12345678Z 3/5 años Tel 612 345 678 - | \n de Juan , IBAN ES91 (".split(" ")),
        max_size=40,
    )
)
def test_any_mixture_of_cues_and_figures_gives_spans(pieces: list[str]) -> None:
    document = Document("", " ".join(pieces))
    document.with_spans(ALL.detect([document])[0])


HOSTILE = {
    "digits": "1" * 20_000,
    "groups": "123 456 " * 3_000,
    "slashes": "1/2/3/" * 3_000,
    "at signs": "a@" * 5_000,
    "dots": "a.b." * 5_000,
    "cues without values": "NHC: DNI: Tel: Dr. C/ " * 1_000,
    "open brackets": "(((" * 3_000,
    "capitals": "Aaa " * 5_000,
    "street without end": "Calle " + "de la " * 4_000,
    "dashes": "-" * 20_000,
    "name without end": "Dr. " + "Juan de la " * 2_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_ends(name: str) -> None:
    document = Document("", HOSTILE[name])
    document.with_spans(ALL.detect([document])[0])


@pytest.mark.corpus
def test_what_the_patterns_alone_find_on_the_corpus(meddocan: Path) -> None:
    documents = list(Brat().read(meddocan / "dev" / "brat"))
    gold = covered = found_all = right = 0
    for document, spans in zip(documents, SURE.detect([d.with_spans(()) for d in documents]), strict=True):
        true = {i for span in document.spans for i in range(span.start, span.end) if document.text[i].isalnum()}
        ours = {i for span in spans for i in range(span.start, span.end) if document.text[i].isalnum()}
        gold, covered = gold + len(true), covered + len(true & ours)
        found_all, right = found_all + len(ours), right + len(true & ours)
    assert covered / gold > 0.95
    assert right / found_all > 0.97

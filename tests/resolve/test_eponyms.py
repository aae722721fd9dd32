"""Both sides: spans of medical terms are dropped, spans of persons are kept."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from nadie.document import Document, Span
from nadie.files.annotated.brat import Brat
from nadie.labels import LABELS
from nadie.resolve.eponyms import PROTECTED, protect

NAME = "NOMBRE_SUJETO_ASISTENCIA"

MEDICINE = [
    "diagnosticado de enfermedad de ⟦Wilson⟧ hace años",
    "signo de ⟦Kernig⟧ negativo",
    "escala de ⟦Norton⟧ 14",
    "⟦Norton⟧: 14, Barthel 60",
    "sonda de ⟦Levin⟧",
    "síndrome de ⟦Guillain-Barré⟧",
    "síndrome de Guillain-⟦Barré⟧",
    "Enf. de ⟦Charcot-Marie-Tooth⟧",
    "⟦Parkinson⟧ avanzado",
    "con ⟦Alzheimer⟧ leve",
    "maniobra de ⟦Valsalva⟧",
    "⟦Enfermedad de Wilson⟧",
    "estadio de Hoehn y ⟦Yahr⟧",
    "⟦Murphy⟧ negativo",
    "⟦Romberg⟧ +",
    "ligamento de ⟦Treitz⟧",
    "fractura de ⟦Colles⟧",
    "test de ⟦Coombs⟧ directo",
    "línea de ⟦Kerley⟧ B",
    "clasificación de ⟦Garden⟧ III",
    "vendaje de ⟦Robert Jones⟧",
    "tumor de ⟦Wilms⟧",
    "reflejo de ⟦Moro⟧ presente",
    "criterios de ⟦Jones⟧",
    "ley de ⟦Starling⟧",
    "índice de ⟦Barthel⟧",
    "triángulo de ⟦Scarpa⟧",
    "síndrome de ⟦Xyzkowski⟧",
    "SIGNO DE ⟦KERNIG⟧ NEGATIVO",
    "enfermedad de ⟦wilson⟧",
    "toma ⟦Augmentine⟧ 875",
    "⟦Sintrom⟧ según pauta",
    "tratamiento con ⟦Foster⟧ 100/6",
    "⟦Escherichia coli⟧ BLEE",
    "crecimiento de ⟦Candida⟧ spp",
    "virus de ⟦Epstein-Barr⟧",
    "drenaje de ⟦Penrose⟧",
]
PERSONS = [
    "valorado por el Dr. ⟦Wilson⟧",
    "la paciente ⟦Norton⟧ refiere dolor",
    "D. Luis ⟦Wilson⟧",
    "D. ⟦Luis Wilson⟧ acude",
    "enfermedad de ⟦Carmen⟧",
    "la enfermedad de ⟦Juan Pérez⟧",
    "enfermedad de Juan ⟦Wilson⟧",
    "síndrome de la Sra. ⟦Kernig⟧",
    "Fdo.: ⟦Parkinson⟧",
    "⟦Norton⟧, 45 años",
    "⟦Norton⟧ refiere dolor",
    "⟦Thomas⟧ refiere dolor",
    "⟦Foster⟧ acude a consulta",
    "⟦Yasmin⟧ no come",
    "⟦Cándida⟧ acude sola",
    "Sr. ⟦Crohn⟧",
    "su hijo ⟦Down⟧",
    "Apellidos: ⟦Wilson Foley⟧",
    "operado por ⟦Nissen⟧",
    "⟦Allen⟧ fue dado de alta",
    "⟦J. Wilson⟧ firma",
    "prueba de ⟦Antonio⟧",
    "test de ⟦García⟧",
    "tumor de ⟦García⟧",
    "la escala de la enfermera ⟦Norton⟧",
    "fractura de ⟦María⟧",
    "Dra. ⟦Barthel⟧ 45",
    "⟦Dr. Wilson⟧",
    "Nombre: ⟦Candida⟧",
]


def _protected(marked: str, label: str) -> bool:
    start, end = marked.index("⟦"), marked.index("⟧") - 1
    document = Document("", marked.replace("⟦", "").replace("⟧", ""))
    return protect(document, [Span(start, end, label)]) == ()


@pytest.mark.parametrize("label", ["NOMBRE_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO"])
@pytest.mark.parametrize("marked", MEDICINE)
def test_medicine_is_no_person(marked: str, label: str) -> None:
    assert _protected(marked, label)


@pytest.mark.parametrize(
    "label", ["NOMBRE_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO", "FAMILIARES_SUJETO_ASISTENCIA"]
)
@pytest.mark.parametrize("marked", PERSONS)
def test_a_person_is_never_given_up(marked: str, label: str) -> None:
    assert not _protected(marked, label)


@pytest.mark.parametrize(
    ("marked", "label", "expected"),
    [
        ("fiebre de ⟦Malta⟧", "TERRITORIO", True),
        ("escala de coma de ⟦Glasgow⟧", "TERRITORIO", True),
        ("criterios de ⟦Roma⟧ IV", "TERRITORIO", True),
        ("bálsamo del ⟦Perú⟧", "PAIS", True),
        ("vive en ⟦Roma⟧", "TERRITORIO", False),
        ("natural de ⟦Perú⟧", "PAIS", False),
        ("virus de ⟦Madrid⟧", "TERRITORIO", False),
        ("stent de ⟦Boston Scientific⟧", "INSTITUCION", False),
        ("por línea ⟦paterna⟧", "FAMILIARES_SUJETO_ASISTENCIA", False),
    ],
)
def test_places_and_institutions(marked: str, label: str, expected: bool) -> None:
    assert _protected(marked, label) is expected


@pytest.mark.parametrize("label", sorted(LABELS - PROTECTED))
def test_other_labels_are_not_touched(label: str) -> None:
    assert not _protected("enfermedad de ⟦Wilson⟧", label)


def test_decomposed_accents_do_not_matter() -> None:
    marked = unicodedata.normalize("NFD", "síndrome de ⟦Guillain-Barré⟧")
    assert _protected(marked, NAME)


def test_the_rest_of_the_spans_stays_in_order() -> None:
    document = Document("", "Dr. Wilson: enfermedad de Wilson, 3/5/2010")
    spans = [Span(33, 42, "FECHAS"), Span(26, 32, NAME), Span(4, 10, "NOMBRE_PERSONAL_SANITARIO")]
    assert [document.text_of(span) for span in protect(document, spans)] == ["Wilson", " 3/5/2010"]
    assert protect(document, spans)[0].start == 4


def test_the_beginning_and_the_end_of_a_text_are_no_trouble() -> None:
    assert protect(Document("", "Wilson"), [Span(0, 6, NAME)]) == (Span(0, 6, NAME),)
    assert protect(Document("", ""), []) == ()


@pytest.mark.corpus
def test_hardly_any_true_span_of_the_corpus_is_given_up(meddocan: Path) -> None:
    given_up = total = 0
    for part in ("train", "dev"):
        for document in Brat().read(meddocan / part / "brat"):
            total += len(document.spans)
            given_up += len(document.spans) - len(protect(document, document.spans))
    assert total > 15_000
    assert given_up <= 3

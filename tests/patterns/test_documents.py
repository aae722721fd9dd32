"""Identity documents: with and without cue, with good and bad checksums, and what only looks like them."""

from __future__ import annotations

import pytest

from nadie.detectors.patterns.catalog import catalog, modules
from nadie.detectors.patterns.shape import Shape
from nadie.detectors.patterns.verified import _with_check_digits

from .tables import ALL, found, span_at

ID = "ID_SUJETO_ASISTENCIA"

POSITIVES = [
    ("DNI: ⟦12345678Z⟧", "dni"),
    ("con dni ⟦12345678z⟧ y", "dni"),
    ("D.N.I. ⟦12.345.678-Z⟧", "dni"),
    ("NIF ⟦87654321-X⟧", "dni"),
    ("Identificada: ⟦12345678Z⟧.", "dni"),
    ("DNI nº ⟦12345678⟧", "dni_cued"),
    ("Documento de identidad: ⟦8765432⟧", "dni_cued"),
    ("NIE ⟦X1234567L⟧", "nie"),
    ("su NIE es ⟦Y-7654321-G⟧", "nie"),
    ("Pasaporte ⟦AAB123456⟧", "passport"),
    ("CURP: ⟦BOXW310820HNERXN09⟧", "curp"),
    ("CURP ⟦GARC850101⟧", "curp_cued"),
    ("RFC ⟦GODE561231GR8⟧", "rfc"),
    ("RUT: ⟦12.531.909-2⟧", None),
    ("RUN ⟦12531909-2⟧", None),
    ("RUT ⟦7.654.321⟧", "rut_cued"),
    ("CUIL ⟦20-05536168-2⟧", "cuit"),
    ("C.C. ⟦1.032.456.789⟧", "cedula_short"),
    ("cédula de ciudadanía No. ⟦52345678⟧", "cedula"),
    ("Cédula: ⟦1713175071⟧", None),
    ("cédula ⟦001-1391820-5⟧", None),
    ("C.I. ⟦4.123.456-7⟧", None),
    ("titular ⟦V-12.345.678⟧", "venezuela"),
    ("CPF ⟦390.533.447-05⟧", "cpf"),
    ("DPI ⟦1234 56789 0101⟧", None),
    ("D.N.I ⟦30.123.456⟧", "dni_argentina"),
]


@pytest.mark.parametrize(("marked", "name"), POSITIVES)
def test_documents_are_found_whole(marked: str, name: str | None) -> None:
    span = span_at(marked)
    assert span is not None
    assert span.label == ID
    assert name is None or span.source == f"patterns:{name}"


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("⟦12345678Z⟧", "⟦12345678A⟧"),
        ("⟦X1234567L⟧", "⟦X1234567A⟧"),
        ("⟦12.531.909-2⟧", "⟦12.531.909-3⟧"),
        ("⟦20-05536168-2⟧", "⟦20-05536168-3⟧"),
        ("⟦390.533.447-05⟧", "⟦390.533.447-06⟧"),
        ("⟦001-1391820-5⟧", "⟦001-1391820-6⟧"),
        ("⟦B58378431⟧", "⟦B58378439⟧"),
    ],
)
def test_a_good_checksum_makes_surer_than_a_bad_one(good: str, bad: str) -> None:
    sure, doubtful = span_at(good, ALL), span_at(bad, ALL)
    assert sure is not None
    assert doubtful is None or doubtful.score < sure.score


@pytest.mark.parametrize("marked", ["DNI ⟦12345678A⟧", "NIE ⟦X1234567A⟧", "RUT ⟦12.531.909-3⟧", "CUIT ⟦20-05536168-3⟧"])
def test_a_bad_checksum_after_its_cue_counts_still(marked: str) -> None:
    span = span_at(marked)
    assert span is not None
    assert span.score >= 0.9


def test_a_company_number_is_another_kind_of_number() -> None:
    assert found("CIF B58378431") == [("B58378431", "OTRO_NUMERO_IDENTIF")]


@pytest.mark.parametrize(
    "text",
    [
        "plaquetas 12.345.678 /mm3",
        "leucocitos 12345678 /ml",
        "se administran 500 cc en 2 h",
        "CC 120 cm de perímetro",
        "código I21.9, L40.5 y M54.5",
        "HLA-B27 positivo, CD4 350, CA 19-9 de 37",
        "hematíes 4.500.000, plaquetas 250.000",
        "TNM: T2N1M0; ASA II; NYHA III",
    ],
)
def test_measures_and_codes_of_medicine_are_no_documents(text: str) -> None:
    assert not [pair for pair in found(text) if pair[1] == ID]


def test_no_two_modules_use_the_same_name_for_a_pattern() -> None:
    assert sum(len({pattern.name for pattern in module}) for module in modules()) == len({p.name for p in catalog()})


def test_all_patterns_with_check_digits_are_the_net_below_the_models() -> None:
    checked = [pattern for pattern in catalog() if isinstance(pattern, Shape) and pattern.checksum]
    assert list(_with_check_digits(())) == checked

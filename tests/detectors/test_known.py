"""Known identities: found in any order, case and spelling, and never shown in an error."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nadie.detector import Detector
from nadie.detectors.known import Identity, Known, read_identities
from nadie.document import Document, Span
from nadie.errors import FormatError
from nadie.run.pipeline import Pipeline
from nadie.spanish.name_forms import is_slip, sound

PERSON = Identity.of(
    {
        "nombre": "María José",
        "apellidos": "García López de Haro",
        "dni": "12345678Z",
        "telefono": "+34 612 345 678",
        "direccion": "C/ Mayor, 15, 3º B",
        "fecha_nacimiento": "03/05/1950",
        "localidad": "Getafe",
        "email": "mj.garcia@correo.es",
        "nhc": "0045123",
        "hijo": "Luis Pérez",
    }
)
NAME = "NOMBRE_SUJETO_ASISTENCIA"


def _found(text: str, *identities: Identity) -> list[tuple[str, str]]:
    document = Document("", text)
    spans = Known(identities or [PERSON]).detect([document])[0]
    return [(document.text_of(span), span.label) for span in spans]


@pytest.mark.parametrize(
    "text",
    [
        "maria jose garcia lopez de haro",
        "MARÍA JOSÉ GARCÍA LÓPEZ DE HARO",
        "García López de Haro, María José",
        "García López",
        "Garcia-Lopez",
        "José María García",
        "Mª José García",
        "M. J. García L.",
        "GARCÍA LÓPEZ, M.J.",
        "García",
        "Garzia Lopes",
        "Grcía López",
        "Gacría López",
        "Garcíaa López",
        "Mari\u0301a Jose\u0301 Garci\u0301a",
        "Gar\u00adcía López",
    ],
)
def test_names(text: str) -> None:
    assert _found(f"La paciente {text} acude") == [(text, NAME)]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("12345678Z", "ID_SUJETO_ASISTENCIA"),
        ("12.345.678-z", "ID_SUJETO_ASISTENCIA"),
        ("12 345 678", "ID_SUJETO_ASISTENCIA"),
        ("45123", "ID_SUJETO_ASISTENCIA"),
        ("0045123", "ID_SUJETO_ASISTENCIA"),
        ("612345678", "NUMERO_TELEFONO"),
        ("612-34-56-78", "NUMERO_TELEFONO"),
        ("+34 612 34 56 78", "NUMERO_TELEFONO"),
        ("calle Mayor nº 15 3ºB", "CALLE"),
        ("C/ Mayor 15", "CALLE"),
        ("avenida mayor 15", "CALLE"),
        ("3 de mayo de 1950", "FECHAS"),
        ("3/V/50", "FECHAS"),
        ("1950-05-03", "FECHAS"),
        ("03.05.50", "FECHAS"),
        ("19500503", "FECHAS"),
        ("mayo 3 de 1950", "FECHAS"),
        ("GETAFE", "TERRITORIO"),
        ("MJ.GARCIA@CORREO.ES", "CORREO_ELECTRONICO"),
        ("Luis Pérez", "FAMILIARES_SUJETO_ASISTENCIA"),
    ],
)
def test_other_values(text: str, label: str) -> None:
    assert (text, label) in _found(f"Consta {text} en la nota")


@pytest.mark.parametrize(
    "text",
    [
        "la zona mayor del colon",
        "acude el 3 de mayo de 1951",
        "612345679 y 12345679",
        "1234567890123456",
        "de la y los",
        "M. J. L.",
        "15 mg cada 3 horas",
        "Garrido Lozano",
        "",
    ],
)
def test_what_is_somebody_elses_is_left_alone(text: str) -> None:
    assert _found(text) == []


def test_a_common_surname_alone_is_nobody_in_particular() -> None:
    others = [Identity.of({"nombre": "Ana", "apellidos": "García Ruiz"}), Identity.of({"nombre": "Eva Gil"})]
    assert _found("García refiere dolor", *others) == []
    assert _found("Ana Ruiz García. García refiere dolor", *others) == [("Ana Ruiz García", NAME), ("García", NAME)]


def test_a_number_makes_a_name_certain() -> None:
    others = [Identity.of({"nombre": "Ana", "apellidos": "García", "dni": "12345678Z"}), Identity.of({"nombre": "Eva"})]
    assert ("García", NAME) in _found("DNI 12345678-Z. García refiere dolor", *others)


def test_an_ordinary_word_is_not_the_name_it_also_is() -> None:
    person = Identity.of({"nombre": "Rosa", "apellidos": "Blanco"})
    assert _found("Mancha rosa con halo blanco en la piel. Viene Rosa", person) == [("Rosa", NAME)]


def test_a_row_of_one_document_is_not_looked_for_in_others(tmp_path: Path) -> None:
    path = tmp_path / "known.csv"
    path.write_text("documento;nombre;apellidos\nuno;Ana;Gil Soto\n;Eva;Ríos Mar\n", encoding="utf-8")
    documents = [Document("uno", "Ana Gil y Eva Ríos"), Document("dos", "Ana Gil y Eva Ríos")]
    spans = Known.read(path).detect(documents)
    assert [[d.text_of(s) for s in found] for d, found in zip(documents, spans, strict=True)] == [
        ["Ana Gil", "Eva Ríos"],
        ["Eva Ríos"],
    ]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters_and_header_names(tmp_path: Path, delimiter: str) -> None:
    path = tmp_path / "known.csv"
    rows = [["Nombre", "Primer apellido", "DNI", "Teléfono"], ["Ana", "Gil", "12345678Z", "612345678"]]
    path.write_text("\ufeff" + "\n".join(map(delimiter.join, rows)) + "\n\n", encoding="utf-8")
    (identity,) = read_identities(path)
    assert [value.kind for value in identity.values] == ["name", "name", "number", "phone"]


SECRET = "Secretísima"


@pytest.mark.parametrize(
    "content",
    [
        f"{SECRET};{SECRET}\n",
        f"nombre;dni\n{SECRET}\n",
        f"nombre;dni\n{SECRET};1;2\n",
        f'nombre;dni\n"{SECRET};1\n',
        f"nombre;nombre\n{SECRET};1\n",
        f"nombre\n{SECRET * 100}\n",
        "",
    ],
)
def test_no_error_shows_a_value(tmp_path: Path, content: str) -> None:
    path = tmp_path / "known.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(FormatError) as error:
        Known.read(path)
    assert SECRET.lower() not in str(error.value).lower()
    assert "secret" not in str(error.value).lower()
    assert "known.csv" in str(error.value)


def test_a_file_in_another_encoding_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "known.csv"
    path.write_bytes(f"nombre\n{SECRET}\n".encode("latin-1"))
    with pytest.raises(FormatError, match="UTF-8") as error:
        Known.read(path)
    assert error.value.__cause__ is None


def test_a_file_too_large_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "known.csv"
    path.write_bytes(b"nombre\n" + b"a\n" * (9 << 20))
    with pytest.raises(FormatError, match="larger than"):
        Known.read(path)


def test_nothing_is_shown_when_printed() -> None:
    assert "García" not in repr(PERSON)
    assert "12345678" not in repr(PERSON)


def test_it_is_a_detector_and_registered() -> None:
    from nadie.detector import DETECTORS

    registered: object = DETECTORS.get("known")
    assert registered is Known
    assert isinstance(Known([PERSON]), Detector)


def test_sources_and_scores() -> None:
    document = Document("", "García López, 12345678Z. García")
    spans = Known([PERSON]).detect([document])[0]
    assert [(span.source, span.score) for span in spans] == [
        ("known:name", 0.99),
        ("known:number", 0.99),
        ("known:name", 0.8),
    ]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("gimenez", "jimenez", True), ("valdes", "baldes", True), ("quiros", "kiros", True), ("herrero", "errero", True),
     ("llanos", "yanos", True), ("gil", "gel", False), ("soto", "toso", False)],
)  # fmt: skip
def test_sounds(one: str, other: str, same: bool) -> None:
    assert (sound(one) == sound(other)) is same


@pytest.mark.parametrize(
    ("one", "other", "slip"),
    [("garcia", "garcia", True), ("garcia", "gracia", True), ("garcia", "garca", True), ("garcia", "garxia", True),
     ("garcia", "grca", False), ("ana", "ena", False), ("martin", "martinez", False)],
)  # fmt: skip
def test_slips(one: str, other: str, slip: bool) -> None:
    assert is_slip(one, other) is slip
    assert is_slip(other, one) is slip


@settings(max_examples=200)
@given(st.text(max_size=300))
def test_any_text_gives_spans_that_stand_in_it(text: str) -> None:
    document = Document("", text)
    document.with_spans(Known([PERSON]).detect([document])[0])


@settings(max_examples=100)
@given(
    st.dictionaries(st.sampled_from(["nombre", "dni", "telefono", "direccion", "fecha_nacimiento", "email"]), st.text())
)
def test_any_values_can_be_looked_for(fields: dict[str, str]) -> None:
    text = " ".join(fields.values())
    Known([Identity.of(fields)]).detect([Document("", text)])


BLANCO = Identity.of({"nombre": "Dolores", "apellidos": "Blanco Gil"})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Imagen DOLORESBLANCO.dcm adjunta", "DOLORESBLANCO"),
        ("Imagen BLANCOGIL_TC.dcm adjunta", "BLANCOGIL"),
        ("usuario: dblanco.", "dblanco"),
        ("Correo dblanco@hospital.es", "dblanco"),
        ("Paciente D.B.G. de 40 años", "D.B.G."),
        ("Paciente D. B. G. de 40 años", "D. B. G."),
        ("Iniciales: DBG", "DBG"),
        ("La Sra. Blanco refiere dolores", "Blanco"),
        ("Hoy la sra. blanco refiere dolores", "blanco"),
        ("Acude la Sra. Gil por tos", "Gil"),
        ("Firma Gil, hija", "Gil"),
    ],
)
def test_short_and_joined_forms(text: str, value: str) -> None:
    assert _found(text, BLANCO) == [(value, NAME)]


@pytest.mark.parametrize(
    "text",
    [
        "Papel blanco con dolores",
        "Anatomía patológica (A.P.) y D.B. normales",
        "TC gil",
        "EL GIL",
        "Escala D.N.I.",
        "blancogi",
    ],
)
def test_what_only_looks_like_a_form_is_left_alone(text: str) -> None:
    assert _found(text, BLANCO) == []


def test_a_rare_surname_in_lower_case() -> None:
    assert _found("Habla con umpierrez de la dieta", Identity.of({"apellidos": "Umpiérrez"})) == [("umpierrez", NAME)]
    assert _found("Hace un lavado de manos", Identity.of({"apellidos": "Lavado"})) == []


def test_a_comma_is_never_a_span() -> None:
    pipeline = Pipeline(_Parts(), known=Known([BLANCO]))
    document = pipeline.annotate("Blanco Gil, Dolores")
    assert all(any(map(str.isalnum, document.text_of(span))) for span in document.spans)


class _Parts:
    """Finds three spans that leave a comma between them."""

    name = "parts"

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return [(Span(0, 10, NAME, 1.0), Span(0, 19, NAME, 0.5), Span(12, 19, NAME, 1.0)) for _ in documents]


@pytest.mark.parametrize(
    "missed", ["DBC", "D.B.C.", "doña Lola", "Sr/a. Blanco", "la Blanco", "blanco cruz", "dblanco", "Lola Blanco"]
)
def test_short_forms_of_one_person(missed: str) -> None:
    text = f"Consta {missed} en la nota; pelo blanco. Dolores intensos."
    (spans,) = Known([Identity.of({"nombre": "Dolores", "apellidos": "Blanco Cruz"})]).detect([Document("", text)])
    covered = [text[span.start : span.end] for span in spans if span.start < text.index("en la nota")]
    assert len(covered) == 1
    assert covered[0] in missed
    assert not any(span.start <= text.index("pelo") < span.end for span in spans)

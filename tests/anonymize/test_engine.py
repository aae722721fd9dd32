"""The engine: text between spans is unchanged, the values of spans are gone, and the output is deterministic."""

from __future__ import annotations

import random
import unicodedata
from concurrent.futures import ProcessPoolExecutor
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nadie.anonymize.engine import Engine
from nadie.anonymize.operators.base import Traits
from nadie.anonymize.operators.label import LabelOperator
from nadie.anonymize.policy import Policy, parse_policy, read_policy
from nadie.anonymize.secret import Key
from nadie.document import Document, Span
from nadie.errors import ConfigError, LeakError, SpanError
from nadie.labels import Label
from nadie.records.vault.entry import Entry
from nadie.resolve.values import CLOSED, identifying_values, values_of
from nadie.spanish.squashing import Squashed, squash
from nadie.surrogates.decision import KEEP, REFUSE, Outcome

from .marked import KEY, OTHER_KEY, anonymized, marked

NOTE = marked(
    "Nombre: {Ana|P}. Apellidos: {Pérez Soto|P}. NHC: {7654735|ID}. Domicilio: {C/ Hilera, 13 2B|C}.\r\n"
    "Localidad: {Lugo|T}. CP: {27002|T}. Fecha de nacimiento: {19/05/1973|D}. Edad: {45 años|E} Sexo: {M|X}.\r\n"
    "Ingreso: {15/06/2018|D}. Médico: {Luis Gil Vela|S} NºCol: {27 27 47125|ID_TITULACION_PERSONAL_SANITARIO}.\r\n"
    "{Mujer|X} de {45 años|E}. La Sra. {Pérez|P} vive con su {madre|FAM} desde {mayo de 2010|D}.\r\n"
    "Tel. {982 22 11 00|TEL}.\r\n"
    "Remitido por: Dr. {Gil|S}, {Hospital de Lugo|H}, {España|PAIS}. {lgil@sergas.es|MAIL}\r\n"
)
POLICIES = ["default", "gdpr-pseudonymise", "hipaa-safe-harbor", "research"]


@pytest.mark.parametrize("policy", POLICIES)
def test_policies_on_a_note(policy: str) -> None:
    done = anonymized(Engine(read_policy(policy), KEY), NOTE)
    text = Squashed(done.text)
    kept = {squash(NOTE.text_of(r.span)) for r in done.replaced if r.kept}
    for value in set(identifying_values(NOTE).values()) - kept:
        assert not text.find(value)
    assert done.text.count("\r\n") == NOTE.text.count("\r\n")
    assert done.text.startswith("Nombre: ")
    assert "Localidad: " in done.text
    for item in done.replaced:
        assert item.kept == (done.text[item.start : item.end] == NOTE.text_of(item.span))


def test_what_is_between_the_spans_is_untouched() -> None:
    done = anonymized(Engine(read_policy("research"), KEY), NOTE)
    old = new = 0
    for item in done.replaced:
        assert NOTE.text[old : item.span.start] == done.text[new : item.start]
        old, new = item.span.end, item.end
    assert NOTE.text[old:] == done.text[new:]


def test_the_same_key_gives_the_same_and_another_key_another() -> None:
    policy = read_policy("research")
    assert anonymized(Engine(policy, KEY), NOTE).text == anonymized(Engine(policy, KEY), NOTE).text
    assert anonymized(Engine(policy, KEY), NOTE).text != anonymized(Engine(policy, OTHER_KEY), NOTE).text
    assert anonymized(Engine(policy, Key.random()), NOTE).text != anonymized(Engine(policy, Key.random()), NOTE).text


def notes(count: int) -> list[Document]:
    rng = random.Random(7)
    made = []
    for number in range(count):
        given, first, second = (
            rng.choice(["Ana", "Luis", "Eva"]),
            rng.choice(["Gil", "Soto"]),
            rng.choice(["Vela", "Ruiz"]),
        )
        town = rng.choice(["Lugo", "Getafe", "Cuenca", "Vigo"])
        text = (
            f"{{{given} {first} {second}|P}}, NHC {{{rng.randint(10**6, 10**7)}|ID}}, vive en {{{town}|T}}. "
            f"Visto el {{{rng.randint(1, 28):02d}/03/2019|D}} y el {{{rng.randint(1, 28):02d}/04/2019|D}}. "
            f"Sr. {{{first}|P}}."
        )
        made.append(marked(text, f"p{number % 5}/{number}"))
    return made


def _half(documents: list[Document]) -> dict[str, str]:
    engine = Engine(read_policy("research"), KEY, patient=lambda d: d.id[:2])
    return {document.id: anonymized(engine, document).text for document in documents}


def test_any_order_and_any_number_of_processes() -> None:
    documents = notes(30)
    alone = _half(documents)
    with ProcessPoolExecutor(2) as pool:
        first, second = pool.map(_half, [documents[0::2][::-1], documents[1::2]])
    assert {**first, **second} == alone


def test_patients_keep_their_names_and_intervals_over_their_notes() -> None:
    first = marked("{Ana Pérez Soto|P}, {12/03/2019|D}", "a")
    second = marked("La Sra. {Pérez|P} vuelve el {15/03/2019|D}", "b")
    engine = Engine(read_policy("research"), KEY, patient=lambda d: "Ana")
    one, two = anonymized(engine, first), anonymized(engine, second)
    surname = one.text.split()[1].strip(",")
    assert f"La Sra. {surname} vuelve" in two.text
    assert abs(int(two.text[-10:-8]) - int(one.text[-10:-8])) in (3, 25, 27, 28)
    apart = Engine(read_policy("research"), KEY, patient=lambda d: d.id)
    assert anonymized(apart, first).text.split()[1] != f"{anonymized(apart, second).text.split()[2]},"


def test_metadata_tells_the_patient() -> None:
    first, second = marked("{12/03/2019|D}", "a", patient="x"), marked("{12/03/2019|D}", "b", patient="x")
    engine = Engine(read_policy("research"), KEY)
    assert anonymized(engine, first).text == anonymized(engine, second).text
    assert anonymized(engine, marked("{12/03/2019|D}", "b")).text != anonymized(engine, first).text


def test_no_surrogate_is_an_original_of_the_document() -> None:
    engine = Engine(read_policy("research"), KEY)
    for document in notes(60):
        originals = values_of(identifying_values(document))
        done = anonymized(engine, document)
        for item in done.replaced:
            if item.operator == "surrogate" and not item.kept and item.span.label not in CLOSED:
                assert squash(done.text[item.start : item.end]) not in originals


def test_overlaps_are_refused() -> None:
    with pytest.raises(SpanError):
        anonymized(
            Engine(read_policy("default"), KEY), Document("x", "Ana Gil", (Span(0, 3, "CALLE"), Span(2, 5, "CALLE")))
        )


def test_keyed_operators_need_a_key() -> None:
    with pytest.raises(ConfigError, match="needs a key"):
        Engine(read_policy("gdpr-pseudonymise"), Key.random())


class Echo:
    """Operators that a careless third party could write."""

    def __init__(self, answer: Outcome) -> None:
        self.name = "echo"
        self.traits = Traits.NONE
        self._answer = answer

    def replace(self, value: str, span: Span, context: object) -> Outcome:
        return value if self._answer == "value" else value.upper() if self._answer == "upper" else self._answer


@pytest.mark.parametrize("answer", ["value", "upper", REFUSE])
def test_a_value_that_an_operator_lets_through_becomes_its_label(answer: Outcome) -> None:
    note = marked("Paciente {Ana Pérez|P}.")
    done = anonymized(Engine(Policy.of_one(Echo(answer)), Key.random()), note)
    assert done.text == "Paciente [NOMBRE_SUJETO_ASISTENCIA]."
    assert done.replaced[0].refused


def test_what_is_kept_on_purpose_stays() -> None:
    done = anonymized(Engine(Policy.of_one(Echo(KEEP)), Key.random()), marked("Paciente {Ana Pérez|P}, Ana Pérez."))
    assert "Ana Pérez" in done.text
    assert done.replaced[0].kept


def test_an_invented_value_that_gives_another_away_becomes_its_label() -> None:
    note = marked("{Ana Pérez|P} y {Luis Gil|S}")
    done = anonymized(Engine(Policy.of_one(Echo("Luis Gil")), Key.random()), note)
    assert "Luis" not in done.text


def test_repetitions_that_the_detector_missed_are_replaced() -> None:
    note = marked(
        "{Rebeca Ochoa|P}, NHC {7654735|ID}. REBECA OCHOA vuelve. Sra. Ochoa; nhc 76 54 735. ochoa, rebecaochoa@x"
    )
    done = anonymized(Engine(Policy.of_one(LabelOperator()), Key.random()), note)
    name, number = "[NOMBRE_SUJETO_ASISTENCIA]", "[ID_SUJETO_ASISTENCIA]"
    assert done.text == f"{name}, NHC {number}. {name} vuelve. Sra. {name}; nhc {number}. {name}, {name}@x"
    sources = [r.span.source for r in done.replaced]
    assert (sources.count("complete:names"), sources.count("complete:values")) == (3, 2)


def test_a_value_that_no_span_covers_is_an_error() -> None:
    note = marked("{Rebeca Ochoa|P} ingresa. REBECA OCHOA vuelve.")
    with pytest.raises(LeakError):
        Engine(read_policy("default"), KEY).run(note)


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("{Dolores|P} con dolores abdominales", "dolores abdominales"),
        ("Dra. {Pais|S}. País: {España|PAIS}", "País: "),
        ("{Blanco|P}: líquido blanco", "líquido blanco"),
        ("Sexo {M|X}: M1 positivo", "M1 positivo"),
        ("{45 años|E}: hace 45 años", "hace 45 años"),
        ("en {2010|D}: leucocitos 2010", "leucocitos 2010"),
    ],
)
def test_ordinary_words_are_no_leaks(text: str, stays: str) -> None:
    assert stays in anonymized(Engine(Policy.of_one(LabelOperator()), Key.random()), marked(text)).text


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_accents_in_two_code_points(form: Literal["NFC", "NFD"]) -> None:
    text = unicodedata.normalize(form, "Nombre: José Pérez Núñez. Vive con JOSÉ PÉREZ NÚÑEZ hijo.")
    end = text.index(".")
    note = Document("x", text, (Span(8, end, "NOMBRE_SUJETO_ASISTENCIA"),))
    output = anonymized(Engine(read_policy("research"), KEY), note).text
    assert "perez" not in squash(output)


@st.composite
def anything(draw: st.DrawFn) -> Document:
    text = draw(st.text(max_size=120))
    cuts = sorted(set(draw(st.lists(st.integers(0, len(text)), max_size=8))))
    spans = [Span(a, b, draw(st.sampled_from(list(Label)))) for a, b in zip(cuts[::2], cuts[1::2], strict=False)]
    return Document(draw(st.text(max_size=5)), text, tuple(spans))


@settings(max_examples=150)
@given(anything(), st.sampled_from(POLICIES))
def test_any_document_is_handled_or_refused_and_can_be_restored(document: Document, policy: str) -> None:
    try:
        done = anonymized(Engine(read_policy(policy), KEY), document)
    except LeakError:
        return
    assert Entry.of(done).restore(done.text) == document.text
    assert anonymized(Engine(read_policy(policy), KEY), document).text == done.text


def test_a_name_said_again_outside_the_spans_is_replaced() -> None:
    note = marked("Paciente: {Lucía Prado Ferrer|P}. Firmado: LPF. La Sra. Prado refiere dolor; vino L. Prado F.")
    text = anonymized(Engine(read_policy("default"), KEY), note).text
    assert not {"LPF", "Prado", "L."} & set(text.replace(". ", " . ").split())


def test_the_rest_of_a_date_is_shifted_with_it_unless_dates_are_kept() -> None:
    note = marked("Ingresado del 2 al {9 de mayo de 2019|D}.")
    assert "del 2 al" not in anonymized(Engine(read_policy("default"), KEY), note).text
    kept = parse_policy('name = "x"\ndefault = "label"\n[labels]\nFECHAS = "keep"\n', "x.toml")
    assert anonymized(Engine(kept, KEY), note).text == note.text


def test_a_value_that_is_no_name_by_its_length_becomes_its_label() -> None:
    long = "Ana Soto " * 112
    for value, is_parsed in ((long[:1000].rstrip("S "), True), (long[:1003], False)):
        note = marked(f"{{{value}|P}}")
        done = anonymized(Engine(read_policy("research"), KEY), note)
        assert (done.text == "[NOMBRE_SUJETO_ASISTENCIA]") is not is_parsed

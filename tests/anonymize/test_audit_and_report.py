"""The audit and the report: counts and hashes, and no document text."""

from __future__ import annotations

import hashlib
import json
from html.parser import HTMLParser

import pytest

from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import Policy, parse_policy, read_policy
from nadie.document import Document, Span
from nadie.errors import Failure, FormatError
from nadie.records.records import audit_of, operator_names
from nadie.records.report import Report

from .marked import KEY, OTHER_KEY, anonymized, marked

MODEL = {"name": "recrf", "version": "1", "sha256": "ab" * 32}
NOTE = marked(
    "{Rebeca Vela Ochoa|P}, {mujer|X}, {31/02/2019|D}, {12/03/2019|D}. Vuelve REBECA VELA OCHOA.", "carpeta/nota"
)


def line(document: Document, policy: Policy) -> dict[str, object]:
    return audit_of(anonymized(Engine(policy, KEY), document), operator_names(policy), KEY)


def test_a_line() -> None:
    policy = read_policy("research")
    told = line(NOTE, policy)
    assert told["document"] == "carpeta/nota"
    assert told["labels"] == {"FECHAS": 2, "NOMBRE_SUJETO_ASISTENCIA": 2, "SEXO_SUJETO_ASISTENCIA": 1}
    assert told["other_operators"] == {"FECHAS": {"label": 1}}
    assert told["kept"] == {"SEXO_SUJETO_ASISTENCIA": 1}
    assert told["refused"] == {"FECHAS": 1}
    assert told["found_again"] == {"NOMBRE_SUJETO_ASISTENCIA": 1}
    assert told["input_fingerprint"] == KEY.fingerprint(NOTE.text)
    assert told["output_fingerprint"] == KEY.fingerprint(anonymized(Engine(policy, KEY), NOTE).text)
    assert json.loads(json.dumps(told)) == told


@pytest.mark.parametrize(
    ("note", "direction", "is_told"),
    [
        ("Ingresa el {12/03/2020|D}, al comenzar el confinamiento.", "past", True),
        ("Ingresa el {12/03/2020|D}, al comenzar el confinamiento.", "future", False),
        ("Ingresa el {12/03/2019|D} según GOLD 2024.", "past", False),  # the note itself contradicts it
        ("Ingresa el {12/03/2020|D} por tos.", "past", False),
    ],
)
def test_events_that_bound_the_shift_are_told(note: str, direction: str, is_told: bool) -> None:
    policy = parse_policy(f'[labels]\nFECHAS = "shift"\n[dates]\ndirection = "{direction}"\nleast_days = 400', "test")
    told = line(marked(note), policy)
    assert ("later_event" in told) is is_told
    report = Report(policy, MODEL)
    report.add(told)
    assert ("name an event later" in report.html()) is is_told


def test_the_audit_is_no_oracle() -> None:
    """A DNI of which all but four figures are known cannot be found by trying: no plain hash fits any attempt."""
    text = "DNI: {12345678Z|ID}."
    note, policy = marked(text), read_policy("default")
    told = line(note, policy)
    values = {value for value in told.values() if isinstance(value, str)}
    letters = "TRWAGMYFPDXBNJZSQVHLCKE"
    for number in range(12340000, 12350000):
        attempt = f"DNI: {number}{letters[number % 23]}.".encode()
        assert not {hashlib.sha256(attempt).hexdigest(), hashlib.sha1(attempt).hexdigest()} & values
    other = audit_of(anonymized(Engine(policy, KEY), note), operator_names(policy), OTHER_KEY)
    assert other["input_fingerprint"] != told["input_fingerprint"]


def test_no_word_of_a_document() -> None:
    for name in ("default", "research", "gdpr-pseudonymise", "hipaa-safe-harbor"):
        policy = read_policy(name)
        report = Report(policy)
        told = line(NOTE, policy)
        report.add(told)
        for content in (json.dumps(told, ensure_ascii=False), report.html()):
            for word in ("Rebeca", "REBECA", "Vela", "12/03/2019", "31/02", "Vuelve"):
                assert word not in content


def test_doubtful_spans_come_first_and_are_not_quoted() -> None:
    spans = [
        Span(n * 4, n * 4 + 3, "NOMBRE_SUJETO_ASISTENCIA", score) for n, score in enumerate((0.9, 0.3, 0.79, 0.81))
    ]
    told = line(Document("x", "Ana Eva Luz Sol", tuple(spans)), read_policy("default"))
    assert told["doubtful"] == [
        ["NOMBRE_SUJETO_ASISTENCIA", 4, 7, 0.3],
        ["NOMBRE_SUJETO_ASISTENCIA", 8, 11, 0.79],
    ]
    assert told["scores"] == [0, 0, 0, 1, 0, 0, 0, 1, 1, 1]


class Balanced(HTMLParser):
    """Fails on tags that are not closed, and collects what could load something and what one language shows."""

    def __init__(self, page: str, language: str = "es") -> None:
        super().__init__()
        self.open: list[tuple[str, str | None]] = []
        self.text = ""
        self.outside: list[str] = []
        self._hidden = {"es": "en", "en": "es"}[language]
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        loading = ("src", "href", "srcset", "style", "onclick")
        self.outside += [str(value) for name, value in attrs if name in loading and not str(value).startswith("#")]
        if tag != "meta":
            self.open.append((tag, None if tag == "html" else dict(attrs).get("lang")))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None: ...

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        if not any(tag in ("head", "script") or language == self._hidden for tag, language in self.open):
            self.text += data


def page_of_a_run() -> str:
    policy = read_policy("research")
    report = Report(policy, MODEL)
    report.add(line(NOTE, policy))
    report.add(line(Document("vacía <b>", "nada"), policy))
    doubt = Document("duda", "Ana", (Span(0, 3, "NOMBRE_SUJETO_ASISTENCIA", 0.25),))
    report.add(line(doubt, policy))
    failures = [Failure.of(FormatError("no se pudo", where=each)) for each in ("a <b>", "b", "c")]
    return report.html(failures=failures, failed=1203, run={"started": "2026", "key": {"name": "k"}})


SPANISH = (
    *(
        "Informe de anonimización",
        "Fecha",
        "0,25",
        "0,7–0,8",
        "81 o más",
        "documentos sin datos detectados",
        "Y 1200 más",
    ),
    *("Política", "Valores inventados", "sustituido", "Confianza de la detección", "caracteres leídos", "Veces"),
)
ENGLISH = (
    *("Anonymization report", "Date", "0.25", "0.7–0.8", "81 or more", "documents without spans", "And 1200 more"),
    *("Policy", "Realistic invented values", "replaced", "Confidence of the detection", "characters read", "Times"),
)


@pytest.mark.parametrize(("language", "told", "untold"), [("es", SPANISH, ENGLISH), ("en", ENGLISH, SPANISH)])
def test_the_page_is_whole_in_each_language_and_loads_nothing(
    language: str, told: tuple[str, ...], untold: tuple[str, ...]
) -> None:
    page = Balanced(page_of_a_run(), language)
    assert page.outside == []
    for words in (*told, "vacía <b>", "duda", "FECHAS", "recrf 1", "a <b>"):
        assert words in page.text
    assert not [words for words in untold if words in page.text]


def test_nothing_but_the_own_style_and_script_may_run() -> None:
    page = page_of_a_run()
    assert "default-src 'none'; style-src 'sha256-" in page
    assert "unsafe" not in page


def test_a_name_that_is_no_unicode_can_be_written() -> None:
    policy = read_policy("default")
    report = Report(policy)
    report.add(line(Document("nota\udcf1", "nada"), policy))
    assert "nota�" in Balanced(report.html()).text
    report.html().encode()


def test_an_empty_run_has_a_page() -> None:
    for language, told in (("es", "No hubo errores."), ("en", "There were no failures.")):
        assert told in Balanced(Report(read_policy("default")).html(), language).text


def test_the_report_does_not_grow_without_end() -> None:
    policy = read_policy("default")
    report = Report(policy)
    for number in range(450):
        score = number / 1000
        report.add(line(Document(f"d{number}", "Ana", (Span(0, 3, "NOMBRE_SUJETO_ASISTENCIA", score),)), policy))
        report.add(line(Document(f"n{number}", "nada"), policy))
    page = report.html()
    assert page.count("<tr>") < 500
    assert "d0<" in page
    assert "d449<" not in page
    assert "Y 250 más" in page

"""The risk that remains in a release: its figures, its page, and its command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import run_command
from nadie.document import Document, Span
from nadie.errors import FormatError
from nadie.labels import Label
from nadie.risk.audit import Audit, read_audit
from nadie.risk.misses import Certainty, Misses, only_in_recall_mode
from nadie.risk.parrot import mentions
from nadie.risk.release import Release
from nadie.risk.uniqueness import Person, in_population, uniqueness

STAFF = "NOMBRE_PERSONAL_SANITARIO"


def test_k_and_both_risks() -> None:
    shared, alone = Person("f", 40, 5, "28"), Person("m", 87, 1, "42")
    found = uniqueness([*[shared] * 9, alone])
    assert found is not None
    assert (found.patients, found.smallest) == (10, 1)
    assert (found.share_small, found.share_unique) == (0.1, 0.1)
    assert found.prosecutor_mean == pytest.approx(0.2)
    assert found.prosecutor_most == 1
    assert found.journalist_most == pytest.approx(1 / in_population(alone))
    assert uniqueness([]) is None


def test_fewer_people_share_more_values() -> None:
    narrower = [Person(), Person("f"), Person("f", 40, 10), Person("f", 40), Person("f", 40, 1, "42")]
    people = [in_population(person) for person in narrower]
    assert people == sorted(people, reverse=True)
    assert people[0] == pytest.approx(47.5e6, rel=0.01)


def test_an_unseen_name_is_more_suspicious_than_any_found_one() -> None:
    text = "La Dra. Roca llama a Tripodi. Enfermedad de Wilson."
    found = [Span(8, 12, STAFF, 0.9)]
    seen = mentions(text, found, [*found, Span(21, 28, STAFF, 0.3)])
    assert [text[m.start : m.end] for m in seen] == ["Roca", "Tripodi"]
    assert [m.is_unseen for m in seen] == [False, True]


def test_expected_misses_grow_with_what_only_recall_mode_finds() -> None:
    few, many = Misses(second=True), Misses(second=True)
    spans = [Span(n, n + 3, STAFF, 0.3) for n in range(0, 300, 10)]
    few.add(spans[:20], spans, Certainty(2, 20))
    many.add([], spans, Certainty(2, 20))
    low, high = few.estimates()[Label(STAFF)], many.estimates()[Label(STAFF)]
    assert 0 < low.expected < high.expected
    assert all(each.low <= each.expected <= each.high for each in (low, high))
    patient = many.estimates()[Label.NOMBRE_SUJETO_ASISTENCIA]
    assert 0 < patient.expected < high.expected / 10
    assert many.of_class("NAME").expected == pytest.approx(high.expected + patient.expected)
    assert many.total().expected > many.of_class("NAME").expected
    assert len(only_in_recall_mode(spans[:20], spans)) == 10


def test_expected_misses_grow_with_the_uncertainty_about_the_original() -> None:
    sure, unsure = Misses(second=False), Misses(second=False)
    sure.add([], [], Certainty(1, 20))
    unsure.add([], [], Certainty(12, 20))
    assert 2 * sure.total().expected < unsure.total().expected


def test_the_audit_tells_how_certain_the_detector_was() -> None:
    audit = Audit()
    assert audit.certainty("a") == Certainty()
    audit.add({"document": "a", "scores": [0, 0, 0, 0, 0, 1, 0, 0, 1, 8]})
    audit.add({"document": "b"})
    assert audit.certainty("a") == Certainty(2, 10)
    assert audit.certainty("b") == Certainty(0, 0)
    assert audit.certainty("c") == Certainty(1, 5)


def test_what_stays_follows_from_the_operators() -> None:
    audit = Audit()
    audit.add({"run": {"operators": {"FECHAS": "shift", "PAIS": "keep", "CALLE": "surrogate"}}})
    audit.add(
        {"document": "a", "labels": {"FECHAS": 2, "PAIS": 1, "CALLE": 2}, "other_operators": {"CALLE": {"label": 2}}}
    )
    audit.add({"end": {"handled": 1, "failed": 0, "without_patient": 1}})
    assert [audit.operator(label) for label in (Label.FECHAS, Label.CALLE)] == ["shift", "label"]
    assert audit.without_patient == 1
    assert audit.stays(Label.PAIS)
    assert not audit.stays(Label.FECHAS)


def test_a_file_that_is_no_audit_is_refused(tmp_path: Path) -> None:
    for text in ("", "no", '{"document": "a"}\n', "[1]\n"):
        (tmp_path / "a.jsonl").write_text(text, encoding="utf-8")
        with pytest.raises(FormatError, match="audit"):
            read_audit(tmp_path / "a.jsonl")


def test_the_command_gives_figures_and_a_page_without_any_text(tmp_path: Path) -> None:
    names = ["Ana Pérez Soto", "Luis Cabezas Gil", "Eva Llorente Puig"]
    for number, name in enumerate(names):
        text = f"Paciente: {name}, mujer de 7{number} años. NHC 44719{number}.\nVisita el 12/03/2019. Bigliani III.\n"
        (tmp_path / "in" / f"p{number}").mkdir(parents=True)
        (tmp_path / "in" / f"p{number}" / "n.txt").write_text(text, encoding="utf-8")
    key = {"NADIE_KEY": "frase de paso larga para la prueba 5 del riesgo"}
    out, audit, page = tmp_path / "out", tmp_path / "run.jsonl", tmp_path / "risk.html"
    options = ("--policy", "hipaa-safe-harbor", "--out", out, "--audit", audit)
    assert run_command("anonymize", tmp_path / "in", *options, environment=key).returncode == 0
    done = run_command("risk", out, "--audit", audit, "--report", page)
    assert done.returncode == 0, done.stderr
    printed = done.stdout.decode()
    assert "patients 3, documents 3" in printed
    assert f"missed {STAFF}:" in printed
    assert "k at least 1" in printed
    html = page.read_text(encoding="utf-8")
    assert "The risk that remains" in html
    assert "El riesgo que queda" in html
    assert not [word for word in (*names, "Bigliani") if word in html + printed]
    assert len([json.loads(line) for line in audit.read_text(encoding="utf-8").splitlines()]) >= 4


@pytest.mark.parametrize(
    ("age", "counts"),
    [
        ("90 años", 1), ("93a", 1), ("102", 1), ("90 años o más", 0), ("89 años", 0), ("95 días", 0), ("97 sem", 0),
        ("80-89 años", 0),
    ],
)  # fmt: skip
def test_ages_over_89_that_are_readable(age: str, counts: int) -> None:
    release = Release(Audit())
    release.add(Document("n", age, (Span(0, len(age), "EDAD_SUJETO_ASISTENCIA"),)), (), "p")
    assert release.over_89 == counts


def test_the_age_of_a_relative_over_89_counts() -> None:
    release = Release(Audit())
    text = "abuela de 93 años"
    release.add(Document("n", text, (Span(0, len(text), "FAMILIARES_SUJETO_ASISTENCIA"),)), (), "p")
    assert release.over_89 == 1


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("2019", 0),
        ("marzo de 2019", 1),
        ("segundo trimestre de 2019", 1),
        ("semana 12 de 2019", 1),
        ("12/03/2019", 1),
        ("lunes", 0),
    ],
)
def test_dates_that_tell_more_than_the_year(text: str, counts: int) -> None:
    release = Release(Audit())
    release.add(Document("n", text, (Span(0, len(text), "FECHAS"),)), (), "p")
    assert release.fine_dates == counts

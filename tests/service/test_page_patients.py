"""Patients on the review page: identified, shown, and used by the preview and by every export."""

from __future__ import annotations

import io
import json
import re
import zipfile
from datetime import date
from pathlib import Path

import docx
import pytest

from nadie.document import Document, Span
from nadie.errors import ConfigError
from nadie.service.project.patients import checked_rule, for_engine, patient_of
from nadie.service.schemas import PatientSource

from .browsing import Tab

ADMISSION = "Paciente: Lucía Prado Ferrer. Ingresa el 03/01/2024. NHC 7712904.\n"
DISCHARGE = "Paciente: Lucía Prado Ferrer. Alta el 17/01/2024.\n"


def set_rule(tab: Tab, rule: str, value: str = "") -> None:
    tab.page.click("#patient")
    tab.page.check(f"dialog input[value={rule}]")
    if value:
        tab.page.fill("dialog .choice > input:visible", value)
    tab.page.click("dialog button[type=submit]")
    tab.page.wait_for_selector("dialog", state="detached")


def exported(tab: Tab, to: Path) -> list[str]:
    tab.page.click("#export")
    archive = zipfile.ZipFile(io.BytesIO(tab.download("dialog button[type=submit]", to).read_bytes()))
    return [archive.read(name).decode() for name in sorted(archive.namelist())]


def shown(tab: Tab) -> list[str]:
    return [text for text in tab.page.locator("button.entry .entry-patient").all_text_contents() if text]


def parts(text: str) -> tuple[str, date]:
    """The patient's name and the date in an anonymized note."""
    found = re.search(r"Paciente: (.+?)\. \w+ el (\d\d)/(\d\d)/(\d{4})", text)
    assert found, text
    return found[1], date(int(found[4]), int(found[3]), int(found[2]))


def check_consistent(tab: Tab, tmp_path: Path) -> None:
    """Both exported notes have one name and fourteen days between them, and are what the preview shows."""
    texts = exported(tab, tmp_path)
    (first, admitted), (second, discharged) = map(parts, texts)
    assert first == second != "Lucía Prado Ferrer"
    assert (discharged - admitted).days == 14
    for name, text in zip(["a_ingreso", "a_alta"], texts, strict=True):
        tab.open(name)
        tab.wait_for_preview(text.strip())
        assert tab.preview() == text


def test_the_name_of_the_file_tells_the_patient(empty: Tab, tmp_path: Path) -> None:
    empty.add(a_ingreso=ADMISSION, a_alta=DISCHARGE)
    empty.page.select_option("#policy", "research")
    (_, admitted), (_, discharged) = map(parts, exported(empty, tmp_path))
    assert (discharged - admitted).days != 14, "nothing tells yet that they belong together"
    assert empty.page.inner_text("#patient") == "Paciente sin identificar"
    empty.page.click("#export")
    assert "No se conoce el paciente de 2 documentos: cada uno" in empty.page.inner_text("dialog")
    empty.press("Escape")
    set_rule(empty, "id", "^([a-z]+)_")
    empty.page.wait_for_selector("text=Se conoce el paciente de todos los documentos")
    assert shown(empty) == ["Paciente a", "Paciente a"]
    check_consistent(empty, tmp_path)


def test_a_patient_is_set_by_hand_and_joins_one_that_was_found(empty: Tab, tmp_path: Path) -> None:
    empty.add(a_ingreso=ADMISSION, a_alta=DISCHARGE)
    empty.page.select_option("#policy", "research")
    empty.open("a_ingreso")
    empty.drag_over("7712904")
    empty.press("8")
    empty.page.wait_for_function("() => document.querySelector('#patient').textContent === 'Paciente 7712904'")
    empty.open("a_alta")
    empty.page.click("#patient")
    empty.page.fill("dialog input[list]", "7712904")
    empty.press("Enter")
    empty.page.wait_for_function("() => document.querySelector('#patient').textContent === 'Paciente 7712904'")
    empty.page.click("#patient")
    assert "Fijado a mano" in empty.page.inner_text("dialog")
    assert "a_ingreso.txt" in empty.page.inner_text("dialog"), "the patient's other documents are named"
    empty.press("Escape")
    check_consistent(empty, tmp_path)


def test_a_column_tells_the_patient(empty: Tab) -> None:
    empty.add(otra=DISCHARGE)
    set_rule(empty, "meta", "nhc")
    table = "nhc,informe\n77,Ingresa el 03/01/2024 con tos y fiebre\n78,Alta el 17/01/2024 sin fiebre\n"
    empty.page.set_input_files("#file-input", [{"name": "t.csv", "mimeType": "text/csv", "buffer": table.encode()}])
    empty.page.wait_for_function("() => document.querySelectorAll('button.entry').length === 3")
    assert {"Paciente 77", "Paciente 78"} <= set(shown(empty))
    lacks = b"informe,fecha\nIngresa con tos,03/01/2024\n"
    empty.page.set_input_files("#file-input", [{"name": "u.csv", "mimeType": "text/csv", "buffer": lacks}])
    empty.page.wait_for_selector("text=No tiene la columna «nhc»")


def fhir_bundle() -> bytes:
    patient = {
        "resourceType": "Patient",
        "id": "p1",
        "identifier": [{"type": {"coding": [{"code": "MR"}]}, "value": "7712904"}],
        "name": [{"family": "Prado", "given": ["Lucía"]}],
    }
    report = {
        "resourceType": "DiagnosticReport",
        "id": "r1",
        "subject": {"reference": "Patient/p1"},
        "conclusion": "Paciente: Lucía Prado. Alta el 17/01/2024.",
    }
    bundle = {"resourceType": "Bundle", "type": "collection", "entry": [{"resource": patient}, {"resource": report}]}
    return json.dumps(bundle).encode()


def word_letter() -> bytes:
    letter, file = docx.Document(), io.BytesIO()
    letter.add_paragraph(ADMISSION.strip())
    letter.save(file)
    return file.getvalue()


def test_one_patient_in_fhir_and_word_is_one_patient(empty: Tab) -> None:
    for name, content in (("informe.json", fhir_bundle()), ("carta.docx", word_letter())):
        empty.page.set_input_files("#file-input", [{"name": name, "mimeType": "", "buffer": content}])
        empty.page.wait_for_selector(f"button.entry:has-text('{name}')")
    empty.page.select_option("#policy", "research")
    empty.open("carta")
    empty.drag_over("7712904")
    empty.press("8")  # the number of a patient, which the detector of the tests does not know
    found = "() => document.querySelector('#patient').textContent === 'Paciente 7712904'"
    empty.page.wait_for_function(found)
    empty.wait_for_preview("Ingresa el")
    empty.page.wait_for_function("() => !document.querySelector('#preview-text').textContent.includes('7712904')")
    name, admitted = parts(empty.preview())
    empty.open("informe")
    empty.page.wait_for_function(found)
    empty.wait_for_preview("Alta el")
    also, discharged = parts(empty.preview())
    assert name.startswith(also), "the second surname is in the letter only"
    assert (discharged - admitted).days == 14


def note(name: str, meta: str = "", *, spans: tuple[Span, ...] = ()) -> Document:
    return Document(name, "NHC 0077 y DNI 45982137G", spans, {"patient": meta} if meta else {})


FOUND = (Span(4, 8, "ID_SUJETO_ASISTENCIA"),)


@pytest.mark.parametrize(
    ("document", "rule", "by_hand", "expected"),
    [
        (note("p1/a.txt", "field"), "folder", "hand", ("hand", "hand")),
        (note("p1/a.txt", "field"), "folder", "", ("p1", "folder")),
        (note("a.txt", "field"), "folder", "", ("field", "field")),
        (note("7_a.txt", spans=FOUND), r"id:^(\d+)_", "", ("7", "name")),
        (note("a.txt", spans=FOUND), r"id:^(\d+)_", "", ("77", "identifier")),
        (note("a.txt", spans=FOUND), "auto", "", ("77", "identifier")),
        (note("a.txt"), "meta:nhc", "", ("", "")),
        (note("a.txt", spans=FOUND), "none", "", ("", "own")),
    ],
)
def test_what_tells_a_patient(document: Document, rule: str, by_hand: str, expected: tuple[str, PatientSource]) -> None:
    known = patient_of(document, checked_rule(rule), by_hand)
    assert (known.patient, known.source) == expected


def test_what_the_engine_is_given() -> None:
    assert for_engine("a", "x", "hand") == "x"
    assert for_engine("a", "77", "identifier") is None, "the engine finds it in the spans as they are"
    assert for_engine("a", "", "own") == "document a"


@pytest.mark.parametrize("rule", ["", "id:(", "table:/etc/passwd", "span", "x"])
def test_a_rule_that_cannot_be_used_is_refused(rule: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ConfigError):
        checked_rule(rule)
    assert capfd.readouterr() == ("", ""), "RE2 writes an expression, which may have a name, to standard error itself"

"""`nadie.load` with lists and dictionaries where people expect them, and with the same names in every integration."""

from __future__ import annotations

import inspect
import pickle
from pathlib import Path
from typing import Any

import pytest

import nadie
from nadie.anonymize.secret import Secret
from nadie.integrations import columns
from nadie.integrations.shield import shield
from nadie.options import DetectionArguments
from nadie.run.documents import RunArguments

TEXT = "Acude BLANCO, Berta. Proyecto Aurora. Alergia al látex. Ingreso el 3 de mayo de 2021."


def found(text: str | nadie.Document = TEXT, **detection: Any) -> dict[str, str]:
    document = nadie.load("fast", **detection).annotate(text)
    return {document.text_of(span): str(span.label) for span in document.spans}


def test_lists_and_dictionaries() -> None:
    assert found(deny=["látex"])["látex"] == "OTROS_SUJETO_ASISTENCIA"
    assert found(deny=[("HOSPITAL", "Aurora")])["Aurora"] == "HOSPITAL"
    assert "3 de mayo de 2021" in found()
    assert "3 de mayo de 2021" not in found(allow=["3 de mayo de 2021"])
    assert "3 de mayo de 2021" not in found(thresholds={"FECHAS": 1.0})
    assert found("Berta acude sola", known=["Berta Blanco Ruiz"])["Berta"] == "NOMBRE_SUJETO_ASISTENCIA"
    assert found("Ref 88112233", known=[{"nombre": "Berta", "nhc": "88112233"}])["88112233"] == "ID_SUJETO_ASISTENCIA"


def test_files_by_their_names(tmp_path: Path) -> None:
    (tmp_path / "deny.txt").write_text("látex\n", encoding="utf-8")
    (tmp_path / "thresholds.toml").write_text("[labels]\nFECHAS = 1.0\n", encoding="utf-8")
    by_file = found(deny=str(tmp_path / "deny.txt"), thresholds=tmp_path / "thresholds.toml", mode="recall")
    assert by_file["látex"] == "OTROS_SUJETO_ASISTENCIA"
    assert "3 de mayo de 2021" not in by_file


def test_a_key_is_a_secret_or_a_file(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("correct horse battery staple of a hospital", encoding="utf-8")
    secret = Secret.from_file(tmp_path / "key")
    by_file = nadie.load("fast", policy="research", key=tmp_path / "key").anonymize(TEXT)
    assert by_file == nadie.load("fast", policy="research", key=secret).anonymize(TEXT) != TEXT


def test_a_patient_of_each_document() -> None:
    model = nadie.load("fast")
    given = [nadie.Document("a", TEXT, known=[{"empresa": "látex"}]), nadie.Document("b", TEXT)]
    first, second = (len(document.spans) for document in model.annotate_all(given))
    assert first == second + 1
    assert "látex" not in model.anonymize(given[0])
    assert repr(given[0]).count("látex") == 1, "only in the text"
    assert pickle.loads(pickle.dumps(given[0])).known == given[0].known


def test_many_strings() -> None:
    model = nadie.load("fast")
    assert [document.text for document in model.annotate_all(["uno", "dos"])] == ["uno", "dos"]
    assert [done.text for done in model.anonymize_all(["uno", nadie.Document("", "dos")])] == ["uno", "dos"]


@pytest.mark.parametrize("given", ["Berta Blanco", nadie.Document("", "Berta Blanco"), {"a": "Berta Blanco"}])
def test_one_text_is_not_many(given: Any) -> None:
    model = nadie.load("fast")
    for all_of in (model.annotate_all, model.anonymize_all):
        with pytest.raises(nadie.NadieError, match="a list of texts is needed"):
            list(all_of(given))


def test_one_identity_and_labels_with_terms() -> None:
    assert found("Berta acude sola", known={"nombre": "Berta"})["Berta"] == "NOMBRE_SUJETO_ASISTENCIA"
    denied = found(deny={"HOSPITAL": ["Aurora"], "PROFESION": "látex"})
    assert (denied["Aurora"], denied["látex"]) == ("HOSPITAL", "PROFESION")


def test_patterns_and_a_policy_as_dictionaries() -> None:
    patterns: list[dict[str, Any]] = [
        {"label": "NUMERO_CAMA", "regex": "cama ([0-9]+)"},
        {"label": "HOSPITAL", "list": ["Aurora"]},
    ]
    model = nadie.load("fast", patterns=patterns, policy={"labels": {"NUMERO_CAMA": "mask", "HOSPITAL": "keep"}})
    assert model.anonymize("Acude a Aurora, cama 1234.") == "Acude a Aurora, cama ****."
    assert nadie.load("fast", policy="default").anonymize(TEXT) == nadie.load("fast").anonymize(TEXT)


def test_files_with_the_arguments_of_load(tmp_path: Path) -> None:
    note, out = tmp_path / "note.txt", tmp_path / "out"
    note.write_text(TEXT, encoding="utf-8")
    report = nadie.anonymize_files(str(note), out, policy="hipaa-safe-harbor", deny={"HOSPITAL": ["Aurora"]})
    assert (report.handled, report.failed) == (1, 0)
    model = nadie.load("fast", policy="hipaa-safe-harbor", deny={"HOSPITAL": ["Aurora"]})
    assert (out / "note.txt").read_text(encoding="utf-8") == model.anonymize(TEXT) != TEXT


@pytest.mark.parametrize(
    "arguments",
    [
        {"mode": "best"},
        {"spans": "all"},
        {"key": "a key as a string"},
        {"policy": "no-such-policy"},
        {"operator": "no-such-operator"},
        {"thresholds": {"EDAD": 0.5}},
        {"thresholds": {"FECHAS": 2}},
        {"deny": [("NOLABEL", "x")]},
        {"deny": {"NOLABEL": ["x"]}},
        {"deny": 5},
        {"thresholds": ["FECHAS"]},
        {"patterns": {"label": "FECHAS"}},
        {"patterns": ["x+"]},
        {"patterns": [{"label": "FECHAS", "regex": {1}}]},
        {"policy": {"rules": {}}},
        {"policy": {"labels": {"EDAD": "keep"}}},
        {"known": [{"shoe": "44"}]},
        {"known": "no-such-file.csv"},
        {"allow": "no-such-file.txt"},
        {"patterns": "no-such-file.toml"},
    ],
)
def test_errors_are_those_of_nadie(arguments: dict[str, Any]) -> None:
    with pytest.raises(nadie.NadieError):
        nadie.load("fast", **arguments)


@pytest.mark.parametrize("given", [1, None, b"texto", ["texto"]])
def test_what_is_no_text(given: Any) -> None:
    with pytest.raises(nadie.NadieError, match="a text is a string or a Document"):
        nadie.load("fast").anonymize(given)


def test_the_same_names_everywhere() -> None:
    names = set(DetectionArguments.__annotations__)
    assert {"mode", "known", "allow", "deny", "thresholds", "patterns"} < names
    assert names < set(columns.ColumnArguments.__annotations__)
    assert names < set(RunArguments.__annotations__)
    for function, arguments in (
        (nadie.load, "RunArguments"),
        (nadie.anonymize_files, "RunArguments"),
        (shield, "DetectionArguments"),
        (columns.ColumnOptions.of, "DetectionArguments"),
        (columns.ColumnOptions.for_annotation, "DetectionArguments"),
    ):
        (rest,) = [p for p in inspect.signature(function).parameters.values() if p.kind is p.VAR_KEYWORD]
        assert rest.annotation == f"Unpack[{arguments}]", function
    assert "[NOMBRE_1]" in nadie.shield("Berta acude sola", known=["Berta Blanco Ruiz"]).text

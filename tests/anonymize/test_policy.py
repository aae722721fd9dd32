"""Policies: shipped ones, files, and invalid ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from nadie.anonymize.patients import patient_by
from nadie.anonymize.policy import Rule, parse_policy, read_policy, shipped
from nadie.cli.batch import policy_with
from nadie.document import Document
from nadie.errors import ConfigError, NadieError, UnknownNameError
from nadie.labels import Hipaa, Label

from .marked import marked

ROOT = Path(__file__).resolve().parents[2]


def test_the_shipped_policies() -> None:
    assert set(shipped()) == {"default", "gdpr-pseudonymise", "hipaa-safe-harbor", "research"}
    for name, told in shipped().items():
        policy = read_policy(name)
        assert policy.name == name
        assert len(told) > 40
        assert len(policy.descripcion) > 40
        assert set(policy.operators()) == set(Label)
        assert len(policy.digest) == 64


def test_safe_harbor_keeps_only_what_hipaa_allows() -> None:
    kept = {
        label for label, operator in read_policy("hipaa-safe-harbor").operators().items() if operator.name == "keep"
    }
    assert kept == {label for label in Label if label.hipaa is None}
    assert Label.FECHAS.hipaa is Hipaa.DATES_AND_AGES


@pytest.mark.parametrize("path", sorted((ROOT / "docs" / "policies").glob("*.toml")), ids=lambda path: path.name)
def test_the_examples_in_the_docs_are_policies(path: Path) -> None:
    assert set(read_policy(path).operators()) == set(Label)


def test_a_policy_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'default = "redact"\n[labels]\nNAME = "label-number"\nNOMBRE_PERSONAL_SANITARIO = "keep"\n'
        'NUMERO_FAX = { operator = "mask", fixed = 4 }\n[dates]\nweekday = "move"\n[places]\nwithin = "province"\n',
        encoding="utf-8",
    )
    policy = read_policy(path)
    names = {label: operator.name for label, operator in policy.operators().items()}
    assert policy.name == "mine.toml"
    assert names[Label.NOMBRE_SUJETO_ASISTENCIA] == "label-number"
    assert names[Label.NOMBRE_PERSONAL_SANITARIO] == "keep"
    assert names[Label.NUMERO_FAX] == "mask"
    assert names[Label.CALLE] == "redact"
    assert policy.options.places_within == "province"
    assert policy.options.dates.step == 1


@pytest.mark.parametrize(
    "text",
    [
        "not toml [",
        'scope = "world"',
        'unknown = "x"',
        'default = "no such operator"',
        "default = 3",
        "labels = 3",
        '[labels]\nNOMBRE = "label"',
        "[labels]\nCALLE = 3",
        "[labels]\nCALLE = { fixed = 3 }",
        '[labels]\nCALLE = { operator = "mask", fixed = 3, colour = "red" }',
        '[labels]\nCALLE = { operator = "mask", fixed = [1] }',
        '[labels]\nCALLE = { operator = "mask", fixed = 1000 }',
        '[dates]\nweekdays = "keep"',
        '[dates]\nleast_days = "many"',
        "[dates]\nleast_days = true",
        "dates = 3",
        '[places]\nwithin = "village"',
        '[places]\nother = "x"',
    ],
)
def test_mistakes_are_told(text: str) -> None:
    with pytest.raises(NadieError):
        parse_policy(text, "here")


def test_policies_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="research"):
        read_policy("recerch")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError):
        read_policy(tmp_path / "bytes.toml")


def test_other_operators_by_the_command_line() -> None:
    policy = policy_with("default", ["FECHAS=keep", "NAME=label-number"])
    names = {label: operator.name for label, operator in policy.operators().items()}
    assert names[Label.FECHAS] == "keep"
    assert names[Label.NOMBRE_PERSONAL_SANITARIO] == "label-number"
    assert names[Label.CALLE] == "label"
    assert policy.digest != read_policy("default").digest
    assert policy_with("default", []) == read_policy("default")
    for wrong in ("FECHAS", "=keep", "FECHAS=", "NOPE=keep", "FECHAS=nope"):
        with pytest.raises(NadieError):
            policy_with("default", [wrong])


def test_rules_build_once() -> None:
    operators = read_policy("default").operators()
    assert len({id(operator) for operator in operators.values()}) == 1
    assert Rule("mask", (("fixed", 3),)).build().name == "mask"


@pytest.mark.parametrize(
    ("rule", "document", "patient"),
    [
        ("none", Document("a/1", "x"), ""),
        ("meta:nhc", Document("a/1", "x", (), {"nhc": "77"}), "patient 77"),
        (r"id:^([^/]+)/", Document("p9/1", "x"), "patient p9"),
        (r"id:p\d+", Document("x-p9-1", "x"), "patient p9"),
        ("span", marked("NHC {44 71-920|ID}, otro {1|ID}"), "patient 4471920"),
    ],
)
def test_patients(rule: str, document: Document, patient: str) -> None:
    assert patient_by(rule)(document) == patient


@pytest.mark.parametrize(
    ("rule", "document"),
    [("meta:nhc", Document("a", "x")), ("id:^p(\\d)", Document("q", "x")), ("span", Document("a", "x")),
     ("span", marked("{raza blanca|ID}"))],
)  # fmt: skip
def test_a_document_that_does_not_tell_its_patient_is_an_error(rule: str, document: Document) -> None:
    with pytest.raises(ConfigError):
        patient_by(rule)(document)


@pytest.mark.parametrize(
    "rule",
    [
        "",
        "who",
        "meta:",
        "table:",
        "table:nowhere.csv",
        "folder:x",
        "auto:",
        "id:",
        "id:(",
        "none:x",
        "span:x",
        "id:(?=a)",
    ],
)
def test_wrong_rules(rule: str) -> None:
    with pytest.raises(ConfigError):
        patient_by(rule)

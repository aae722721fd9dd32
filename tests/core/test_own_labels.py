"""A label of one's own, from a pattern through policies, surrogates, formats, evaluation, vault and HTTP."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest
from typer.testing import CliRunner

import nadie
from nadie.anonymize.policy import parse_policy
from nadie.anonymize.secret import Secret
from nadie.cli.main import build
from nadie.document import Document, Span
from nadie.errors import ConfigError, SpanError
from nadie.files.label_sets import I2B2, MEDDOCAN
from nadie.labels import Hipaa, Label, Parent, is_own

BED = "NUMERO_CAMA"
TEXT = "Ingresa en la cama 7731-B de la planta.\n"
PATTERNS = """
[[pattern]]
name = "beds"
label = "NUMERO_CAMA"
regex = '(?i)cama (\\d+-[A-Z])'
finds = ["cama 7731-B"]
"""
KEY = Secret(b"a key for tests that is long enough")


@pytest.fixture
def patterns(tmp_path: Path) -> Path:
    file = tmp_path / "own.toml"
    file.write_text(PATTERNS, "utf-8")
    return file


def test_it_is_a_label_that_is_not_among_the_29() -> None:
    own = Label(BED)
    assert own == BED
    assert own.parent is Parent.ID
    assert own.hipaa is Hipaa.OTHER_UNIQUE_IDENTIFIERS
    assert own not in set(Label)
    assert pickle.loads(pickle.dumps(own)) == own
    assert len(Label) == 29


@pytest.mark.parametrize(
    "name",
    ["cama", "CAMA", "NUMERO CAMA", "NUMERO_", "NOMBRE_SUJETO", "NUMERO_TELEFONOS", "FECHAS_ALTA", "X_" + "Y" * 40, ""],
)
def test_what_is_mistyped_or_no_name_is_none(name: str) -> None:
    assert not is_own(name)
    with pytest.raises(SpanError, match="unknown label"):
        Span(0, 1, name)
    with pytest.raises(ConfigError):
        parse_policy(f'[labels]\n"{name}" = "label"', "own")


def test_a_pattern_gives_it_and_a_policy_replaces_it(patterns: Path) -> None:
    assert nadie.load("fast", patterns=patterns).anonymize(TEXT) == "Ingresa en la cama [NUMERO_CAMA] de la planta.\n"


def test_a_surrogate_keeps_its_form(patterns: Path) -> None:
    text = nadie.load("fast", patterns=patterns, policy="research", key=KEY).anonymize(TEXT)
    bed = text.removeprefix("Ingresa en la cama ").removesuffix(" de la planta.\n")
    assert bed != "7731-B"
    assert [sign.isdigit() for sign in bed] == [sign.isdigit() for sign in "7731-B"]


def test_a_policy_has_a_rule_for_it(patterns: Path, tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text('[labels]\nNUMERO_CAMA = { operator = "mask", fixed = 3 }\n', "utf-8")
    assert "cama ***" in nadie.load("fast", patterns=patterns, policy=policy).anonymize(TEXT)


def test_a_policy_that_keeps_other_numbers_does_not_keep_it(patterns: Path, tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text('[labels]\nOTRO_NUMERO_IDENTIF = "keep"\n', "utf-8")
    assert "7731-B" not in nadie.load("fast", patterns=patterns, policy=policy).anonymize(TEXT)


@pytest.mark.parametrize("form", ["brat", "i2b2", "jsonl", "conll", "docbin"])
def test_every_format_writes_and_reads_it(form: str, tmp_path: Path) -> None:
    given = tmp_path / "given.jsonl"
    start = TEXT.index("7731-B")
    spans = [{"start": start, "end": start + 6, "label": BED}]
    given.write_text(json.dumps({"id": "a", "text": TEXT, "spans": spans}) + "\n", "utf-8")
    out, back = tmp_path / "out", tmp_path / "back"
    for arguments in (
        ["convert", str(given), "--out", str(out), "--to", form],
        ["convert", str(out), "--out", str(back), "--from", form, "--to", "jsonl"],
    ):
        result = CliRunner().invoke(build(), arguments)
        assert result.exit_code == 0, result.output
    assert f'"label": "{BED}"' in "".join(file.read_text("utf-8") for file in back.rglob("*.jsonl"))


def test_other_label_sets_have_it_as_an_identifier_and_theirs_are_not_taken_for_it() -> None:
    document = Document("a", TEXT, (Span(19, 25, BED),))
    assert I2B2.fitted(document).spans == document.spans
    assert I2B2.written(BED, "7731-B") == I2B2.written(Label.OTRO_NUMERO_IDENTIF, "7731-B")
    with pytest.raises(ValueError, match="nor can it be one of your own"):
        MEDDOCAN.read("EMAIL_ADDRESS")


def test_it_is_evaluated_and_reported(patterns: Path, tmp_path: Path) -> None:
    gold = tmp_path / "gold"
    gold.mkdir()
    (gold / "a.txt").write_text(TEXT, "utf-8")
    (gold / "a.ann").write_text(f"T1\t{BED} 19 25\t7731-B\n", "utf-8")
    system, page = tmp_path / "system", tmp_path / "page.html"
    for arguments in (
        ["annotate", str(gold / "a.txt"), "--patterns", str(patterns), "--out", str(system)],
        ["evaluate", str(gold), str(system), "--report", str(page)],
    ):
        result = CliRunner().invoke(build(), arguments)
        assert result.exit_code == 0, result.output
    assert BED in page.read_text("utf-8")
    assert BED in (system / "a.ann").read_text("utf-8")


def test_a_model_with_own_patterns_is_evaluated_on_the_texts_of_gold(patterns: Path, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT, "utf-8")
    (tmp_path / "a.ann").write_text(f"T1\t{BED} 19 25\t7731-B\n", "utf-8")
    result = CliRunner().invoke(build(), ["evaluate", str(tmp_path), "--patterns", str(patterns), "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["labels"][BED]["recall"] == 1.0
    wrong = CliRunner().invoke(build(), ["evaluate", str(tmp_path), str(tmp_path), "--patterns", str(patterns)])
    assert wrong.exit_code == 2


def test_a_run_records_it_and_restores_it(patterns: Path, tmp_path: Path) -> None:
    note, out, back = tmp_path / "a.txt", tmp_path / "out", tmp_path / "back"
    note.write_text(TEXT, "utf-8")
    key, audit, page = tmp_path / "key", tmp_path / "audit.jsonl", tmp_path / "page.html"
    key.write_text("a key for tests that is long enough", "utf-8")
    key.chmod(0o600)
    vault = ["--vault", str(tmp_path / "vault"), "--key-file", str(key)]
    records = ["--audit", str(audit), "--report", str(page)]
    for arguments in (
        ["anonymize", str(note), "--out", str(out), "--patterns", str(patterns), *vault, *records],
        ["restore", str(out), "--out", str(back), "--only", BED, *vault],
        ["risk", str(out), "--audit", str(audit), "--report", str(tmp_path / "risk.html")],
    ):
        result = CliRunner().invoke(build(), arguments)
        assert result.exit_code == 0, (arguments[0], result.output, result.exception)
    assert (back / "a.txt").read_text("utf-8") == TEXT
    assert BED in audit.read_text("utf-8")
    assert BED in page.read_text("utf-8")

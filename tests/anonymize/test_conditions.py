"""Rules of a policy that depend on the value, and the JSON schema of policies."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import jsonschema
import pytest

from command_line import run_command
from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import parse_policy
from nadie.anonymize.policy_schema import policy_schema
from nadie.anonymize.secret import Secret
from nadie.errors import ConfigError, NadieError

from .marked import marked

ROOT = Path(__file__).resolve().parents[2]
FILES = [*sorted((ROOT / "docs/policies").glob("*.toml")), *sorted((ROOT / "src/nadie/anonymize/policies").iterdir())]
KEY = Secret(b"una clave bastante larga").key()
OVER_89 = '[labels]\nEDAD_SUJETO_ASISTENCIA = [{ operator = "label", over = 89 }, { operator = "keep" }]\n'


def anonymized(policy: str, text: str) -> str:
    return Engine(parse_policy(policy, "test"), KEY).run(marked(text)).text


@pytest.mark.parametrize(
    ("age", "is_kept"),
    [
        ("89 años", True),
        ("90 años", False),
        ("noventa y un años", False),
        ("92a", False),
        ("8 meses", True),
        ("noventa y tantos", False),
        ("abuelo de la sala", False),
    ],
)
def test_ages_over_89(age: str, is_kept: bool) -> None:
    output = anonymized(OVER_89, f"Varón de {{{age}|E}}.")
    assert output == (f"Varón de {age}." if is_kept else "Varón de [EDAD_SUJETO_ASISTENCIA].")


def test_an_age_that_is_hidden_is_not_told_by_the_date_of_birth() -> None:
    policy = f'{OVER_89}FECHAS = "shift"\n'
    output = anonymized(policy, "Varón de {93 años|E}, nacido el {3/5/1930|D}. Ingresa el {4/6/2023|D}.")
    assert "nacido el [FECHAS]. Ingresa el" in output
    assert "2023" not in output.split("Ingresa")[0]


def test_values_and_expressions() -> None:
    policy = (
        '[labels]\nTERRITORIO = [{ operator = "keep", any_of = ["Madrid", "A Coruña"] }, { operator = "redact" }]\n'
        "ID_SUJETO_ASISTENCIA = [{ operator = 'mask', matches = '\\d{8}[A-Z]' }, { operator = 'label' }]\n"
    )
    text = "De {MADRID|T} y {Lugo|T}, DNI {12345678Z|ID}, NHC {4471920|ID}."
    assert anonymized(policy, text) == "De MADRID y , DNI *********, NHC [ID_SUJETO_ASISTENCIA]."


BAD = [
    '[labels]\nFECHAS = [{ operator = "label", over = 89 }, { operator = "keep" }]',
    '[labels]\nEDAD_SUJETO_ASISTENCIA = [{ operator = "label", over = "89" }, { operator = "keep" }]',
    '[labels]\nEDAD_SUJETO_ASISTENCIA = [{ operator = "label", beyond = 89 }, { operator = "keep" }]',
    "[labels]\nEDAD_SUJETO_ASISTENCIA = []",
    'default = "no such operator"',
    "[labels]\nCALLE = { fixed = 3 }",
    '[labels]\nCALLE = { operator = "mask", colour = "red" }',
    '[dates]\nweekdays = "keep"',
    "version = 2",
    'scope = "world"',
]


@pytest.mark.parametrize("text", BAD)
def test_a_bad_policy_is_refused_by_nadie_and_by_the_schema(text: str) -> None:
    with pytest.raises(NadieError):
        parse_policy(text, "test")
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(tomllib.loads(text), policy_schema())


@pytest.mark.parametrize(
    "rules",
    [
        '[{ operator = "label", any_of = ["x"] }]',
        '[{ operator = "label" }, { operator = "keep" }]',
        '[{ operator = "label", matches = "(" }, { operator = "keep" }]',
    ],
)
def test_what_only_nadie_can_check(rules: str) -> None:
    with pytest.raises(ConfigError, match=r"needs a condition|expression in RE2"):
        parse_policy(f"[labels]\nTERRITORIO = {rules}", "test")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_policies_follow_the_schema(path: Path) -> None:
    jsonschema.validate(tomllib.loads(path.read_text(encoding="utf-8")), policy_schema())


def test_the_commands(tmp_path: Path) -> None:
    jsonschema.Draft202012Validator.check_schema(json.loads(run_command("policy", "schema").stdout))
    file = tmp_path / "ours.toml"
    file.write_text(OVER_89, encoding="utf-8")
    assert b"EDAD_SUJETO_ASISTENCIA\tlabel or keep\n" in run_command("policy", "check", file).stdout
    file.write_text(BAD[0], encoding="utf-8")
    done = run_command("policy", "check", file)
    assert (done.returncode, b"over and under are for ages only" in done.stderr) == (2, True)

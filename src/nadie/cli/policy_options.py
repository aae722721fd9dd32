"""Parsing of the options of `nadie anonymize` and `nadie restore`: policies, keys, patients."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from nadie.anonymize.own_values import OwnValues
from nadie.anonymize.policy import Policy, Rule, read_policy
from nadie.anonymize.secret import SHORT, Secret
from nadie.cli.console import tell
from nadie.errors import ConfigError

KEY = "NADIE_KEY"
VAULT_KEY = "NADIE_VAULT_KEY"
NEW_VAULT_KEY = "NADIE_NEW_VAULT_KEY"


def policy_with(name: str, changes: Iterable[str], own_values: Path | None = None) -> Policy:
    """The policy of that name or file, with the operators changed by `LABEL=OPERATOR` or `LABEL=label:TEXT`."""
    policy = read_policy(name)
    if own_values is not None:
        policy = policy.with_own_values(OwnValues.read(own_values))
    rules: dict[str, Rule] = {}
    for change in changes:
        label, equals, operator = change.partition("=")
        if not equals or not label or not operator:
            raise ConfigError(f"--operator takes LABEL=OPERATOR, not {change[:60]!r}")
        operator, colon, text = operator.partition(":")
        rules[label] = Rule(operator, (("text", text),) if colon else ())
    if not rules:
        return policy
    changed = policy.with_rules(rules)
    changed.operators()
    return changed


def check_encoding(name: str) -> None:
    """Raise an error for an encoding that does not exist or is not a text encoding."""
    try:
        "".encode(name or "utf-8")
    except LookupError:
        raise ConfigError(f"there is no encoding {name[:40]!r}") from None


def patient_rule(patient_id: str, patients: Path | None, patient_column: str) -> str:
    """The rule for the patient, from the one option that was given."""
    given = [
        rule
        for rule in (
            patient_id,
            f"table:{patients.resolve()}" if patients else "",
            "meta:patient" if patient_column else "",
        )
        if rule
    ]
    if len(given) > 1:
        raise ConfigError("give only one of --patient-id, --patients and --patient-column")
    return given[0] if given else "auto"


def secret_from(file: Path | None, variable: str) -> Secret | None:
    """The secret from a file, otherwise from the environment, otherwise None."""
    if file is None:
        return Secret.from_environment(variable)
    _warn_if_readable(file)
    return Secret.from_file(file)


def warned_if_weak(secret: Secret | None) -> Secret | None:
    """The secret, after a warning if it can be guessed."""
    if secret is not None and secret.is_weak():
        tell(f"a key of fewer than {SHORT} characters, or of few different ones, can be guessed", "warning", "yellow")
    return secret


def secret_of_vault(file: Path | None, other: Secret | None, variable: str = VAULT_KEY, *, new: bool = False) -> Secret:
    """The passphrase of the vault: from its file, its environment variable, the key of the run, or a prompt."""
    found = secret_from(file, variable) or other
    if found is None:
        found = Secret.from_prompt("Clave del almacén cifrado", twice=new)
    if found is not other:
        warned_if_weak(found)
    return found


def _warn_if_readable(file: Path) -> None:
    try:
        mode = file.stat().st_mode
    except OSError:
        return
    if mode & 0o077:
        tell(f"others on this machine can read the key file {file}: chmod 600", "warning", "yellow")

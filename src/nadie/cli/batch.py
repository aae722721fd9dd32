"""What commands that process many documents share: policies and keys, and outputs."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from nadie.anonymize.own_values import read_own_values
from nadie.anonymize.policy import Policy, Rule, read_policy
from nadie.anonymize.secret import Secret
from nadie.cli.console import print_line
from nadie.document import Document
from nadie.errors import ConfigError

KEY = "NADIE_KEY"
VAULT_KEY = "NADIE_VAULT_KEY"
NEW_VAULT_KEY = "NADIE_NEW_VAULT_KEY"


def policy_with(name: str, changes: Iterable[str], own_values: Path | None = None) -> Policy:
    """The policy of that name or file, with the operators changed by `LABEL=OPERATOR` or `LABEL=label:TEXT`."""
    policy = read_policy(name)
    if own_values is not None:
        policy = policy.with_own_values(read_own_values(own_values))
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


def patient_rule(patient_id: str, patients: Path | None, patient_column: str) -> str:
    """The rule for the patient, from the one option that was given."""
    table = f"table:{patients.resolve()}" if patients else ""
    given = [rule for rule in (patient_id, table, "meta:patient" if patient_column else "") if rule]
    if len(given) > 1:
        raise ConfigError("give only one of --patient-id, --patients and --patient-column")
    return given[0] if given else "auto"


def secret_from(file: Path | None, variable: str) -> Secret | None:
    """The secret from a file, otherwise from the environment, otherwise None."""
    found = Secret.from_environment(variable) if file is None else Secret.from_file(file)
    return _warned(found) if found else None


def _warned(secret: Secret) -> Secret:
    for concern in secret.concerns():
        print_line(concern, "warning", "yellow")
    return secret


def secret_of_vault(file: Path | None, other: Secret | None, variable: str = VAULT_KEY, *, new: bool = False) -> Secret:
    """The passphrase of the vault: from its file, its environment variable, the key of the run, or a prompt."""
    return secret_from(file, variable) or other or _warned(Secret.from_prompt("Passphrase of the vault", twice=new))


def print_json_line(document: Document) -> None:
    """Print a document as a JSON line."""
    from nadie.files.annotated.jsonl import format_line

    sys.stdout.buffer.write(format_line(document).encode("utf-8", "surrogatepass"))
    sys.stdout.buffer.flush()

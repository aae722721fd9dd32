"""What the options of `nadie anonymize` and `nadie restore` mean: policies, keys, patients."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from nadie.anonymize.policy import Policy, Rule, read_policy
from nadie.anonymize.secret import Secret
from nadie.cli.console import stderr
from nadie.errors import ConfigError

KEY = "NADIE_KEY"
VAULT_KEY = "NADIE_VAULT_KEY"
NEW_VAULT_KEY = "NADIE_NEW_VAULT_KEY"
_SHORT = 12


def policy_with(name: str, changes: Iterable[str]) -> Policy:
    """The policy of that name or file, with other operators where `LABEL=OPERATOR` says so."""
    policy = read_policy(name)
    rules: dict[str, Rule] = {}
    for change in changes:
        label, equals, operator = change.partition("=")
        if not equals or not label or not operator:
            raise ConfigError(f"an operator is chosen by LABEL=OPERATOR, not by {change[:60]!r}")
        rules[label] = Rule(operator)
    if not rules:
        return policy
    changed = policy.with_rules(rules)
    changed.operators()
    return changed


def secret_from(file: Path | None, variable: str) -> Secret | None:
    """The secret in a file, else in the environment, else none."""
    if file is None:
        return Secret.from_environment(variable)
    _warn_if_readable(file)
    return Secret.from_file(file)


def secret_of_vault(file: Path | None, other: Secret | None, variable: str = VAULT_KEY, *, new: bool = False) -> Secret:
    """The passphrase of the vault: from its file, its variable, the key of the run, or a prompt."""
    found = secret_from(file, variable) or other
    if found is None:
        found = Secret.from_prompt("Clave de la bóveda", twice=new)
    if found.is_shorter_than(_SHORT):
        stderr().print(f"[yellow]warning[/] a passphrase of less than {_SHORT} characters can be guessed")
    return found


def _warn_if_readable(file: Path) -> None:
    try:
        mode = file.stat().st_mode
    except OSError:
        return
    if mode & 0o077:
        stderr().print(f"[yellow]warning[/] others on this machine can read the key file {file}: chmod 600")

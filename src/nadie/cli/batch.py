"""What commands that process many documents share: inputs, policies and keys, and outputs."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import fields
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nadie.anonymize.own_values import read_own_values
from nadie.anonymize.policy import Policy, Rule, read_policy
from nadie.anonymize.secret import SHORT, Secret
from nadie.cli.console import tell
from nadie.containers.source import STDIN
from nadie.document import Document
from nadie.errors import ConfigError, FormatError
from nadie.formats.base import guess
from nadie.formats.files import decode
from nadie.formats.reading import count_documents_files, iter_readable
from nadie.options import Form

if TYPE_CHECKING:
    from nadie.anonymize.records import Records
    from nadie.journal import Journal
    from nadie.run import RunOptions

KEY = "NADIE_KEY"
VAULT_KEY = "NADIE_VAULT_KEY"
NEW_VAULT_KEY = "NADIE_NEW_VAULT_KEY"


def read_inputs(paths: Iterable[Path]) -> Iterator[Document | FormatError]:
    """Every document of every path without its spans, or an error in its place."""
    for path in paths:
        for item in [_stdin()] if path == STDIN else _readable(path):
            yield Document(item.id, item.text, (), item.meta) if isinstance(item, Document) else item


def count_inputs(paths: Sequence[Path]) -> int | None:
    """The number of documents to read, for the progress bar; None if it is not known in advance."""
    return None if STDIN in paths else count_documents_files(paths)


def folder_in_place(paths: Sequence[Path], out: Path | None, *, can_restore: bool) -> Path:
    """The folder in which files are changed; an error if the originals could not be restored."""
    if out is not None:
        raise ConfigError("give either --in-place or --out, not both")
    if not can_restore:
        raise ConfigError("--in-place overwrites the originals: give --vault or --backup to be able to restore them")
    if len(paths) != 1 or paths[0] == STDIN:
        raise ConfigError("--in-place takes one file or one folder")
    return paths[0] if paths[0].is_dir() else paths[0].parent


def check_output(out: Path | None, paths: Iterable[Path]) -> None:
    """Raise an error if the output folder would overwrite an input or be read as input by the next run."""
    if out is None:
        return
    target = out.resolve()
    for path in paths:
        if path == STDIN:
            continue
        source = path.resolve()
        if target == (source if source.is_dir() else source.parent):
            raise ConfigError(f"the output would overwrite the input: choose a folder other than {out}")
        if source.is_dir() and target.is_relative_to(source):
            raise ConfigError(f"the output folder {out} is inside the input folder {path}: choose one outside it")


def _readable(path: Path) -> Iterator[Document | FormatError]:
    try:
        form = guess(path)
    except FormatError as error:
        yield error
        return
    # Annotations are not used here, so a broken annotation file must not prevent the reading of its text.
    yield from iter_readable(path, "text" if form == "brat" else None)


def _stdin() -> Document | FormatError:
    try:
        return Document("stdin", decode(sys.stdin.buffer.read(), "standard input"))
    except FormatError as error:
        return error


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


@contextmanager
def records_of(
    options: RunOptions, about: dict[str, Any], vault: tuple[Path, Secret] | None, audit: Path | None
) -> Iterator[Records]:
    """The vault with its passphrase, the audit of a run, and the data for the report."""
    from nadie.anonymize.records import Records
    from nadie.formats.files import writing

    with ExitStack() as stack:
        writer = None
        if vault is not None:
            from nadie.anonymize.vault.writing import VaultWriter

            writer = stack.enter_context(VaultWriter(*vault))
        written = stack.enter_context(writing(audit)) if audit else None
        yield Records(options.policy, about, options.key, vault=writer, audit=written)


@contextmanager
def writer_to(out: Path | None, to: Form, *, alone: bool) -> Iterator[Callable[[Document], None]]:
    from nadie.formats.jsonl import Jsonl, format_line

    if out is not None:
        with Jsonl().writer(out) as write:
            yield write
    elif to is Form.JSONL:
        yield lambda document: _emit(format_line(document))
    else:
        yield lambda document: _print(document.id, document.text, alone=alone)


def _emit(text: str) -> None:
    sys.stdout.buffer.write(text.encode("utf-8", "surrogatepass"))
    sys.stdout.buffer.flush()


def _print(name: str, text: str, *, alone: bool) -> None:
    end = "" if alone or text.endswith("\n") else "\n"
    _emit(text if alone else f"==> {name} <==\n{text}{end}")


def journal_for(out: Path | None, options: RunOptions, about: Mapping[str, Any], *, resume: bool) -> Journal | None:
    """The journal in the output folder. It needs a key, because it identifies texts by keyed fingerprints.

    `about` is everything besides the options that determines the output.
    """
    if out is None or options.key is None:
        if resume:
            raise ConfigError("--resume needs --out and the key of the run (--key-file or $NADIE_KEY)")
        return None
    from nadie.journal import Journal

    lists = [getattr(options.detection, each.name) for each in fields(options.detection)]
    table = Path(options.patient.removeprefix("table:")) if options.patient.startswith("table:") else None
    whole = {
        **about,
        "nadie": version("nadie"),
        "policy": [options.policy.name, options.policy.scope, options.policy.digest],
        "patient": options.patient.partition(":")[0] if table else options.patient,
        "files": _digests((*lists, table)),
    }
    return Journal(out, options.key, whole, resume=resume)


def _digests(values: Iterable[object]) -> list[str]:
    """The digests of the files named among the values."""
    return [hashlib.sha256(each.read_bytes()).hexdigest() for each in values if isinstance(each, Path)]

"""`nadie restore`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from nadie.document import Document
    from nadie.records.vault.reading import Vault
    from nadie.run.report import RunReport


def restore(
    paths: Annotated[list[Path], typer.Argument(help="Anonymized files and folders.", metavar="PATH...")],
    out: Annotated[Path, typer.Option(help="The folder for the restored texts.")],
    vault: Annotated[Path | None, typer.Option(help="The vault that was written with them.", metavar="FILE")] = None,
    key_file: Annotated[
        Path | None, typer.Option(help="A file with the vault's passphrase; by default $NADIE_VAULT_KEY or a prompt.")
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            help="Restore only values of this label, class of labels (NAME, DATE, ...) or role (patient, staff, "
            "relatives). May be repeated.",
            metavar="LABEL",
        ),
    ] = None,
    edited: Annotated[
        bool, typer.Option(help="Restore what can be placed in texts that were edited, and count the rest by label.")
    ] = False,
    release: Annotated[
        str, typer.Option(help="Without a vault: the release whose values are decrypted.", metavar="NAME")
    ] = "",
) -> None:
    """Restore the original texts, byte for byte, from anonymized texts and their vault.

    A text is restored only if it is exactly the one that was written, unless --edited is given: a changed text is an
    error, and so are a wrong key, a truncated vault and a changed byte in it. Only you can read the files that
    are written (mode 0600). Without a vault, values encrypted by the operator `encrypt` are decrypted.

    Examples:

        nadie restore anonymized/ --vault notes.vault --key-file key \\
            --out originals/
        nadie restore anonymized/one.txt --vault notes.vault \\
            --edited --only patient --only DATE --out originals/
    """
    from nadie.cli.batch import secret_of_vault
    from nadie.cli.console import finish, progress_bar
    from nadie.errors import ConfigError
    from nadie.files.annotated.text import Text
    from nadie.records.vault.reading import Vault
    from nadie.run.annotation import texts_of
    from nadie.run.documents import handled
    from nadie.run.files import check_output
    from nadie.run.report import RunReport

    check_output(out, paths)
    labels = _labels(only or [])
    opened = Vault(vault, secret_of_vault(key_file, None)) if vault else None
    if opened is None and (only or edited):
        raise ConfigError("--only and --edited need --vault")
    report = RunReport()
    original = _from_vault(opened, labels, edited, report) if opened else _decryption(key_file, release)
    with progress_bar() as bar, Text(0o600).writer(out) as write:
        bar.start("restoring", None)
        for item in bar.counted(texts_of(paths)):
            report.write(handled([item], lambda documents: map(original, documents)), write)
    if opened is not None:
        opened.close()
    finish(report)


_ROLES = {
    "patient": "NOMBRE_SUJETO_ASISTENCIA",
    "staff": "NOMBRE_PERSONAL_SANITARIO",
    "relatives": "FAMILIARES_SUJETO_ASISTENCIA",
}


def _labels(names: list[str]) -> frozenset[str]:
    """The labels that are named, by themselves, by their class or by a role."""
    from nadie.errors import ConfigError
    from nadie.labels import Label

    found: set[str] = set()
    for name in names:
        labels = {label for label in Label if name in (label, label.parent) or _ROLES.get(name) == label}
        if not labels:
            raise ConfigError(f"{name[:40]!r} is no label, no class of labels and none of {', '.join(_ROLES)}")
        found |= labels
    return frozenset(found)


def _from_vault(vault: Vault, only: frozenset[str], edited: bool, report: RunReport) -> Callable[[Document], Document]:
    """The function that restores a document; what cannot be placed in an edited one is a warning."""

    def original(document: Document) -> Document:
        if not edited:
            return vault.restore(document, only)
        restored, unplaced = vault.restore_edited(document, only)
        counted = ", ".join(f"{count} {label}" for label, count in sorted(Counter(unplaced).items()))
        if counted:
            report.warnings.add([f"{document.id}: could not be placed: {counted}"])
        return restored

    return original


def _decryption(key_file: Path | None, release: str) -> Callable[[Document], Document]:
    """The function that decrypts the values which the operator `encrypt` encrypted with the key."""
    from nadie.anonymize.operators.encrypt import decrypt, is_encrypted
    from nadie.cli.batch import KEY, secret_from
    from nadie.document import Document
    from nadie.errors import VaultError

    secret = secret_from(key_file, KEY)
    if secret is None:
        raise VaultError("give --vault, or with --key-file the key that the operator 'encrypt' used")
    key = secret.key(release, for_old_values=True)

    def original(document: Document) -> Document:
        if not is_encrypted(document.text):
            raise VaultError("has no encrypted values", where=document.id)
        return Document(document.id, decrypt(document.text, key), (), document.meta)

    return original

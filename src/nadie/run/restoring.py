"""Restores the originals of anonymized files: from a vault, or by decrypting the values in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from nadie.anonymize.secret import Key
from nadie.document import Document
from nadie.errors import Failure, VaultError
from nadie.files.annotated.text import Text
from nadie.records.vault.reading import Vault
from nadie.run.annotation import texts_of
from nadie.run.documents import handled
from nadie.run.files import check_output
from nadie.run.report import RunReport

Restore = Callable[[Document], Document]
Counted = Callable[[Iterable[Document | Failure]], Iterator[Document | Failure]]


def restore_files(
    paths: list[Path], out: Path, restore: Restore, report: RunReport, counted: Counted = iter
) -> RunReport:
    """Write the original of every text into a folder; only the user can read them. `counted` gets all texts."""
    check_output(out, paths)
    with Text(0o600).writer(out) as write:
        for item in counted(texts_of(paths)):
            report.write(handled([item], lambda documents: map(restore, documents)), write)
    return report


def from_vault(vault: Vault, report: RunReport, only: frozenset[str] = frozenset(), *, edited: bool = False) -> Restore:
    """The function that restores a document; what cannot be placed in an edited one is a warning of the report."""

    def original(document: Document) -> Document:
        if not edited:
            return vault.restore(document, only)
        restored, unplaced = vault.restore_edited(document, only)
        counts = ", ".join(f"{count} {label}" for label, count in sorted(Counter(unplaced).items()))
        if counts:
            report.warnings.add([f"{document.id}: could not be placed: {counts}"])
        return restored

    return original


def by_decryption(key: Key) -> Restore:
    """The function that decrypts the values which the operator `encrypt` encrypted with the key."""
    from nadie.anonymize.operators.encrypt import decrypt, is_encrypted

    def original(document: Document) -> Document:
        if not is_encrypted(document.text):
            raise VaultError("has no encrypted values", where=document.id)
        return Document(document.id, decrypt(document.text, key), (), document.meta)

    return original

"""`nadie restore`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from nadie.document import Document


def restore(
    paths: Annotated[list[Path], typer.Argument(help="Anonymized files and folders.", metavar="PATH...")],
    out: Annotated[Path, typer.Option(help="The folder for the restored texts.")],
    vault: Annotated[Path | None, typer.Option(help="The vault that was written with them.", metavar="FILE")] = None,
    key_file: Annotated[
        Path | None, typer.Option(help="A file with the vault's passphrase; by default $NADIE_VAULT_KEY or a prompt.")
    ] = None,
    release: Annotated[
        str, typer.Option(help="Without a vault: the release whose values are decrypted.", metavar="NAME")
    ] = "",
) -> None:
    """Restore the original texts, byte for byte, from anonymized texts and their vault.

    A text is restored only if it is exactly the one that was written: a changed text is an error, and so are a wrong
    key, a truncated vault and a changed byte in it. Only you can read the files that are written
    (mode 0600). Without a vault, values encrypted by the operator `encrypt` are decrypted.

    Examples:

        nadie restore anonymized/ --vault notes.vault --key-file key \\
            --out originals/
        nadie restore anonymized/one.txt --vault notes.vault \\
            --out originals/
    """
    from nadie.cli.batch import secret_of_vault
    from nadie.cli.console import finish, progress_bar
    from nadie.files.annotated.text import Text
    from nadie.records.vault.reading import Vault
    from nadie.run.annotation import texts_of
    from nadie.run.documents import handled
    from nadie.run.files import check_output
    from nadie.run.report import RunReport

    check_output(out, paths)
    opened = Vault(vault, secret_of_vault(key_file, None)) if vault else None
    original = opened.restore if opened else _decryption(key_file, release)
    report = RunReport()
    with progress_bar() as bar, Text(0o600).writer(out) as write:
        bar.start("restoring", None)
        for item in bar.counted(texts_of(paths)):
            report.write(handled([item], lambda documents: map(original, documents)), write)
    if opened is not None:
        opened.close()
    finish(report)


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

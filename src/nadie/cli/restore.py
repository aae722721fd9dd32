"""`nadie restore`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def restore(
    paths: Annotated[list[Path], typer.Argument(help="Anonymized files and folders.", metavar="PATH...")],
    out: Annotated[Path, typer.Option(help="The folder for the restored texts.")],
    vault: Annotated[Path | None, typer.Option(help="The vault that was written with them.", metavar="FILE")] = None,
    key_file: Annotated[
        Path | None, typer.Option(help="A file with the vault's passphrase; by default $NADIE_VAULT_KEY or a prompt.")
    ] = None,
) -> None:
    """Restore the original texts, byte for byte, from anonymized texts and their vault.

    A text is restored only if it is exactly the one that was written: a changed text is an error, and so are a wrong
    key, a truncated vault and a changed byte in it. Only you can read the files that are written
    (mode 0600). Without a vault, values encrypted by the operator `encrypt` are decrypted.

    Examples:

        nadie restore anonymized/ --vault notes.vault --key-file key \\
            --out originals/
        NADIE_VAULT_KEY=... nadie restore anonymized/one.txt \\
            --vault notes.vault --out originals/
    """
    from nadie.anonymize.operators.encrypt import decrypt, is_encrypted
    from nadie.anonymize.vault.reading import Vault
    from nadie.cli.batch import KEY, check_output, count_inputs, read_inputs, secret_from, secret_of_vault
    from nadie.cli.console import Summary, progress_bar
    from nadie.document import Document
    from nadie.errors import VaultError
    from nadie.formats.text import Text
    from nadie.run import handled

    check_output(out, paths)
    opened = key = None
    if vault is not None:
        opened = Vault(vault, secret_of_vault(key_file, None))
    else:
        secret = secret_from(key_file, KEY)
        if secret is None:
            raise VaultError("give --vault, or with --key-file the key that the operator 'encrypt' used")
        key = secret.key()

    def original(document: Document) -> Document:
        if opened is not None:
            return opened.restore(document)
        if key is None or not is_encrypted(document.text):
            raise VaultError(f"the document {document.id[:80]!r} has no encrypted values")
        return Document(document.id, decrypt(document.text, key), (), document.meta)

    with progress_bar() as bar, Text(0o600).writer(out) as write:
        summary = Summary(bar)
        bar.start("restoring", count_inputs(paths))
        for item in read_inputs(paths):
            summary.write(handled([item], lambda documents: map(original, documents)), write)
    if opened is not None:
        opened.close()
    summary.finish()

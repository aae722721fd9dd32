"""`nadie vault`."""

from __future__ import annotations

import csv
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from nadie.cli.language import say


class VaultAction(StrEnum):
    CHECK = "check"
    ROTATE = "rotate"
    RECOVER = "recover"
    NAMES = "names"


def vault(
    action: Annotated[VaultAction, typer.Argument(help="What to do with the vault.")],
    file: Annotated[Path, typer.Argument(help="The vault.", metavar="FILE")],
    key_file: Annotated[
        Path | None, typer.Option(help="A file with its passphrase; by default $NADIE_VAULT_KEY or a prompt.")
    ] = None,
    new_key_file: Annotated[
        Path | None,
        typer.Option(help="With rotate: a file with the new passphrase; by default $NADIE_NEW_VAULT_KEY or a prompt."),
    ] = None,
) -> None:
    """Check a vault, change its passphrase, recover a damaged one, or list renamed files.

    The actions:

        check    decrypt and authenticate every entry
        rotate   encrypt it with another passphrase; the old file is
                 replaced when the new one is complete
        recover  after an interrupted run or damage: keep every intact
                 entry and report what was lost; the damaged file stays
                 as FILE.damaged
        names    print the new and the original name of every file and
                 document that was renamed, as CSV

    Examples:

        nadie vault check notes.vault --key-file key
        nadie vault rotate notes.vault --key-file old --new-key-file new
    """
    from nadie.cli.batch import NEW_VAULT_KEY, secret_from, secret_of_vault
    from nadie.cli.console import stderr
    from nadie.records.vault.reading import Vault, recover, rotate

    secret = secret_of_vault(key_file, None)
    if action is VaultAction.CHECK:
        with Vault(file, secret) as opened:
            stderr().print(say(f"{len(opened)} entries, all intact"))
    elif action is VaultAction.NAMES:
        with Vault(file, secret) as opened:
            rows = csv.writer(sys.stdout)
            rows.writerows([("output", "original"), *opened.names().items()])
    elif action is VaultAction.ROTATE:
        new = secret_of_vault(new_key_file, secret_from(None, NEW_VAULT_KEY), NEW_VAULT_KEY, new=True)
        stderr().print(say(f"{rotate(file, secret, new)} entries encrypted with the new passphrase"))
    else:
        saved = recover(file, secret)
        lost = f"{saved.lost} lost, {saved.cut_bytes} bytes of an incomplete entry dropped"
        stderr().print(say(f"{saved.entries} entries saved, {lost}"))

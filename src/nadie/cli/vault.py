"""`nadie vault`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Action(StrEnum):
    CHECK = "check"
    ROTATE = "rotate"
    RECOVER = "recover"


def vault(
    action: Annotated[Action, typer.Argument(help="What to do with it.")],
    file: Annotated[Path, typer.Argument(help="The vault.", metavar="FILE")],
    key_file: Annotated[
        Path | None, typer.Option(help="The file with its passphrase; else $NADIE_VAULT_KEY, or a prompt.")
    ] = None,
    new_key_file: Annotated[
        Path | None, typer.Option(help="rotate: the file with the new one; else $NADIE_NEW_VAULT_KEY, or a prompt.")
    ] = None,
) -> None:
    """Look after a vault: check it, give it another key, save what is whole of a damaged one.

    check     opens and authenticates every entry

    rotate    encrypts it anew under another passphrase; the old file is replaced when the new one is complete

    recover   after an interrupted run or damage: keeps every entry that is whole, and says what was lost. The damaged
              file stays beside it as FILE.damaged

    Examples:

        nadie vault check notes.vault --key-file key
        nadie vault rotate notes.vault --key-file old --new-key-file new
    """
    from nadie.anonymize.vault.reading import Vault, recover, rotate
    from nadie.cli.console import stderr
    from nadie.cli.policy_options import NEW_VAULT_KEY, secret_from, secret_of_vault

    secret = secret_of_vault(key_file, None)
    if action is Action.CHECK:
        with Vault(file, secret) as opened:
            stderr().print(f"{len(opened)} entries, all of them whole")
    elif action is Action.ROTATE:
        new = secret_of_vault(new_key_file, secret_from(None, NEW_VAULT_KEY), NEW_VAULT_KEY, new=True)
        stderr().print(f"{rotate(file, secret, new)} entries under the new key")
    else:
        saved = recover(file, secret)
        stderr().print(
            f"{saved.entries} entries saved, {saved.lost} lost, {saved.cut_bytes} bytes of a cut entry dropped"
        )

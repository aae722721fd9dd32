"""`nadie restore`."""

from __future__ import annotations

from contextlib import ExitStack
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
    from nadie.cli.batch import KEY, secret_from, secret_of_vault
    from nadie.cli.console import finish, progress_bar
    from nadie.errors import ConfigError, VaultError
    from nadie.records.vault.reading import Vault
    from nadie.run.report import RunReport
    from nadie.run.restoring import by_decryption, from_vault, restore_files

    labels, report = _labels(only or []), RunReport()
    with ExitStack() as stack:
        if vault:
            opened = stack.enter_context(Vault(vault, secret_of_vault(key_file, None)))
            restored = from_vault(opened, report, labels, edited=edited)
        elif only or edited:
            raise ConfigError("--only and --edited need --vault")
        elif (secret := secret_from(key_file, KEY)) is None:
            raise VaultError("give --vault, or with --key-file the key that the operator 'encrypt' used")
        else:
            restored = by_decryption(secret.key(release, for_old_values=True))
        bar = stack.enter_context(progress_bar())
        bar.start("restoring", None)
        restore_files(paths, out, restored, report, bar.counted)
    finish(report)


_ROLES = {
    "patient": "NOMBRE_SUJETO_ASISTENCIA",
    "staff": "NOMBRE_PERSONAL_SANITARIO",
    "relatives": "FAMILIARES_SUJETO_ASISTENCIA",
}


def _labels(names: list[str]) -> frozenset[str]:
    """The labels that are named, by themselves, by their class or by a role."""
    from nadie.errors import ConfigError
    from nadie.labels import Label, is_own

    found: set[str] = set()
    for name in names:
        labels: set[str] = {label for label in Label if name in (label, label.parent) or _ROLES.get(name) == label}
        labels |= {name} if is_own(name) else set()
        if not labels:
            raise ConfigError(f"{name[:40]!r} is no label, no class of labels and none of {', '.join(_ROLES)}")
        found |= labels
    return frozenset(found)

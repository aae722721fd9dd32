"""`nadie key`: key files and their salts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Key files for `--key-file` and `--vault-key-file`.", no_args_is_help=True)


@app.command()
def new(file: Annotated[Path, typer.Argument(help="The key file to write.", metavar="FILE")]) -> None:
    """Write a random key to a file that only you can read. An existing file is never overwritten.

    Keep a copy apart from the output: without the key, later notes of the same patients get other surrogates. Copy it
    to every machine that shall give the same output. One key is for one set of notes.

    Example:

        nadie key new key
        nadie anonymize notes/ --out out/ --policy research --key-file key
    """
    from base64 import b64encode
    from secrets import token_bytes

    _write(file, b64encode(token_bytes(32)), 0o600)


@app.command()
def salt(file: Annotated[Path, typer.Argument(help="The file with the passphrase.", metavar="FILE")]) -> None:
    """Make the salt that a passphrase needs, in FILE.salt. An existing file is never overwritten.

    The salt is no secret, but it belongs to the key: copy both files together, since another salt is another key. A
    random key (`nadie key new`) needs none.

    Example:

        nadie key salt passphrase
        nadie anonymize notes/ --out out/ --policy research \\
            --key-file passphrase
    """
    from secrets import token_hex

    from nadie.anonymize.secret import Secret, salt_file

    Secret.from_file(file).check()
    _write(salt_file(file), token_hex(16).encode("ascii"), 0o644)


def _write(file: Path, content: bytes, mode: int) -> None:
    import os

    from nadie.cli.console import print_line
    from nadie.errors import ConfigError

    try:
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as out:
            out.write(content + b"\n")
    except OSError as error:
        raise ConfigError(f"{file} cannot be written ({error.strerror})") from None
    print_line(str(file), "written", "green")

"""`nadie tokens`: access tokens for a service that other machines can reach."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="The tokens that `nadie serve --tokens FILE` accepts.", no_args_is_help=True)

TokenPath = Annotated[Path, typer.Option("--file", "-f", help="The token file.")]
_DEFAULT_FILE = Path("tokens.json")


@app.command()
def add(
    name: Annotated[str, typer.Argument(help="Who will use the token; shown in the log and with corrections.")],
    file: TokenPath = _DEFAULT_FILE,
    allow: Annotated[
        list[str] | None,
        typer.Option(
            help="A permission; may be repeated: annotate, review, adjudicate, originals, administer, restore or "
            "metrics. [default: annotate review]"
        ),
    ] = None,
    days: Annotated[int | None, typer.Option(min=1, help="The number of days after which the token expires.")] = None,
) -> None:
    """Create a token and show it once; the file stores only its hash.

    Examples:

        nadie tokens add maria --file tokens.json
        nadie tokens add prometheus --allow metrics --days 365
    """
    from nadie.errors import ConfigError
    from nadie.service.tokens import DEFAULT_PERMISSIONS, new_token, read_tokens, write_tokens

    tokens = read_tokens(file) if file.exists() else {}
    if name in tokens:
        raise ConfigError(f"{file} already has a token for {name!r}: revoke it first")
    expires = None if days is None else datetime.now(UTC) + timedelta(days=days)
    secret, token = new_token(name, allow or DEFAULT_PERMISSIONS, expires)
    write_tokens(file, {**tokens, name: token})
    sys.stdout.write(f"{secret}\n")
    sys.stderr.write(
        f"This is the only time the token of {name} is shown. It allows: {', '.join(token.permissions)}.\n"
    )


@app.command(name="list")
def list_tokens(file: TokenPath = _DEFAULT_FILE) -> None:
    """List all tokens with their permissions and expiry dates."""
    from nadie.service.tokens import read_tokens

    for token in read_tokens(file).values():
        until = f"until {token.expires}" if token.expires else "without end"
        sys.stdout.write(f"{token.name}\t{', '.join(token.permissions)}\t{until}\n")


@app.command()
def revoke(
    name: Annotated[str, typer.Argument(help="The name of the token to revoke.")],
    file: TokenPath = _DEFAULT_FILE,
) -> None:
    """Revoke a token. A running service refuses it immediately."""
    from nadie.errors import ConfigError
    from nadie.service.tokens import read_tokens, write_tokens

    tokens = read_tokens(file)
    if name not in tokens:
        raise ConfigError(f"{file} has no token for {name!r}")
    write_tokens(file, {other: token for other, token in tokens.items() if other != name})
    sys.stderr.write(f"The token of {name} no longer works.\n")

"""`nadie tokens`: access tokens for a service that other machines can reach."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nadie.cli.console import print_line
from nadie.cli.language import say

if TYPE_CHECKING:
    from nadie.service.tokens import AccessToken

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
            help="A permission; may be repeated: annotate, review, adjudicate, originals, administer, keep, restore, "
            "keyed or metrics. [default: annotate review]"
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
    from nadie.service.tokens import DEFAULT_PERMISSIONS, change_tokens, new_token

    expires = None if days is None else datetime.now(UTC) + timedelta(days=days)
    secret, token = new_token(name, allow or DEFAULT_PERMISSIONS, expires)

    def change(tokens: dict[str, AccessToken]) -> dict[str, AccessToken]:
        if name in tokens:
            raise ConfigError(f"{file} already has a token for {name!r}: rotate or revoke it")
        return {**tokens, name: token}

    change_tokens(file, change)
    sys.stdout.write(f"{secret}\n")
    print_line(f"This is the only time the token of {name} is shown. It allows: {', '.join(token.permissions)}.")


@app.command(name="list")
def list_tokens(file: TokenPath = _DEFAULT_FILE) -> None:
    """List all tokens with their permissions, the times of their creation and, if any, of their end.

    The service knows when each was last used: see its page, or `GET /v1/people`.
    """
    from nadie.service.tokens import read_tokens

    for token in read_tokens(file).values():
        times = say(f"since {token.created}"), say(f"until {token.expires}" if token.expires else "without end")
        sys.stdout.write("\t".join((token.name, ", ".join(token.permissions), *times)) + "\n")


@app.command()
def rotate(
    name: Annotated[str, typer.Argument(help="Whose token is replaced.")],
    file: TokenPath = _DEFAULT_FILE,
    hours: Annotated[float, typer.Option(min=0, help="The hours for which the old token still works.")] = 24.0,
) -> None:
    """Replace a token by a new one, shown once, with the same permissions; the old one works for some more hours.

    Examples:

        nadie tokens rotate historia-clinica --hours 48
    """
    from nadie.service.tokens import change_tokens

    made: list[tuple[str, AccessToken]] = []

    def change(tokens: dict[str, AccessToken]) -> dict[str, AccessToken]:
        made.append(_known(tokens, name, file).rotated(hours))
        return {**tokens, name: made[0][1]}

    change_tokens(file, change)
    secret, token = made[0]
    sys.stdout.write(f"{secret}\n")
    print_line(f"The old token of {name} works until {token.previous_until}.")


@app.command()
def revoke(
    name: Annotated[str, typer.Argument(help="The name of the token to revoke.")],
    file: TokenPath = _DEFAULT_FILE,
) -> None:
    """Revoke a token. A running service refuses it immediately."""
    from nadie.service.tokens import change_tokens

    def change(tokens: dict[str, AccessToken]) -> dict[str, AccessToken]:
        _known(tokens, name, file)
        return {other: token for other, token in tokens.items() if other != name}

    change_tokens(file, change)
    print_line(f"The token of {name} no longer works.")


def _known(tokens: dict[str, AccessToken], name: str, file: Path) -> AccessToken:
    from nadie.errors import ConfigError

    if name not in tokens:
        raise ConfigError(f"{file} has no token for {name!r}")
    return tokens[name]

"""`nadie serve`: the review page and the HTTP API."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def serve(
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model", "-m", help="A model by name or folder; several may be given, the first is the default."
        ),
    ] = None,
    project: Annotated[
        Path | None,
        typer.Option(help="Store documents, states and corrections in this folder. Without it nothing is stored."),
    ] = None,
    host: Annotated[str | None, typer.Option(help="The address to listen on. [default: 127.0.0.1]")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="The port to listen on. [default: 8000]")] = None,
    tokens: Annotated[
        Path | None, typer.Option(help="Require one of the tokens in this file; see `nadie tokens add`.")
    ] = None,
    thresholds: Annotated[
        Path | None, typer.Option(help="A TOML file with the minimum confidence for each label.", metavar="FILE")
    ] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file with these and all other options.")] = None,
    root_path: Annotated[
        str | None,
        typer.Option(help="The path under which a reverse proxy serves nadie, such as /nadie.", metavar="PATH"),
    ] = None,
    without_token: Annotated[
        bool,
        typer.Option("--without-token", help="Do not require tokens even if other machines can reach the address."),
    ] = False,
) -> None:
    """Serve the review page and the HTTP API.

    For this machine only, storing nothing:

        nadie serve

    With a folder that stores documents and corrections, for a review by several people:

        nadie serve --project review

    For the hospital's network, with a token for each caller and all limits in a file:

        nadie tokens add historia-clinica --file tokens.json
        nadie serve --host 0.0.0.0 --tokens tokens.json --config serve.toml
    """
    from nadie.errors import MissingExtraError

    try:
        from nadie.service.http.app import run
    except ModuleNotFoundError as error:
        raise MissingExtraError("nadie serve", "service") from error
    from nadie.service.options import read_options

    options = read_options(
        config,
        models=tuple(model) if model else None,
        project=project,
        host=host,
        port=port,
        tokens=tokens,
        thresholds=thresholds,
        root_path=root_path,
        without_token=without_token or None,
    )
    run(options)

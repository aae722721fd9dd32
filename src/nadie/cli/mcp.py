"""`nadie mcp`: tools for a language model's program."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nadie.cli import detection_options as given
from nadie.options import DetectionOptions


@given.with_detection_options
def mcp(
    folders: Annotated[
        list[Path], typer.Argument(help="The folders whose files may be read and written.", metavar="FOLDER...")
    ],
    policy: Annotated[str, typer.Option(help="The name of a policy, or a policy file (.toml).")] = "default",
    key_file: Annotated[
        Path | None, typer.Option(help="A file with the key of surrogates and vault; by default $NADIE_KEY.")
    ] = None,
    vault: Annotated[
        Path | None, typer.Option(help="An encrypted file with the originals, for the tool restore.", metavar="FILE")
    ] = None,
    model: given.Model = "fast",
    *,
    detection: DetectionOptions,
) -> None:
    """Serve anonymize, annotate and, with --vault, restore as tools of the Model Context Protocol, on stdin and stdout.

    The tools take paths and write files into a folder. The program that calls them gets the folder, counts and reasons,
    no text and no name of a file, and nothing is logged. Keep the vault and the key outside the folders.

    What is anonymized can then be read by the language model. What was missed is read too: --mode recall misses least.

    Example, as the command of a server in the settings of such a program:

        nadie mcp /data/notes /data/anonymized --mode recall
    """
    import logging

    from nadie.anonymize.secret import Key
    from nadie.cli.batch import KEY, policy_with, secret_from
    from nadie.errors import ConfigError
    from nadie.integrations.mcp import PathTools
    from nadie.run.documents import RunOptions

    logging.disable(logging.CRITICAL)  # messages of the library may quote what a tool was called with
    secret = secret_from(key_file, KEY)
    if vault is not None and secret is None:
        raise ConfigError("--vault needs --key-file or $NADIE_KEY: there is nobody who could type a passphrase")
    if outside := [folder for folder in folders if not folder.is_dir()]:
        raise ConfigError(f"{outside[0]} is not a folder")
    run = RunOptions(model, detection, policy_with(policy, []), Key.of(secret))
    PathTools(tuple(folders), run, vault, secret).server().run()

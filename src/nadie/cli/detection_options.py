"""The options that say how spans are detected, shared by the commands that do it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nadie.options import Mode

Paths = Annotated[list[Path], typer.Argument(help="Files and folders, or - for standard input.", metavar="PATH...")]
Model = Annotated[str, typer.Option(help="A model's name (see `nadie models`) or folder.")]
OperatingMode = Annotated[
    Mode, typer.Option(help="The operating point: balanced, recall (fewer misses) or precision (fewer false alarms).")
]
Known = Annotated[
    Path | None,
    typer.Option("--known", help="A CSV of identities to find in any spelling: name, DNI, phone ...", metavar="FILE"),
]
Allow = Annotated[Path | None, typer.Option("--allow", help="Terms that are never PHI, one a line.", metavar="FILE")]
Deny = Annotated[
    Path | None, typer.Option("--deny", help="Terms that always are PHI: label, tab, term.", metavar="FILE")
]
Thresholds = Annotated[
    Path | None, typer.Option("--thresholds", help="A TOML file: the least confidence of each label.", metavar="FILE")
]

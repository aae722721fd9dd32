"""The options that say how files are opened and spans detected, shared by the commands that do it."""

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
From = Annotated[
    str, typer.Option("--from", help="What the files are, where their content does not tell or tells wrong.")
]
Column = Annotated[
    list[str] | None,
    typer.Option(help="A column of a table to anonymize; may be repeated. Else by content.", metavar="NAME[=LABEL]"),
]
PatientColumn = Annotated[str, typer.Option(help="The column that tells a row's patient.", metavar="NAME")]

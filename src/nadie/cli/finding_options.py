"""The options that say how to look for spans, shared by the commands that do."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nadie.finding import Mode

ModeOption = Annotated[
    Mode, typer.Option(help="The operating point: balanced, recall (miss less, mask more) or precision (the reverse).")
]
KnownOption = Annotated[
    Path | None,
    typer.Option("--known", help="A CSV of identities to find in any spelling: name, DNI, phone ...", metavar="FILE"),
]
AllowOption = Annotated[
    Path | None, typer.Option("--allow", help="Terms that identify nobody, one a line.", metavar="FILE")
]
ThresholdsOption = Annotated[
    Path | None,
    typer.Option("--thresholds", help="A TOML file: how sure the model must be, for each label.", metavar="FILE"),
]
DenyOption = Annotated[
    Path | None, typer.Option("--deny", help="Terms always to find: a label, a tab, a term a line.", metavar="FILE")
]

"""`nadie show`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nadie.cli.finding_options import AllowOption, DenyOption, KnownOption, ModeOption, ThresholdsOption
from nadie.finding import Finding, Mode

# One style for each parent class, told apart by shade as well as by colour.
_STYLES = {
    "NAME": "black on bright_cyan",
    "PROFESSION": "black on bright_white",
    "LOCATION": "black on bright_green",
    "AGE": "black on bright_yellow",
    "DATE": "black on yellow",
    "CONTACT": "white on blue",
    "ID": "white on magenta",
    "OTHER": "white on red",
}


def show(
    paths: Annotated[list[Path], typer.Argument(help="Files and folders, or - for standard input.", metavar="PATH...")],
    model: Annotated[str, typer.Option(help="A model's name (see `nadie models`) or folder.")] = "fast",
    mode: ModeOption = Mode.BALANCED,
    known: KnownOption = None,
    allow: AllowOption = None,
    deny: DenyOption = None,
    thresholds: ThresholdsOption = None,
) -> None:
    """Show notes in the terminal with what was found in them highlighted, then anonymized.

    Example:

        nadie show examples/
    """
    from rich.console import Console
    from rich.panel import Panel
    from rich.text import Text

    from nadie.anonymize.engine import anonymize
    from nadie.cli.batch import Batch
    from nadie.cli.console import progress_bar
    from nadie.labels import Label
    from nadie.pipeline import load

    pipeline = load(model, finding=Finding(mode, known, allow, deny, thresholds))
    console = Console(highlight=False)
    with progress_bar() as bar:
        batch = Batch(bar)
        for document in batch.annotate(batch.read(paths), pipeline):
            text = Text(document.text)
            for span in document.spans:
                text.stylize(_STYLES[Label(span.label).parent], span.start, span.end)
            found = f"{len(document.spans)} found"
            console.print(Panel(text, title=document.id, subtitle=found, title_align="left", subtitle_align="right"))
            hidden = Text(anonymize(document, pipeline.operator))
            console.print(Panel(hidden, title=f"{document.id}, anonymized", title_align="left", border_style="green"))
            batch.done()
    legend = Text(" ").join(Text(f" {name} ", style=style) for name, style in _STYLES.items())
    console.print(legend)
    batch.finish()

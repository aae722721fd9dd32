"""`nadie show`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from nadie.cli import detection_options as given
from nadie.cli.language import say
from nadie.options import DetectionOptions

if TYPE_CHECKING:
    from rich.table import Table

    from nadie.document import Document
    from nadie.run.pipeline import Pipeline

# One style per parent class, distinguishable by brightness as well as by colour.
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


@given.with_detection_options
def show(
    paths: given.Paths,
    why: Annotated[
        bool,
        typer.Option("--why", help="Also list which stage found each span and why, and the second label."),
    ] = False,
    model: given.Model = "fast",
    *,
    detection: DetectionOptions,
    reading: given.Reading,
) -> None:
    """Show the texts of files in the terminal with their spans highlighted, then anonymized.

    Reads the same files as `nadie anonymize`.

    Examples:

        nadie show examples/
        nadie show note.txt --why
    """
    from rich.console import Console
    from rich.panel import Panel
    from rich.text import Text

    from nadie.cli.console import finish
    from nadie.errors import Failure
    from nadie.labels import Label
    from nadie.run.annotation import texts_of
    from nadie.run.documents import Run, RunOptions
    from nadie.run.report import RunReport

    console, report = Console(highlight=False), RunReport()
    with Run(RunOptions(model, detection)) as run:
        for result in run.anonymize(texts_of(paths, reading.options())):
            if isinstance(result, Failure):
                report.fail(result)
                continue
            document = result.document
            text = Text(document.text)
            for span in document.spans:
                text.stylize(_STYLES[Label(span.label).parent], span.start, span.end)
            found = say(f"{len(document.spans)} spans found")
            console.print(Panel(text, title=document.id, subtitle=found, title_align="left", subtitle_align="right"))
            console.print(
                Panel(
                    Text(result.text), title=say(f"{document.id}, anonymized"), title_align="left", border_style="green"
                )
            )
            if why:
                console.print(_reasons(run.pipeline, document))
            report.handled += 1
    legend = Text(" ").join(Text(f" {name} ", style=style) for name, style in _STYLES.items())
    console.print(legend)
    finish(report)


def _reasons(pipeline: Pipeline, document: Document) -> Table:
    """A table of the spans with their explanations."""
    from rich.table import Table
    from rich.text import Text

    from nadie.run.explaining import explanations

    table = Table()
    for heading in say("text | label | score | found by | second").split(" | "):
        table.add_column(heading, overflow="fold")
    for each in explanations(document, pipeline.detector):
        second = f"{each.runner_up} {each.runner_up_score:.2f}" if each.runner_up else ""
        cells = (
            document.text_of(each.span),
            str(each.span.label),
            f"{each.span.score:.2f}",
            say(f"{each.stage}: {each.reason}"),
        )
        table.add_row(*map(Text, (*cells, second)))
    return table

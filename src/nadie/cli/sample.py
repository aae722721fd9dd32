"""`nadie sample`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from nadie.cli import detection_options as given
from nadie.options import DetectionOptions

if TYPE_CHECKING:
    from nadie.run.sampling import DrawnSample


@given.with_detection_options
def sample(
    paths: given.Paths,
    out: Annotated[Path, typer.Option(help="The folder to create for the review.", metavar="DIR")],
    size: Annotated[
        int, typer.Option(min=0, help="How many notes, or patients, to draw. [default: as many as --at-most needs]")
    ] = 0,
    at_most: Annotated[
        float, typer.Option(help="The share of notes with a direct identifier left that the review is to state.")
    ] = 0.01,
    level: Annotated[float, typer.Option(help="The confidence of that statement.")] = 0.95,
    by: Annotated[
        str,
        typer.Option(help="What the sample is spread over: folder, type, language, length, uncertainty."),
    ] = "folder,type,language,length",
    oversample: Annotated[
        float, typer.Option(help="Draw notes in which the model is unsure this many times as often, and weight them.")
    ] = 1.0,
    patient_id: Annotated[
        str, typer.Option(help="Draw patients, with all their notes: folder, id:PATTERN, meta:FIELD, table:FILE.")
    ] = "",
    unsure: Annotated[
        int, typer.Option(min=0, help="Add this many notes of which the model is least sure; no estimate counts them.")
    ] = 0,
    seed: Annotated[int, typer.Option(help="The same seed draws the same notes.")] = 1,
    to: Annotated[Literal["project", "brat"], typer.Option(help="Review on the page, or in any brat tool.")] = (
        "project"
    ),
    model: given.Model = "fast",
    *,
    detection: DetectionOptions,
    reading: given.Reading,
) -> None:
    """Draw a random sample of notes for review, to measure how much leaks in these notes.

    Reads what `nadie anonymize` reads. The model annotates the sample: give the options about detection of your runs.
    People correct it with `nadie serve --project DIR`, and `nadie risk DIR` gives the shares of notes and identifiers
    that leak, with bounds. What the review is to state is written into the sample before it begins. The page
    docs/en/reference/own-notes.md shows all steps.

    Examples:

        nadie sample notes/ --size 299 --out review
        nadie sample notes/ --at-most 0.02 --oversample 3 --out review
        nadie sample notes/ --mode recall --deny staff.txt --out review
        nadie sample notes/ --size 100 --to brat --out review
    """
    from nadie.cli.console import print_line
    from nadie.cli.language import say_error
    from nadie.errors import ConfigError
    from nadie.risk.review.figures import Figures
    from nadie.risk.sample import StoppingRule
    from nadie.run.sampling import SamplingOptions, draw_sample

    if out.exists() and any(out.iterdir()):
        raise ConfigError(f"{out} is not empty: a sample needs a folder of its own")
    names = tuple(filter(None, by.split(",")))
    rule, read = StoppingRule(at_most, level), reading.options()
    options = SamplingOptions(size, seed, names, oversample, patient_id, rule, model, unsure, read, detection)
    drawn = draw_sample(paths, options)
    for failure in drawn.failures:
        print_line(say_error(failure), "not in the sample", "yellow")
    _write(drawn, out, to)
    bound = Figures(drawn.sample, ()).possible_statements(1)[0][1]
    if bound > at_most:
        print_line(f"without any leak, this sample states at most {bound:.2%}, more than the goal", "warning")
    of = f"{drawn.sample.of_units} {drawn.sample.unit}s"
    print_line(f"{drawn.sample.units} of {of}, {len(drawn.documents)} notes, in {out}")


def _write(drawn: DrawnSample, out: Path, to: str) -> None:
    from nadie.errors import MissingExtraError

    if to == "brat":
        drawn.write_brat(out)
        return
    try:
        from nadie.service.project.sampled import create
    except ModuleNotFoundError as error:
        raise MissingExtraError("a project", "service") from error
    create(out, drawn.sample, (*drawn.documents, *drawn.unsure))

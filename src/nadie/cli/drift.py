"""`nadie drift`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from nadie.cli import detection_options as given
from nadie.options import DetectionOptions


@given.with_detection_options
def drift(
    sample: Annotated[Path, typer.Argument(help="The folder of the sample that was reviewed.", metavar="SAMPLE")],
    paths: given.Paths,
    most: Annotated[int, typer.Option(min=20, help="How many notes to look at, from the first on.")] = 2000,
    model: given.Model = "",
    *,
    detection: DetectionOptions,
    reading: given.Reading,
) -> None:
    """Compare notes with the sample by which the model was measured, and say whether to measure again.

    Compares labels per 1,000 words, unknown words, scores, language, length and layout. Prints figures and no text.
    Exit code 1 means that the notes have become unlike the sample, so that its statement is no longer about them. The
    options about detection must be those of the sample.

    Example:

        nadie drift review new-notes/
    """
    from nadie.cli.console import print_line
    from nadie.risk.drift import Profile, drifts
    from nadie.risk.sample import Sample
    from nadie.run.sampling import SamplingOptions, profile_of

    drawn = Sample.read(sample)
    options = SamplingOptions(model=model or drawn.model, reading=reading.options(), detection=detection)
    now = profile_of(paths, options, most, drawn)
    found = drifts(Profile.of(drawn.profile), now)
    for each in found:
        sys.stdout.write(f"{'!' if each.is_drift else ' '} {each.name}: {each.before:.3f} → {each.now:.3f}")
        sys.stdout.write(f" (z = {each.z:+.1f})\n")
    if any(each.is_drift for each in found):
        print_line("the notes are unlike the sample: draw a new one and measure again", "drift", "red")
        raise typer.Exit(1)

"""`nadie distil`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from nadie.detectors.base import Teacher
    from nadie.detectors.committee.silver import Sifting
    from nadie.document import Document

_TOGETHER = 16


def distil(
    paths: Annotated[list[Path], typer.Argument(help="Notes that nobody has annotated.", metavar="PATH...")],
    out: Annotated[Path, typer.Option(help="The folder for the silver notes, as JSONL.")],
    teacher: Annotated[str, typer.Option(help="The model to learn from: its name or folder.")] = "best",
    sure: Annotated[
        float, typer.Option(min=0, max=1, help="Leave out passages with a word the teacher is less sure of.")
    ] = 0.6,
    known: Annotated[
        float, typer.Option(min=0, max=1, help="Passages all of whose words are this sure teach little.")
    ] = 0.98,
    kept_share: Annotated[float, typer.Option(min=0, max=1, help="The share of these that stays.")] = 0.03,
    seed: Annotated[int, typer.Option(help="The same seed leaves the same passages.")] = 1,
) -> None:
    """Let a model annotate notes, and keep the parts from which another model can learn.

    Left out are passages that the teacher doubts, and most of those that any model knows; `nadie annotate` gives whole
    notes. The silver notes are told from gold by their meta data: copies are made only of what people have annotated.

    Examples:

        nadie distil background/ --out silver --teacher best

        nadie train recrf --train train/brat --train silver --dev dev/brat --out models/distilled --set copies=3
    """
    from dataclasses import replace

    from nadie import registry
    from nadie.cli.batch import Batch, count_inputs
    from nadie.cli.console import progress_bar
    from nadie.detectors.base import Teacher
    from nadie.detectors.committee.silver import Sifting
    from nadie.errors import ConfigError
    from nadie.pipeline import load
    from nadie.tokens.view import seen

    pipeline = load(teacher)
    if not isinstance(pipeline.detector, Teacher):
        raise ConfigError(f"the model {teacher[:80]!r} cannot teach: it gives no token probabilities")
    detector = pipeline.detector.unbiased()
    pipeline = replace(pipeline, detector=detector)
    with progress_bar() as bar:
        batch = Batch(bar)
        bar.start("distilling", count_inputs(paths))
        annotated = batch.annotate((seen(document) for document in batch.read(paths)), pipeline)
        with registry.formats.get("jsonl")().writer(out) as write:
            batch.write(_sifted(annotated, detector, Sifting(sure, known, kept_share, seed)), write)
    batch.finish()


def _sifted(documents: Iterable[Document], teacher: Teacher, by: Sifting) -> Iterator[Document]:
    from nadie.detectors.committee.silver import sifted

    waiting = iter(documents)
    while group := list(islice(waiting, _TOGETHER)):
        for document, told in zip(group, teacher.token_probabilities(group), strict=True):
            yield sifted(document, told, by)

"""`nadie distil`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from nadie.detectors.committee.silver import Sifting
    from nadie.document import Document


def distil(
    paths: Annotated[list[Path], typer.Argument(help="Notes without annotations.", metavar="PATH...")],
    out: Annotated[Path, typer.Option(help="The folder for the silver notes, as JSONL.")],
    teacher: Annotated[str, typer.Option(help="The model to learn from: its name or folder.")] = "best",
    sure: Annotated[
        float, typer.Option(min=0, max=1, help="Drop passages in which a word has a lower confidence.")
    ] = 0.6,
    known: Annotated[
        float,
        typer.Option(min=0, max=1, help="Passages in which every word has at least this confidence are easy."),
    ] = 0.98,
    kept_share: Annotated[float, typer.Option(min=0, max=1, help="The share of easy passages to keep.")] = 0.03,
    seed: Annotated[int, typer.Option(help="The same seed keeps the same passages.")] = 1,
) -> None:
    """Annotate notes with a model, the teacher, and write the passages that are useful for training another model.

    Passages with low confidence are dropped, and so are most easy passages, in which every word has high confidence;
    use `nadie annotate` for whole notes. The output is marked as silver in its metadata, and training makes no
    augmented copies of it.

    Examples:

        nadie distil background/ --out silver --teacher best
        nadie train recrf --train train/brat --train silver \\
            --dev dev/brat --out models/distilled --set copies=3
    """
    from nadie.cli.console import finish, progress_bar
    from nadie.detectors.committee.silver import Sifting
    from nadie.files.format import FORMATS
    from nadie.run.annotation import texts_of
    from nadie.run.documents import handled
    from nadie.run.files import check_output
    from nadie.run.pipeline import batches
    from nadie.run.report import RunReport

    check_output(out, paths)
    silver = _silver(teacher, Sifting(sure, known, kept_share, seed))
    report = RunReport()
    with FORMATS.get("jsonl")().writer(out) as write, progress_bar() as bar:
        bar.start("distilling", None)
        for batch in batches(texts_of(paths)):
            report.write(bar.counted(handled(batch, silver)), write)
    finish(report)


def _silver(teacher: str, sifting: Sifting) -> Callable[[Sequence[Document]], Iterator[Document]]:
    """The function that annotates documents with the teacher and keeps their useful passages."""
    from dataclasses import replace

    from nadie.detector import Teacher
    from nadie.detectors.committee.silver import sifted
    from nadie.errors import ConfigError
    from nadie.run.documents import load
    from nadie.tokens.view import seen

    pipeline = load(teacher)
    if not isinstance(pipeline.detector, Teacher):
        raise ConfigError(f"the model {teacher[:80]!r} cannot be a teacher: it gives no token probabilities")
    detector = pipeline.detector.unbiased()
    pipeline = replace(pipeline, detector=detector)

    def silver(documents: Sequence[Document]) -> Iterator[Document]:
        annotated = list(pipeline.annotate_all(map(seen, documents)))
        for document, probabilities in zip(annotated, detector.token_probabilities(annotated), strict=True):
            yield sifted(document, probabilities, sifting)

    return silver

"""`nadie evaluate`: score a system's annotations, and measure what it leaves readable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nadie.cli import detection_options as given
from nadie.cli.language import say
from nadie.options import DetectionOptions

if TYPE_CHECKING:
    from rich.console import Console

    from nadie.document import Document
    from nadie.evaluation.evaluate import Difference, Evaluation
    from nadie.run.documents import RunOptions

_NAMED = 20  # missing documents that a warning names


Gold = Annotated[
    Path | None,
    typer.Argument(metavar="GOLD", help="The gold annotations: a file or folder of brat, i2b2 XML or JSONL."),
]
System = Annotated[
    Path | None,
    typer.Argument(
        metavar="SYSTEM",
        help="The annotations to score; .ann files are enough, without their texts. Without it, --model is scored.",
    ),
]
Other = Annotated[
    Path | None,
    typer.Option(
        "--compare", metavar="SYSTEM2", help="The annotations of a second system, to compare it with the first."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print everything as JSON instead of tables.")]
Page = Annotated[
    Path | None, typer.Option("--report", metavar="FILE.html", help="Write a page with plots and every error.")
]
Sentences = Annotated[
    Path | None,
    typer.Option(
        "--sentences",
        metavar="FILE",
        help="A JSON file with the number of sentences of each document, for the leak score.",
    ),
]
Robust = Annotated[
    bool, typer.Option("--robust", help="Measure a model on the robustness suite instead; takes --model and --corpus.")
]
Model = Annotated[str, typer.Option(help="Without SYSTEM, and with --robust: the model to measure.")]
Workers = Annotated[int, typer.Option(help="Without SYSTEM: the number of worker processes.", min=1)]
From = Annotated[str, typer.Option("--from", help="The format of GOLD and SYSTEM, if it cannot be guessed.")]
Corpus = Annotated[
    Path | None, typer.Option(metavar="DIR", help="With --robust: annotated documents to alter and measure on as well.")
]


@given.with_detection_options
def evaluate(
    gold: Gold = None,
    system: System = None,
    compare: Other = None,
    as_json: AsJson = False,
    report: Page = None,
    sentences: Sentences = None,
    robust: Robust = False,
    model: Model = "fast",
    corpus: Corpus = None,
    workers: Workers = 1,
    form: From = "",
    *,
    detection: DetectionOptions,
) -> None:
    """Score a SYSTEM's annotations, or a model, against GOLD; or a model on the robustness suite.

    Without SYSTEM the model annotates the texts of GOLD themselves, whatever
    their content looks like.

    Prints precision, recall and F1 as the MEDDOCAN task defines them
    (subtask 1; subtask 2 strict and merged) with 95 % confidence intervals,
    overall and by label, and then what stays readable: the leak score, the
    share of protected characters covered, the share of documents with
    nothing missed, and which labels were confused.

    A document missing from SYSTEM counts as all missed; a warning names it.
    Without --sentences the leak score uses nadie's own sentence count
    and cannot be compared with published figures.

    Examples:

      nadie evaluate gold/ system/

      nadie evaluate gold/ --model best --mode recall --patterns ours.toml

      nadie evaluate gold/ system/ --report errors.html

      nadie evaluate gold/ system/ --compare another-system/

      nadie evaluate gold/ system/ --sentences counts.json --json

      nadie evaluate --robust --model recrf --corpus meddocan/dev/brat

    The report shows document text: protect it like the notes.
    """
    from nadie.cli.console import stderr

    if (robust or system) and detection != DetectionOptions():
        raise typer.BadParameter("options about detection are for the texts of GOLD, without SYSTEM and --robust")
    if robust:
        from nadie.cli.robust import measure

        measure(model, corpus, as_json=as_json)
        return
    if gold is None:
        raise typer.BadParameter("GOLD is needed, or --robust")
    from nadie.evaluation.reading import read_gold, read_system
    from nadie.evaluation.report import EvaluationReport, write_report
    from nadie.run.documents import RunOptions

    console = stderr()
    with console.status(say("Reading and scoring")):
        documents = tuple(read_gold(gold, form))
        systems = [read_system(each, documents, form) for each in (system, compare) if each]
        if system is None:
            systems.insert(0, _annotated(documents, RunOptions(model, detection), workers))
        (first, *second), differences = _scored(documents, systems, sentences)
        if report:
            name = str(system or model)
            write_report(report, EvaluationReport(first, str(gold), name, str(compare or ""), differences))
            console.print(
                say(f"{report} shows document text: protect it like the notes."), markup=False, soft_wrap=True
            )
    for evaluation, path in zip((first, *second), (system, compare), strict=False):
        _warn(console, evaluation, path)
    if as_json:
        _print_json(first, second, differences)
    else:
        _print_tables(first, differences)


def _annotated(gold: Sequence[Document], options: RunOptions, workers: int) -> Iterator[Document]:
    """The documents of gold with the spans that a model finds; a document that fails is an error."""
    from nadie.errors import Failure
    from nadie.run.documents import Run

    with Run(options, workers) as run:
        for found in run.annotate(document.with_spans(()) for document in gold):
            if isinstance(found, Failure):
                raise found.cause
            yield found


def _scored(
    gold: Sequence[Document], systems: Iterable[Iterable[Document]], sentences: Path | None
) -> tuple[list[Evaluation], dict[str, Difference]]:
    """The evaluation of each system, and the differences between two."""
    from nadie.evaluation.evaluate import compare, evaluate_pairs
    from nadie.evaluation.pairing import pair
    from nadie.evaluation.reading import read_sentence_counts

    counts = read_sentence_counts(sentences, gold) if sentences else None
    origin = str(sentences) if sentences else ""
    scored = [evaluate_pairs(pair(gold, system), sentences=counts, sentences_from=origin) for system in systems]
    return scored, compare(*scored) if len(scored) > 1 else {}


def _warn(console: Console, evaluation: Evaluation, system: Path | None) -> None:
    if evaluation.missing:
        count, names = len(evaluation.missing), ", ".join(evaluation.missing[:_NAMED])
        if count > _NAMED:
            names += f" and {count - _NAMED} more (--json names them all)"
        of = len(evaluation.documents)
        warning = say(f"warning: {system} lacks {count} of {of} documents, counted as all missed: {names}")
        console.print(warning, style="yellow", markup=False, soft_wrap=True)


def _print_json(first: Evaluation, second: list[Evaluation], differences: dict[str, Difference]) -> None:
    import json

    from nadie.evaluation.summary import comparison_summary, summary

    result = summary(first)
    if second:
        result |= {"other": summary(second[0]), "comparison": comparison_summary(differences)}
    typer.echo(json.dumps(result, ensure_ascii=False, indent=1, allow_nan=False))


def _print_tables(evaluation: Evaluation, differences: dict[str, Difference]) -> None:
    from nadie.cli.console import table_console
    from nadie.cli.evaluation_tables import comparison_table, tables

    console = table_console()
    for table in tables(evaluation):
        console.print(table)
    if evaluation.sentences_from == "nadie":
        console.print(
            say("The leak score uses nadie's own sentence count (no --sentences)."), style="dim", markup=False
        )
    if differences:
        console.print(comparison_table(differences))

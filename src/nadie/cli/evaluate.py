"""`nadie evaluate`: score a system's annotations, and measure what it leaves readable."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from nadie.evaluation.evaluate import Difference, Evaluation

_NAMED = 20  # missing documents that a warning names


Gold = Annotated[
    Path | None,
    typer.Argument(metavar="GOLD", help="The gold annotations: a file or folder of brat, i2b2 XML or JSONL."),
]
System = Annotated[
    Path | None,
    typer.Argument(metavar="SYSTEM", help="The annotations to score; .ann files are enough, without their texts."),
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
Model = Annotated[str, typer.Option(help="With --robust: the model to measure.")]
Corpus = Annotated[
    Path | None, typer.Option(metavar="DIR", help="With --robust: annotated documents to alter and measure on as well.")
]


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
) -> None:
    """Score a SYSTEM's annotations against GOLD, or a model on the robustness suite.

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

      nadie evaluate gold/ system/ --report errors.html

      nadie evaluate gold/ system/ --compare another-system/

      nadie evaluate gold/ system/ --sentences counts.json --json

      nadie evaluate --robust --model recrf --corpus meddocan/dev/brat

    The report shows document text: protect it like the notes.
    """
    from nadie.cli.console import stderr

    if robust:
        from nadie.cli.robust import measure

        measure(model, corpus, as_json=as_json)
        return
    if gold is None or system is None:
        raise typer.BadParameter("GOLD and SYSTEM are needed, or --robust")
    from nadie.evaluation.report import EvaluationReport, write_report

    console = stderr()
    with console.status("Reading and scoring"):
        (first, *second), differences = _scored(gold, [system, compare] if compare else [system], sentences)
        if report:
            write_report(report, EvaluationReport(first, str(gold), str(system), str(compare or ""), differences))
            console.print(f"{report} shows document text: protect it like the notes.", markup=False, soft_wrap=True)
    for evaluation, path in zip((first, *second), (system, compare), strict=False):
        _warn(console, evaluation, path)
    if as_json:
        _print_json(first, second, differences)
    else:
        _print_tables(first, differences)


def _scored(gold: Path, systems: list[Path], sentences: Path | None) -> tuple[list[Evaluation], dict[str, Difference]]:
    """The evaluation of each system, and the differences between two."""
    from nadie.evaluation.evaluate import compare, evaluate_pairs
    from nadie.evaluation.reading import read_gold, read_pairs, read_sentence_counts

    documents = read_gold(gold)
    counts = read_sentence_counts(sentences, documents) if sentences else None
    origin = str(sentences) if sentences else ""
    scored = [
        evaluate_pairs(read_pairs(documents, system), sentences=counts, sentences_from=origin) for system in systems
    ]
    return scored, compare(*scored) if len(scored) > 1 else {}


def _warn(console: Console, evaluation: Evaluation, system: Path | None) -> None:
    if evaluation.missing:
        count, names = len(evaluation.missing), ", ".join(evaluation.missing[:_NAMED])
        if count > _NAMED:
            names += f" and {count - _NAMED} more (--json names them all)"
        console.print(
            f"warning: {system} lacks {count} of {len(evaluation.documents)} documents, counted as all missed: {names}",
            style="yellow",
            markup=False,
            soft_wrap=True,
        )


def _print_json(first: Evaluation, second: list[Evaluation], differences: dict[str, Difference]) -> None:
    import json

    from nadie.evaluation.summary import comparison_summary, summary

    result = summary(first)
    if second:
        result |= {"other": summary(second[0]), "comparison": comparison_summary(differences)}
    typer.echo(json.dumps(result, ensure_ascii=False, indent=1, allow_nan=False))


def _print_tables(evaluation: Evaluation, differences: dict[str, Difference]) -> None:
    from nadie.cli.console import table_console
    from nadie.evaluation.terminal import comparison_table, tables

    console = table_console()
    for table in tables(evaluation):
        console.print(table)
    if evaluation.sentences_from == "nadie":
        console.print("The leak score uses nadie's own sentence count (no --sentences).", style="dim", markup=False)
    if differences:
        console.print(comparison_table(differences))

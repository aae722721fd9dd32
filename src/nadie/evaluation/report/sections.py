"""The page about an evaluation: the headline, the leaks, the scores, the plots, and every error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nadie.evaluation.evaluate import Difference, Evaluation
from nadie.evaluation.report import tables
from nadie.evaluation.report.bars import bars
from nadie.evaluation.report.documents import documents
from nadie.evaluation.report.headline import headline
from nadie.evaluation.report.heatmap import heatmap
from nadie.evaluation.report.operating import operating
from nadie.evaluation.statistics import RESAMPLES, SHUFFLES
from nadie.files.disk import write_bytes
from nadie.report.markup import Markup, Phrase, join, say, tag
from nadie.report.numbers import count
from nadie.report.page import Page, render
from nadie.report.plots import Stack, columns
from nadie.report.texts import sentence

_COLUMNS = 20


@dataclass(frozen=True)
class EvaluationReport:
    """The content of the page: an evaluation, the names of the folders, and a second system if there is one."""

    evaluation: Evaluation
    gold: str
    system: str
    other: str = ""
    differences: Mapping[str, Difference] = field(default_factory=dict)


def write_report(path: Path, report: EvaluationReport) -> None:
    """Write the page atomically, readable only by its owner, since it contains document text."""
    write_bytes(path, render(page(report)).encode("utf-8"), mode=0o600)


def page(report: EvaluationReport) -> Page:
    evaluation = report.evaluation
    facts = [(Phrase("Gold", "Referencia"), report.gold), (Phrase("System", "Sistema"), report.system)]
    if report.other:
        facts.append((Phrase("Compared with", "Comparado con"), report.other))
    sections = {
        "leaks": tables.leaks(evaluation),
        "documents": _histogram(evaluation),
        "scores": join([tables.official(evaluation), _sentence_count(evaluation)]),
    }
    if report.differences:
        sections["comparison"] = tables.comparison(report.differences)
    sections["labels"] = bars(evaluation)
    sections["confusion"] = join([heatmap(evaluation.confusion), tables.confusions(evaluation)])
    if evaluation.curve:
        sections["curve"] = join([operating(evaluation.curve), tables.operating_points(evaluation)])
    sections["errors"] = documents(evaluation)
    return Page(
        Phrase("Evaluation report", "Informe de evaluación"),
        facts,
        headline(evaluation),
        __package__,
        sections,
        _footer(evaluation),
        _notice(),
    )


def _notice() -> Markup:
    sign = tag("span", "⚠", aria_hidden="true")
    title = tag("b", say("This page contains clinical text.", "Esta página contiene texto clínico."))
    return tag("aside", sign, title, sentence(__package__, "notice"), class_="banner", aria_label="Aviso · Warning")


def _sentence_count(evaluation: Evaluation) -> Markup:
    name = "own_sentences" if evaluation.sentences_from == "nadie" else "given_sentences"
    return tag("p", sentence(__package__, name), class_="quiet")


def _histogram(evaluation: Evaluation) -> Markup:
    """How many documents have no error, one, two ...; those with readable PHI below, hatched."""
    errors = [(len(document.errors), document.leaked > 0) for document in evaluation.documents]
    width = max(number for number, _ in errors) // _COLUMNS + 1
    bins = Counter((number // width, leaks) for number, leaks in errors)
    stacks = []
    for column in range(max(column for column, _ in bins) + 1):
        name = str(column) if width == 1 else f"{column * width}–{column * width + width - 1}"
        stacks.append(Stack(join([name]), ((bins[column, True], "hatch"), (bins[column, False], "safe"))))
    return columns(stacks, "documents", say("errors in the document", "errores en el documento", "tspan"))


def _footer(evaluation: Evaluation) -> Markup:
    return sentence(
        __package__,
        "footer",
        documents=count(len(evaluation.documents)),
        resamples=count(RESAMPLES),
        seed=str(evaluation.seed),
        shuffles=count(SHUFFLES),
    )

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
    return tag(
        "aside",
        tag("span", "⚠", aria_hidden="true"),
        tag("b", say("This page contains clinical text.", "Esta página contiene texto clínico.")),
        say(
            " It shows personal data in clear. Protect it like the notes themselves, and do not forward it.",
            " Muestra datos personales sin ocultar. Protéjala como las propias notas clínicas y no la reenvíe.",
        ),
        class_="banner",
        aria_label="Aviso · Warning",
    )


def _sentence_count(evaluation: Evaluation) -> Markup:
    source = (
        say(
            "The leak score uses nadie's own sentence count and cannot be compared with published figures.",
            "El índice de fuga usa el recuento de frases del programa y no es comparable con cifras publicadas.",
        )
        if evaluation.sentences_from == "nadie"
        else say("Sentence counts were read from a file.", "El recuento de frases se leyó de un archivo.")
    )
    return tag("p", source, class_="quiet")


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
    documents, resamples, shuffles = map(count, (len(evaluation.documents), RESAMPLES, SHUFFLES))
    return say(
        f"{documents} documents · 95 % CI: 95 % confidence interval by percentile bootstrap over documents, "
        f"{resamples} resamples, seed {evaluation.seed} · p: {shuffles} permutations.",
        f"{documents} documentos · IC 95 %: intervalo de confianza del 95 % por bootstrap percentil sobre documentos, "
        f"{resamples} remuestreos, semilla {evaluation.seed} · p: {shuffles} permutaciones.",
    )

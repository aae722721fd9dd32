"""The sections of the page, in order: the headline, the leaks, the scores, the plots, and every error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version

from nadie.evaluation.evaluate import Difference, Evaluation
from nadie.evaluation.names import Phrase
from nadie.evaluation.report import tables
from nadie.evaluation.report.bars import bars
from nadie.evaluation.report.documents import documents
from nadie.evaluation.report.headline import headline
from nadie.evaluation.report.heatmap import heatmap
from nadie.evaluation.report.histogram import histogram
from nadie.evaluation.report.markup import Markup, join, phrase, say, tag
from nadie.evaluation.report.numbers import count
from nadie.evaluation.report.operating import operating
from nadie.evaluation.statistics import RESAMPLES, SHUFFLES

_TITLES: Mapping[str, Phrase] = {
    "leaks": Phrase("What stays readable", "Datos que quedan legibles"),
    "documents": Phrase("Errors by document", "Errores por documento"),
    "scores": Phrase("Official scores", "Métricas oficiales"),
    "comparison": Phrase("Two systems compared", "Comparación de dos sistemas"),
    "labels": Phrase("F1 by label", "F1 por etiqueta"),
    "confusion": Phrase("Confusions between labels", "Confusiones entre etiquetas"),
    "curve": Phrase("Choosing a threshold", "Elección del umbral"),
    "errors": Phrase("Errors in context", "Errores en su contexto"),
}
_EXPLANATIONS: Mapping[str, Phrase] = {
    "leaks": Phrase(
        "A character is covered if any span of the system contains it, whatever its label. White space is not "
        "counted. The worst label comes first. The letters are those of HIPAA's Safe Harbor list.",
        "Un carácter está cubierto si cualquier marca del sistema lo abarca, sea cual sea su etiqueta. Los "
        "espacios no cuentan. La peor etiqueta va primero. Las letras son las de la lista Safe Harbor de HIPAA.",
    ),
    "documents": Phrase(
        "How many documents have how many errors. Hatched: something in them stays readable. Plain: nothing does.",
        "Cuántos documentos tienen cuántos errores. Rayado: queda algo legible. Liso: no queda nada legible.",
    ),
    "comparison": Phrase(
        f"The difference is the other system minus this one. p is from a paired approximate-randomisation test "
        f"over documents ({count(SHUFFLES)} permutations), each score tested by itself.",
        f"La diferencia es el otro sistema menos este. p procede de una prueba pareada de aleatorización "
        f"aproximada sobre documentos ({count(SHUFFLES)} permutaciones), cada métrica por separado.",
    ),
    "labels": Phrase(
        "Label and both offsets exact. The line over a bar is the 95 % confidence interval; a long one means that "
        "there are too few examples for a reliable estimate.",
        "Etiqueta y ambos límites exactos. La línea sobre la barra es el intervalo de confianza del 95 %; si es "
        "larga, hay pocos ejemplos para una estimación fiable.",
    ),
    "confusion": Phrase(
        "Each gold span once, in the column of the system span that matches it best. The stronger the colour, the "
        "larger the share of its row.",
        "Cada dato de la referencia una vez, en la columna de la marca del sistema que mejor le corresponde. "
        "Cuanto más intenso el color, mayor es su proporción en la fila.",
    ),
    "curve": Phrase(
        "What would happen if only spans with at least that score were kept. To the right, more is covered without "
        "need; further down, less stays readable.",
        "Qué ocurriría si solo se conservaran las marcas con al menos esa puntuación. A la derecha se cubre más sin "
        "necesidad; hacia abajo queda menos legible.",
    ),
    "errors": Phrase(
        "Documents with most readable text come first; documents without errors are not shown.",
        "Primero, los documentos con más texto legible; los que no tienen errores no se muestran.",
    ),
}


@dataclass(frozen=True)
class EvaluationReport:
    """The content of the page: an evaluation, the names of the folders, and a second system if there is one."""

    evaluation: Evaluation
    gold: str
    system: str
    other: str = ""
    differences: Mapping[str, Difference] = field(default_factory=dict)


def body(report: EvaluationReport) -> Markup:
    evaluation = report.evaluation
    sections = {
        "leaks": _section("leaks", tables.leaks(evaluation)),
        "documents": _section("documents", _plot(histogram(evaluation))),
        "scores": _scores(evaluation),
    }
    if report.differences:
        sections["comparison"] = _section("comparison", tables.comparison(report.differences))
    sections["labels"] = _section("labels", _plot(bars(evaluation)))
    sections["confusion"] = _section("confusion", _plot(heatmap(evaluation.confusion)), tables.confusions(evaluation))
    if evaluation.curve:
        sections["curve"] = _section("curve", _plot(operating(evaluation.curve)), tables.operating_points(evaluation))
    sections["errors"] = _section("errors", documents(evaluation))
    links = [tag("a", phrase(_TITLES[name]), href=f"#{name}") for name in sections]
    main = tag("main", headline(evaluation), *sections.values())
    return join([_banner(), _header(report, links), main, _footer(evaluation)])


def _banner() -> Markup:
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


def _header(report: EvaluationReport, links: Sequence[Markup]) -> Markup:
    facts = [(say("Gold", "Referencia"), report.gold), (say("System", "Sistema"), report.system)]
    if report.other:
        facts.append((say("Compared with", "Comparado con"), report.other))
    described = [part for title, name in facts for part in (tag("dt", title), tag("dd", name))]
    buttons = [
        tag("button", "ES", type="button", data_language="es", lang="es-ES", title="Español"),
        tag("button", "EN", type="button", data_language="en", lang="en-GB", title="English"),
        tag("button", "◐", type="button", id="theme", title="claro / oscuro · light / dark"),
    ]
    return tag(
        "header",
        tag("p", "nadie", class_="wordmark"),
        tag("h1", say("Evaluation report", "Informe de evaluación")),
        tag("dl", *described),
        tag("nav", *links),
        tag("div", *buttons, class_="switches", hidden=True),
    )


def _scores(evaluation: Evaluation) -> Markup:
    if evaluation.sentences_from == "nadie":
        counted = say(
            "The leak score uses nadie's own sentence count and cannot be compared with published figures.",
            "El índice de fuga usa el recuento de frases del programa y no es comparable con cifras publicadas.",
        )
    else:
        counted = say("Sentence counts were read from a file.", "El recuento de frases se leyó de un archivo.")
    metrics = say(
        "The metrics of the MEDDOCAN task, micro-averaged over documents. ",
        "Las métricas de la tarea MEDDOCAN, micropromediadas sobre los documentos. ",
    )
    return _section("scores", tables.official(evaluation), explanation=join([metrics, counted]))


def _section(name: str, *content: Markup, explanation: Markup | None = None) -> Markup:
    heading = tag("h2", phrase(_TITLES[name]), id=f"h-{name}")
    lead = tag("p", explanation or phrase(_EXPLANATIONS[name]), class_="lead")
    return tag("section", heading, lead, *content, id=name)


def _plot(picture: Markup) -> Markup:
    return tag("div", picture, class_="scroll", tabindex="0", role="group")


def _footer(evaluation: Evaluation) -> Markup:
    return tag(
        "footer",
        f"nadie {version('nadie')} · {count(len(evaluation.documents))} ",
        say(
            "documents · 95 % CI: 95 % confidence interval by percentile bootstrap over documents, "
            f"{count(RESAMPLES)} resamples, seed {evaluation.seed}.",
            "documentos · IC 95 %: intervalo de confianza del 95 % por bootstrap percentil sobre documentos, "
            f"{count(RESAMPLES)} remuestreos, semilla {evaluation.seed}.",
        ),
    )

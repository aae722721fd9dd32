"""The top of the page: the main result as text, as four figures, and as one square per document."""

from __future__ import annotations

from nadie.evaluation.evaluate import Evaluation
from nadie.evaluation.scores import DocumentScores
from nadie.report.markup import Markup, join, say, tag
from nadie.report.numbers import between, comma, count, number, percent, written
from nadie.report.page import card, cards
from nadie.report.texts import label_phrase

_MOST_SQUARES = 1200
_WORST = 3


def headline(evaluation: Evaluation) -> Markup:
    return tag(
        "section",
        tag("div", _statement(evaluation), _squares(evaluation), class_="statement"),
        cards(*_cards(evaluation)),
        class_="headline",
        id="headline",
    )


def _statement(evaluation: Evaluation) -> Markup:
    safe, total = evaluation.safe, len(evaluation.documents)
    leaking = total - safe
    if leaking:
        title = say(
            f"{count(leaking)} of {count(total)} documents still show something that identifies a person.",
            f"En {count(leaking)} de {count(total)} documentos queda legible algún dato que identifica a una persona.",
        )
    else:
        title = say(
            f"Nothing protected stays readable in any of the {count(total)} documents.",
            f"No queda legible ningún dato protegido en los {count(total)} documentos.",
        )
    return tag("div", tag("h2", title), *_paragraphs(evaluation), class_="words")


def _paragraphs(evaluation: Evaluation) -> list[Markup]:
    characters, interval = evaluation.characters, evaluation.intervals["documents.safe_share"]
    share, spread = percent(evaluation.safe_share), between(interval)
    if evaluation.safe == len(evaluation.documents):
        return [_caution(len(evaluation.documents))]
    paragraphs = [
        tag(
            "p",
            say(
                f"{share} have nothing missed: every letter and digit of their protected data is covered "
                f"(95 % confidence interval: {spread} %). ",
                f"El {comma(share)} no tiene fugas: cada letra y cada cifra de sus datos protegidos queda cubierta "
                f"(intervalo de confianza del 95 %: {comma(spread)} %). ",
            ),
            say(
                f"Of all protected characters, {percent(characters.leaked_share)} stay readable.",
                f"De todos los caracteres protegidos, el {comma(percent(characters.leaked_share))} sigue legible.",
            ),
        )
    ]
    if worst := _worst_labels(evaluation):
        names = [join([tag("b", say(*label_phrase(label))), f" ({count(leaked)})"]) for label, leaked in worst[:_WORST]]
        lead = say("Most readable characters: ", "Más caracteres legibles: ")
        paragraphs.append(tag("p", lead, Markup(", ".join(names)), "."))
    if evaluation.missing:
        paragraphs.append(_missing(evaluation.missing))
    return paragraphs


def _caution(total: int) -> Markup:
    """If no document leaks, the bootstrap has no spread; the exact upper bound is then 1 - 0.05^(1/total)."""
    most = percent(1 - 0.05 ** (1 / total))
    return tag(
        "p",
        say(
            f"This is no guarantee: with {count(total)} documents, up to {most} of the others could show something "
            "(95 % confidence).",
            f"Esto no es una garantía: con {count(total)} documentos, hasta el {comma(most)} de los demás podría "
            "mostrar algo (confianza del 95 %).",
        ),
    )


def _missing(missing: tuple[str, ...]) -> Markup:
    return tag(
        "p",
        say(
            f"Documents without any output of the system, counted as all missed: {count(len(missing))}.",
            f"Documentos sin resultado del sistema, contados como no detectados: {count(len(missing))}.",
        ),
        class_="warning",
    )


def _worst_labels(evaluation: Evaluation) -> list[tuple[str, int]]:
    leaks = [(label, counts.leaked) for label, counts in evaluation.characters_by_label.items() if counts.leaked]
    return sorted(leaks, key=lambda each: (-each[1], each[0]))


def _squares(evaluation: Evaluation) -> Markup:
    """One square for each document, the worst first, linked to its document."""
    documents = sorted(enumerate(evaluation.documents), key=lambda each: (-each[1].leaked, each[0]))
    if len(documents) > _MOST_SQUARES:
        return Markup("")
    legend = tag(
        "p",
        tag("span", "✗", class_="square leaks"),
        say(" something readable ", " algo legible "),
        tag("span", "!", class_="square errs"),
        say(" errors, nothing readable ", " errores, nada legible "),
        tag("span", "✓", class_="square"),
        say(" no errors", " sin errores"),
        class_="legend",
    )
    squares = [_square(index, document) for index, document in documents]
    return tag("div", tag("div", *squares, class_="squares"), legend, class_="waffle")


def _square(index: int, document: DocumentScores) -> Markup:
    if not document.errors:
        return tag("span", "✓", class_="square", title=document.id)
    sign, style = ("✗", "square leaks") if document.leaked else ("!", "square errs")
    return tag("a", sign, class_=style, href=f"#d{index}", title=f"{document.id}: {document.leaked}", tabindex="-1")


def _cards(evaluation: Evaluation) -> list[Markup]:
    characters, spread = evaluation.characters, evaluation.intervals
    own = evaluation.sentences_from == "nadie"
    return [
        _card(
            say("Protected characters covered", "Caracteres protegidos cubiertos"),
            percent(characters.recall, 2),
            f"{between(spread['characters.recall'], 2)} %",
            say(
                f"{count(characters.both)} of {count(characters.gold)}, whatever the label",
                f"{count(characters.both)} de {count(characters.gold)}, sea cual sea la etiqueta",
            ),
        ),
        _card(
            say("Documents with nothing missed", "Documentos sin fugas"),
            percent(evaluation.safe_share),
            f"{between(spread['documents.safe_share'])} %",
            say(
                f"{count(evaluation.safe)} of {count(len(evaluation.documents))}",
                f"{count(evaluation.safe)} de {count(len(evaluation.documents))}",
            ),
        ),
        _card(
            say("F1, label and position exact", "F1, etiqueta y posición exactas"),
            percent(evaluation.subtask1.f1, 2),
            f"{between(spread['subtask1.f1'], 2)} %",
            say("MEDDOCAN subtask 1", "MEDDOCAN, subtarea 1"),
        ),
        _card(
            say("Leak score", "Índice de fuga"),
            number(evaluation.leak),
            between(spread["subtask1.leak"], 4, 1),
            say(
                "missed spans per sentence" + (" (nadie's own count)" if own else ""),
                "datos no detectados por frase" + (" (recuento propio del programa)" if own else ""),
            ),
        ),
    ]


def _card(name: Markup, value: str, interval: str, note: Markup) -> Markup:
    spread = tag("p", say("95 % CI ", "IC 95 % "), written(interval), class_="interval")
    return card(name, value, spread, tag("p", note, class_="note"))

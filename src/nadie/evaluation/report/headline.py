"""The top of the page: the main result as text, as four figures, and as one square per document."""

from __future__ import annotations

from nadie.evaluation.evaluate import Evaluation
from nadie.evaluation.scores import DocumentScores
from nadie.report.markup import Markup, join, say, tag
from nadie.report.numbers import between, count, number, percent, written
from nadie.report.page import card, cards
from nadie.report.texts import label_phrase, sentence

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
    total = len(evaluation.documents)
    if evaluation.safe == total:
        # The bootstrap has no spread if no document leaks; this is the exact upper bound.
        most = percent(1 - 0.05 ** (1 / total))
        title = sentence(__package__, "safe", total=count(total))
        paragraphs = [tag("p", sentence(__package__, "caution", total=count(total), most=most))]
    else:
        title = sentence(__package__, "leaking", leaking=count(total - evaluation.safe), total=count(total))
        paragraphs = _what_leaks(evaluation)
    if evaluation.missing:
        missing = sentence(__package__, "missing", missing=count(len(evaluation.missing)))
        paragraphs.append(tag("p", missing, class_="warning"))
    return tag("div", tag("h2", title), *paragraphs, class_="words")


def _what_leaks(evaluation: Evaluation) -> list[Markup]:
    share, leaked = percent(evaluation.safe_share), percent(evaluation.characters.leaked_share)
    spread = between(evaluation.intervals["documents.safe_share"])
    paragraphs = [tag("p", sentence(__package__, "shares", share=share, spread=spread, leaked=leaked))]
    if worst := _worst_labels(evaluation):
        names = [join([tag("b", say(*label_phrase(label))), f" ({count(leaked)})"]) for label, leaked in worst[:_WORST]]
        lead = say("Most readable characters: ", "Más caracteres legibles: ")
        paragraphs.append(tag("p", lead, Markup(", ".join(names)), "."))
    return paragraphs


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
    safe, total = count(evaluation.safe), count(len(evaluation.documents))
    own = evaluation.sentences_from == "nadie"
    return [
        _card(
            say("Protected characters covered", "Caracteres protegidos cubiertos"),
            percent(characters.recall, 2),
            f"{between(spread['characters.recall'], 2)} %",
            sentence(__package__, "covered", part=count(characters.both), whole=count(characters.gold)),
        ),
        _card(
            say("Documents with nothing missed", "Documentos sin fugas"),
            percent(evaluation.safe_share),
            f"{between(spread['documents.safe_share'])} %",
            say(f"{safe} of {total}", f"{safe} de {total}"),
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
            join(
                [
                    say("missed spans per sentence", "datos no detectados por frase"),
                    say(" (nadie's own count)", " (recuento propio del programa)") if own else "",
                ]
            ),
        ),
    ]


def _card(name: Markup, value: str, interval: str, note: Markup) -> Markup:
    spread = tag("p", say("95 % CI ", "IC 95 % "), written(interval), class_="interval")
    return card(name, value, spread, tag("p", note, class_="note"))

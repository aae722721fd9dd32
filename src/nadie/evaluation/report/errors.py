"""The part of the page that shows every document with an error, and the filter over them."""

from __future__ import annotations

from collections import Counter

from nadie.evaluation.alignment import ErrorKind
from nadie.evaluation.evaluate import Evaluation
from nadie.evaluation.pairing import Pair
from nadie.evaluation.report.figures import count
from nadie.evaluation.report.markup import Markup, join, phrase, say, tag
from nadie.evaluation.report.passages import error_list, marked_text
from nadie.evaluation.scores import DocumentScores
from nadie.evaluation.wording import ERROR_NAMES


def documents(evaluation: Evaluation) -> Markup:
    """Those with errors, the ones that leave most readable first; those without are only counted."""
    pairs = zip(evaluation.pairs, evaluation.documents, strict=True)
    wrong = [(i, pair, scores) for i, (pair, scores) in enumerate(pairs) if scores.errors]
    if not wrong:
        return tag("p", say("No document has an error.", "Ningún documento tiene errores."), class_="empty")
    wrong.sort(key=lambda each: (-each[2].leaked, -len(each[2].errors), each[0]))
    return join([_filter(evaluation), _legend(), *(_document(i, pair, scores) for i, pair, scores in wrong)])


def _document(index: int, pair: Pair, scores: DocumentScores) -> Markup:
    kinds = Counter(match.kind for match in scores.errors)
    chips = [
        tag("span", f"{ERROR_NAMES[kind].sign} {kinds[kind]} ", _kind_name(kind), class_=f"chip {kind}")
        for kind in ErrorKind
        if kinds[kind]
    ]
    readable = (
        tag("span", say(f"{scores.leaked} readable", f"{scores.leaked} legibles"), class_="readable")
        if scores.leaked
        else tag("span", say("nothing readable", "nada legible"), class_="quiet")
    )
    body = tag(
        "div",
        marked_text(pair.text, scores.matches, f"d{index}"),
        tag("aside", error_list(pair.text, scores.matches, f"d{index}")),
        class_="columns",
    )
    return tag(
        "details", tag("summary", tag("b", scores.id), readable, *chips), body, class_="document", id=f"d{index}"
    )


def _filter(evaluation: Evaluation) -> Markup:
    """Needs the script; without it the documents are all there, and this is hidden."""
    boxes = [
        tag(
            "label",
            tag("input", type="checkbox", data_kind=str(kind), checked=True),
            tag("span", f"{ERROR_NAMES[kind].sign} ", _kind_name(kind), f" {count(times)}", class_=f"chip {kind}"),
        )
        for kind, times in evaluation.confusion.kinds.items()
        if times
    ]
    wrong = {
        span.label
        for document in evaluation.documents
        for match in document.errors
        for span in (match.gold, match.system)
        if span
    }
    options = [tag("option", label, value=label) for label in sorted(wrong)]
    only = say(" only what stays readable", " solo lo que queda legible")
    return tag(
        "div",
        tag("fieldset", tag("legend", say("Kinds of error", "Clases de error")), *boxes),
        tag("output", id="shown", role="status"),
        tag(
            "p",
            tag("label", say("Type ", "Tipo "), tag("select", tag("option", "—", value=""), *options, id="label")),
            tag("label", tag("input", type="checkbox", id="leaking"), only),
            tag("label", say("Document ", "Documento "), tag("input", type="search", id="name", size=8)),
            tag("button", say("open / close all", "abrir / cerrar todos"), type="button", id="open"),
            tag("button", say("next error (n)", "error siguiente (n)"), type="button", id="next"),
        ),
        class_="filter",
        hidden=True,
    )


def _legend() -> Markup:
    samples = [
        tag(
            "li",
            tag("mark", name.sign, class_=str(kind)),
            Markup(" "),
            tag("b", _kind_name(kind)),
            ": ",
            phrase(name.meaning),
        )
        for kind, name in ERROR_NAMES.items()
    ]
    readable = say(" filled: protected text that stays readable", " relleno: texto protegido que queda legible")
    covered = say(" hatched: covered for nothing", " rayado: cubierto sin necesidad")
    states = [
        tag("li", tag("mark", "abc", class_="leaks wrong_boundary"), readable),
        tag("li", tag("mark", "abc", class_="beyond wrong_boundary"), covered),
        tag("li", tag("span", "abc", class_="correct"), say(" found as it should be", " hallado como debe ser")),
    ]
    return tag(
        "details",
        tag("summary", say("How errors are marked", "Cómo se marcan los errores")),
        tag("ul", *samples, *states),
        class_="legend",
        open=True,
    )


def _kind_name(kind: ErrorKind) -> Markup:
    return say(ERROR_NAMES[kind].english, ERROR_NAMES[kind].spanish)

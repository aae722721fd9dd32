"""Every document with an error: its text with the errors highlighted, a list of them, and a filter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from nadie.document import Span
from nadie.evaluation.errors import ErrorKind, SpanMatch
from nadie.evaluation.evaluate import Evaluation
from nadie.evaluation.names import ERROR_NAMES
from nadie.evaluation.pairing import Pair
from nadie.evaluation.scores import DocumentScores
from nadie.report.markup import Markup, join, say, tag
from nadie.report.numbers import count
from nadie.report.texts import label_phrase

_GRAVITY = {kind: i for i, kind in enumerate(ErrorKind)}


def documents(evaluation: Evaluation) -> Markup:
    """Documents with errors, sorted by the amount of readable text."""
    pairs = zip(evaluation.pairs, evaluation.documents, strict=True)
    wrong = [(i, pair, scores) for i, (pair, scores) in enumerate(pairs) if scores.errors]
    if not wrong:
        return tag("p", say("No document has an error.", "Ningún documento tiene errores."), class_="empty")
    wrong.sort(key=lambda each: (-each[2].leaked, -len(each[2].errors), each[0]))
    return join([_filter(evaluation), _legend(), *(_document(i, pair, scores) for i, pair, scores in wrong)])


class Highlight(NamedTuple):
    """A range of text with the same matches, the most serious error first."""

    start: int
    end: int
    matches: tuple[int, ...]
    leaks: bool
    beyond: bool


def highlights(matches: Sequence[SpanMatch]) -> Iterator[Highlight]:
    """The ranges that some match covers, split wherever a span begins or ends.

    `leaks` is text that only gold covers, `beyond` text that only the system covers.
    """
    spans = [span for match in matches for span in (match.gold, match.system) if span]
    cuts = sorted({cut for span in spans for cut in (span.start, span.end)})
    opening = sorted(range(len(matches)), key=lambda i: matches[i].start)
    active: list[int] = []
    waiting = 0
    for start, end in pairwise(cuts):
        while waiting < len(opening) and matches[opening[waiting]].start <= start:
            active.append(opening[waiting])
            waiting += 1
        active = [i for i in active if matches[i].end > start]
        if active:
            here = sorted(active, key=lambda i: (_gravity(matches[i]), i))
            expected = any(_covers(matches[i].gold, start) for i in here)
            found = any(_covers(matches[i].system, start) for i in here)
            yield Highlight(start, end, tuple(here), expected and not found, found and not expected)


def marked_text(text: str, matches: Sequence[SpanMatch], prefix: str) -> Markup:
    """The whole text. A mark's `data-e` has the numbers of its errors, as in `error_list`, whose links point here."""
    numbers = {i: n for n, i in enumerate(i for i, match in enumerate(matches) if match.kind)}
    parts: list[str] = []
    begun: set[int] = set()
    place = 0
    for highlight in highlights(matches):
        parts.append(text[place : highlight.start])
        errors = [i for i in highlight.matches if i in numbers]
        parts += [tag("span", id=f"{prefix}e{numbers[i]}") for i in errors if i not in begun]
        parts.append(_mark(text, matches, highlight, numbers))
        begun.update(errors)
        place = highlight.end
    parts.append(text[place:])
    return tag("pre", join(parts), class_="text", translate="no", lang="es-ES")


def error_list(text: str, matches: Sequence[SpanMatch], prefix: str) -> Markup:
    errors = [(match, match.kind) for match in matches if match.kind]
    return tag("ol", *(_item(text, match, kind, prefix, n) for n, (match, kind) in enumerate(errors)), class_="errors")


def _mark(text: str, matches: Sequence[SpanMatch], highlight: Highlight, numbers: dict[int, int]) -> Markup:
    words = text[highlight.start : highlight.end]
    gravest = matches[highlight.matches[0]]
    errors = [i for i in highlight.matches if i in numbers]
    if not errors:
        return tag("span", words, class_="correct", title=gravest.gold.label if gravest.gold else None)
    kind = [str(gravest.kind), "leaks" if highlight.leaks else "", "beyond" if highlight.beyond else ""]
    ending = [_sign(matches[i]) for i in errors if matches[i].end == highlight.end]
    return tag(
        "mark",
        words,
        class_=" ".join(filter(None, kind)),
        data_e=" ".join(str(numbers[i]) for i in errors),
        data_tag=" · ".join(ending) or None,
    )


def _sign(match: SpanMatch) -> str:
    sign = ERROR_NAMES[match.kind].sign if match.kind else ""
    labels = [span.label for span in (match.gold, match.system) if span]
    return f"{sign} {' → '.join(dict.fromkeys(labels))}"


def _item(text: str, match: SpanMatch, kind: ErrorKind, prefix: str, number: int) -> Markup:
    name = ERROR_NAMES[kind]
    sign = tag("span", name.sign, class_=f"sign {kind}", aria_hidden="true")
    lines = [tag("a", sign, say(*name.name), href=f"#{prefix}e{number}")]
    if match.leaked:
        lines.append(_readable(match.leaked))
    rows = []
    for title, span in ((say("gold", "referencia"), match.gold), (say("system", "sistema"), match.system)):
        if span:
            words = tag("q", text[span.start : span.end], translate="no", lang="es-ES")
            rows += [tag("dt", title), tag("dd", words, Markup(" "), tag("small", say(*label_phrase(span.label))))]
    labels = {span.label for span in (match.gold, match.system) if span}
    return tag("li", *lines, tag("dl", *rows), data_e=number, data_k=str(kind), data_l=" ".join(sorted(labels)))


def _gravity(match: SpanMatch) -> int:
    return _GRAVITY[match.kind] if match.kind else len(_GRAVITY)


def _covers(span: Span | None, place: int) -> bool:
    return span is not None and span.start <= place < span.end


def _document(index: int, pair: Pair, scores: DocumentScores) -> Markup:
    kinds = Counter(match.kind for match in scores.errors)
    chips = [_chip(kind, kinds[kind]) for kind in ErrorKind if kinds[kind]]
    nothing = tag("span", say("nothing readable", "nada legible"), class_="quiet")
    readable = _readable(scores.leaked) if scores.leaked else nothing
    body = tag(
        "div",
        marked_text(pair.text, scores.matches, f"d{index}"),
        tag("aside", error_list(pair.text, scores.matches, f"d{index}")),
        class_="columns",
    )
    return tag(
        "details", tag("summary", tag("b", scores.id), readable, *chips), body, class_="document", id=f"d{index}"
    )


def _readable(characters: int) -> Markup:
    return tag("span", say(f"{characters} readable", f"{characters} legibles"), class_="readable")


def _chip(kind: ErrorKind, times: int) -> Markup:
    name = ERROR_NAMES[kind]
    return tag("span", f"{name.sign} {count(times)} ", say(*name.name), class_=f"chip {kind}")


def _filter(evaluation: Evaluation) -> Markup:
    """The filter, which needs the script; without it all documents are shown, and the filter is hidden."""
    boxes = [
        tag("label", tag("input", type="checkbox", data_kind=str(kind), checked=True), _chip(kind, times))
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
        tag("fieldset", tag("legend", say("Errors", "Errores")), *boxes),
        tag("output", id="shown", role="status"),
        tag(
            "p",
            tag("label", say("Label ", "Etiqueta "), tag("select", tag("option", "—", value=""), *options, id="label")),
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
        tag("li", tag("mark", name.sign, class_=str(kind)), " ", tag("b", say(*name.name)), ": ", say(*name.meaning))
        for kind, name in ERROR_NAMES.items()
    ]
    readable = say(" filled: protected text that stays readable", " relleno: texto protegido que queda legible")
    covered = say(" hatched: covered without need", " rayado: cubierto sin necesidad")
    states = [
        tag("li", tag("mark", "abc", class_="leaks wrong_boundary"), readable),
        tag("li", tag("mark", "abc", class_="beyond wrong_boundary"), covered),
        tag("li", tag("span", "abc", class_="correct"), say(" found correctly", " detectado correctamente")),
    ]
    return tag(
        "details",
        tag("summary", say("How errors are marked", "Cómo se marcan los errores")),
        tag("ul", *samples, *states),
        class_="legend",
        open=True,
    )

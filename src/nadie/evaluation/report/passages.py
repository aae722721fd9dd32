"""A document's text with what went wrong in it, marked where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from nadie.document import Span
from nadie.evaluation.alignment import ErrorKind, Match
from nadie.evaluation.report.markup import Markup, join, phrase, say, tag
from nadie.evaluation.wording import ERROR_NAMES, LABEL_NAMES

_GRAVITY = {kind: i for i, kind in enumerate(ErrorKind)}


class Passage(NamedTuple):
    """A stretch of text over which the same matches hold, gravest first."""

    start: int
    end: int
    matches: tuple[int, ...]
    leaks: bool
    beyond: bool


def passages(matches: Sequence[Match]) -> Iterator[Passage]:
    """The stretches that some match touches, cut wherever a span begins or ends.

    `leaks` is text that gold protects and the system leaves, `beyond` text that only the system covers.
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
            yield Passage(start, end, tuple(here), expected and not found, found and not expected)


def marked_text(text: str, matches: Sequence[Match], prefix: str) -> Markup:
    """The whole text. A mark's `data-e` names its errors by number, as in `error_list`, whose links lead here."""
    numbers = {i: n for n, i in enumerate(i for i, match in enumerate(matches) if match.kind)}
    parts: list[str] = []
    begun: set[int] = set()
    place = 0
    for passage in passages(matches):
        parts.append(text[place : passage.start])
        errors = [i for i in passage.matches if i in numbers]
        parts += [tag("span", id=f"{prefix}e{numbers[i]}") for i in errors if i not in begun]
        parts.append(_mark(text, matches, passage, numbers))
        begun.update(errors)
        place = passage.end
    parts.append(text[place:])
    return tag("pre", join(parts), class_="text", translate="no", lang="es-ES")


def error_list(text: str, matches: Sequence[Match], prefix: str) -> Markup:
    errors = [(match, match.kind) for match in matches if match.kind]
    return tag("ol", *(_item(text, match, kind, prefix, n) for n, (match, kind) in enumerate(errors)), class_="errors")


def _mark(text: str, matches: Sequence[Match], passage: Passage, numbers: dict[int, int]) -> Markup:
    words = text[passage.start : passage.end]
    gravest = matches[passage.matches[0]]
    errors = [i for i in passage.matches if i in numbers]
    if not errors:
        return tag("span", words, class_="correct", title=gravest.gold.label if gravest.gold else None)
    kind = [str(gravest.kind), "leaks" if passage.leaks else "", "beyond" if passage.beyond else ""]
    ending = [_sign(matches[i]) for i in errors if matches[i].end == passage.end]
    return tag(
        "mark",
        words,
        class_=" ".join(filter(None, kind)),
        data_e=" ".join(str(numbers[i]) for i in errors),
        data_tag=" · ".join(ending) or None,
    )


def _sign(match: Match) -> str:
    sign = ERROR_NAMES[match.kind].sign if match.kind else ""
    labels = [span.label for span in (match.gold, match.system) if span]
    return f"{sign} {' → '.join(dict.fromkeys(labels))}"


def _item(text: str, match: Match, kind: ErrorKind, prefix: str, number: int) -> Markup:
    name = ERROR_NAMES[kind]
    lines = [
        tag(
            "a",
            tag("span", name.sign, class_=f"sign {kind}", aria_hidden="true"),
            say(name.english, name.spanish),
            href=f"#{prefix}e{number}",
        )
    ]
    if match.leaked:
        readable = say(f"{match.leaked} readable", f"{match.leaked} legibles")
        lines.append(tag("span", readable, class_="readable"))
    rows = []
    for title, span in ((say("gold", "referencia"), match.gold), (say("system", "sistema"), match.system)):
        if span:
            words = tag("q", text[span.start : span.end], translate="no", lang="es-ES")
            rows += [tag("dt", title), tag("dd", words, Markup(" "), tag("small", phrase(LABEL_NAMES[span.label])))]
    labels = {span.label for span in (match.gold, match.system) if span}
    return tag("li", *lines, tag("dl", *rows), data_e=number, data_k=str(kind), data_l=" ".join(sorted(labels)))


def _gravity(match: Match) -> int:
    return _GRAVITY[match.kind] if match.kind else len(_GRAVITY)


def _covers(span: Span | None, place: int) -> bool:
    return span is not None and span.start <= place < span.end

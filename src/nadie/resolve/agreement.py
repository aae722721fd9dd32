"""Document-wide consistency: a name found once in a note is masked wherever it occurs in it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from nadie.document import Document, Span
from nadie.labels import Label

_NAMES = (Label.NOMBRE_SUJETO_ASISTENCIA, Label.NOMBRE_PERSONAL_SANITARIO)
_SURE = 0.9
_SHORTEST = 4


def agree(document: Document, spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans, plus one for every other occurrence of the words of a name that was found with a high score.

    A word must have at least four letters, the same spelling and case, and an initial capital. An added span has the
    score of the span that it repeats; text that is already covered is not changed.
    """
    found = sorted(spans)
    names: dict[str, Span] = {}
    for span in found:
        if span.label in _NAMES and span.score >= _SURE:
            for word in re.findall(r"[^\W\d_]+", document.text_of(span)):
                if len(word) >= _SHORTEST and word[0].isupper():
                    names.setdefault(word, span)
    if not names:
        return tuple(found)
    runs: list[Span] = []
    ahead = 0
    covered = 0  # the end of the spans that begin before the word ends
    for match in re.finditer(r"[^\W\d_]+", document.text):
        if (known := names.get(match.group())) is None:
            continue
        while ahead < len(found) and found[ahead].start < match.end():
            covered = max(covered, found[ahead].end)
            ahead += 1
        if covered > match.start():
            continue
        if runs and document.text[runs[-1].end : match.start()] in (" ", "-"):
            runs[-1] = Span(runs[-1].start, match.end(), runs[-1].label, known.score, known.source)
        else:
            runs.append(Span(match.start(), match.end(), known.label, known.score, known.source))
    return tuple(sorted([*found, *runs]))

"""One role for one name: the mentions of a name in a document share what is known about whom it names.

A detector labels each mention by its own context, and in a list or a table there is hardly any: `Vela` is a doctor in
one line and a patient in the next. The label with the highest total score is taken for all of them.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from nadie.document import Document, Span
from nadie.labels import Label
from nadie.spanish.folding import key_of

_ROLES = frozenset(
    (Label.NOMBRE_SUJETO_ASISTENCIA, Label.NOMBRE_PERSONAL_SANITARIO, Label.FAMILIARES_SUJETO_ASISTENCIA)
)
_CERTAIN = 1.0


def with_one_role(document: Document) -> Document:
    """The document in which all mentions of a name as a patient, relative or member of staff have one label.

    Certain spans, as those of known identities and of fields, keep their label, and the others follow them.
    """
    mentions: dict[str, list[Span]] = defaultdict(list)
    for span in document.spans:
        if span.label in _ROLES:
            mentions[key_of(document.text_of(span))].append(span)
    labels: dict[Span, str] = {}
    for spans in mentions.values():
        if any(span.label != spans[0].label for span in spans):
            scores: dict[str, float] = defaultdict(float)
            for span in spans:
                scores[span.label] += span.score if span.score < _CERTAIN else len(spans)
            best = max(scores, key=scores.__getitem__)
            labels.update((span, best) for span in spans if span.score < _CERTAIN)
    if not labels:
        return document
    return document.with_spans(replace(span, label=labels.get(span, span.label)) for span in document.spans)

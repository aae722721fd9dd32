"""Changes of the layout: other labels, no labels, another order, a single line."""

from __future__ import annotations

import re
from random import Random

from nadie.augment.edits import borders, rewrite, substitution
from nadie.augment.fields import Cue, HeaderField, find_cues, label_for
from nadie.augment.header import render_header
from nadie.augment.passage import AnnotatedText, cut, join
from nadie.augment.split import Split
from nadie.document import Document, Span

_SECTION = re.compile(r"^[ \t]*Datos (?:del paciente|asistenciales)[ \t]*\.?[ \t]*\n", re.MULTILINE)
_HEADER_KINDS = frozenset(
    "given surnames history social_security street town postcode birth_date country age sex admission physician "
    "licence service episode".split()
)
_SIGNS = (": ", ": ", ": ", ":", " : ", " ", "\t", " - ", ".- ", " = ")


def relabelled(document: Document, rng: Random, split: Split = Split.TRAINING) -> Document:
    """Every field label replaced by another of its kind."""
    sign = rng.choice(_SIGNS) if split is Split.TRAINING else ": "
    edits = [
        substitution(cue.start, cue.end, label_for(cue.kind, split, rng) + sign)
        for cue in find_cues(document)
        if rng.random() < 0.95 or split is Split.HELD_OUT
    ]
    return rewrite(document, edits)


def labels_removed(document: Document, rng: Random, share: float = 1.0) -> Document:
    """The note without field labels and section lines; the values stay where they were."""
    edits = [substitution(cue.start, cue.end, "") for cue in find_cues(document) if rng.random() < share]
    taken = {(edit.start, edit.end) for edit in edits}
    seams = borders(document)
    for match in _SECTION.finditer(document.text):
        free = not any(match.start() < edge < match.end() for edge in seams)
        if free and not any(a < match.end() and match.start() < b for a, b in taken):
            edits.append(substitution(match.start(), match.end(), ""))
    return rewrite(document, edits)


def some_labels_removed(document: Document, rng: Random) -> Document:
    return labels_removed(document, rng, rng.choice((0.3, 0.6, 1.0, 1.0)))


def one_line(document: Document, rng: Random) -> Document:
    """The note without line breaks, as in a database field."""
    return _joined(document, rng.choice((" ", " ", " ", "  ", " / ", " | ")))


def one_plain_line(document: Document, _: Random) -> Document:
    """The note with a space in place of each line break."""
    return _joined(document, " ")


def _joined(document: Document, joint: str) -> Document:
    edges = borders(document)
    breaks = (match.span() for match in re.finditer(r"\s*\n\s*", document.text))
    free = [(start, end) for start, end in breaks if not any(start < edge < end for edge in edges)]
    return rewrite(document, [substitution(start, end, joint) for start, end in free])


def restyled(document: Document, rng: Random, split: Split = Split.TRAINING) -> Document:
    """The note with its header in another layout: before the text, after it, or in two parts."""
    fields, end = read_header(document)
    if len(fields) < 4:
        return document
    fields = _merge_names(fields, rng)
    if rng.random() < 0.5:
        rng.shuffle(fields)
    if rng.random() < 0.4:
        kept = [f for f in fields if rng.random() < 0.7]
        fields = kept or fields
    body = cut(AnnotatedText(document.text, document.spans), end, len(document.text))
    place = rng.random()
    parts: tuple[AnnotatedText, ...]
    if place < 0.7:
        parts = (render_header(fields, split, rng), body)
    elif place < 0.85:
        parts = (body.stripped(), render_header(fields, split, rng))
    else:
        middle = rng.randint(1, len(fields) - 1) if len(fields) > 1 else 1
        head, tail = fields[:middle], fields[middle:]
        parts = tuple(
            p for p in (render_header(head, split, rng), body.stripped(), tail and render_header(tail, split, rng)) if p
        )
    whole = join(parts, rng.choice(("\n", "\n", "\n\n", "\n---\n", "\n" + "=" * 30 + "\n")))
    return Document(document.id, whole.text, whole.spans, document.meta)


def _merge_names(fields: list[HeaderField], rng: Random) -> list[HeaderField]:
    """The fields with given name and surnames merged, as most hospitals have them."""
    kinds = {field.kind: field.value for field in fields}
    if "given" not in kinds or "surnames" not in kinds or rng.random() < 0.25:
        return fields
    given, surnames = kinds["given"], kinds["surnames"]
    if not given.spans or not surnames.spans:
        return fields
    if rng.random() < 0.5:
        value = join((surnames, AnnotatedText(rng.choice((", ", ", ", ","))), given))
    else:
        value = _fused(given, surnames)
    others = [field for field in fields if field.kind not in ("given", "surnames")]
    return [HeaderField("name", value), *others]


def _fused(first: AnnotatedText, second: AnnotatedText) -> AnnotatedText:
    """The spans with adjacent names merged."""
    text = f"{first.text} {second.text}"
    label = first.spans[0].label
    if first.spans[-1].end == len(first.text) and second.spans[0].start == 0 and second.spans[0].label == label:
        end = len(first.text) + 1 + second.spans[0].end
        return AnnotatedText(text, (Span(first.spans[-1].start, end, label),))
    return join((first, second), " ")


def read_header(document: Document) -> tuple[list[HeaderField], int]:
    """The fields of the header of a MEDDOCAN note, and the end of the header."""
    fields: list[HeaderField] = []
    cues = list(find_cues(document))
    at, end = 0, 0
    for line in document.text.splitlines(keepends=True):
        stop = at + len(line)
        here = [cue for cue in cues if at <= cue.start < stop]
        if here and here[0].kind in _HEADER_KINDS and not document.text[at : here[0].start].strip(" \t\ufeff"):
            fields += _line_fields(document, here, stop)
        elif line.strip(" .\t\r\n\ufeff") and not line.strip(" \ufeff").startswith("Datos "):
            break
        at = end = stop
    return fields, end


def _line_fields(document: Document, cues: list[Cue], stop: int) -> list[HeaderField]:
    whole = AnnotatedText(document.text, document.spans)
    fields = []
    for cue, after in zip(cues, [*(c.start for c in cues[1:]), stop], strict=True):
        value = _trimmed(cut(whole, cue.end, after))
        if value.text:
            fields.append(HeaderField(cue.kind, value))
    return fields


def _trimmed(value: AnnotatedText) -> AnnotatedText:
    """The value without the blank and the full stop at the end of its line."""
    low = min((s.start for s in value.spans), default=len(value.text))
    high = max((s.end for s in value.spans), default=0)
    start = len(value.text) - len(value.text.lstrip())
    end = len(value.text)
    while end > high and value.text[end - 1] in " .\t\r\n":
        end -= 1
    return cut(value, min(start, low), max(end, min(start, low)))

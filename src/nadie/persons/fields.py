"""What a table or a form says of a name: the column that it stands in, and the sex in the same row."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from nadie.document import Document, Span
from nadie.labels import Label
from nadie.persons.parsing import Kind
from nadie.spanish.folding import key_of, same_length, same_length_of_note
from nadie.spanish.kinship import FEMALE, MALE

_SURNAMES = re.compile(r"(?:1er |2o |primer |segundo )?(?:apellidos?|apell?|ape|cognoms?)\.?")
_GIVEN = re.compile(r"(?:nombres?|nom|nome|nomb)\.?")
_KEY = re.compile(r"(?:^|[\s;|,{\"'])(?P<key>[a-z]{3,9})[\"']?\s?[:=]\s?[\"']?$")
_CELL = re.compile(r"\S+(?: \S+)*")
_SEPARATORS = "|\t;"
_FEWEST = 2  # separators in a line of a table
_MOST_LINES = 80
_LONGEST_LINE = 400
_SHIFTED = 2  # characters by which a cell may stand before its heading


def kind_by_field(text: str, span: Span) -> Kind | None:
    """Whether the field or the column of a name is that of surnames or of first names; None if it is neither."""
    start = text.rfind("\n", max(0, span.start - _LONGEST_LINE), span.start) + 1
    before = same_length(text[start : span.start])
    is_field = any(sign in before[-3:] for sign in ":=")
    if is_field and (key := _KEY.search(before)) and (kind := _kind(key["key"])):
        rest = same_length(text[start : span.end + _LONGEST_LINE]).partition("\n")[0]
        return kind if kind is Kind.SURNAME or re.search(rf"\b{_SURNAMES.pattern}\s?[:=]", rest) else None
    heading = _heading(text, start, span)
    return None if heading is None else _kind(heading)


def _kind(heading: str) -> Kind | None:
    if _SURNAMES.fullmatch(heading):
        return Kind.SURNAME
    return Kind.GIVEN if _GIVEN.fullmatch(heading) else None


def _heading(text: str, start: int, span: Span) -> str | None:
    """The folded heading of the column that a span stands in, in the nearest line above that names both kinds."""
    above = same_length_of_note(text)[max(0, start - _MOST_LINES * _LONGEST_LINE) : start]
    if "apell" not in above and "ape;" not in above:
        return None
    lines = (line for line in reversed(above.split("\n")[-_MOST_LINES:]) if "apell" in line or "ape;" in line)
    header = next((line for line in lines if "nom" in line and len(line) <= _LONGEST_LINE), None)
    if header is None:
        return None
    before = text[start : span.start]
    separator = max(_SEPARATORS, key=header.count)
    if header.count(separator) >= _FEWEST:
        headings, place = header.split(separator), before.count(separator)
        return headings[place].strip() if place < len(headings) else None
    cells = _CELL.finditer(re.sub(r"\s*,\s*", lambda m: " " * len(m.group()), header))
    left = [cell for cell in cells if cell.start() - _SHIFTED <= len(before)]
    return left[-1].group() if left else None


def sex_by_row(document: Document, span: Span) -> str:
    """The sex that stands in the same line of a table as a name; empty if there is none, or more than one."""
    text = document.text
    start, end = text.rfind("\n", 0, span.start) + 1, text.find("\n", span.end)
    end = len(text) if end < 0 else end
    if end - start > _LONGEST_LINE:
        return ""
    first = bisect_left(document.spans, start, key=lambda s: s.start)
    row = []
    for other in document.spans[first:]:
        if other.start >= end:
            break
        row.append(other)
    told = [key_of(document.text_of(s)) for s in row if s.label == Label.SEXO_SUJETO_ASISTENCIA]
    patients = [s for s in row if s.label == Label.NOMBRE_SUJETO_ASISTENCIA]
    is_one = len(told) == 1 and len(patients) <= 2
    return sex_of_words(told, document) if is_one else ""


def sex_of_words(words: Sequence[str], document: Document) -> str:
    """`m`, `f` or empty for words of forms. A lone `M` is a man beside `F`, and a woman (*mujer*) beside `H` or `V`."""
    for word in sorted(words, key=len, reverse=True):
        if word == "m":
            said = (document.text_of(s).lower() for s in document.spans if s.label == Label.SEXO_SUJETO_ASISTENCIA)
            return "m" if "f" in said else "f"
        if word in FEMALE or word in MALE:
            return "f" if word in FEMALE else "m"
    return ""

"""What `nadie check` reports: in prose what the model finds, in source code only what can hardly be anything else.

A model that was trained on notes takes words of source code for names. There, a span is reported if a pattern is
certain of it, or if it is two or more words that people bear as names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from io import BytesIO

from nadie.detectors.patterns import Patterns
from nadie.detectors.patterns.verified import verified
from nadie.document import FIELDS, Document, Span
from nadie.errors import Failure, FormatError
from nadie.files.recognition import PLAIN, decoded_text
from nadie.files.signatures import format_of
from nadie.labels import NAMES, Label
from nadie.resolve.name_like import is_name_like
from nadie.resolve.overlaps import disjoint
from nadie.run.documents import Run
from nadie.run.rewriting import OpenFile, TextOwner

Texts = Iterable[tuple[TextOwner, Document | Failure]]

_SOURCE_CODE = frozenset(
    ".bash .bat .c .cc .cfg .clj .cmake .conf .cpp .cs .css .cxx .dart .do .elm .erl .ex .exs .f .f90 .go .gradle"
    " .groovy .h .hpp .hs .ini .ipynb .java .jl .js .jsx .kt .less .lisp .lock .lua .m .mjs .ml .nix .php .pl .pm .pro"
    " .properties .proto .ps1 .py .pyi .pyx .qmd .r .rb .rmd .rs .sas .scala .scss .sh .sps .sql .swift .tcl .tf .toml"
    " .ts .tsx .vb .vue .yaml .yml .zig .zsh".split()
)
_CERTAIN = 0.9
_SCORE = 0.92
_LIKELY = 0.5
_LONGEST_LINE = 2000
_LOOSE = ("patterns:email_spaced", "patterns:ipv4", "patterns:ipv6")  # in code `a @ b.c` and 127.0.0.1 are usual
_ASKED_FOR = ("own:", "known:", "deny-list")
_ROW_NUMBER = re.compile(r"[A-Za-z]{0,2}[-_]?[0-9]{1,5}")
_WORD = re.compile(r"[^\W\d_]{3,}")
_AUTHORS = re.compile(r"(?i)copyright|©|\(c\)|\bautho?r|\bautor|licen[cs]e|maintain|contribut|credit|\bet al\b|https?:")
_RESERVED = re.compile(r"(?i)@(?:.*\.)?(?:example(?:\.\w+)?|test|invalid|localhost)$")
_READABLE_AS_TEXT = frozenset(
    {None, PLAIN, "csv", "fhir", "fhir-ndjson", "html", "json", "jsonl", "jsonl-table", "xml"}
)


class PhiSearch:
    """Finds spans with at least `min_score`, and numbers with valid check digits whatever their score.

    Without a `min_score` it is 0.92, but full names that the model found are given whatever their score.
    """

    def __init__(self, run: Run, min_score: float | None) -> None:
        self._run = run
        self._min_score = min_score
        self._patterns = Patterns()

    def annotate(self, texts: Texts) -> Iterator[tuple[TextOwner, Document | Failure]]:
        """Every text with the spans to report. A damaged file that is readable as text is searched as text."""
        readable = ((owner, _as_text(owner.file, item) if isinstance(item, Failure) else item) for owner, item in texts)
        for owner, found in self._run.annotate_owned(readable):
            if isinstance(found, Failure):
                yield owner, found
                continue
            is_code = owner.file.source.suffix in _SOURCE_CODE
            spans = list(self._in_code(found) if is_code else self._in_prose(found))
            lists = self._run.pipeline.lists
            yield owner, found.with_spans(disjoint(lists.apply(found, spans) if lists else spans))

    def _in_prose(self, document: Document) -> Iterator[Span]:
        for span in document.spans:
            if is_asked_for(span):
                yield span
                continue
            is_full_name = span.label in NAMES and _name_words(document, span) > 1 and not _is_of_author(document, span)
            least = self._min_score if self._min_score is not None else 0.0 if is_full_name else _SCORE
            if span.score >= least and not _is_row_number(document, span):
                yield span
        yield from (span for span in verified(document) if span.score >= _CERTAIN)

    def _in_code(self, document: Document) -> Iterator[Span]:
        by_pattern = [span for span in self._patterns.detect([document])[0] if span.source not in _LOOSE]
        for span in (*document.spans, *by_pattern, *_full_names(document)):
            if is_asked_for(span):
                yield span
                continue
            is_name, is_certain = span.label in NAMES, span.source.startswith("patterns:") and span.score >= _CERTAIN
            least = 0 if not is_name else 1 if is_certain else 2
            is_likely = is_certain or (is_name and span.score >= _LIKELY)
            if is_likely and _name_words(document, span) >= least and not _is_of_author(document, span):
                yield span


def is_asked_for(span: Span) -> bool:
    """Whether a pattern, a list or an identity that the caller gave is behind a span."""
    return span.source.startswith(_ASKED_FOR)


def _is_row_number(document: Document, span: Span) -> bool:
    """Whether a field of a table, such as a column `id`, only numbers the rows."""
    is_number = span.source in FIELDS and span.label == Label.OTRO_NUMERO_IDENTIF
    return is_number and _ROW_NUMBER.fullmatch(document.text_of(span).strip()) is not None


def _full_names(document: Document) -> Iterator[Span]:
    """Two or more words in a row that people bear as names; code says nothing about them that a model could use."""
    start = end = count = 0
    for word in _WORD.finditer(document.text):
        if document.text[end : word.start()] != " ":
            count = 0
        if is_name_like(document.text, word.start(), word.end()):
            start, count = start if count else word.start(), count + 1
            if count > 1:
                yield Span(start, word.end(), Label.NOMBRE_SUJETO_ASISTENCIA, _LIKELY, "names")
        else:
            count = 0
        end = word.end()


def _name_words(document: Document, span: Span) -> int:
    """The number of words in a span that people bear as names, and that are no other words."""
    return sum(
        is_name_like(document.text, word.start(), word.end())
        for word in _WORD.finditer(document.text, span.start, span.end)
    )


def _is_of_author(document: Document, span: Span) -> bool:
    """Whether a line names the authors of the code, or a mail address is one that nobody can have."""
    start, end = document.text.rfind("\n", 0, span.start) + 1, document.text.find("\n", span.end)
    line = document.text[start : end if end >= 0 else None]
    return bool(_AUTHORS.search(line[:_LONGEST_LINE]) or _RESERVED.search(document.text_of(span)))


def _as_text(file: OpenFile, failure: Failure) -> Document | Failure:
    """The content of a file that is damaged in its format, such as JSON with comments, if a text shows its letters."""
    source = file.source
    try:
        content = source.read() if source.path else b""
        kind = format_of(BytesIO(content))
        if not content or kind not in _READABLE_AS_TEXT or rb"\u" in content or b"\0" in content:
            return failure
        text, _ = decoded_text(content, source.where)
    except FormatError:
        return failure
    file.format = PLAIN
    return Document(source.name, text)

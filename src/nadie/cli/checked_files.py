"""Files that probably contain PHI, and where: by line and column, or by the part of a table or an archive."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from nadie.cli.likely_phi import is_asked_for
from nadie.document import Document, Span
from nadie.errors import ConfigError, Failure, FormatError
from nadie.files.disk import visible_files
from nadie.files.recognition import PLAIN
from nadie.files.source import STDIN, FileList
from nadie.labels import Label, Parent, is_label
from nadie.options import Spans
from nadie.risk.released import not_ours
from nadie.run.rewriting import FileReader, ReadOptions, TextOwner

Texts = Iterable[tuple[TextOwner, Document | Failure]]
Annotate = Callable[[Texts], Texts]
Wanted = Callable[[Span], bool]

IDENTIFYING: frozenset[str] = frozenset(
    {
        *(label for label in Label if label.parent in (Parent.NAME, Parent.ID)),
        Label.CALLE,
        Label.CORREO_ELECTRONICO,
        Label.NUMERO_FAX,
        Label.NUMERO_TELEFONO,
        Label.OTROS_SUJETO_ASISTENCIA,
    }
)
"""The labels that identify one person, also by a bank account; dates, ages and places alone are common in any text."""


@dataclass(frozen=True)
class LikelyPhi:
    """The position of a span: line and column of a plain text, from 1, otherwise the part of the file."""

    label: str
    score: float
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0
    part: str = ""

    @property
    def where(self) -> str:
        return f":{self.line}:{self.column}" if self.line else f"#{self.part}" if self.part else ""


@dataclass
class CheckedFile:
    """A file, the positions of likely PHI in it, and the reason if all or part of it could not be read."""

    name: str
    positions: list[LikelyPhi] = field(default_factory=list)
    errors: list[Failure] = field(default_factory=list)


def with_labels(names: Collection[str]) -> Wanted:
    """Whether a span has a label with one of these names, or a label of a class with one of them."""
    for name in names:
        if not is_label(name) and name not in set(Parent):
            raise ConfigError(f"{name[:60]!r} is neither a label nor a class of labels")
    return lambda span: span.label in names or Label(span.label).parent in names


def identifying(span: Span) -> bool:
    """Whether a span identifies one person, or is what the caller gave patterns, lists or identities for."""
    return span.label in IDENTIFYING or is_asked_for(span)


def checked_files(paths: Sequence[Path], annotate: Annotate, wanted: Wanted) -> Iterator[CheckedFile]:
    """Check every file of every path, in order. All texts go through one stream, so that batches are full."""
    errors: list[FormatError] = []
    reader = FileReader(FileList(list(_files(paths, errors))), ReadOptions(spans=Spans.FOUND))
    for owner, results in groupby(annotate(reader.texts()), key=lambda pair: pair[0].file):
        is_plain, path = owner.format == PLAIN, owner.source.path
        file = CheckedFile(path.as_posix() if path else "stdin")
        for _, result in results:
            if isinstance(result, Failure):
                file.errors.append(result)
                continue
            spans = [span for span in result.spans if wanted(span)]
            lines = _line_starts(result.text) if is_plain and spans else []
            part = result.id.partition("#")[2]
            for span in spans:
                first, last = (bisect_right(lines, at) for at in (span.start, span.end - 1)) if lines else (0, 0)
                columns = (span.start - lines[first - 1] + 1, span.end - lines[last - 1] + 1) if lines else (0, 0)
                file.positions.append(LikelyPhi(str(span.label), span.score, first, columns[0], last, columns[1], part))
        yield file
    for error in errors:
        yield CheckedFile(Path(error.where).as_posix(), errors=[Failure.of(error)])


def contacts_not_ours(texts: Texts) -> Texts:
    """Every text with the contacts in it that nadie has not written."""
    for owner, text in texts:
        yield owner, text.with_spans(not_ours(text.text)) if isinstance(text, Document) else text


def _files(paths: Sequence[Path], errors: list[FormatError]) -> Iterator[Path]:
    """The files of the paths, including annotation files, which quote the texts; `errors` gets unreadable folders."""
    for path in paths:
        yield from [path] if path == STDIN or not path.is_dir() else sorted(visible_files(path, errors))


def _line_starts(text: str) -> list[int]:
    return [0, *(found.end() for found in re.finditer("\n", text))]

"""Files in, anonymized copies out: each file of a run is opened by its format and written back in the same format.

The texts of all files go through one stream, in order, so that batches are full even if the files are small.
"""

from __future__ import annotations

import os
import shutil
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from pathlib import Path

from nadie.anonymize.engine import Anonymized
from nadie.anonymize.naming import Naming
from nadie.bounded import FirstItems
from nadie.containers.base import CONTAINERS, Account, Edits, Opened, OpenOptions, damaged
from nadie.containers.mapped import Edit
from nadie.containers.recognition import PLAIN, decoded_text, open_as, recognise, title_of
from nadie.containers.source import ANNOTATIONS, STDIN, Source, WatchedSource, sources
from nadie.document import Document, Span
from nadie.errors import Failure, FormatError, NadieError, OutputError
from nadie.formats import files
from nadie.formats.base import FORMATS, guess
from nadie.formats.brat import parse_annotations
from nadie.formats.reading import iter_readable
from nadie.options import Spans
from nadie.run import Input

_NAMED = 20
_DOCUMENTS = frozenset({PLAIN, "i2b2", "jsonl"})


@dataclass(frozen=True)
class Rewritten:
    """A file whose copy was written: its format, the number of texts and replacements, and remarks."""

    name: str
    title: str
    texts: int
    spans: int
    account: Account


@dataclass
class _File:
    """An open container of the run."""

    source: Source
    title: str
    opened: Opened
    texts: int = 0
    spans: int = 0
    broken: NadieError | None = None
    failures: list[Failure] = field(default_factory=list)


@dataclass(frozen=True)
class InPlace:
    """Change the files themselves, but only if they can be restored from a backup or a vault."""

    backup: Path | None

    def check(self, source: Source, *, is_document: bool) -> None:
        """Copy the file to the backup; without a backup, raise an error for files that a vault cannot restore."""
        if source.path is None:
            raise FormatError("cannot be changed in place", where=source.where)
        if is_document and not source.name.endswith(".txt"):
            raise FormatError("is written as a .txt file, so not in place: use --out", where=source.where)
        if not is_document and self.backup is None:
            raise FormatError("a vault restores plain text only: give --backup to change it", where=source.where)
        if self.backup is not None:
            target = files.OutputFiles(self.backup).of(Document(source.name, ""), "")
            if target.exists():
                raise FormatError("is already in the backup, and backups are not overwritten", where=source.where)
            with files.staged(target, 0o600) as out, source.open() as file:
                shutil.copyfileobj(file, out)
                out.flush()
                os.fsync(out.fileno())


class Rewriting:
    """One run over files and folders. Iterate over `outputs` of the results of `inputs`; both advance together.

    `write` writes a document of `outputs` as plain text into the output folder. Without a folder it is None, and the
    texts of containers are returned as documents, too. `naming` names the copies, and `handled` is called for each text
    with the number of bytes of all files read before it.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        out: Path | None,
        *,
        form: str = "",
        options: OpenOptions | None = None,
        spans: Spans = Spans.GIVEN,
        encoding: str = "",
        safety: InPlace | None = None,
    ) -> None:
        self.naming: Naming | None = None
        self.handled: Callable[[int], None] = lambda position: None
        if form and form not in FORMATS.names():
            CONTAINERS.get(form)  # raise an error for an unknown name before anything is done
        self._paths = paths
        self._targets = None if out is None else files.OutputFiles(out)
        self.write = None if self._targets is None else partial(_write_text, self._targets)
        self._form = form
        self._options = options or OpenOptions()
        self._spans = spans
        self._safety = safety
        self._owners: deque[tuple[_File | None, int]] = deque()
        self._source: WatchedSource | None = None
        self._before = 0
        self._encoding = encoding
        self.given = 0
        self.encodings: FirstItems[str] = FirstItems(_NAMED)
        self.passed_over: FirstItems[str] = FirstItems(_NAMED)

    def inputs(self) -> Iterator[Input]:
        """Every text of every file, or a failure in its place."""
        for path in self._paths:
            for item in self._inputs_of(path):
                owner, document = item if isinstance(item, tuple) else (None, item)
                self._owners.append((owner, self._source.position if self._source else 0))
                yield document
            if self._source is not None:
                self._before = self._source.before + self._source.size

    def outputs(self, results: Iterable[Anonymized | Failure]) -> Iterator[Document | Failure | Rewritten]:
        """A document for each document read, a `Rewritten` for each container written, and the failures."""
        for owner, group in groupby(self._owned(results), key=lambda pair: pair[0]):
            of_owner = (result for _, result in group)
            if owner is None or self._targets is None:
                yield from (r.output() if isinstance(r, Anonymized) else r for r in of_owner)
            else:
                yield self._written(owner, of_owner, self._targets)

    def _owned(self, results: Iterable[Anonymized | Failure]) -> Iterator[tuple[_File | None, Anonymized | Failure]]:
        for result in results:
            owner, position = self._owners.popleft()
            self.handled(position)
            yield owner, result

    def _inputs_of(self, path: Path) -> Iterator[Input | tuple[_File, Input]]:
        if self._form in FORMATS.names() and path != STDIN:
            yield from map(self._with_spans, iter_readable(path, self._form))
            return
        count = 0
        for source in sources(path, self._before, lambda name: self.passed_over.add([name])):
            count += 1
            if isinstance(source, FormatError):
                yield Failure.of(source)
                continue
            self._source = source
            try:
                yield from self._inputs_of_file(source)
            except NadieError as error:
                yield Failure.of(error, source.where)
        if not count:
            yield Failure.of(FormatError("holds no files", where=str(path)))

    def _inputs_of_file(self, source: Source) -> Iterator[Input | tuple[_File, Input]]:
        kind = self._form or recognise(source)
        if kind in _DOCUMENTS:
            if self._safety:
                self._safety.check(source, is_document=True)
            yield from map(self._with_spans, self._documents(source, kind))
            return
        if self._safety:
            self._safety.check(source, is_document=False)
        file = _File(source, title_of(kind), open_as(kind, source, self._options))
        try:
            for text in file.opened.texts():
                file.texts += 1
                yield file, text.document(source.name)
        except NadieError as error:
            yield file, self._broken(file, error)
        except Exception as error:
            yield file, self._broken(file, damaged(file.title, source.where, error))
        if not file.texts:
            yield file, Document(source.name, "")

    @staticmethod
    def _broken(file: _File, error: NadieError) -> Failure:
        """The failure of a container whose remaining texts cannot be read, so that it is not written."""
        file.broken = error
        return Failure.of(error, file.source.where)

    def _documents(self, source: Source, kind: str) -> Iterator[Document | FormatError]:
        """The documents of a file in one of the formats of `nadie.formats`; they are written as plain text."""
        if source.path is None and kind != PLAIN:
            raise FormatError(f"is {title_of(kind)}: give it as a file", where=source.where)
        form = guess(source.path) if kind == PLAIN and source.path else kind
        if source.path is None or form in (PLAIN, "brat"):
            text = self._decoded(source)
            wanted = source.path is not None and self._spans is not Spans.FOUND
            spans = _annotations(source.path, text) if source.path and wanted else ()
            yield Document(source.name.removesuffix(source.path.suffix if source.path else ""), text, spans)
            return
        for item in iter_readable(source.path, form):
            if isinstance(item, Document) and FORMATS.get(form).one_document_per_file:
                item = Document(source.name.removesuffix(source.path.suffix), item.text, item.spans)
            yield item

    def _decoded(self, source: Source) -> str:
        """The text of a file; an encoding other than UTF-8 is added to `encodings`."""
        text, encoding = decoded_text(source.read(), source.where, self._encoding)
        if encoding != "utf-8":
            self.encodings.add([f"{source.name}: read as {encoding}, written as utf-8"])
        return text

    def _with_spans(self, item: Document | FormatError) -> Input:
        if isinstance(item, FormatError):
            return Failure.of(item)
        if not item.spans:
            return item
        if self._spans is Spans.FOUND:
            return item.with_spans(())
        self.given += 1
        return item

    def _written(
        self, file: _File, results: Iterator[Anonymized | Failure], targets: files.OutputFiles
    ) -> Rewritten | Failure:
        where = file.source.where
        try:
            with files.unplaced(targets.folder) as (out, place):
                file.opened.write(_edits(file, results), out)
                if next(results, None) is not None and file.texts:
                    raise FormatError("has a text that was not written back", where=where)
                name = self.naming.path(file.source.name) if self.naming else file.source.name
                place(targets.of(Document(name, ""), ""))
        except NadieError as error:
            if isinstance(error, OutputError):
                return Failure(where, f"its copy {error.reason}", error)
            return file.failures[0] if file.failures else Failure.of(error, where)
        except OSError as error:
            return Failure.of(OutputError(f"its copy cannot be written ({error.strerror})", where=where))
        except Exception as error:
            return Failure.of(error, where, "its copy was being written")
        account = file.opened.account
        account.failures += file.failures
        return Rewritten(file.source.name, file.title, file.texts, file.spans, account)


def edits_of(result: Anonymized) -> list[Edit]:
    """The edits that an anonymized text makes in its container."""
    return [Edit(r.span.start, r.span.end, result.text[r.start : r.end]) for r in result.replaced if not r.kept]


def _write_text(targets: files.OutputFiles, document: Document) -> None:
    file = targets.of(document, ".txt")
    files.write_bytes(file, files.encode(document.text, str(file)))


def _edits(file: _File, results: Iterator[Anonymized | Failure]) -> Iterator[Edits | None]:
    for result in results:
        if isinstance(result, Failure):
            file.failures.append(result)
            if result.cause is file.broken:
                raise result.cause
            yield None
        elif file.texts:
            edits = edits_of(result)
            file.spans += len(edits)
            yield edits


def _annotations(text_file: Path, text: str) -> tuple[Span, ...]:
    """The spans in the brat file next to a text. An unreadable one is an error, so that reviewed spans are not lost."""
    file = text_file.with_suffix(ANNOTATIONS)
    return parse_annotations(files.read_bytes(file), text, str(file)) if file.is_file() else ()

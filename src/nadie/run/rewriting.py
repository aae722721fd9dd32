"""Files in, anonymized copies out: each file of a run is opened by its format and written back in the same format.

The texts of all files go through one stream, in order, so that batches are full even if the files are small. Each text
is paired with the file that it comes from.
"""

from __future__ import annotations

import io
import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from nadie.anonymize.engine import Anonymized
from nadie.bounded import FirstItems
from nadie.document import Document, Span
from nadie.errors import ConfigError, Failure, FormatError, NadieError, OutputError
from nadie.files import disk as files
from nadie.files.annotated.brat import parse_annotations
from nadie.files.annotated.reading import iter_readable
from nadie.files.container import CONTAINERS, Account, Edits, Opened, OpenOptions, damaged
from nadie.files.format import FORMATS
from nadie.files.mapped import Edit
from nadie.files.recognition import PLAIN, decoded_text, may_be_table, open_as, recognise, title_of, unit_of
from nadie.files.source import ANNOTATIONS, STDIN, FileList, Source
from nadie.options import Spans
from nadie.records.naming import Naming, Renames
from nadie.run.documents import Input
from nadie.run.output_mark import is_labelled

_NAMED = 20
_LABELLED = "has labels of nadie, so it is an output of nadie already: give the original, or --again"


@dataclass(frozen=True)
class Rewritten:
    """A file whose copy was written: its format, the number of texts and replacements, and remarks."""

    name: str
    title: str
    texts: int
    spans: int
    account: Account
    unit: str = "text"


@dataclass(eq=False)
class OpenFile:
    """A file of the run; `opened` is its container, and None for a file of documents or one that cannot be opened."""

    source: Source
    format: str = ""
    opened: Opened | None = None
    texts: int = 0
    spans: int = 0
    broken: NadieError | None = None
    failures: list[Failure] = field(default_factory=list)


class TextOwner(NamedTuple):
    """What a text belongs to: its file, and the number of bytes of all files that were read before it."""

    file: OpenFile
    position: int


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


@dataclass(frozen=True)
class ReadOptions:
    """How files are read. `form` is the format of all files, which is otherwise recognised by their content.

    `encoding` is that of plain text files. With `in_place` every file is checked, and saved if wanted, before it is
    read. With `once`, a document that has labels of nadie is a failure: it is an output already.
    """

    form: str = ""
    encoding: str = ""
    open_options: OpenOptions = field(default_factory=OpenOptions)
    spans: Spans = Spans.GIVEN
    in_place: InPlace | None = None
    once: bool = False

    def __post_init__(self) -> None:
        """Raise an error for names that do not exist before anything is done."""
        if self.form and self.form not in FORMATS.names():
            CONTAINERS.get(self.form)
        try:
            "".encode(self.encoding or "utf-8")
        except LookupError:
            raise ConfigError(f"there is no encoding {self.encoding[:40]!r}") from None


class FileReader:
    """Reads the texts of the files of a run. `given` counts the documents that came with spans."""

    def __init__(self, files: FileList, options: ReadOptions) -> None:
        self._files = files
        self._options = options
        self.spans = options.spans
        self.given = 0
        self.encodings: FirstItems[str] = FirstItems(_NAMED)

    def texts(self) -> Iterator[tuple[TextOwner, Input]]:
        """Every text of every file with its owner, or a failure in its place."""
        form, files = self._options.form, self._files
        if form in FORMATS.names() and not self._options.in_place:
            for path in (path for path in files.paths if path != STDIN):
                owner = TextOwner(OpenFile(Source.of(path), form), 0)
                yield from ((owner, self._with_spans(item)) for item in iter_readable(path, form))
            files = FileList([path for path in files.paths if path == STDIN])
        for source in files:
            if isinstance(source, FormatError):
                yield TextOwner(OpenFile(Source("", source.where)), 0), Failure.of(source)
                continue
            file = OpenFile(source)
            try:
                for item in self._texts_of(file):
                    yield TextOwner(file, source.position), item
            except NadieError as error:
                yield TextOwner(file, source.position), Failure.of(error, source.where)

    def _texts_of(self, file: OpenFile) -> Iterator[Input]:
        file.format = self._options.form or recognise(file.source)
        if file.format == PLAIN and not self._options.form and file.source.path is None and may_be_table(file.source):
            raise FormatError("may be a CSV table: give --from csv, or --from text for a note", where=file.source.where)
        is_document = file.format in FORMATS.names()
        if self._options.in_place:
            self._options.in_place.check(file.source, is_document=is_document)
        if is_document:
            yield from map(self._with_spans, self._documents(file.source, file.format))
            return
        file.opened = open_as(file.format, file.source, self._options.open_options)
        try:
            for text in file.opened.texts():
                file.texts += 1
                yield text.document(file.source.name)
        except NadieError as error:
            yield _broken(file, error)
        except Exception as error:
            yield _broken(file, damaged(title_of(file.format), file.source.where, error))
        if not file.texts:
            yield Document(file.source.name, "")

    def _documents(self, source: Source, file_format: str) -> Iterator[Document | FormatError]:
        """The documents of a file in one of the formats of `nadie.formats`; they are written as plain text."""
        if source.path is None and file_format != PLAIN:
            raise FormatError(f"is {title_of(file_format)}: give it as a file", where=source.where)
        suffix = source.path.suffix if source.path else ""
        if source.path is None or file_format == PLAIN:
            text = self._decoded(source)
            spans = _annotations(source.path, text) if source.path and self._options.spans is not Spans.FOUND else ()
            yield Document(source.name.removesuffix(suffix), text, spans)
            return
        for item in iter_readable(source.path, file_format):
            if isinstance(item, Document) and FORMATS.get(file_format).one_document_per_file:
                item = Document(source.name.removesuffix(suffix), item.text, item.spans)
            yield item

    def _decoded(self, source: Source) -> str:
        """The text of a file; an encoding other than UTF-8 is added to `encodings`."""
        text, encoding = decoded_text(source.read(), source.where, self._options.encoding)
        if encoding != "utf-8":
            self.encodings.add([f"{source.name}: read as {encoding}, written as utf-8"])
        return text

    def _with_spans(self, item: Document | FormatError) -> Input:
        if isinstance(item, FormatError):
            return Failure.of(item)
        if self._options.once and is_labelled(item.text):
            return Failure.of(FormatError(_LABELLED, where=item.id))
        if not item.spans:
            return item
        if self._options.spans is Spans.FOUND:
            return item.with_spans(())
        self.given += 1
        return item


@dataclass(frozen=True)
class StreamOutput:
    """Standard output, or another stream of bytes: texts as they are, with a heading unless the only one.

    A file of another format is written in its own format if it is the only one, and otherwise refused.
    """

    stream: BinaryIO
    is_alone: bool

    def __call__(self, document: Document) -> None:
        """Write a text."""
        text = document.text
        if not self.is_alone:
            text = f"==> {document.id} <==\n{text}" + ("" if text.endswith("\n") else "\n")
        self.write(text.encode("utf-8", "surrogatepass"))

    def write(self, content: bytes) -> None:
        self.stream.write(content)
        self.stream.flush()


Target = files.OutputFiles | StreamOutput | None


def outputs(
    results: Iterable[tuple[TextOwner, Anonymized | Failure]],
    target: Target = None,
    naming: Naming | None = None,
    renames: Renames | None = None,
) -> Iterator[Document | Failure | Rewritten]:
    """A document for each document read, a `Rewritten` for each container written, and the failures.

    Without a target the texts of containers are returned as documents, too. `naming` names the copies, and `renames`
    gets their names.
    """
    renames = renames or Renames()
    for file, group in groupby(results, key=lambda pair: pair[0].file):
        of_file = (result for _, result in group)
        if file.opened is not None and target is not None:
            yield _written(file, of_file, target, naming, renames)
            continue
        for result in of_file:
            if isinstance(result, Anonymized):
                renames.add(result.document.id, result.name or result.document.id)
            yield result.output() if isinstance(result, Anonymized) else result


def _written(
    file: OpenFile,
    results: Iterator[Anonymized | Failure],
    target: files.OutputFiles | StreamOutput,
    naming: Naming | None,
    renames: Renames,
) -> Rewritten | Failure:
    where, name, opened = file.source.where, file.source.name, cast(Opened, file.opened)
    try:
        if isinstance(target, StreamOutput):
            if not target.is_alone:
                raise FormatError(f"is {title_of(file.format)}: give --out, or --to jsonl for its texts", where=where)
            copy = io.BytesIO()
            _write_copy(file, results, copy)
            if target.stream.isatty() and b"\0" in copy.getvalue():
                raise FormatError(f"is {title_of(file.format)}, which a terminal cannot show: give --out", where=where)
            target.write(copy.getvalue())
        else:
            with files.unplaced(target.folder) as (out, place):
                _write_copy(file, results, out)
                new = naming.path(name) if naming else name
                place(target.of(Document(new, ""), ""))
            renames.add(name, new)
    except NadieError as error:
        if isinstance(error, OutputError):
            return Failure(where, f"its copy {error.reason}", error)
        return file.failures[0] if file.failures else Failure.of(error, where)
    except OSError as error:
        return Failure.of(OutputError(f"its copy cannot be written ({error.strerror})", where=where))
    except Exception as error:
        return Failure.of(error, where, "its copy was being written")
    opened.account.failures += file.failures
    return Rewritten(name, title_of(file.format), file.texts, file.spans, opened.account, unit_of(file.format))


def _write_copy(file: OpenFile, results: Iterator[Anonymized | Failure], out: BinaryIO) -> None:
    cast(Opened, file.opened).write(_edits(file, results), out)
    if next(results, None) is not None and file.texts:
        raise FormatError("has a text that was not written back", where=file.source.where)


def _broken(file: OpenFile, error: NadieError) -> Failure:
    """The failure of a container whose remaining texts cannot be read, so that it is not written."""
    file.broken = error
    return Failure.of(error, file.source.where)


def edits_of(result: Anonymized) -> list[Edit]:
    """The edits that an anonymized text makes in its container."""
    return [
        Edit(r.span.start, r.span.end + r.taken, result.text[r.start : r.end]) for r in result.replaced if not r.kept
    ]


def write_text(targets: files.OutputFiles, document: Document) -> None:
    """Write a document of `outputs` as plain text."""
    file = targets.of(document, ".txt")
    files.write_bytes(file, files.encode(document.text, str(file)))


def _edits(file: OpenFile, results: Iterator[Anonymized | Failure]) -> Iterator[Edits | None]:
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

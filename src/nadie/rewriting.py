"""Files in, anonymized copies out: every file of a run, opened as what it is, and written back in its own form.

Texts of all files go through one stream, in order, so that batches and workers are full however small the files are.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from nadie.anonymize.engine import Anonymized
from nadie.containers.base import CONTAINERS, Account, Edits, Opened, OpenOptions, damaged
from nadie.containers.mapped import Edit
from nadie.containers.recognition import PLAIN, open_as, recognise, title_of
from nadie.containers.source import Source
from nadie.document import Document
from nadie.errors import FormatError, NadieError
from nadie.formats import files
from nadie.formats.base import FORMATS
from nadie.formats.reading import guess, iter_readable
from nadie.run import Failure, Input

STDIN = Path("-")
_ANNOTATIONS = ".ann"  # they stand beside their texts, which are read without them
_MANY = frozenset({".jsonl", ".notes"})
_DOCUMENTS = frozenset({PLAIN, "i2b2", "jsonl"})


@dataclass(frozen=True)
class Rewritten:
    """A file whose copy was written: what it was taken for, how many texts and replacements, and what else to tell."""

    name: str
    title: str
    texts: int
    spans: int
    account: Account


@dataclass
class _File:
    """An open container on its way through the run."""

    source: Source
    title: str
    opened: Opened
    texts: int = 0
    spans: int = 0
    failures: list[str] = field(default_factory=list)


class Rewriting:
    """One run over files and folders. Go through `outputs` of the results of `inputs`, in step.

    Without an output folder the texts of containers are given as documents.
    """

    def __init__(
        self, paths: Sequence[Path], out: Path | None, *, form: str = "", options: OpenOptions | None = None
    ) -> None:
        if form and form not in FORMATS.names():
            CONTAINERS.get(form)  # an unknown name is the caller's mistake, told before anything is done
        self._paths = paths
        self._targets = None if out is None else files.OutputFiles(out)
        self._form = form
        self._options = options or OpenOptions()
        self._owners: deque[_File | None] = deque()

    def count(self) -> int | None:
        """How many files there are, for a progress bar; None where some of them hold many documents."""
        found = [source for path in self._paths if path != STDIN for source in _sources(path)]
        has_many = any(isinstance(each, Source) and each.suffix in _MANY for each in found)
        return None if has_many or STDIN in self._paths else len(found)

    def inputs(self) -> Iterator[Input]:
        """Every text of every file, or the error in its place."""
        for path in self._paths:
            for item in self._inputs_of(path):
                owner, document = item if isinstance(item, tuple) else (None, item)
                self._owners.append(owner)
                yield document

    def outputs(self, results: Iterable[Anonymized | Failure]) -> Iterator[Document | Failure | Rewritten]:
        """A document for each one read, an account for each container that was written, and what failed."""
        owned = ((self._owners.popleft(), result) for result in results)
        for owner, group in groupby(owned, key=lambda pair: pair[0]):
            of_owner = (result for _, result in group)
            if owner is None or self._targets is None:
                yield from (r.output() if isinstance(r, Anonymized) else r for r in of_owner)
            else:
                yield self._written(owner, of_owner, self._targets)

    def _inputs_of(self, path: Path) -> Iterator[Input | tuple[_File, Input]]:
        if self._form in FORMATS.names() and path != STDIN:
            yield from map(_without_spans, iter_readable(path, self._form))
            return
        count = 0
        for source in _sources(path):
            count += 1
            if isinstance(source, FormatError):
                yield source
                continue
            try:
                yield from self._inputs_of_file(source)
            except NadieError as error:
                yield error if isinstance(error, FormatError) else FormatError(str(error), where=source.where)
        if not count:
            yield FormatError("holds no files", where=str(path))

    def _inputs_of_file(self, source: Source) -> Iterator[Input | tuple[_File, Input]]:
        kind = self._form or recognise(source)
        if kind in _DOCUMENTS:
            yield from _documents(source, kind)
            return
        file = _File(source, title_of(kind), open_as(kind, source, self._options))
        try:
            for text in file.opened.texts():
                file.texts += 1
                yield file, text.document(source.name)
        except NadieError as error:
            yield file, FormatError(str(error), where=source.where) if not isinstance(error, FormatError) else error
        except Exception as error:
            yield file, damaged(file.title, source.where, error)
        if not file.texts:
            yield file, Document(source.name, "")

    def _written(
        self, file: _File, results: Iterator[Anonymized | Failure], targets: files.OutputFiles
    ) -> Rewritten | Failure:
        where = file.source.where
        try:
            target = targets.of(Document(file.source.name, ""), "")
            with files.staged(target) as out:
                file.opened.write(_edits(file, results), out)
                if next(results, None) is not None and file.texts:
                    raise FormatError("has a text that was not written back", where=where)
        except NadieError as error:
            if file.failures:
                return Failure(file.failures[0])
            return Failure(str(error) if where in str(error) else f"{where}: {error}", error)
        except OSError as error:
            return Failure(f"{where}: its copy cannot be written ({error.strerror})")
        except Exception as error:  # the message of other code may quote the text: only the type is named
            return Failure(f"{where}: {type(error).__name__} while its copy was being written")
        account = file.opened.account
        account.failures += file.failures
        return Rewritten(file.source.name, file.title, file.texts, file.spans, account)


def _edits(file: _File, results: Iterator[Anonymized | Failure]) -> Iterator[Edits | None]:
    for result in results:
        if isinstance(result, Failure):
            file.failures.append(result.message)
            if isinstance(result.error, FormatError):  # the container could not be read to its end
                raise result.error
            yield None
        elif file.texts:
            edits = [
                Edit(r.span.start, r.span.end, result.text[r.start : r.end]) for r in result.replaced if not r.kept
            ]
            file.spans += len(edits)
            yield edits


def _sources(path: Path) -> Iterator[Source | FormatError]:
    """The files of a path: itself, those of a folder and of all folders below it, or standard input."""
    if path == STDIN:
        yield Source("stdin", "standard input", None, sys.stdin.buffer.read())
        return
    try:
        if not path.is_dir():
            yield Source.of(path)
            return
    except OSError as error:
        yield FormatError(f"cannot be read ({error.strerror})", where=str(path))
        return
    errors: list[FormatError] = []
    found = sorted((file.relative_to(path).as_posix(), file) for file in files.visible_files(path, errors))
    yield from errors
    for name, file in found:
        if file.suffix.lower() != _ANNOTATIONS:
            yield Source.of(file, name)


def _documents(source: Source, kind: str) -> Iterator[Input]:
    """The documents of a file that `nadie.formats` reads; they are written as plain text."""
    if source.path is None:
        if kind != PLAIN:
            raise FormatError(f"is {title_of(kind)}: give it as a file", where=source.where)
        yield Document(source.name, files.decode(source.content, source.where))
        return
    form = guess(source.path) if kind == PLAIN else kind
    form = PLAIN if form == "brat" else form
    for item in iter_readable(source.path, form):
        if isinstance(item, Document) and FORMATS.get(form).one_document_per_file:
            item = Document(source.name.removesuffix(source.path.suffix), item.text)
        yield _without_spans(item)


def _without_spans(item: Document | FormatError) -> Input:
    return Document(item.id, item.text, (), item.meta) if isinstance(item, Document) else item

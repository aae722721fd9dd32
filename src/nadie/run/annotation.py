"""A run over files that changes nothing: the texts of all files, and their spans."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, field, fields, replace
from importlib.metadata import version
from pathlib import Path

from nadie.document import Document
from nadie.errors import ConfigError, Failure
from nadie.files.disk import read_bytes, write_bytes
from nadie.files.format import FORMATS, FileFormat, Format
from nadie.options import Spans
from nadie.run.documents import Run, RunOptions
from nadie.run.files import (
    Paths,
    Progress,
    add_notes,
    check_output,
    check_writable,
    interruptible,
    listed,
    texts_in,
    watched,
)
from nadie.run.report import RunReport
from nadie.run.rewriting import FileReader, ReadOptions

_STATE = ".nadie-annotation"


@dataclass(frozen=True)
class AnnotationOptions:
    """The options of `annotate_files`: `to` is the format that is written, and `resume` skips what is written."""

    run: RunOptions = field(default_factory=RunOptions)
    reading: ReadOptions = field(default_factory=ReadOptions)
    to: str = "brat"
    workers: int = 1
    resume: bool = False


def texts_of(paths: Paths, options: ReadOptions | None = None) -> Iterator[Document | Failure]:
    """Every text of every file without the spans it came with, or a failure in its place."""
    reader = FileReader(listed(paths), replace(options or ReadOptions(), spans=Spans.FOUND))
    return (item for _, item in reader.texts())


def annotate_files(
    paths: Paths, out: Path | Callable[[Document], None], options: AnnotationOptions, progress: Progress | None = None
) -> RunReport:
    """Write the spans of all texts of files, and of all files below folders, into a folder or with a function."""
    files, report = listed(paths), RunReport()
    target = FORMATS.get(options.to)()
    if not target.holds_spans:
        raise ConfigError(f"the format {options.to} cannot store annotations")
    if not callable(out):
        check_output(out, files.paths)
    reader = FileReader(files, replace(options.reading, spans=Spans.FOUND))
    with ExitStack() as stack:
        run = stack.enter_context(Run(options.run, options.workers))
        if not callable(out):
            check_writable(out)
        written = None if callable(out) else stack.enter_context(_Written(out, target, run, options))
        if written is None and options.resume:
            raise ConfigError("--resume needs --out")
        stack.enter_context(interruptible(report, can_resume=isinstance(target, FileFormat)))
        write = stack.enter_context(nullcontext(out) if callable(out) else target.writer(out))
        texts = (pair for pair in reader.texts() if written is None or not written.has(pair[1]))
        found = watched(run.annotate_owned(texts), files, progress)
        report.write(texts_in(found, report), write)
        add_notes(report, run, reader, files)
        if written is not None and written.count:
            report.note([f"{written.count} documents were annotated by the interrupted run"])
    return report


class _Written:
    """What an interrupted run wrote into its folder. A file with the options of the run stays until its end."""

    def __init__(self, folder: Path, target: Format, run: Run, options: AnnotationOptions) -> None:
        self._folder, self._target, self._resume = folder, target, options.resume
        self._file = folder / _STATE
        reading = options.reading
        opening = {each.name: getattr(reading.open_options, each.name) for each in fields(reading.open_options)}
        opening.pop("secret")
        about = {**run.pipeline.about, "to": options.to, "reading": [reading.form, reading.encoding, opening]}
        self._about = json.dumps({"nadie": version("nadie"), **about}, sort_keys=True, default=str).encode()
        self.count = 0

    def __enter__(self) -> _Written:
        is_interrupted = self._file.exists()
        if is_interrupted and not self._resume:
            raise ConfigError(f"{self._folder}: a run was interrupted. Continue with --resume, or delete {self._file}")
        if self._resume:
            if not isinstance(self._target, FileFormat):
                raise ConfigError(
                    f"--resume needs a format with one file per document, and {self._target.name} has not"
                )
            if not is_interrupted or read_bytes(self._file) != self._about:
                raise ConfigError(f"{self._folder} has no interrupted run with the same options and version")
        write_bytes(self._file, self._about)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._file.unlink(missing_ok=True)

    def has(self, item: Document | Failure) -> bool:
        if not self._resume or isinstance(item, Failure) or not isinstance(self._target, FileFormat):
            return False
        is_written = (self._folder / f"{item.id}{self._target.suffix}").is_file()
        self.count += is_written
        return is_written

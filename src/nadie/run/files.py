"""A run over files: copies in an output folder, with the journal and the records of the run."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, fields, replace
from functools import partial
from importlib.metadata import version
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from nadie.anonymize.engine import Anonymized
from nadie.anonymize.secret import Secret
from nadie.document import Document
from nadie.errors import ConfigError, Failure, InterruptedRunError, OutputError, printable
from nadie.files.container import LINKS
from nadie.files.disk import OutputFiles, unplaced, write_bytes, writing
from nadie.files.source import STDIN, FileList
from nadie.options import Form, Rename, Spans
from nadie.records.naming import Renames
from nadie.run.documents import Run, RunArguments, RunOptions
from nadie.run.output_mark import check_not_again, mark
from nadie.run.report import RunReport
from nadie.run.rewriting import FileReader, ReadOptions, StreamOutput, Target, TextOwner, outputs, write_text

if TYPE_CHECKING:
    from nadie.records.records import Records
    from nadie.run.journal import Journal

Paths = str | PathLike[str] | Iterable[str | PathLike[str]] | FileList
Output = str | PathLike[str] | Callable[[Document], None] | None
Progress = Callable[[int, int | None], None]
T = TypeVar("T")

_NO_KEY = (
    "there was no key, so surrogates and shifts of the next run will differ, also for the same patients: "
    "`nadie key new FILE` makes a key for --key-file"
)
_NO_JOURNAL = "what was written is complete, but only a run with a key and --out can be resumed"
_SPANS = {Spans.GIVEN: "only these were replaced", Spans.BOTH: "these and the spans found were replaced"}


@dataclass(frozen=True)
class RecordOptions:
    """The files that a run writes besides its output: a vault with its passphrase, an audit, a report, the failures.

    `names` is a table of the new and the old names of the outputs.
    """

    vault: Path | None = None
    passphrase: Secret | None = None
    audit: Path | None = None
    report: Path | None = None
    failures: Path | None = None
    names: Path | None = None


@dataclass(frozen=True)
class FileOptions:
    """The options of a run over files.

    `rename` is the rule for the names of the copies, `to` their form, and `resume` continues an interrupted run in the
    same output folder, which needs the same options and key. An output of nadie as input, or of another policy in the
    output folder, is refused unless `again` is set.
    """

    run: RunOptions = field(default_factory=RunOptions)
    reading: ReadOptions = field(default_factory=ReadOptions)
    records: RecordOptions = field(default_factory=RecordOptions)
    rename: Rename = Rename.AUTO
    to: Form = Form.TEXT
    workers: int = 1
    resume: bool = False
    again: bool = False

    def reader(self, files: FileList) -> FileReader:
        """The reader of the files; ids that link records are derived from the key of the run."""
        open_options = replace(self.reading.open_options, secret=self.run.key.derive(LINKS))
        reading = replace(self.reading, open_options=open_options, spans=self.run.spans, once=not self.again)
        return FileReader(files, reading)


def anonymize_files(
    paths: Paths,
    out: Output,
    options: FileOptions | None = None,
    progress: Progress | None = None,
    *,
    model: str | PathLike[str] = "fast",
    **given: Unpack[RunArguments],
) -> RunReport:
    """Anonymize files and all files below folders. Each copy in the folder `out` has the format of its file.

    `out` may also be a function, which is called with each anonymized text, a `StreamOutput`, or None to change the
    files themselves (see `ReadOptions.in_place`). A file that cannot be handled is a failure in the report, and the
    others are still processed. `progress` is called for each text with the number of bytes read so far and, if known,
    of all files. The model and the further arguments are those of `nadie.load`, in place of `options.run`.

    >>> report = nadie.anonymize_files("notes", "anonymized", policy="research", key=Path("key"))  # doctest: +SKIP
    >>> report.handled, report.failed                                   # doctest: +SKIP
    (120, 0)
    """
    options = _options(options or FileOptions(), model, given)
    files = listed(paths)
    folder = _folder(files.paths, out, options)
    if not options.again:
        check_not_again(files, None if options.reading.in_place else folder, options.run.policy)
    with ExitStack() as stack:
        run = stack.enter_context(Run(options.run, options.workers))
        if folder is not None:
            check_writable(folder)
        side = stack.enter_context(_side_outputs(run, folder, options))
        report = RunReport(side.fail)
        stack.enter_context(interruptible(report, can_resume=side.journal is not None))
        naming, reader = run.naming(options.rename), options.reader(files)
        results = run.anonymize_owned(reader.texts(), side.records, naming, side.journal)
        target: Target = OutputFiles(folder) if folder and options.to is Form.TEXT else None
        write = stack.enter_context(_writer(out, folder, target))
        if isinstance(out, StreamOutput):
            target = out
        report.write(outputs(watched(results, files, progress), target, naming, side.renames), write)
        side.finish(report)
        if folder is not None and report.handled and (out is not None or files.paths[0].is_dir()):
            mark(folder, options.run.policy)
        add_notes(report, run, reader, files)
        if options.run.key.is_random and options.run.policy.depends_on_key():
            report.note([_NO_KEY])
    return report


def _options(options: FileOptions, model: str | PathLike[str], given: RunArguments) -> FileOptions:
    if given or model != "fast":
        options = replace(options, run=RunOptions.of(model, **given))
    return replace(options, rename=Rename.KEEP) if options.reading.in_place else options


def preview_files(
    paths: Paths,
    out: Output,
    options: FileOptions,
    show: Callable[[Anonymized], None],
    progress: Progress | None = None,
) -> RunReport:
    """Call `show` with every text that `anonymize_files` would write, and write nothing."""
    files, report = listed(paths), RunReport()
    _folder(files.paths, out, options)
    options = replace(options, reading=replace(options.reading, in_place=None))
    with Run(options.run, options.workers) as run:
        reader = options.reader(files)
        results = watched(run.anonymize_owned(reader.texts()), files, progress)
        for result in texts_in(results, report):
            if isinstance(result, Failure):
                report.fail(result)
            else:
                show(result)
                report.handled += 1
        add_notes(report, run, reader, files)
    return report


def check_output(out: Path | None, paths: Iterable[Path]) -> None:
    """Raise an error if the output folder would overwrite an input or be read as input by the next run."""
    if out is None:
        return
    target = out.resolve()
    for path in paths:
        if path == STDIN:
            continue
        source = path.resolve()
        if target == (source if source.is_dir() else source.parent):
            raise ConfigError(f"the output would overwrite the input: choose a folder other than {out}")
        if source.is_dir() and target.is_relative_to(source):
            raise ConfigError(f"the output folder {out} is inside the input folder {path}: choose one outside it")


def check_writable(folder: Path) -> None:
    """Raise an error if files cannot be written into the folder, so that it is one error and not one for each file."""
    try:
        with unplaced(folder):
            pass
    except OutputError as error:
        raise ConfigError(f"the output folder {folder} {error.reason}") from None


@contextmanager
def interruptible(report: RunReport, *, can_resume: bool) -> Iterator[None]:
    """Tell a user who interrupts a run what was done, and how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        advice = "the same command with --resume goes on from here" if can_resume else _NO_JOURNAL
        raise InterruptedRunError(f"interrupted: {report.handled} handled, {report.failed} failed; {advice}") from None


def listed(paths: Paths) -> FileList:
    """The files of a path or of several, unless they are listed already."""
    if isinstance(paths, FileList):
        return paths
    several = [paths] if isinstance(paths, str | PathLike) else paths
    return FileList([Path(path) for path in several])


def _folder(paths: Sequence[Path], out: Output, options: FileOptions) -> Path | None:
    """The folder to write into, after a check that no original is lost; None if the output goes elsewhere."""
    in_place = options.reading.in_place
    if in_place is None:
        if out is None:
            raise ConfigError("an output folder is needed")
        folder = None if callable(out) else Path(out)
        check_output(folder, paths)
        return folder
    if options.resume:
        raise ConfigError("--resume reads the inputs again, but --in-place has changed them: use --out")
    if out is not None:
        raise ConfigError("give either --in-place or --out, not both")
    if not in_place.backup and not options.records.vault:
        raise ConfigError("--in-place overwrites the originals: give --vault or --backup to be able to restore them")
    if len(paths) != 1 or paths[0] == STDIN:
        raise ConfigError("--in-place takes one file or one folder")
    check_output(in_place.backup, paths)
    return paths[0] if paths[0].is_dir() else paths[0].parent


@contextmanager
def _writer(out: Output, folder: Path | None, target: Target) -> Iterator[Callable[[Document], None]]:
    """The function that writes a document: the caller's, to a text file, or to one file of JSON lines."""
    if callable(out):
        yield out
    elif isinstance(target, OutputFiles):
        yield partial(write_text, target)
    elif folder is not None:
        from nadie.files.annotated.jsonl import Jsonl

        with Jsonl().writer(folder) as write:
            yield write


def watched(
    results: Iterator[tuple[TextOwner, T]], files: FileList, progress: Progress | None
) -> Iterator[tuple[TextOwner, T]]:
    """The results of a run; `progress` is called for each."""
    total = files.total_bytes() if progress else None
    for owner, result in results:
        if progress:
            progress(owner.position, total)
        yield owner, result


def texts_in(results: Iterable[tuple[TextOwner, T]], report: RunReport) -> Iterator[T]:
    """The results, whose files are counted in the report if they are fewer than the results."""
    files = texts = 0
    last = None
    for owner, result in results:
        files += owner.file is not last
        texts, last = texts + 1, owner.file
        yield result
    report.inputs = files if files < texts else 0


def add_notes(report: RunReport, run: Run, reader: FileReader, files: FileList) -> None:
    """Add what the user should know about the inputs to the report."""
    report.note(run.conflicts)
    report.note(run.remarks)
    if run.without_patient and run.depends_on_patient:
        count = "1 document has" if run.without_patient == 1 else f"{run.without_patient} documents have"
        report.note([f"{count} no patient: other notes of the same patient get other surrogates and another shift"])
    report.note(reader.encodings)
    if passed := files.passed_over.count:
        such = files.passed_over.first[0]
        report.note([f"{passed} hidden files or folders and links to folders were not read, such as {such}"])
    if reader.given:
        report.note([f"{reader.given} documents came with spans: {_SPANS[reader.spans]}"])


@dataclass(frozen=True)
class _SideOutputs:
    """The records, the journal and the list of failures that a run writes besides its output; each may be missing."""

    options: FileOptions
    run: Run
    records: Records | None
    journal: Journal | None
    listed: Callable[[bytes], None] | None
    renames: Renames

    def fail(self, failure: Failure) -> None:
        if self.records:
            self.records.fail(self._shown(failure))
        if self.listed:
            self.listed(f"{printable(str(failure))}\n".encode())

    def finish(self, report: RunReport) -> None:
        if self.records:
            replays = {"resumed": self.journal.replays} if self.journal and self.options.resume else {}
            ended = self.records.finish(without_patient=self.run.without_patient, **replays)
            if page := self.options.records.report:
                first = [self._shown(failure) for failure in report.failures.first]
                write_bytes(page, self.records.report.html(failures=first, failed=report.failed, run=ended).encode())
        if self.journal:
            report.note(self.journal.finish(report.failed))
        if count := self.renames.count:
            table = "" if self.options.records.names else ", --names FILE writes a table of new and old ones"
            which = "1 name of an output was" if count == 1 else f"{count} names of outputs were"
            report.note([f"{which} replaced; --rename keep keeps them{table}"])

    def _shown(self, failure: Failure) -> Failure:
        """The failure for the audit and the report: without the name of the file, unless names are kept."""
        return failure if self.options.rename is Rename.KEEP else replace(failure, where="")


@contextmanager
def _side_outputs(run: Run, folder: Path | None, options: FileOptions) -> Iterator[_SideOutputs]:
    about = {**run.pipeline.about, "rename": options.rename.value}
    wanted = options.records
    with ExitStack() as stack:
        journal = _journal(folder, options, about)
        if journal:
            stack.enter_context(journal)
        records = None
        if wanted.vault or wanted.audit or wanted.report:
            from nadie.records.records import Records

            vault = None
            if wanted.vault:
                from nadie.records.vault.writing import VaultWriter

                if wanted.passphrase is None:
                    raise ConfigError("a vault needs a passphrase")
                vault = stack.enter_context(VaultWriter(wanted.vault, wanted.passphrase))
            audit = stack.enter_context(writing(wanted.audit)) if wanted.audit else None
            records = Records(options.run.policy, about, options.run.key, vault=vault, audit=audit)
        listed = stack.enter_context(writing(wanted.failures, 0o600)) if wanted.failures else None
        names = stack.enter_context(writing(wanted.names, 0o600)) if wanted.names else None
        yield _SideOutputs(options, run, records, journal, listed, Renames(names))


def _journal(folder: Path | None, options: FileOptions, about: Mapping[str, Any]) -> Journal | None:
    """The journal in the output folder. It needs a key, because it identifies texts by keyed fingerprints."""
    run, reading = options.run, options.reading
    if folder is None or reading.in_place or run.key.is_random:
        if options.resume:
            raise ConfigError("--resume needs --out and the key of the run (--key-file or $NADIE_KEY)")
        return None
    from nadie.run.journal import Journal

    open_options = {each.name: getattr(reading.open_options, each.name) for each in fields(reading.open_options)} | {
        "secret": ""
    }
    lists = [getattr(run.detection, each.name) for each in fields(run.detection)]
    table = Path(run.patient.removeprefix("table:")) if run.patient.startswith("table:") else None
    whole = {
        **about,
        "opening": [reading.form, reading.encoding, open_options],
        "to": options.to,
        "nadie": version("nadie"),
        "policy": [run.policy.name, run.policy.scope, run.policy.digest],
        "patient": run.patient.partition(":")[0] if table else run.patient,
        "files": [_digest(each) for each in (*lists, table) if isinstance(each, Path)],
        "lists": [each for each in lists if isinstance(each, tuple)],
    }
    return Journal(folder, run.key, whole, resume=options.resume)


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()

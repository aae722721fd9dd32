"""A file, rewritten in its own format with reviewed or detected spans replaced. Runs in a worker."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from nadie.anonymize.engine import Anonymized, Engine
from nadie.document import Document
from nadie.files.container import Edits, Opened, OpenOptions
from nadie.files.mapped import MappedText
from nadie.files.recognition import PLAIN, open_as, title_of
from nadie.files.source import Source
from nadie.resolve.completing import complete
from nadie.run.pipeline import Pipeline
from nadie.run.rewriting import edits_of
from nadie.service.keyed import digests
from nadie.service.merging import checked_spans
from nadie.service.problems import ProblemError
from nadie.service.remarks import with_chosen
from nadie.service.schemas import FileBody
from nadie.service.workers.jobs import CopyJob, Original, OriginalJob
from nadie.service.workers.uploads import MOST_DOCUMENTS, WHERE, decoded, format_of_upload, is_container, text_of

_OTHER_TEXTS = "the texts of the file are not those that were reviewed"


@dataclass(frozen=True, slots=True)
class FileSecrets:
    """The name of the key of a file, the secret for links in it, and that for digests of its values."""

    key: str
    links: bytes
    digests: bytes


def rewritten(job: OriginalJob, engine: Engine, secrets: FileSecrets) -> Original:
    """The file with its reviewed spans replaced."""
    file = _UploadedFile(job.file, secrets)
    if sum(bool(text.text.strip()) for text in file.texts) != len(job.texts):
        raise ProblemError("invalid", _OTHER_TEXTS)
    return file.copy(_reviewed(file.texts, job, engine))


def copied(job: CopyJob, pipeline: Pipeline, secrets: FileSecrets) -> Original:
    """The file with the spans replaced that the pipeline detects."""
    file = _UploadedFile(job.file, secrets)
    return file.copy(pipeline.anonymize_all(text.document(job.file.name) for text in file.texts))


class _UploadedFile:
    """An open file with its texts."""

    def __init__(self, file: FileBody, secrets: FileSecrets) -> None:
        source = Source(file.name, WHERE, content=decoded(file.content))
        self._secrets = secrets
        self._format = format_of_upload(source)
        if not is_container(self._format) and self._format != PLAIN:
            raise ProblemError("unprocessable", "documents of this format are exported as text")
        if self._format == PLAIN:  # text in another encoding is written in UTF-8
            source = Source(file.name, WHERE, content=text_of(decoded(file.content), file.encoding).encode())
        options = OpenOptions(patient_column=file.patient_field, secret=secrets.links)
        self._opened: Opened = open_as(self._format, source, options)
        self.texts = list(islice(self._opened.texts(), MOST_DOCUMENTS + 1))
        if len(self.texts) > MOST_DOCUMENTS:
            raise ProblemError("too-large", f"a file may have {MOST_DOCUMENTS} texts", limit=MOST_DOCUMENTS)

    def copy(self, results: Iterable[Anonymized]) -> Original:
        """The file with the results of its texts, one for each, written in their places."""
        values: set[bytes] = set()

        def edits() -> Iterator[Edits]:
            for result in results:
                values.update(digests(self._secrets.digests, self._secrets.key, [result]))
                yield edits_of(result)

        out = io.BytesIO()
        self._opened.write(edits(), out)
        account = self._opened.account
        return Original(
            base64.b64encode(out.getvalue()).decode("ascii"),
            title_of(self._format),
            (*account.uncovered, *((failure.where, failure.reason) for failure in account.failures)),
            tuple(sorted(value.hex() for value in values)),
        )


def _reviewed(texts: list[MappedText[Any]], job: OriginalJob, engine: Engine) -> Iterator[Anonymized]:
    reviewed = iter(job.texts)
    for text in texts:
        if not text.text.strip():
            yield Anonymized(text.document(job.file.name), text.text, ())
            continue
        own = next(reviewed)
        if own.text not in (None, text.text):
            raise ProblemError("invalid", _OTHER_TEXTS)
        spans = checked_spans(text.text, own.spans)
        meta = {**text.meta, "patient": own.patient} if own.patient else text.meta
        result = engine.run(complete(Document(own.name, text.text, spans, meta), engine.kept))
        yield with_chosen(result, own.replacements)

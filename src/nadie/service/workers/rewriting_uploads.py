"""A reviewed file, rewritten in its own format with the reviewed spans replaced. Runs in a worker."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from itertools import islice
from typing import Any

from nadie.anonymize.engine import Engine
from nadie.document import Document
from nadie.files.container import Edits, OpenOptions, PageBox
from nadie.files.mapped import MappedText
from nadie.files.recognition import PLAIN, open_as, title_of
from nadie.files.source import Source
from nadie.resolve.completing import complete
from nadie.run.rewriting import edits_of
from nadie.service.merging import checked_spans
from nadie.service.problems import ProblemError
from nadie.service.remarks import with_chosen
from nadie.service.workers.jobs import Original, OriginalJob
from nadie.service.workers.uploads import MOST_DOCUMENTS, WHERE, decoded, format_of_upload, is_container

_OTHER_TEXTS = "the texts of the file are not those that were reviewed"


def rewritten(job: OriginalJob, engine: Engine, secret: bytes) -> Original:
    source = Source(job.file.name, WHERE, content=decoded(job.file.content))
    file_format = format_of_upload(source)
    if not is_container(file_format) and file_format != PLAIN:
        raise ProblemError("unprocessable", "documents of this format are exported as text")
    boxes = tuple(PageBox(b.page, b.left, b.top, b.right, b.bottom, b.kept) for b in job.file.boxes)
    options = OpenOptions(patient_column=job.file.patient_field, secret=secret, boxes=boxes)
    opened = open_as(file_format, source, options)
    texts = list(islice(opened.texts(), MOST_DOCUMENTS + 1))
    if sum(bool(text.text.strip()) for text in texts) != len(job.texts):
        raise ProblemError("invalid", _OTHER_TEXTS)
    out = io.BytesIO()
    opened.write(_edits(texts, job, engine), out)
    account = opened.account
    return Original(
        base64.b64encode(out.getvalue()).decode("ascii"),
        title_of(file_format),
        (*account.uncovered, *((failure.where, failure.reason) for failure in account.failures)),
    )


def _edits(texts: list[MappedText[Any]], job: OriginalJob, engine: Engine) -> Iterator[Edits]:
    reviewed = iter(job.texts)
    for text in texts:
        if not text.text.strip():
            yield ()
            continue
        own = next(reviewed)
        if own.text not in (None, text.text):
            raise ProblemError("invalid", _OTHER_TEXTS)
        spans = checked_spans(text.text, own.spans)
        meta = {**text.meta, "patient": own.patient} if own.patient else text.meta
        result = engine.run(complete(Document(own.name, text.text, spans, meta), engine.kept))
        yield edits_of(with_chosen(result, own.replacements))

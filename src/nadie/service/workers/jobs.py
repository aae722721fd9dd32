"""Messages between the service and its workers: their types and their serialization.

A message is a length of four bytes, followed by that many bytes of JSON. The service sends one `Setup`, which is
answered by `Started`, and then jobs. A job is answered by the byte `TAKEN` before anything is done with it, and
then by a list with one result or one `Failed` for each document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, BinaryIO, Generic, Literal, TypeVar

from pydantic import Field, TypeAdapter
from pydantic_core import to_json

from nadie.anonymize.engine import Anonymized
from nadie.anonymize.secret import Secret
from nadie.document import Document, Span
from nadie.options import DetectionOptions
from nadie.run.explaining import Explanation
from nadie.service.keyed import SERVICE, Keys, digest_key
from nadie.service.problems import ProblemError
from nadie.service.request_options import NO_OPTIONS, RequestOptions
from nadie.service.schemas import ChosenBody, FileBody

HEADER_BYTES = 4
TAKEN = b"+"
_CHUNK_DOCUMENTS = 16
_CHUNK_CHARACTERS = 200_000

R = TypeVar("R")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Setup:
    """The data that a worker loads: model folders by name, and secrets in hexadecimal digits.

    `project_secret` is empty if there is no project.
    """

    models: dict[str, str]
    detection: DetectionOptions
    secret: str
    project_secret: str = ""
    release: str = ""

    def keys(self) -> Keys:
        project = Secret.from_text(self.project_secret) if self.project_secret else None
        return Keys(Secret.from_text(self.secret), project, self.release)

    def digest_key(self) -> bytes:
        return digest_key(Secret.from_text(self.secret))


@dataclass(frozen=True, slots=True)
class Started:
    """The reply to `Setup`; if it has an error, the worker has ended."""

    error: str = ""


@dataclass(frozen=True, slots=True)
class Failed:
    """A document without a result: the type of the problem, and a detail without document text."""

    problem: str
    detail: str
    extra: dict[str, Any] = field(default_factory=dict)

    def error(self) -> ProblemError:
        return ProblemError(self.problem, self.detail, **self.extra)


@dataclass(frozen=True, slots=True)
class Job(Generic[R]):
    """One or several pieces of work of the same type; `R` is the type of the result of each."""


@dataclass(frozen=True, slots=True)
class DocumentsJob(Job[R]):
    """Documents with the same options; each has its own result."""

    documents: tuple[Document, ...]


@dataclass(frozen=True, slots=True)
class AnnotateJob(DocumentsJob[tuple[Span, ...]]):
    """Detect the spans of the documents."""

    model: str
    options: RequestOptions = NO_OPTIONS
    task: Literal["annotate"] = "annotate"


@dataclass(frozen=True, slots=True)
class AnonymizeJob(DocumentsJob[Anonymized]):
    """Replace the spans of the documents: those they have or, with a model, those that it detects."""

    model: str | None
    policy: str
    options: RequestOptions = NO_OPTIONS
    key: str = SERVICE
    """The name of the key: see `nadie.service.keyed`."""
    task: Literal["anonymize"] = "anonymize"


@dataclass(frozen=True, slots=True)
class ExplainJob(Job[tuple[Explanation, ...]]):
    """Say why each span of one document was found."""

    document: Document
    model: str
    task: Literal["explain"] = "explain"


@dataclass(frozen=True, slots=True)
class UploadJob(Job[tuple[Document, ...]]):
    """Read the documents of an uploaded file."""

    file: FileBody
    task: Literal["upload"] = "upload"


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The spans of one text of the file, and the name under which it was reviewed.

    `text` is the reviewed text, if known; `patient` is the patient, if the text does not identify one.
    """

    name: str
    spans: tuple[Span, ...]
    text: str | None = None
    patient: str | None = None
    replacements: tuple[ChosenBody, ...] = ()


@dataclass(frozen=True, slots=True)
class Original:
    """The copy in base64, the format of the file, and the parts that were not searched or were left out."""

    content: str
    title: str
    uncovered: tuple[tuple[str, str], ...] = ()
    """Place and reason of each. A place may be the name of a sheet or an attachment."""
    values: tuple[str, ...] = ()
    """A digest of each keyed value, in hexadecimal digits."""


@dataclass(frozen=True, slots=True)
class OriginalJob(Job[Original]):
    """Rewrite one file. Its texts are those that were read from it, in the same order."""

    file: FileBody
    texts: tuple[Reviewed, ...]
    policy: str
    key: str = SERVICE
    task: Literal["original"] = "original"


@dataclass(frozen=True, slots=True)
class ShownPage:
    """A scanned page: its number from 1, a JPEG image in base64, and places in fractions of its width and height.

    `words` are start and end in the text, then left, top, right and bottom; `graphics` are left, top, right, bottom.
    """

    number: int
    image: str
    words: tuple[tuple[int, int, float, float, float, float], ...]
    graphics: tuple[tuple[float, float, float, float], ...]


@dataclass(frozen=True, slots=True)
class ShownPages:
    """The scanned pages of a file."""

    pages: tuple[ShownPage, ...]


@dataclass(frozen=True, slots=True)
class PagesJob(Job[ShownPages]):
    """Show the scanned pages of an uploaded file."""

    file: FileBody
    task: Literal["pages"] = "pages"


@dataclass(frozen=True, slots=True)
class CopyJob(Job[Original]):
    """Anonymize one file in its own format, with the spans that a model detects."""

    file: FileBody
    model: str
    policy: str
    key: str = SERVICE
    task: Literal["copy"] = "copy"


def joined(jobs: Sequence[DocumentsJob[R]]) -> DocumentsJob[R]:
    """One job with the documents of jobs that have the same options."""
    return replace(jobs[0], documents=tuple(document for job in jobs for document in job.documents))


def chunks(items: Iterable[T], length: Callable[[T], int]) -> Iterator[list[T]]:
    """The items in lists for one job each: long enough to limit the cost of messages, short enough to limit waiting."""
    chunk: list[T] = []
    characters = 0
    for item in items:
        size = length(item)
        if chunk and (len(chunk) >= _CHUNK_DOCUMENTS or characters + size > _CHUNK_CHARACTERS):
            yield chunk
            chunk, characters = [], 0
        chunk.append(item)
        characters += size
    if chunk:
        yield chunk


SETUP = TypeAdapter(Setup)
STARTED = TypeAdapter(Started)
AnyJob = AnnotateJob | AnonymizeJob | ExplainJob | UploadJob | OriginalJob | CopyJob | PagesJob
JOB: TypeAdapter[AnyJob] = TypeAdapter(Annotated[AnyJob, Field(discriminator="task")])


def _result_list(result: Any) -> TypeAdapter[Any]:
    return TypeAdapter(list[Annotated[result | Failed, Field(union_mode="left_to_right")]])


_RESULTS = {
    AnnotateJob: _result_list(tuple[Span, ...]),
    AnonymizeJob: _result_list(Anonymized),
    ExplainJob: _result_list(tuple[Explanation, ...]),
    UploadJob: _result_list(tuple[Document, ...]),
    OriginalJob: _result_list(Original),
    CopyJob: _result_list(Original),
    PagesJob: _result_list(ShownPages),
}


def encode(message: object) -> bytes:
    """A message, preceded by its length."""
    body = to_json(message, fallback=dict)  # the metadata of a document is a Mapping, not a dict
    return len(body).to_bytes(HEADER_BYTES, "big") + body


def decode_length(header: bytes) -> int:
    return int.from_bytes(header, "big")


def decode_results(job: Job[R], body: bytes) -> list[R | ProblemError]:
    """The result of each document or file of the job, or its problem."""
    results = _RESULTS[type(job)].validate_json(body)
    return [item.error() if isinstance(item, Failed) else item for item in results]


def read_message(stream: BinaryIO, message: TypeAdapter[T]) -> T | None:
    """The next message of a blocking stream, or None at its end."""
    header = stream.read(HEADER_BYTES)
    return message.validate_json(stream.read(decode_length(header))) if len(header) == HEADER_BYTES else None


def write_message(stream: BinaryIO, message: object) -> None:
    stream.write(encode(message))
    stream.flush()

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
from nadie.document import Document, Span
from nadie.options import DetectionOptions
from nadie.service.problems import ProblemError
from nadie.service.request_options import NO_OPTIONS, RequestOptions
from nadie.service.schemas import FileBody
from nadie.service.workers.rewriting_uploads import Original, OriginalJob

HEADER_BYTES = 4
TAKEN = b"+"
_CHUNK_DOCUMENTS = 16
_CHUNK_CHARACTERS = 200_000

R = TypeVar("R")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Setup:
    """The data that a worker loads: model folders by name. `secret` is in hexadecimal digits."""

    models: dict[str, str]
    detection: DetectionOptions
    secret: str


@dataclass(frozen=True, slots=True)
class Started:
    """The reply to `Setup`; if it has an error, the worker has ended."""

    error: str = ""


@dataclass(frozen=True, slots=True)
class Failed:
    """A document without a result: the kind of the problem, and a detail without document text."""

    problem: str
    detail: str
    extra: dict[str, str] = field(default_factory=dict)

    def error(self) -> ProblemError:
        error = ProblemError(self.problem, self.detail)
        error.extra.update(self.extra)
        return error


@dataclass(frozen=True, slots=True)
class Job(Generic[R]):
    """Documents with the same options; `R` is the type of the result of each."""

    documents: tuple[Document, ...]


@dataclass(frozen=True, slots=True)
class AnnotateJob(Job[tuple[Span, ...]]):
    """Detect the spans of the documents."""

    model: str
    options: RequestOptions = NO_OPTIONS
    task: Literal["annotate"] = "annotate"


@dataclass(frozen=True, slots=True)
class AnonymizeJob(Job[Anonymized]):
    """Replace the spans of the documents: those they have or, with a model, those that it detects."""

    model: str | None
    policy: str
    options: RequestOptions = NO_OPTIONS
    task: Literal["anonymize"] = "anonymize"


@dataclass(frozen=True, slots=True)
class UploadJob:
    """Read the documents of an uploaded file."""

    file: FileBody
    task: Literal["upload"] = "upload"


def joined(jobs: Sequence[Job[R]]) -> Job[R]:
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
AnyJob = AnnotateJob | AnonymizeJob | UploadJob | OriginalJob
JOB: TypeAdapter[AnyJob] = TypeAdapter(Annotated[AnyJob, Field(discriminator="task")])


def _result_list(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(list[Annotated[kind | Failed, Field(union_mode="left_to_right")]])


_RESULTS = {
    AnnotateJob: _result_list(tuple[Span, ...]),
    AnonymizeJob: _result_list(Anonymized),
    UploadJob: _result_list(tuple[Document, ...]),
    OriginalJob: _result_list(Original),
}


def encode(message: object) -> bytes:
    """A message, preceded by its length."""
    body = to_json(message, fallback=dict)  # the metadata of a document is a Mapping, not a dict
    return len(body).to_bytes(HEADER_BYTES, "big") + body


def decode_length(header: bytes) -> int:
    return int.from_bytes(header, "big")


def decode_results(job: Job[R], body: bytes) -> list[R | ProblemError]:
    """The result of each document of the job, or its problem."""
    return [_result(item) for item in _RESULTS[type(job)].validate_json(body)]


def decode_upload(body: bytes) -> tuple[Document, ...] | ProblemError:
    """The documents of an uploaded file, or its problem."""
    result: tuple[Document, ...] | ProblemError = _result(_RESULTS[UploadJob].validate_json(body)[0])
    return result


def decode_original(body: bytes) -> Original | ProblemError:
    """The rewritten file, or its problem."""
    result: Original | ProblemError = _result(_RESULTS[OriginalJob].validate_json(body)[0])
    return result


def _result(item: Any) -> Any:
    return item.error() if isinstance(item, Failed) else item


def read_message(stream: BinaryIO, kind: TypeAdapter[T]) -> T | None:
    """The next message of a blocking stream, or None at its end."""
    header = stream.read(HEADER_BYTES)
    return kind.validate_json(stream.read(decode_length(header))) if len(header) == HEADER_BYTES else None


def write_message(stream: BinaryIO, message: object) -> None:
    stream.write(encode(message))
    stream.flush()

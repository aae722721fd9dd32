"""The bodies of requests and answers. Offsets count Unicode code points of `text` as it was sent."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

from nadie.document import Span
from nadie.labels import Label

NOTE = "Paciente: Ana Pérez Soto. Ingresa el 3 de enero de 2024."
_NOTE_SPANS: list[Any] = [
    {"start": 10, "end": 24, "label": "NOMBRE_SUJETO_ASISTENCIA", "score": 0.998, "source": "fast"},
    {"start": 37, "end": 55, "label": "FECHAS", "score": 0.991, "source": "fast"},
]


def _has_utf8(text: str) -> str:
    """Half of a surrogate pair can be written in JSON, but it is no character and cannot be encoded."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise PydanticCustomError("lone_surrogate", "the text has half of a surrogate pair") from None
    return text


Text = Annotated[str, AfterValidator(_has_utf8), Field(description="The document, exactly as it is")]
Base64 = Annotated[str, AfterValidator(_has_utf8)]
Name = Annotated[str, AfterValidator(_has_utf8), Field(max_length=200)]


class Body(BaseModel):
    """A body with exactly the fields it names."""

    model_config = ConfigDict(extra="forbid")


class SpanBody(Body):
    """`text[start:end]` is protected health information with this label."""

    start: int = Field(ge=0, le=2**31)
    end: int = Field(ge=1, le=2**31)
    label: Label
    score: float = Field(default=1.0, ge=0.0, le=1.0, description="The confidence; 1 where a person decided")
    source: Name = Field(default="", description="The detector, or `person`")

    def span(self) -> Span:
        return Span(self.start, self.end, self.label.value, self.score, self.source)


def span_bodies(spans: Iterable[Span]) -> list[SpanBody]:
    return [SpanBody.model_validate(span, from_attributes=True) for span in spans]


class AnnotateRequest(Body):
    """One document to annotate."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"id": "note-1", "text": NOTE}]})

    text: Text
    id: Name = Field(default="", description="Comes back with the result")
    model: Name | None = Field(default=None, description="A name from /v1/models; the first one if left out")


class Annotation(Body):
    """The spans of a document, in order and without overlaps."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"id": "note-1", "model": "fast", "spans": _NOTE_SPANS}]}
    )

    id: str
    model: str
    spans: list[SpanBody]


class AnonymizeRequest(Body):
    """One document to anonymize. With `spans` no model runs: exactly those are replaced."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"id": "note-1", "text": NOTE, "policy": "default"}]}
    )

    text: Text
    id: Name = Field(default="", description="Comes back with the result")
    model: Name | None = Field(default=None, description="A name from /v1/models; the first one if left out")
    policy: Name | None = Field(default=None, description="A name from /v1/policies; the service's own if left out")
    spans: list[SpanBody] | None = Field(default=None, description="The spans to replace, if they are known")
    patient: Name | None = Field(
        default=None, description="Whose document it is: surrogates and date shifts are the same in all of one patient"
    )
    keep: bool = Field(default=False, description="Keep in the vault what /v1/restore needs")


class FileBody(Body):
    """A file: its bytes in base64, and the `.ann` file beside it if there is one."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"name": "nota.txt", "content": base64.b64encode(b"Ingresa hoy.").decode()}]},
    )

    name: Name = Field(min_length=1)
    content: Base64
    annotations: Base64 | None = None
    encoding: Literal["utf-8", "windows-1252"] = "utf-8"


class OpenedBody(Body):
    """A document of the file; `spans` is null where the file has no annotations."""

    name: str
    text: str
    spans: list[SpanBody] | None


class RestoreRequest(Body):
    """An anonymized text that was kept in the vault, exactly as the service returned it."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"id": "note-1", "text": "Ingresa el [FECHAS]."}]}
    )

    text: Text
    id: Name = Field(default="", description="The id it was anonymized under, if it had one")


class Restored(Body):
    """The original."""

    id: str
    text: str


class Replacement(Body):
    """The place of a replacement in the anonymized text, and the operator that made it."""

    start: int
    end: int
    operator: str
    kept: bool = Field(description="The policy keeps the value")
    refused: bool = Field(
        description="The policy's operator could not handle the value, so it was replaced by its label"
    )


class Anonymization(Body):
    """The anonymized text. `replacements[i]` replaces `spans[i]`.

    A span with the source `leak-check` is another occurrence of a value that was detected elsewhere in the text.
    """

    id: str
    model: str
    policy: str
    text: str
    spans: list[SpanBody]
    replacements: list[Replacement]


class Problem(BaseModel):
    """RFC 9457 problem details. `type` is stable; no field ever has document text."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={
            "examples": [{"type": "urn:nadie:problem:too-large", "title": "The request is too large", "status": 413}]
        },
    )

    type: str
    title: str
    status: int
    detail: str = ""


class FailedLine(Body):
    """A line of a batch that has no result."""

    line: int
    id: str | None
    problem: Problem


class ModelBody(Body):
    """A model that is loaded."""

    name: str
    system: str
    default: bool
    bytes: int
    card: dict[str, Any]


class LabelBody(Body):
    """One of the 29 labels."""

    label: str
    parent: str
    hipaa: str | None = Field(description="The letter of the identifier in 45 CFR 164.514(b)(2)(i), if it is one")


class PolicyBody(Body):
    """A policy: which operator each label gets."""

    name: str
    default: bool
    description: str


class Status(Body):
    """The service answers, or is ready."""

    status: Literal["ok"]

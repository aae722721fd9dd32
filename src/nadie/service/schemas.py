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
    """Half of a surrogate pair can be written in JSON, but it is no character and no file can hold it."""
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise PydanticCustomError("lone_surrogate", "the text holds half of a surrogate pair")
    return text


Text = Annotated[str, AfterValidator(_has_utf8), Field(description="The document, exactly as it is")]
Name = Annotated[str, AfterValidator(_has_utf8), Field(max_length=200)]


class Body(BaseModel):
    """A body with exactly the fields it names."""

    model_config = ConfigDict(extra="forbid")


class SpanBody(Body):
    """`text[start:end]` is protected health information of type `label`."""

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
    """One document to look through."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"id": "note-1", "text": NOTE}]})

    text: Text
    id: Name = Field(default="", description="Comes back with the result")
    model: Name | None = Field(default=None, description="A name from /v1/models; the first one if left out")


class Annotation(Body):
    """What was found in a document, in order and without overlaps."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"id": "note-1", "model": "fast", "spans": _NOTE_SPANS}]}
    )

    id: str
    model: str
    spans: list[SpanBody]


class AnonymizeRequest(Body):
    """One document to anonymize. With `spans` no model is asked: exactly those are replaced."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"id": "note-1", "text": NOTE, "policy": "default"}]}
    )

    text: Text
    id: Name = Field(default="", description="Comes back with the result")
    model: Name | None = Field(default=None, description="A name from /v1/models; the first one if left out")
    policy: Name | None = Field(default=None, description="A name from /v1/policies; the service's own if left out")
    spans: list[SpanBody] | None = Field(default=None, description="What to replace, if that is decided already")
    patient: Name | None = Field(
        default=None, description="Whose note it is: keeps invented names and date shifts alike"
    )
    keep: bool = Field(default=False, description="Keep in the vault what /v1/restore needs to give the original back")


class FileBody(Body):
    """A file: its bytes in base64, and the `.ann` file beside it if there is one."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"name": "nota.txt", "content": base64.b64encode(b"Ingresa hoy.").decode()}]},
    )

    name: Name = Field(min_length=1)
    content: str
    annotations: str | None = None
    encoding: Literal["utf-8", "windows-1252"] = "utf-8"


class OpenedBody(Body):
    """A document of the file; `spans` is null where the file has no annotations."""

    name: str
    text: str
    spans: list[SpanBody] | None


class RestoreRequest(Body):
    """An anonymized text that was kept in the vault, exactly as it was given out."""

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
    """Where the replacement of a span stands in the anonymized text, and which operator made it."""

    start: int
    end: int
    operator: str
    kept: bool = Field(description="The policy lets the value stay")
    refused: bool = Field(description="The policy's operator could not handle the value, so its label stands there")


class Anonymization(Body):
    """The anonymized text. `replacements[i]` tells what became of `spans[i]`.

    A span with the source `leak-check` was found by the engine: a value found elsewhere in the text stood there too.
    """

    id: str
    model: str
    policy: str
    text: str
    spans: list[SpanBody]
    replacements: list[Replacement]


class Problem(BaseModel):
    """RFC 9457 problem details. `type` is stable; no field ever holds document text."""

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
    """One of the 29 types."""

    label: str
    parent: str
    hipaa: str | None = Field(description="The letter of the identifier in 45 CFR 164.514(b)(2)(i), if it is one")


class PolicyBody(Body):
    """A way to anonymize."""

    name: str
    default: bool
    description: str


class Status(Body):
    """Whether the service lives, or is ready."""

    status: Literal["ok"]

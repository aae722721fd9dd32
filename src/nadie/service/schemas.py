"""The bodies of requests and responses. Offsets count Unicode code points of `text`, unless `offsets` is given."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool, WithJsonSchema
from pydantic_core import PydanticCustomError

from nadie.document import Span
from nadie.labels import OWN, Label

NOTE = "Paciente: Ana Pérez Soto. Ingresa el 3 de enero de 2024."
_NOTE_SPANS: list[Any] = [
    {"start": 10, "end": 24, "label": "NOMBRE_SUJETO_ASISTENCIA", "score": 0.998, "source": "fast"},
    {"start": 37, "end": 55, "label": "FECHAS", "score": 0.991, "source": "fast"},
]


def _has_utf8(text: str) -> str:
    """Refuse a lone surrogate: it can be written in JSON, but is not a character and cannot be encoded."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise PydanticCustomError("lone_surrogate", "the text has a lone surrogate") from None
    return text


Text = Annotated[str, AfterValidator(_has_utf8), Field(description="The document, exactly as it is")]
Base64 = Annotated[str, AfterValidator(_has_utf8)]
Name = Annotated[str, AfterValidator(_has_utf8), Field(max_length=200)]
Names = list[Name]
Number = Annotated[int, Field(strict=True, ge=1, le=2**53)]
"""The number of a document, or that of a version."""
LabelName = Annotated[
    Label,
    WithJsonSchema({"anyOf": [{"enum": list(Label)}, {"type": "string", "pattern": f"^{OWN}$", "maxLength": 40}]}),
]
"""One of the 29 labels, or one of a user's own."""


class Body(BaseModel):
    """A body with exactly the declared fields."""

    model_config = ConfigDict(extra="forbid")


class SpanBody(Body):
    """`text[start:end]` is protected health information with this label."""

    start: int = Field(strict=True, ge=0, le=2**31)
    end: int = Field(strict=True, ge=1, le=2**31)
    label: LabelName
    score: float = Field(strict=True, default=1.0, ge=0.0, le=1.0, description="The confidence; 1 if a person decided")
    source: Name = Field(default="", description="The detector, or `person`")

    def span(self) -> Span:
        return Span(self.start, self.end, self.label.value, self.score, self.source)


def span_bodies(spans: Iterable[Span]) -> list[SpanBody]:
    return [SpanBody.model_validate(span, from_attributes=True) for span in spans]


class DenyTerm(Body):
    """A term that is found wherever it occurs, and its label."""

    term: Name = Field(min_length=1)
    label: LabelName = Label.OTROS_SUJETO_ASISTENCIA


class PatternBody(Body):
    """A pattern of the caller's own: an expression or terms, and further conditions for a match."""

    label: LabelName
    name: Name = Field(default="", description="Its spans have the source `own:NAME`; by default the label")
    regex: Name | None = Field(default=None, min_length=1, description="RE2; the first group is the span, if any")
    ignore_case: StrictBool = False
    context: Names = Field(default_factory=list, max_length=100, description="Words of which one must be near")
    unless: Names = Field(default_factory=list, max_length=100, description="Words that must not be near")
    checksum: Name = Field(default="", description="A checksum that must hold, such as `dni` or `luhn`")
    list: Names | None = Field(default=None, min_length=1, max_length=10_000, description="Terms, instead of a regex")


Threshold = Annotated[float, Field(strict=True, gt=0.0, le=1.0)]


Unit = Literal["codepoints", "utf16"]


class DetectionBody(Body):
    """The detection options of a document, in addition to those of the service."""

    threshold: Threshold | None = Field(default=None, description="The minimum confidence of a span, for every label")
    thresholds: dict[LabelName, Threshold] = Field(default_factory=dict, description="The same for single labels")
    bias: float = Field(
        strict=True,
        default=0.0,
        ge=-10.0,
        le=10.0,
        description="Added to the log-odds of each token being PHI: above 0 more is found, below 0 less",
    )
    labels: list[LabelName] | None = Field(default=None, min_length=1, description="The labels to find; by default all")
    leave: list[LabelName] = Field(default_factory=list, description="Labels not to find")
    allow: list[Name] = Field(default_factory=list, max_length=10_000, description="Terms that are never PHI")
    deny: list[DenyTerm] = Field(default_factory=list, max_length=10_000, description="Terms that always are")
    known: list[dict[Name, Name]] = Field(
        default_factory=list,
        max_length=1_000,
        description="Identities to find in any spelling: fields such as `nombre`, `apellidos`, `dni`, `telefono`",
    )
    patterns: list[PatternBody] = Field(
        default_factory=list,
        max_length=100,
        description="Patterns of your own, each with one of the labels or your own",
    )
    offsets: Unit = Field(
        default="codepoints",
        description="The unit of offsets, here and in the response: JavaScript and Java need utf16",
    )


class AnnotateRequest(DetectionBody):
    """One document to annotate."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"id": "note-1", "text": NOTE}]})

    text: Text
    id: Name = Field(default="", description="Comes back with the result")
    model: Name | None = Field(default=None, description="A name from /v1/models; the first one if left out")
    fields: list[SpanBody] = Field(
        default_factory=list,
        max_length=10_000,
        description="Spans from the structure of a file: they are in the result, in addition to detected ones",
    )
    scan: StrictBool = Field(
        default=False, description="Whether the text was read from a scan, so it has misread letters"
    )


class Annotation(Body):
    """The spans of a document, in order and without overlaps."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"id": "note-1", "model": "fast", "spans": _NOTE_SPANS}]})

    id: str
    model: str
    spans: list[SpanBody]


class ExplainRequest(Body):
    """A document whose spans are to be explained, as /v1/annotate gave them."""

    text: Text
    spans: list[SpanBody] = Field(max_length=10_000)
    model: Name | None = Field(default=None, description="A name from /v1/models; the first one if left out")


class ExplanationBody(Body):
    """Why a span was found."""

    span: SpanBody
    stage: str = Field(description="What found it: the model, a pattern, a list, an earlier mention")
    reason: str
    runner_up: str = Field(description="The label that the model takes for second most likely, or O for none")
    runner_up_score: float


class ChosenBody(Body):
    """The replacement of the span at `start:end`, instead of that of the policy."""

    start: int = Field(strict=True, ge=0, le=2**31)
    end: int = Field(strict=True, ge=1, le=2**31)
    text: Text = Field(max_length=1000)


class AnonymizeRequest(DetectionBody):
    """One document to anonymize. With `spans` no model runs: exactly these are replaced."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"id": "note-1", "text": NOTE, "policy": "default"}]})

    text: Text
    id: Name = Field(default="", description="Comes back with the result")
    model: Name | None = Field(default=None, description="A name from /v1/models; the first one if left out")
    policy: Name | None = Field(default=None, description="A name from /v1/policies; by default the service's own")
    spans: list[SpanBody] | None = Field(default=None, description="The spans to replace, if they are known")
    patient: Name | None = Field(
        default=None, description="The patient: all documents of one patient have the same surrogates and date shift"
    )
    replacements: list[ChosenBody] = Field(
        default_factory=list,
        max_length=10_000,
        description="Replacements written for single spans; refused if they reveal an original value",
    )
    keep: StrictBool = Field(default=False, description="Store in the vault the data that /v1/restore needs")


Fraction = Annotated[float, Field(strict=True, ge=0, le=1)]


MOST_BOXES = 10_000


class BoxBody(Body):
    """A box on a scanned page, in fractions of its width and height: painted, or, if `kept`, its graphic stays."""

    page: int = Field(strict=True, ge=1, le=100_000)
    left: Fraction
    top: Fraction
    right: Fraction
    bottom: Fraction
    kept: StrictBool = False


class FileBody(Body):
    """A file: its bytes in base64, and the corresponding `.ann` file if there is one."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"name": "nota.txt", "content": base64.b64encode(b"Ingresa hoy.").decode()}]},
    )

    name: Name = Field(min_length=1)
    content: Base64
    annotations: Base64 | None = None
    encoding: Literal["utf-8", "windows-1252"] = Field(
        default="utf-8", description="The encoding of a text that is not UTF-16, which is recognised"
    )
    as_text: StrictBool = Field(default=False, description="Read it as plain text, even if it looks like JSON or XML")
    patient_field: Name = Field(default="", description="The table column or the field that identifies the patient")
    boxes: list[BoxBody] = Field(
        default_factory=list,
        max_length=MOST_BOXES,
        description="Boxes drawn by a reviewer on scanned pages, for the export",
    )


class OpenedBody(Body):
    """A document of the file; `spans` is null if the file has no annotations.

    `fields` are spans from the structure of the file, such as the column of a table: send them and `scan` with the
    text to /v1/annotate or /v1/project/documents.
    """

    name: str
    text: str
    spans: list[SpanBody] | None
    fields: list[SpanBody] = []
    scan: bool = False
    format: str = Field(default="", description="The container, such as docx, that /v1/export/original writes back")
    patient: str = Field(default="", description="The patient given by a column or field")


class PatientQuestion(Body):
    """A document whose patient is requested; `field` is the patient given by its file."""

    name: Name
    text: Text
    spans: list[SpanBody]
    field: Name = ""
    by_hand: Name = ""


class PatientsRequest(Body):
    """Documents, and the rule for them: `auto`, `none`, `folder`, `id:PATTERN` or `meta:FIELD`."""

    rule: Name = "auto"
    documents: list[PatientQuestion] = Field(max_length=1000)


PatientSource = Literal["hand", "folder", "name", "field", "identifier", "own", ""]


class PatientBody(Body):
    """The patient of a document, and its source; both are empty if the patient is unknown."""

    patient: str
    source: PatientSource


class RestoreRequest(Body):
    """An anonymized text that was stored in the vault, exactly as the service returned it."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"id": "note-1", "text": "Ingresa el [FECHAS]."}]})

    text: Text
    id: Name = Field(default="", description="The id with which it was anonymized, if it had one")


class Restored(Body):
    """The original."""

    id: str
    text: str


class Replacement(Body):
    """The place of a replacement in the anonymized text, and its operator."""

    start: int
    end: int
    operator: str
    kept: bool = Field(description="The policy keeps the value")
    refused: bool = Field(
        description="The policy's operator could not handle the value, so it was replaced by its label"
    )


class Anonymization(Body):
    """The anonymized text. `replacements[i]` replaces `spans[i]`.

    A span whose source begins with `complete:` was found by what other spans say: a value or person named once more, or
    the rest of a date.
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
    """A line of a batch without a result."""

    line: int
    id: str | None
    problem: Problem


class ModelBody(Body):
    """A loaded model."""

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
    """A policy: the operator of each label."""

    name: str
    default: bool
    description: str


class VersionBody(Body):
    """The version of nadie, and of this API, which is the prefix of its paths."""

    version: str
    api: Literal["v1"] = "v1"


class Status(Body):
    """The service is alive, or ready."""

    status: Literal["ok"]

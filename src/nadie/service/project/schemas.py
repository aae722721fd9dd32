"""The bodies of the project's requests and responses."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import ConfigDict, Field, StrictBool

from nadie.service.merging import Change
from nadie.service.project.listing import State
from nadie.service.project.rows import Stored
from nadie.service.remarks import Comment, Flag
from nadie.service.schemas import (
    NOTE,
    Anonymization,
    Body,
    ChosenBody,
    LabelName,
    Name,
    Number,
    PatientSource,
    SpanBody,
    Text,
    Unit,
    span_bodies,
)

Part = Literal["anonymized", "brat", "jsonl"]


class ProjectBody(Body):
    """Whether the service has a project folder, and the progress of the documents that the caller may see."""

    open: bool
    name: str = ""
    editor: str = Field(default="", description="The name under which changes of this caller are stored")
    documents: int = 0
    reviewed: int = 0
    patient_rule: str = Field(default="", description="The rule that identifies the patients of its documents")


class NewDocument(Body):
    """A document to add; without spans it is annotated first."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "nota-1.txt", "text": NOTE}]})

    name: Name = Field(min_length=1)
    text: Text
    spans: list[SpanBody] | None = None
    model: Name | None = None
    fields: list[SpanBody] = Field(
        default_factory=list,
        max_length=10_000,
        description="Spans from the structure of the file, if `spans` is left out",
    )
    scan: StrictBool = Field(default=False, description="Whether the text was read from a scan: more is found then")
    patient_field: Name = Field(default="", description="The patient given by a column or field of the file")


class DocumentBody(Body):
    """A document with its spans. Every change of it must give its `version`."""

    id: int
    name: str
    text: str
    model: str
    state: State
    version: int
    changed: str
    editor: str
    spans: list[SpanBody]
    patient: str
    patient_source: PatientSource
    comments: list[Comment]
    replacements: list[ChosenBody]
    flag: Flag | None = None


class PreviewRequest(Body):
    """The policy of a preview, and the unit of its offsets."""

    policy: Name | None = None
    offsets: Unit = "codepoints"


class PreviewBody(Anonymization):
    """The anonymized text of that version of the document."""

    version: int


class ChangeBody(Body):
    """Spans to remove and spans to add, based on `version`."""

    document: Number
    version: Number
    remove: list[SpanBody] = Field(default_factory=list, max_length=10_000)
    add: list[SpanBody] = Field(default_factory=list, max_length=10_000)
    state: State | None = Field(
        default=None, description="The state after the change, if `version` is the latest: for taking a change back"
    )

    def change(self) -> Change:
        return Change(
            self.document,
            self.version,
            tuple(span.span() for span in self.remove),
            tuple(span.span() for span in self.add),
            self.state,
        )


class ChangesBody(Body):
    """Changes that are applied together or not at all."""

    changes: list[ChangeBody] = Field(min_length=1, max_length=10_000)


class ChangedBody(Body):
    """A document after a change. `merged`: it had changed elsewhere in the meantime, and now has both changes."""

    document: int
    version: int
    state: State
    merged: bool
    spans: list[SpanBody]


class EverywhereBody(Body):
    """Label these words in every document or, without a label, remove every span with exactly these words."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"words": "Ana Pérez", "label": "NOMBRE_SUJETO_ASISTENCIA"}]}
    )

    words: Text = Field(min_length=1, max_length=1000)
    label: LabelName | None = Field(default=None, description="Null removes the spans")
    having: LabelName | None = Field(
        default=None, description="Only spans that have this label, and no other occurrence"
    )


class EverywhereChanged(Body):
    """A document that changed, with its removed and added spans, so that it can be undone."""

    document: int
    version: int
    state: State
    spans: list[SpanBody]
    removed: list[SpanBody]
    added: list[SpanBody]
    state_before: State


class EverywhereCount(Body):
    """The documents that would change, how many of them are reviewed, and the number of spans removed or added.

    A reviewed document must be reviewed again if a span is added, removed or gets another label; confirming does not
    change its state, and is not counted under `reviewed`.
    """

    documents: int
    reviewed: int
    spans: int


class VersionSpans(Body):
    """The spans that a document had in a version."""

    version: int
    spans: list[SpanBody]


class RestoreVersion(Body):
    """Give the document the spans of the version `to`; `version` must be its latest."""

    version: Number
    to: Number


class EventBody(Body):
    """An action of a user, and its time. `hash` is that of this entry and all entries before it."""

    id: int
    document: int
    version: int
    kind: str
    at: str
    editor: str
    removed: list[SpanBody]
    added: list[SpanBody]
    detail: dict[str, Any]
    hash: str


class StateBody(Body):
    """The new state of a document; `version` must be its latest."""

    state: State
    version: Number


class PatientRuleBody(Body):
    """How the patients of all documents are identified: `auto`, `none`, `folder`, `id:PATTERN` or `meta:FIELD`."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"rule": "id:^([^_]+)_"}]})

    rule: Name = Field(min_length=1)


class PatientByHand(Body):
    """The patient of these documents; an empty name leaves it to the rule."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"documents": [1, 2], "patient": "7712904"}]})

    documents: list[Number] = Field(min_length=1, max_length=10_000)
    patient: Name


def _anonymized_only() -> list[Part]:
    return ["anonymized"]


class ExportPlan(Body):
    """What to export. A single file is sent as it is, several as a ZIP archive."""

    parts: list[Part] = Field(default_factory=_anonymized_only, min_length=1, max_length=3)
    policy: Name | None = None
    names: Literal["numbered", "original"] = "numbered"


class ExportDocument(Body):
    """A document with its reviewed spans."""

    name: Name = Field(min_length=1)
    text: Text
    spans: list[SpanBody]
    patient: Name | None = Field(default=None, description="The patient, if the text does not identify one")
    replacements: list[ChosenBody] = Field(default_factory=list, max_length=10_000)


class ExportRequest(Body):
    """Documents to export, for a page whose service stores nothing."""

    documents: list[ExportDocument] = Field(min_length=1)
    plan: ExportPlan = ExportPlan()


class ProjectExport(Body):
    """What to export of a project: everything, or only documents with that state."""

    state: State | None = None
    documents: list[Number] | None = Field(default=None, max_length=100_000, description="Only these")
    plan: ExportPlan = ExportPlan()


class ExportCount(Body):
    """What an export has: the numbers of its documents by state, of those without a known patient, and of stored files.

    `undecided` documents are left out: two people read them and nobody has adjudicated.
    """

    documents: int
    reviewed: int
    todo: int
    undecided: int
    without_patient: int
    files: int


def document_body(stored: Stored) -> DocumentBody:
    return DocumentBody.model_validate(stored, from_attributes=True)


def changed_body(stored: Stored, seen: int) -> ChangedBody:
    return ChangedBody.model_validate(
        {**_after(stored), "merged": stored.version != seen + 1},
    )


def everywhere_changed(stored: Stored, change: Change, before: str) -> EverywhereChanged:
    spans = {"removed": span_bodies(change.remove), "added": span_bodies(change.add)}
    return EverywhereChanged.model_validate({**_after(stored), **spans, "state_before": before})


def _after(stored: Stored) -> dict[str, Any]:
    return {
        "document": stored.id,
        "version": stored.version,
        "state": stored.state,
        "spans": span_bodies(stored.spans),
    }

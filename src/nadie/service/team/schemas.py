"""The bodies of the team's requests and responses."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field, StrictBool

from nadie.evaluation.official import Counts
from nadie.service.schemas import Body, Name, Number, SpanBody, Text
from nadie.service.team.reviewers import ReadTwice

Person = Annotated[Name, Field(max_length=60)]


class PresenceBody(Body):
    """The document that the caller has open; null if none. `active`: they did something in the last minute."""

    document: Number | None = None
    active: StrictBool = True


class PresentBody(Body):
    """Another active user. `document` is null if they have none open, or one that the caller may not see."""

    editor: str
    document: int | None


class TeamBody(Body):
    """The other active users, and the reviewers of the documents that the caller can see, by document."""

    present: list[PresentBody]
    assignments: dict[int, str]


class DealBody(Body):
    """Assign the unassigned documents that are to do to these reviewers; `twice` is the share read by two of them."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"reviewers": ["ana", "luis"], "twice": 0.1}]})

    reviewers: list[Annotated[Person, Field(min_length=1)]] = Field(min_length=1, max_length=100)
    twice: float = Field(strict=True, default=0.0, ge=0.0, le=1.0)


class DealtBody(Body):
    """The number of documents assigned, and the number of those that will be read twice."""

    assigned: int
    twice: int


class AssignBody(Body):
    """Assign these documents to a reviewer; an empty name removes the assignment."""

    documents: list[Number] = Field(min_length=1, max_length=10_000)
    reviewer: Person


class ReadingBody(Body):
    """The result of one reviewer for a document."""

    reviewer: str
    state: str
    spans: list[SpanBody]


class PairSummary(Body):
    """A document that two people read; `ready` if both have reviewed it and it is not adjudicated yet."""

    document: int
    name: str
    first: str
    second: str
    ready: bool
    adjudicator: str | None
    own: bool = Field(description="The caller is one of the two, and may not decide")


class PairBody(Body):
    """Both readings of a document. Send the versions back with the adjudication."""

    document: int
    name: str
    text: str
    version: int
    copy_version: int
    first: ReadingBody
    second: ReadingBody


class DecisionBody(Body):
    """The adjudicated spans: those of one reading, some of each, or others."""

    version: Number
    copy_version: Number
    spans: list[SpanBody] = Field(max_length=10_000)


class AgreementRow(Body):
    """Span F1 between the readings: label and both borders must agree. `kappa` is Cohen's kappa over tokens."""

    label: str
    f1: float
    kappa: float | None
    both: int
    first_only: int
    second_only: int


class AgreementBody(Body):
    """The agreement over all documents that two people have reviewed, overall and by label."""

    documents: int
    overall: AgreementRow
    labels: list[AgreementRow]


class ReviewerBody(Body):
    """Somebody to whom documents can be assigned, with the numbers of their documents."""

    name: str
    documents: int
    reviewed: int


class TimeBody(Body):
    """The time that somebody worked on a document."""

    document: int
    editor: str
    seconds: int


class GuidelinesText(Body):
    """The guidelines for the reviewers, as plain text or Markdown."""

    text: Text = Field(max_length=200_000)


class GuidelinesBody(GuidelinesText):
    """The guidelines, and who changed them last."""

    editor: str
    changed: str


def pair_summary(pair: ReadTwice, caller: str) -> PairSummary:
    return PairSummary(
        document=pair.document.id,
        name=pair.document.name,
        first=pair.first.reviewer,
        second=pair.second.reviewer,
        ready=pair.is_ready,
        adjudicator=pair.adjudicator,
        own=caller in pair.readers,
    )


def agreement_row(label: str, counts: Counts, kappa: float | None) -> AgreementRow:
    return AgreementRow(
        label=label,
        f1=round(counts.f1, 4),
        kappa=None if kappa is None else round(kappa, 4),
        both=counts.tp,
        first_only=counts.fn,
        second_only=counts.fp,
    )

"""The routes of a team: active users, assignment, second readings, history."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request

from nadie.evaluation.agreement import kappas
from nadie.evaluation.official import by_label, total, total_by_label
from nadie.service.http.arguments import DocumentId, Editor, Number
from nadie.service.http.openapi import problems
from nadie.service.http.project import conflicts_as_problems
from nadie.service.http.state import Service
from nadie.service.problems import ProblemError
from nadie.service.project.history import history, project_log
from nadie.service.project.schemas import ChangedBody, EventBody, changed_body
from nadie.service.project.store import Project
from nadie.service.team.access import hidden_from, oversees
from nadie.service.team.presence import Presence
from nadie.service.team.reviewers import Team
from nadie.service.team.schemas import (
    AgreementBody,
    AssignBody,
    DealBody,
    DealtBody,
    DecisionBody,
    GuidelinesBody,
    GuidelinesText,
    PairBody,
    PairSummary,
    PresenceBody,
    ReadingBody,
    ReviewerBody,
    TeamBody,
    TimeBody,
    agreement_row,
    pair_summary,
)


def router(service: Service) -> APIRouter:
    """The routes of the team, if the service has a project."""
    routes = APIRouter(prefix="/v1", tags=["team"], responses=problems(404))

    if service.project is not None and service.team is not None:
        _add_presence(routes, service.team)
        _add_assignment(routes, service, service.team)
        _add_pairs(routes, service, service.team)
        _add_history(routes, service.project, service.team)
        _add_guidance(routes, service.team)
    return routes


def _add_presence(routes: APIRouter, team: Team) -> None:
    presence = Presence()

    @routes.put("/project/presence", summary="Report the open document, and get the other active users")
    def present(body: PresenceBody, request: Request, editor: Editor) -> TeamBody:
        hidden = hidden_from(request, team)
        seconds = presence.seen(editor, body.document)
        if body.document is not None and body.document not in hidden and body.active and seconds:
            team.spend(body.document, editor, seconds)
        others = [
            each.model_copy(update={"document": None}) if each.document in hidden else each
            for each in presence.others(editor)
        ]
        return TeamBody(present=others, assignments={k: v for k, v in team.assignments().items() if k not in hidden})

    @routes.delete("/project/presence", status_code=204, summary="Report that the page is closed")
    def gone(editor: Editor) -> None:
        presence.left(editor)


def _add_assignment(routes: APIRouter, service: Service, team: Team) -> None:
    def check(*names: str) -> None:
        """Refuse a name that nobody has: its documents would be hidden from everybody."""
        known = service.people.reviewers()
        if known is not None and not known.issuperset(names):
            raise ProblemError("invalid", "there is no such person, or they may not review: see /v1/project/people")

    @routes.get("/project/people", summary="The people to whom documents can be assigned")
    def people(editor: Editor) -> list[ReviewerBody]:
        assigned = team.assignments()
        reviewed = team.reviewed()
        names = {*assigned.values(), *(service.people.reviewers() or {editor})}
        return [
            ReviewerBody(
                name=name,
                documents=sum(reviewer == name for reviewer in assigned.values()),
                reviewed=sum(reviewer == name and document in reviewed for document, reviewer in assigned.items()),
            )
            for name in sorted(names)
        ]

    @routes.post("/project/assignments", summary="Assign the unassigned documents to reviewers")
    def deal(body: DealBody, editor: Editor) -> DealtBody:
        """In turn, so that each gets different ones. A share of them is also assigned to a second reviewer."""
        if len(set(body.reviewers)) < len(body.reviewers):
            raise ProblemError("invalid", "a reviewer is named twice")
        if body.twice > 0 and len(body.reviewers) < 2:
            raise ProblemError("invalid", "a second reading needs two reviewers")
        check(*body.reviewers)
        assigned, twice = team.deal(body.reviewers, body.twice, editor)
        return DealtBody(assigned=assigned, twice=twice)

    @routes.put("/project/assignments", status_code=204, summary="Assign documents to one reviewer, or to nobody")
    def assign(body: AssignBody, editor: Editor) -> None:
        if body.reviewer:
            check(body.reviewer)
        team.assign(body.documents, body.reviewer, editor)


def _add_pairs(routes: APIRouter, service: Service, team: Team) -> None:
    @routes.get("/project/pairs", summary="The documents that two people read")
    def pairs(editor: Editor) -> list[PairSummary]:
        return [pair_summary(pair, editor) for pair in team.read_twice()]

    @routes.get("/project/pairs/{document:int}", summary="Both readings of a document")
    def pair(document: Number, editor: Editor) -> PairBody:
        """Not for its readers: nobody decides on their own reading."""
        both = team.ready_pair(document)
        if editor in both.readers:
            raise ProblemError("forbidden", "nobody decides on their own reading", own=True)
        return PairBody(
            document=both.document.id,
            name=both.document.name,
            text=both.document.text,
            version=both.document.version,
            copy_version=both.copy_version,
            first=ReadingBody.model_validate(both.first, from_attributes=True),
            second=ReadingBody.model_validate(both.second, from_attributes=True),
        )

    @routes.put("/project/pairs/{document:int}", summary="Adjudicate two readings", responses=problems(409))
    def decide(document: Number, body: DecisionBody, editor: Editor) -> ChangedBody:
        """The document gets these spans and is reviewed; the second reading is removed, and both are kept.

        The spans may be a third answer. Afterwards only others who adjudicate can change the document.
        """
        spans = [span.span() for span in body.spans]
        with conflicts_as_problems(service):
            done = team.adjudicate(document, body.version, body.copy_version, spans, editor)
        return changed_body(done, body.version)

    @routes.get("/project/agreement", summary="The agreement of the readings: span F1 and kappa")
    def agreement() -> AgreementBody:
        compared = team.compared()
        labels, kappa = total_by_label(map(by_label, compared)), kappas(compared)
        return AgreementBody(
            documents=len(compared),
            overall=agreement_row("", total(labels.values()), kappa[""]),
            labels=[agreement_row(label, counts, kappa.get(label)) for label, counts in labels.items()],
        )


def _add_history(routes: APIRouter, project: Project, team: Team) -> None:
    @routes.get("/project/documents/{document:int}/history", summary="Who changed what in a document, and when")
    def of_document(document: DocumentId) -> list[EventBody]:
        project.get(document)
        return history(project, document)

    @routes.get("/project/log", summary="Who did what in the project, and when: the newest first")
    def of_project(
        request: Request,
        before: Annotated[int, Query(ge=1, le=2**53)] = 2**53,
        limit: Annotated[int, Query(ge=1, le=1000)] = 200,
    ) -> list[EventBody]:
        """Deletions, rules, exports and everything else. `before` is the `id` of the last event of the page before.

        Events of the other reading of a text that the caller reads are without spans.
        """
        hidden = hidden_from(request, team)
        events = project_log(project, before, limit)
        return [e.model_copy(update={"removed": [], "added": []}) if e.document in hidden else e for e in events]


def _add_guidance(routes: APIRouter, team: Team) -> None:
    @routes.get("/project/guidelines", summary="The guidelines for the reviewers")
    def read() -> GuidelinesBody:
        known = team.guidelines()
        return GuidelinesBody(text=known.text, editor=known.editor, changed=known.at)

    @routes.put("/project/guidelines", status_code=204, summary="Set the guidelines for the reviewers")
    def write(body: GuidelinesText, editor: Editor) -> None:
        team.set_guidelines(body.text, editor)

    @routes.get("/project/times", summary="The time that people worked on documents")
    def times(request: Request, editor: Editor) -> list[TimeBody]:
        """Of everybody for those who oversee the project, otherwise one's own."""
        sees_all = oversees(request)
        return [
            TimeBody(document=document, editor=name, seconds=round(seconds))
            for document, name, seconds in team.times()
            if sees_all or name == editor
        ]

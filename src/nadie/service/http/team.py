"""The routes of a team: the caller, active users, assignment, second readings, history."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request

from nadie.evaluation.official import total
from nadie.service.http.arguments import DocumentId, Editor
from nadie.service.http.openapi import problems
from nadie.service.http.project import conflicts_as_problems
from nadie.service.http.state import Service
from nadie.service.problems import ProblemError
from nadie.service.project.history import history, project_log
from nadie.service.project.schemas import ChangedBody, EventBody, changed_body
from nadie.service.project.store import Project
from nadie.service.team.access import access_check, hidden_from
from nadie.service.team.presence import Presence
from nadie.service.team.reviewers import Team
from nadie.service.team.schemas import (
    AgreementBody,
    AssignBody,
    DealBody,
    DealtBody,
    DecisionBody,
    MeBody,
    PairBody,
    PairSummary,
    PresenceBody,
    ReadingBody,
    TeamBody,
    agreement_row,
    pair_summary,
)


def router(service: Service) -> APIRouter:
    """`/v1/me`, and the routes of the team if the service has a project."""
    routes = APIRouter(prefix="/v1", tags=["team"], responses=problems(404))

    @routes.get("/me", summary="The caller and their permissions")
    async def me(request: Request) -> MeBody:
        options, caller = service.options, request.scope["nadie.sign_on"]
        return MeBody(
            name=caller.name,
            permissions=sorted(caller.permissions),
            sign_on=caller.sign_on,
            logout=options.proxy.logout if options.proxy is not None and caller.sign_on == "proxy" else "",
            idle_seconds=60 * options.idle_minutes if caller.sign_on != "none" else 0,
        )

    if service.project is not None and service.team is not None:
        of_project = APIRouter(prefix="/project", dependencies=[Depends(access_check(service.team))])
        _add_presence(of_project, service.team)
        _add_assignment(of_project, service.team)
        _add_pairs(of_project, service, service.team)
        _add_history(of_project, service.project)
        routes.include_router(of_project)
    return routes


def _add_presence(routes: APIRouter, team: Team) -> None:
    presence = Presence()

    @routes.put("/presence", summary="Report the open document, and get the other active users")
    def present(body: PresenceBody, request: Request, editor: Editor) -> TeamBody:
        presence.seen(editor, body.document)
        hidden = hidden_from(request, team)
        others = [
            each.model_copy(update={"document": None}) if each.document in hidden else each
            for each in presence.others(editor)
        ]
        return TeamBody(present=others, assignments={k: v for k, v in team.assignments().items() if k not in hidden})

    @routes.delete("/presence", status_code=204, summary="Report that the page is closed")
    def gone(editor: Editor) -> None:
        presence.left(editor)


def _add_assignment(routes: APIRouter, team: Team) -> None:
    @routes.post("/assignments", summary="Assign the unassigned documents to reviewers")
    def deal(body: DealBody, editor: Editor) -> DealtBody:
        """In turn, so that each gets different ones. A share of them is also assigned to a second reviewer."""
        if len(set(body.reviewers)) < len(body.reviewers):
            raise ProblemError("invalid", "a reviewer is named twice")
        if body.twice > 0 and len(body.reviewers) < 2:
            raise ProblemError("invalid", "a second reading needs two reviewers")
        assigned, twice = team.deal(body.reviewers, body.twice, editor)
        return DealtBody(assigned=assigned, twice=twice)

    @routes.put("/assignments", status_code=204, summary="Assign documents to one reviewer, or to nobody")
    def assign(body: AssignBody, editor: Editor) -> None:
        team.assign(body.documents, body.reviewer, editor)


def _add_pairs(routes: APIRouter, service: Service, team: Team) -> None:
    @routes.get("/pairs", summary="The documents that two people read")
    def pairs() -> list[PairSummary]:
        return [pair_summary(pair) for pair in team.read_twice()]

    @routes.get("/pairs/{document}", summary="Both readings of a document")
    def pair(document: DocumentId) -> PairBody:
        both = team.ready_pair(document)
        return PairBody(
            document=both.document.id,
            name=both.document.name,
            text=both.document.text,
            version=both.document.version,
            copy_version=both.copy_version,
            first=ReadingBody.model_validate(both.first, from_attributes=True),
            second=ReadingBody.model_validate(both.second, from_attributes=True),
        )

    @routes.put("/pairs/{document}", summary="Adjudicate two readings", responses=problems(409))
    def decide(document: DocumentId, body: DecisionBody, editor: Editor) -> ChangedBody:
        """The document gets these spans and is reviewed; the second reading is removed, and both are kept."""
        spans = [span.span() for span in body.spans]
        with conflicts_as_problems(service):
            done = team.adjudicate(document, body.version, body.copy_version, spans, editor)
        return changed_body(done, body.version)

    @routes.get("/agreement", summary="The agreement of the readings: span F1, overall and by label")
    def agreement() -> AgreementBody:
        labels = team.agreement()
        return AgreementBody(
            documents=sum(pair.is_comparable for pair in team.read_twice()),
            overall=agreement_row("", total(labels.values())),
            labels=[agreement_row(label, counts) for label, counts in labels.items()],
        )


def _add_history(routes: APIRouter, project: Project) -> None:
    @routes.get("/documents/{document}/history", summary="Who changed what in a document, and when")
    def of_document(document: DocumentId) -> list[EventBody]:
        return history(project, document)

    @routes.get("/log", summary="Exports of originals, restores and similar events: who and when")
    def of_project() -> list[EventBody]:
        return project_log(project)

"""The routes of a team: the caller, active users, assignment, second readings, history."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Depends, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from nadie.evaluation.official import total
from nadie.service.http.openapi import problems
from nadie.service.http.project import DocumentId, conflict_problem
from nadie.service.merging import ConflictError
from nadie.service.options import ServiceOptions
from nadie.service.problems import ProblemError
from nadie.service.project.history import history, project_log
from nadie.service.project.schemas import ChangedBody, changed_body
from nadie.service.project.store import Project
from nadie.service.team.access import access_check, hidden_from
from nadie.service.team.presence import Presence
from nadie.service.team.reviewers import ReadTwice, Team
from nadie.service.team.schemas import (
    AgreementBody,
    AssignBody,
    DealBody,
    DealtBody,
    DecisionBody,
    EventBody,
    MeBody,
    PairBody,
    PairSummary,
    PresenceBody,
    PresentBody,
    TeamBody,
    agreement_row,
    event_body,
    pair_summary,
    reading_body,
)


def router(options: ServiceOptions, project: Project | None, team: Team | None) -> APIRouter:
    """`/v1/me`, and the routes of the team if the service has a project."""
    routes = APIRouter(prefix="/v1", tags=["team"], responses=problems(404))

    @routes.get("/me", summary="The caller and their permissions")
    async def me(request: Request) -> MeBody:
        caller = request.scope["nadie.sign_on"]
        is_signed_on = caller.sign_on != "none"
        return MeBody(
            name=caller.name,
            permissions=sorted(caller.permissions),
            sign_on=caller.sign_on,
            logout=options.proxy.logout if options.proxy is not None and caller.sign_on == "proxy" else "",
            idle_seconds=60 * options.idle_minutes if is_signed_on else 0,
        )

    if project is not None and team is not None:
        of_project = APIRouter(prefix="/project", dependencies=[Depends(access_check(team))])
        _add_presence(of_project, team)
        _add_assignment(of_project, team)
        _add_pairs(of_project, project, team)
        _add_history(of_project, project)
        routes.include_router(of_project)
    return routes


def _add_presence(routes: APIRouter, team: Team) -> None:
    presence = Presence()

    @routes.put("/presence", summary="Report the open document, and get the other active users")
    async def present(body: PresenceBody, request: Request) -> TeamBody:
        name = request.scope["nadie.editor"]
        presence.seen(name, body.document)
        hidden = await run_in_threadpool(hidden_from, request, team)
        assigned = await run_in_threadpool(team.assignments)
        others = [
            PresentBody(editor=each.editor, document=None if each.document in hidden else each.document)
            for each in presence.others(name)
        ]
        return TeamBody(present=others, assignments={k: v for k, v in assigned.items() if k not in hidden})

    @routes.delete("/presence", status_code=204, summary="Report that the page is closed")
    async def gone(request: Request) -> Response:
        presence.left(request.scope["nadie.editor"])
        return Response(status_code=204)


def _add_assignment(routes: APIRouter, team: Team) -> None:
    @routes.post("/assignments", summary="Assign the unassigned documents to reviewers")
    async def deal(body: DealBody, request: Request) -> DealtBody:
        """In turn, so that each gets different ones. A share of them is also assigned to a second reviewer."""
        if len(set(body.reviewers)) < len(body.reviewers):
            raise ProblemError("invalid", "a reviewer is named twice")
        if body.twice > 0 and len(body.reviewers) < 2:
            raise ProblemError("invalid", "a second reading needs two reviewers")
        assigned, twice = await run_in_threadpool(team.deal, body.reviewers, body.twice, request.scope["nadie.editor"])
        return DealtBody(assigned=assigned, twice=twice)

    @routes.put("/assignments", status_code=204, summary="Assign documents to one reviewer, or to nobody")
    async def assign(body: AssignBody, request: Request) -> Response:
        await _found(team.assign, body.documents, body.reviewer, request.scope["nadie.editor"])
        return Response(status_code=204)


def _add_pairs(routes: APIRouter, project: Project, team: Team) -> None:
    @routes.get("/pairs", summary="The documents that two people read")
    async def pairs() -> list[PairSummary]:
        return [pair_summary(pair) for pair in await run_in_threadpool(team.read_twice)]

    @routes.get("/pairs/{document}", summary="Both readings of a document")
    async def pair(document: DocumentId) -> PairBody:
        both = await _found(_ready_pair, team, document)
        return PairBody(
            document=both.document.id,
            name=both.document.name,
            text=both.document.text,
            version=both.document.version,
            copy_version=both.copy_version,
            first=reading_body(both.first),
            second=reading_body(both.second),
        )

    @routes.put("/pairs/{document}", summary="Adjudicate two readings", responses=problems(409))
    async def decide(document: DocumentId, body: DecisionBody, request: Request) -> ChangedBody:
        """The document gets these spans and is reviewed; the second reading is removed, and both are kept."""
        spans = [span.span() for span in body.spans]
        editor = request.scope["nadie.editor"]
        try:
            done = await _found(team.adjudicate, document, body.version, body.copy_version, spans, editor)
        except ConflictError as conflict:
            raise await conflict_problem(project, conflict) from None
        return changed_body(done, body.version)

    @routes.get("/agreement", summary="The agreement of the readings: span F1, overall and by label")
    async def agreement() -> AgreementBody:
        labels = await run_in_threadpool(team.agreement)
        compared = [pair for pair in await run_in_threadpool(team.read_twice) if pair.is_comparable]
        return AgreementBody(
            documents=len(compared),
            overall=agreement_row("", total(labels.values())),
            labels=[agreement_row(label, counts) for label, counts in labels.items()],
        )


def _add_history(routes: APIRouter, project: Project) -> None:
    @routes.get("/documents/{document}/history", summary="Who changed what in a document, and when")
    async def of_document(document: DocumentId) -> list[EventBody]:
        return [event_body(event) for event in await run_in_threadpool(history, project, document)]

    @routes.get("/log", summary="Exports of originals, restores and similar events: who and when")
    async def of_project() -> list[EventBody]:
        return [event_body(event) for event in await run_in_threadpool(project_log, project)]


def _ready_pair(team: Team, document: int) -> ReadTwice:
    for pair in team.read_twice():
        if pair.document.id == document and pair.is_ready:
            return pair
    raise KeyError(document)


async def _found(work: Any, *arguments: Any) -> Any:
    try:
        return await run_in_threadpool(work, *arguments)
    except KeyError:
        raise ProblemError("not-found", "there is no such document, or it is not ready for this") from None

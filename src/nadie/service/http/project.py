"""The routes of `/v1/project`: documents that several people review together."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Path, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response

from nadie.document import Span
from nadie.errors import ConfigError
from nadie.service.http import originals
from nadie.service.http import review as review_api
from nadie.service.http.export import check_parts, export_operation, exported, record_originals
from nadie.service.http.openapi import problems
from nadie.service.http.state import Service
from nadie.service.http.tasks import annotate_task, run_one
from nadie.service.merging import Change, ConflictError
from nadie.service.problems import ProblemError
from nadie.service.project.history import since
from nadie.service.project.occurrences import marking, unmarking
from nadie.service.project.rows import Stored
from nadie.service.project.schemas import (
    ChangedBody,
    ChangesBody,
    DocumentBody,
    EverywhereBody,
    EverywhereChanged,
    NewDocument,
    PatientByHand,
    PatientRuleBody,
    ProjectBody,
    ProjectExport,
    StateBody,
    changed_body,
    document_body,
    everywhere_changed,
)
from nadie.service.project.store import REVIEWED, DocumentSummary, Project
from nadie.service.schemas import AnnotateRequest
from nadie.service.team.access import access_check, check_access, hidden_from, untouched_by
from nadie.service.team.reviewers import Team
from nadie.service.team.schemas import event_body
from nadie.service.tokens import Permission

DocumentId = Annotated[int, Path(ge=1, le=2**53)]


def router(service: Service, project: Project | None, team: Team | None = None) -> APIRouter:
    """The routes of one project; all except the first return 404 if the service has no project."""
    routes = APIRouter(
        prefix="/v1/project", tags=["project"], responses=problems(404), dependencies=[Depends(access_check(team))]
    )

    @routes.get("", summary="Whether there is a project, and its progress")
    async def about(request: Request) -> ProjectBody:
        if project is None or Permission.REVIEW not in request.scope["nadie.sign_on"].permissions:
            return ProjectBody(open=False)
        entries = await run_in_threadpool(project.entries, 0.0)
        reviewed = sum(entry.state == REVIEWED for entry in entries)
        name, editor = project.name, request.scope["nadie.editor"]
        rule = await run_in_threadpool(project.patient_rule)
        return ProjectBody(
            open=True, name=name, editor=editor, documents=len(entries), reviewed=reviewed, patient_rule=rule
        )

    _add_reading(routes, project, team)
    _add_documents(routes, service, project)
    _add_changes(routes, project, team)
    _add_patients(routes, project, team)
    _add_export(routes, service, project, team)
    review_api.add_routes(routes, project, team)
    originals.add_project_routes(routes, service, project, team)
    return routes


def _add_reading(routes: APIRouter, project: Project | None, team: Team | None) -> None:
    @routes.get("/documents", response_model=list[DocumentSummary], summary="The list of documents")
    async def entries(
        request: Request,
        doubt: Annotated[float, Query(ge=0, le=1)] = 0.95,
        if_none_match: Annotated[str | None, Header()] = None,
    ) -> Any:
        """`doubtful` is the number of spans with a score below `doubt`. The entity tag changes with any change."""
        here = _open(project)
        hidden = await run_in_threadpool(hidden_from, request, team)
        tag = f'"{await run_in_threadpool(here.revision)}-{doubt:g}-{hash(frozenset(hidden)) & 0xFFFFFFFF:x}"'
        if if_none_match == tag:
            return Response(status_code=304, headers={"ETag": tag})
        found = await run_in_threadpool(here.entries, doubt)
        return JSONResponse([asdict(entry) for entry in found if entry.id not in hidden], headers={"ETag": tag})

    @routes.get("/documents/{document}", summary="A document and its spans")
    async def read(document: DocumentId, response: Response) -> DocumentBody:
        stored = await run_in_threadpool(_open(project).get, document)
        if stored is None:
            raise ProblemError("not-found")
        response.headers["ETag"] = f'"{stored.version}"'
        return document_body(stored)


def _add_documents(routes: APIRouter, service: Service, project: Project | None) -> None:
    @routes.post("/documents", status_code=201, summary="Add a document")
    async def add(new: NewDocument, request: Request) -> DocumentBody:
        here = _open(project)
        model = service.model_named(new.model)
        if new.spans is None:
            wanted = AnnotateRequest(id=new.name, text=new.text, model=model)
            spans = await run_one(service, annotate_task(service), wanted)
        else:
            spans = service.document(new.name, new.text, [span.span() for span in new.spans]).spans
        editor = request.scope["nadie.editor"]
        stored = await run_in_threadpool(
            here.add, new.name, new.text, spans, model=model, editor=editor, patient_field=new.patient_field
        )
        return document_body(stored)

    @routes.put("/documents/{document}/state", summary="Reviewed, or to do", responses=problems(409))
    async def set_state(document: DocumentId, body: StateBody, request: Request) -> ChangedBody:
        here, editor = _open(project), request.scope["nadie.editor"]
        stored = await _settled(here.set_state, document, body.state, body.version, editor)
        return changed_body(stored, body.version)

    @routes.delete("/documents/{document}", status_code=204, summary="Remove a document for good")
    async def delete(document: DocumentId, request: Request) -> Response:
        if not await run_in_threadpool(_open(project).delete, document, request.scope["nadie.editor"]):
            raise ProblemError("not-found")
        return Response(status_code=204)


def _add_changes(routes: APIRouter, project: Project | None, team: Team | None) -> None:
    @routes.post("/changes", summary="Change spans", responses=problems(409))
    async def change(body: ChangesBody, request: Request) -> list[ChangedBody]:
        """All changes are applied, or none.

        A change made on an older version is merged into the newer one if they concern different places; if they concern
        the same place, the response is 409 with the places, and nothing is changed.
        """
        here, editor = _open(project), request.scope["nadie.editor"]
        await run_in_threadpool(check_access, request, team, *(change.document for change in body.changes))
        done = await _settled(here.change, [change.change() for change in body.changes], editor)
        return [changed_body(stored, asked.version) for stored, asked in zip(done, body.changes, strict=True)]

    @routes.post("/everywhere", summary="The same words in every document")
    async def everywhere(body: EverywhereBody, request: Request) -> list[EverywhereChanged]:
        """The documents that changed, each with its removed and added spans."""
        here, editor = _open(project), request.scope["nadie.editor"]
        untouched = await run_in_threadpool(untouched_by, request, team)
        done = await run_in_threadpool(here.change_all, partial(_everywhere, body, untouched), editor)
        return [everywhere_changed(stored, change) for stored, change in done]


def _add_patients(routes: APIRouter, project: Project | None, team: Team | None) -> None:
    @routes.put("/patients/rule", status_code=204, summary="Set the rule that identifies the patients of all documents")
    async def set_rule(body: PatientRuleBody, request: Request) -> Response:
        """Patients that were set by hand are not changed."""
        try:
            await run_in_threadpool(_open(project).set_patient_rule, body.rule, request.scope["nadie.editor"])
        except ConfigError as error:
            raise ProblemError("invalid", str(error)) from None
        return Response(status_code=204)

    @routes.put("/patients", status_code=204, summary="Set the patient of some documents by hand")
    async def set_patient(body: PatientByHand, request: Request) -> Response:
        await run_in_threadpool(check_access, request, team, *body.documents)
        await _settled(_open(project).set_patient, body.documents, body.patient, request.scope["nadie.editor"])
        return Response(status_code=204)


def _add_export(routes: APIRouter, service: Service, project: Project | None, team: Team | None) -> None:
    @routes.post("/export", **export_operation("The documents of the project as files to download"))
    async def export_project(body: ProjectExport, request: Request) -> Response:
        check_parts(request, body.plan)
        left_out = await run_in_threadpool(lambda: hidden_from(request, team) | (team.copies() if team else set()))
        stored = await run_in_threadpool(lambda: list(_open(project).documents(body.state)))
        found = [each for each in stored if each.id not in left_out]
        await record_originals(service, request, body.plan, len(found))
        documents = (each.document for each in found)
        chosen = {each.name: each.replacements for each in found}
        caller = request.scope["nadie.caller"]
        return (await exported(service, documents, body.plan, caller, chosen)).response()


def _everywhere(body: EverywhereBody, untouched: set[int], stored: Stored) -> Change | None:
    if stored.id in untouched:
        return None
    remove: tuple[Span, ...]
    add: tuple[Span, ...] = ()
    having = None if body.having is None else body.having.value
    if body.label is None:
        remove = unmarking(stored.text, stored.spans, body.words, having)
    else:
        remove, add = marking(stored.text, stored.spans, body.words, body.label.value, having)
    return Change(stored.id, stored.version, remove, add) if remove or add else None


async def _settled(work: Any, *arguments: Any) -> Any:
    """The result of a change; a conflict or a missing document is raised as a problem."""
    try:
        return await run_in_threadpool(work, *arguments)
    except KeyError:
        raise ProblemError("not-found") from None
    except ConflictError as conflict:
        raise await conflict_problem(work.__self__, conflict) from None


async def conflict_problem(project: Project, conflict: ConflictError) -> ProblemError:
    """The problem of a conflict: the places, and who changed what there in the meantime."""
    places = [{"start": start, "end": end} for start, end in conflict.places]
    events = await run_in_threadpool(since, project, conflict)
    changes = [event_body(event).model_dump(mode="json") for event in events]
    detail = "fetch the document again: these places were changed by somebody else in the meantime"
    return ProblemError("conflict", detail, version=conflict.version, places=places, changes=changes)


def _open(project: Project | None) -> Project:
    if project is None:
        raise ProblemError("not-found", "the service was started without --project")
    return project

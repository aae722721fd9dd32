"""The routes of `/v1/project`: documents that several people review together."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response

from nadie.document import Document, Span
from nadie.service.export import export_operation, exported
from nadie.service.merging import Change, ConflictError
from nadie.service.occurrences import marking, unmarking
from nadie.service.openapi import problems
from nadie.service.problems import ProblemError
from nadie.service.project_schemas import (
    ChangedBody,
    ChangesBody,
    DocumentBody,
    EverywhereBody,
    EverywhereChanged,
    NewDocument,
    ProjectBody,
    ProjectExport,
    StateBody,
    changed_body,
    document_body,
    everywhere_changed,
)
from nadie.service.schemas import AnnotateRequest
from nadie.service.state import Service
from nadie.service.store import REVIEWED, DocumentSummary, Project, Stored
from nadie.service.tasks import annotate_task, run_one

DocumentId = Annotated[int, Path(ge=1, le=2**53)]


def router(service: Service, project: Project | None) -> APIRouter:
    """The routes over one project; all but the first answer 404 where the service has none."""
    routes = APIRouter(prefix="/v1/project", tags=["project"], responses=problems(404))

    @routes.get("", summary="Whether there is a project, and its progress")
    async def about(request: Request) -> ProjectBody:
        if project is None:
            return ProjectBody(open=False)
        entries = await run_in_threadpool(project.entries, 0.0)
        reviewed = sum(entry.state == REVIEWED for entry in entries)
        name, editor = project.name, request.scope["nadie.editor"]
        return ProjectBody(open=True, name=name, editor=editor, documents=len(entries), reviewed=reviewed)

    _add_reading(routes, project)
    _add_documents(routes, service, project)
    _add_changes(routes, project)
    _add_export(routes, service, project)
    return routes


def _add_reading(routes: APIRouter, project: Project | None) -> None:
    @routes.get("/documents", response_model=list[DocumentSummary], summary="The list of documents")
    async def entries(
        doubt: Annotated[float, Query(ge=0, le=1)] = 0.95, if_none_match: Annotated[str | None, Header()] = None
    ) -> Any:
        """`doubtful` counts the spans with a score below `doubt`. The entity tag changes with any change."""
        here = _open(project)
        tag = f'"{await run_in_threadpool(here.revision)}-{doubt:g}"'
        if if_none_match == tag:
            return Response(status_code=304, headers={"ETag": tag})
        found = await run_in_threadpool(here.entries, doubt)
        return JSONResponse([asdict(entry) for entry in found], headers={"ETag": tag})

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
        stored = await run_in_threadpool(here.add, new.name, new.text, spans, model=model, editor=editor)
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


def _add_changes(routes: APIRouter, project: Project | None) -> None:
    @routes.post("/changes", summary="Change spans", responses=problems(409))
    async def change(body: ChangesBody, request: Request) -> list[ChangedBody]:
        """All changes are made, or none.

        A change made on an older version is merged into the newer one where the two touch different places; where
        they touch the same, the answer is 409 with the places, and nothing is changed.
        """
        here, editor = _open(project), request.scope["nadie.editor"]
        done = await _settled(here.change, [change.change() for change in body.changes], editor)
        return [changed_body(stored, asked.version) for stored, asked in zip(done, body.changes, strict=True)]

    @routes.post("/everywhere", summary="The same words in every document")
    async def everywhere(body: EverywhereBody, request: Request) -> list[EverywhereChanged]:
        """The documents that changed, each with its removed and added spans."""
        here, editor = _open(project), request.scope["nadie.editor"]
        done = await run_in_threadpool(here.change_all, partial(_everywhere, body), editor)
        return [everywhere_changed(stored, change) for stored, change in done]


def _add_export(routes: APIRouter, service: Service, project: Project | None) -> None:
    @routes.post("/export", **export_operation("The documents of the project as files to download"))
    async def export_project(body: ProjectExport) -> Response:
        found = await run_in_threadpool(lambda: list(_open(project).documents(body.state)))
        documents = (Document(stored.name, stored.text, stored.spans) for stored in found)
        return (await exported(service, documents, body.plan)).response()


def _everywhere(body: EverywhereBody, stored: Stored) -> Change | None:
    remove: tuple[Span, ...]
    add: tuple[Span, ...] = ()
    if body.label is None:
        remove = unmarking(stored.text, stored.spans, body.words)
    else:
        remove, add = marking(stored.text, stored.spans, body.words, body.label.value)
    return Change(stored.id, stored.version, remove, add) if remove or add else None


async def _settled(work: Any, *arguments: Any) -> Any:
    """The result of a change; a conflict or a missing document is raised as a problem."""
    try:
        return await run_in_threadpool(work, *arguments)
    except KeyError:
        raise ProblemError("not-found") from None
    except ConflictError as conflict:
        places = [{"start": start, "end": end} for start, end in conflict.places]
        detail = "fetch the document again: these places were changed by somebody else in the meantime"
        raise ProblemError("conflict", detail, version=conflict.version, places=places) from None


def _open(project: Project | None) -> Project:
    if project is None:
        raise ProblemError("not-found", "the service was started without --project")
    return project

"""The routes of the scanned pages of a project's documents: their images, and the boxes that an export paints."""

from __future__ import annotations

from fastapi import APIRouter, Request
from pydantic import Field
from starlette.concurrency import run_in_threadpool

from nadie.service.http.arguments import DocumentId, Editor
from nadie.service.http.openapi import problems
from nadie.service.http.state import Service
from nadie.service.project.stored_files import StoredFile, file_of, set_boxes
from nadie.service.schemas import MOST_BOXES, Body, BoxBody, Number
from nadie.service.team.access import check_access, check_change, hidden_from
from nadie.service.workers.jobs import PagesJob, ShownPage


class BoxesVersion(Body):
    """The version of the boxes of a file."""

    version: Number


class BoxesBody(BoxesVersion):
    """All boxes of reviewers on the pages of a file, and the version on which they are based."""

    boxes: list[BoxBody] = Field(max_length=MOST_BOXES)


class PagesBody(BoxesBody):
    """The scanned pages of a document, with the boxes of reviewers and the version of these."""

    pages: tuple[ShownPage, ...]


def add_routes(routes: APIRouter, service: Service) -> None:
    @routes.get("/documents/{document:int}/pages", summary="The scanned pages that a document came from, as images")
    async def show(document: DocumentId, request: Request) -> PagesBody:
        """Only for those who may see all documents of the file."""
        stored = await run_in_threadpool(file_of, service.opened_project(), document)
        await run_in_threadpool(check_access, request, service.team, *_readings(request, service, stored))
        shown = await service.pool.run_one(PagesJob(stored.file))
        return PagesBody(version=stored.version, boxes=stored.file.boxes, pages=shown.pages)

    @routes.put("/documents/{document:int}/boxes", summary="Set the boxes on scanned pages", responses=problems(409))
    def replace(document: DocumentId, body: BoxesBody, request: Request, editor: Editor) -> BoxesVersion:
        """They are painted when the file is exported in its own format; `kept` boxes leave a graphic as it is.

        Only for those who may change all documents of the file.
        """
        project = service.opened_project()
        with project.writing():
            check_change(request, service.team, *_readings(request, service, file_of(project, document)))
            return BoxesVersion(version=set_boxes(project, document, body.boxes, body.version, editor))


def _readings(request: Request, service: Service, stored: StoredFile) -> list[int]:
    """The documents of a file, each as the reading that the caller may see, if there is one."""
    hidden = hidden_from(request, service.team)
    copies = service.team.second_readings() if service.team else {}
    return [copies.get(each.id, each.id) if each.id in hidden else each.id for each in stored.documents]

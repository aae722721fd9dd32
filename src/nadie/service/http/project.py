"""The routes of `/v1/project`: documents that several people review together."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response

from nadie.service.http import originals, review, sample, scanned_pages, suggestions
from nadie.service.http.arguments import ChangedId, DocumentId, Editor, Number
from nadie.service.http.export import Exporter, check_parts, export_operation, record_export
from nadie.service.http.openapi import problems
from nadie.service.http.state import Service
from nadie.service.http.tasks import annotate_task, anonymized_parts, run_one
from nadie.service.keyed import PROJECT
from nadie.service.merging import Change, ConflictError
from nadie.service.problems import ProblemError
from nadie.service.project.history import since, spans_of
from nadie.service.project.listing import REVIEWED, DocumentSummary
from nadie.service.project.occurrences import marking, unmarking
from nadie.service.project.rows import Stored
from nadie.service.project.schemas import (
    ChangedBody,
    ChangesBody,
    DocumentBody,
    EverywhereBody,
    EverywhereChanged,
    EverywhereCount,
    ExportCount,
    NewDocument,
    PatientByHand,
    PatientRuleBody,
    PreviewBody,
    PreviewRequest,
    ProjectBody,
    ProjectExport,
    RestoreVersion,
    StateBody,
    VersionSpans,
    changed_body,
    document_body,
    everywhere_changed,
)
from nadie.service.project.store import Project
from nadie.service.project.stored_files import stored_files
from nadie.service.remarks import with_chosen
from nadie.service.schemas import AnnotateRequest, span_bodies
from nadie.service.team.access import check_access, check_change, hidden_from, oversees, untouched_by
from nadie.service.tokens import Permission
from nadie.service.workers.jobs import AnonymizeJob

_BYTES_PER_DOCUMENT = 1_000  # of a stored document beside its text


def router(service: Service) -> APIRouter:
    """The routes of one project; all except the first return 404 if the service has no project."""
    routes = APIRouter(prefix="/v1/project", tags=["project"], responses=problems(404))

    @routes.get("", summary="Whether there is a project, and its progress")
    def about(request: Request, editor: Editor) -> ProjectBody:
        project = service.project
        if project is None or Permission.REVIEW not in request.scope["nadie.sign_on"].permissions:
            return ProjectBody(open=False)
        hidden = hidden_from(request, service.team)
        entries = [entry for entry in project.entries(0.0) if entry.id not in hidden]
        return ProjectBody(
            open=True,
            name=project.name,
            editor=editor,
            documents=len(entries),
            reviewed=sum(entry.state == REVIEWED for entry in entries),
            patient_rule=project.patient_rule(),
        )

    for add_routes in (_add_reading, _add_documents, _add_changes, _add_patients, _add_export):
        add_routes(routes, service)
    review.add_routes(routes, service)
    sample.add_routes(routes, service)
    suggestions.add_routes(routes, service)
    originals.add_project_routes(routes, service)
    scanned_pages.add_routes(routes, service)
    return routes


def _add_reading(routes: APIRouter, service: Service) -> None:
    @routes.get("/documents", response_model=list[DocumentSummary], summary="The list of documents")
    def entries(
        request: Request,
        doubt: Annotated[float, Query(ge=0, le=1)] = 0.9,
        if_none_match: Annotated[str | None, Header()] = None,
    ) -> Any:
        """`doubtful` is the number of spans with a score below `doubt`. The entity tag changes with any change."""
        project = service.opened_project()
        hidden = hidden_from(request, service.team)
        sees_all = oversees(request)
        tag = f'"{project.revision()}-{doubt:g}-{hash((frozenset(hidden), sees_all)) & 0xFFFFFFFF:x}"'
        if if_none_match == tag:
            return Response(status_code=304, headers={"ETag": tag})
        found = [asdict(entry) for entry in project.entries(doubt) if entry.id not in hidden]
        for entry in found:
            entry["undecided"] = sees_all and entry["undecided"]
        return JSONResponse(found, headers={"ETag": tag})

    @routes.get("/documents/{document:int}", summary="A document and its spans")
    def read(document: DocumentId, response: Response) -> DocumentBody:
        stored = service.opened_project().get(document)
        response.headers["ETag"] = f'"{stored.version}"'
        return document_body(stored)


def _add_documents(routes: APIRouter, service: Service) -> None:
    @routes.post("/documents", status_code=201, summary="Add a document")
    async def add(new: NewDocument, request: Request, editor: Editor) -> DocumentBody:
        project = service.opened_project()
        size = len(new.text.encode()) + _BYTES_PER_DOCUMENT
        await run_in_threadpool(service.store, request.scope["nadie.sign_on"], size)
        model = service.model_named(new.model)
        if new.spans is None:
            wanted = AnnotateRequest(id=new.name, text=new.text, model=model, fields=new.fields, scan=new.scan)
            spans = await run_one(service, annotate_task(service), wanted)
        else:
            spans = service.document(new.name, new.text, [span.span() for span in new.spans]).spans
        stored = await run_in_threadpool(
            project.add, new.name, new.text, spans, model=model, editor=editor, patient_field=new.patient_field
        )
        return document_body(stored)

    @routes.post("/documents/{document:int}/preview", summary="A document as an export would have it")
    async def preview(document: DocumentId, body: PreviewRequest, request: Request) -> PreviewBody:
        """Its stored spans and replacements, with the key of the project, which is not that of `/v1/anonymize`."""
        caller, policy = request.scope["nadie.sign_on"], service.policy_named(body.policy)
        await run_in_threadpool(service.check_project, caller, policy, [document])
        stored = await run_in_threadpool(service.opened_project().get, document)
        own = stored.document
        limited = service.document(own.id, own.text, own.spans, own.meta.get("patient"))
        result = await service.pool.run_one(AnonymizeJob((limited,), None, policy, key=PROJECT))
        await run_in_threadpool(service.spend, caller, PROJECT, [result])
        parts = anonymized_parts(with_chosen(result, stored.replacements), body.offsets)
        return PreviewBody(id=stored.name, model=stored.model, policy=policy, version=stored.version, **parts)

    @routes.put("/documents/{document:int}/state", summary="Reviewed, or to do", responses=problems(409))
    def set_state(document: ChangedId, body: StateBody, editor: Editor) -> ChangedBody:
        with conflicts_as_problems(service) as project:
            return changed_body(project.set_state(document, body.state, body.version, editor), body.version)

    @routes.delete("/documents/{document:int}", status_code=204, summary="Remove a document for good")
    def delete(document: DocumentId, editor: Editor) -> None:
        service.delete(document, editor)


def _add_changes(routes: APIRouter, service: Service) -> None:
    @routes.post("/changes", summary="Change spans", responses=problems(409))
    def change(body: ChangesBody, request: Request, editor: Editor) -> list[ChangedBody]:
        """All changes are applied, or none.

        A change made on an older version is merged into the newer one if they concern different places; if they concern
        the same place, the response is 409 with the places, and nothing is changed.
        """
        with conflicts_as_problems(service) as project, project.writing():
            check_change(request, service.team, *(change.document for change in body.changes))
            done = project.change([change.change() for change in body.changes], editor)
        return [changed_body(stored, asked.version) for stored, asked in zip(done, body.changes, strict=True)]

    @routes.post("/everywhere", summary="The same words in every document")
    def everywhere(body: EverywhereBody, request: Request, editor: Editor) -> list[EverywhereChanged]:
        """The documents that changed, each with its removed and added spans."""
        with service.opened_project().writing():
            untouched = untouched_by(request, service.team)
            done = service.opened_project().change_all(partial(_everywhere, body, untouched), editor)
        return [everywhere_changed(*each) for each in done]

    @routes.post("/everywhere/count", summary="How many documents the same words would change")
    def count_everywhere(body: EverywhereBody, request: Request) -> EverywhereCount:
        untouched = untouched_by(request, service.team)
        found = [(each, _everywhere(body, untouched, each)) for each in service.opened_project().documents()]
        changes = [(stored, change) for stored, change in found if change is not None]
        return EverywhereCount(
            documents=len(changes),
            reviewed=sum(
                stored.state == REVIEWED and set(change.remove) != set(change.add) for stored, change in changes
            ),
            spans=sum(len({*change.remove, *change.add}) for _, change in changes),
        )

    @routes.get("/documents/{document:int}/versions/{version:int}", summary="The spans of an earlier version")
    def version(document: DocumentId, version: Number) -> VersionSpans:
        return VersionSpans(version=version, spans=span_bodies(spans_of(service.opened_project(), document, version)))

    @routes.post("/documents/{document:int}/restore", summary="Restore an earlier version", responses=problems(409))
    def restore(document: ChangedId, body: RestoreVersion, editor: Editor) -> ChangedBody:
        """The document gets the spans of that version, as a new version that is to be reviewed."""
        with conflicts_as_problems(service) as project:
            spans = spans_of(project, document, body.to)
            return changed_body(project.put_back(document, body.version, spans, editor), body.version)


def _add_patients(routes: APIRouter, service: Service) -> None:
    @routes.put("/patients/rule", status_code=204, summary="Set the rule that identifies the patients of all documents")
    def set_rule(body: PatientRuleBody, editor: Editor) -> None:
        """Patients that were set by hand are not changed."""
        service.opened_project().set_patient_rule(body.rule, editor)

    @routes.put("/patients", status_code=204, summary="Set the patient of some documents by hand")
    def set_patient(body: PatientByHand, request: Request, editor: Editor) -> None:
        check_access(request, service.team, *body.documents)
        service.opened_project().set_patient(body.documents, body.patient, editor)


def _add_export(routes: APIRouter, service: Service) -> None:
    def selected(body: ProjectExport, request: Request) -> tuple[list[Stored], int]:
        """The documents to export, and the number of those that are left out because nobody has adjudicated."""
        hidden, undecided, copies = hidden_from(request, service.team), set[int](), set[int]()
        if service.team is not None:
            undecided, copies = service.team.undecided(), {*service.team.second_readings().values()}
        found = [each for each in service.opened_project().documents(body.state) if each.id not in hidden | copies]
        if body.documents is not None:
            wanted = frozenset(body.documents)
            found = [each for each in found if each.id in wanted]
        left = [each for each in found if each.id not in undecided]
        return left, len(found) - len(left)

    @routes.post("/export", **export_operation("The documents of the project as files to download"))
    async def export_project(body: ProjectExport, request: Request) -> Response:
        """Documents that two people read are left out until the adjudication; `X-Nadie-Undecided` counts them."""
        check_parts(request, body.plan)
        found, undecided = await run_in_threadpool(selected, body, request)
        caller = request.scope["nadie.sign_on"]
        if "anonymized" in body.plan.parts:
            policy = service.policy_named(body.plan.policy)
            await run_in_threadpool(service.check_project, caller, policy, [each.id for each in found])
        await record_export(service, request, body.plan, len(found))
        documents = (each.document for each in found)
        chosen = [each.replacements for each in found]
        exporter = Exporter(service, caller, PROJECT, body.plan, chosen)
        with service.batch(request.scope["nadie.caller"]):
            export = await exporter.run(documents)
        export.undecided = undecided
        return export.response()

    @routes.post("/export/count", summary="What an export has")
    def count_export(body: ProjectExport, request: Request) -> ExportCount:
        found, undecided = selected(body, request)
        files = stored_files(service.opened_project(), frozenset(each.id for each in found))
        reviewed = sum(each.state == REVIEWED for each in found)
        return ExportCount(
            documents=len(found),
            reviewed=reviewed,
            todo=len(found) - reviewed,
            undecided=undecided,
            without_patient=sum(not each.patient for each in found),
            files=len(files),
        )


def _everywhere(body: EverywhereBody, untouched: set[int], stored: Stored) -> Change | None:
    if stored.id in untouched:
        return None
    having = None if body.having is None else body.having.value
    if body.label is None:
        change = Change(stored.id, stored.version, unmarking(stored.text, stored.spans, body.words, having))
    else:
        marked = marking(stored.text, stored.spans, body.words, body.label.value, having)
        change = Change(stored.id, stored.version, *marked)
    return change if change.remove or change.add else None


@contextmanager
def conflicts_as_problems(service: Service) -> Iterator[Project]:
    """The project; a conflict is raised as a problem with the places, and who changed what there in the meantime."""
    project = service.opened_project()
    try:
        yield project
    except ConflictError as conflict:
        places = [{"start": start, "end": end} for start, end in conflict.places]
        changes = [event.model_dump(mode="json") for event in since(project, conflict)]
        detail = "fetch the document again: these places were changed by somebody else in the meantime"
        raise ProblemError("conflict", detail, version=conflict.version, places=places, changes=changes) from None

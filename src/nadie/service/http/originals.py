"""The routes that return reviewed files in their original format: Word as Word, PDF as PDF, a table as a table."""

from __future__ import annotations

import base64
from pathlib import PurePosixPath

from fastapi import APIRouter, Request
from pydantic import Field, StrictBool
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from nadie.records.naming import known_suffix
from nadie.service.http.arguments import Editor
from nadie.service.http.export import ANONYMIZED, Export, export_operation, safe_name
from nadie.service.http.signon import Caller
from nadie.service.http.state import Service
from nadie.service.keyed import PROJECT, key_of
from nadie.service.problems import ProblemError
from nadie.service.project.rows import Stored
from nadie.service.project.stored_files import store_file, stored_files
from nadie.service.schemas import Body, ChosenBody, FileBody, Name, Number, SpanBody
from nadie.service.team.access import check_access
from nadie.service.tokens import Permission
from nadie.service.workers.jobs import CopyJob, OriginalJob, Reviewed
from nadie.service.workers.uploads import check_unpacked

_NOT_COVERED = "NO-REVISADO.txt"


class ReviewedText(Body):
    """The reviewed spans of one document of the file."""

    name: Name = Field(description="The name under which it was anonymized: surrogates depend on it")
    spans: list[SpanBody]
    patient: Name | None = Field(default=None, description="The patient; by default, the one identified by the text")
    replacements: list[ChosenBody] = Field(default_factory=list, max_length=10_000)

    def reviewed(self) -> Reviewed:
        spans = tuple(span.span() for span in self.spans)
        return Reviewed(self.name, spans, None, self.patient, tuple(self.replacements))


class OriginalFile(Body):
    """A file as it was opened, and its documents in the order of the response of `/v1/open`."""

    file: FileBody
    documents: list[ReviewedText] = Field(max_length=5_000)


class OriginalsRequest(Body):
    """Files to write back."""

    files: list[OriginalFile] = Field(min_length=1, max_length=500)
    policy: Name | None = None
    numbered: StrictBool = Field(
        default=True, description="Numbers instead of file names, which are often patients' names"
    )


class KeptFileBody(Body):
    """A file to store, and the documents of the project that came from it, in order."""

    file: FileBody
    documents: list[Number] = Field(min_length=1, max_length=5_000)
    scanned: StrictBool = Field(
        default=False, description="Whether it has scanned pages, which can be reviewed as images"
    )


class KeptFilesRequest(Body):
    """Documents of the project to export: each file whose documents are all among them is written."""

    documents: list[Number] = Field(min_length=1, max_length=100_000)
    policy: Name | None = None
    numbered: StrictBool = True


def router(service: Service) -> APIRouter:
    """`/v1/export/original`."""
    routes = APIRouter(prefix="/v1/export", tags=["documents"])

    @routes.post("/original", **export_operation("Reviewed files in their own format"))
    async def export_originals(request: OriginalsRequest, caller: Request) -> Response:
        """A file that cannot be rewritten is left out, counted in `X-Nadie-Failed` and named in a separate file.

        Parts that were not searched, such as images, are not changed and are listed in `NO-REVISADO.txt`.
        """
        await record_files(service, caller, len(request.files))
        by, policy = caller.scope["nadie.sign_on"], service.policy_named(request.policy)
        service.check_given(by, policy)
        jobs = [
            OriginalJob(each.file, tuple(text.reviewed() for text in each.documents), policy, key_of(by))
            for each in request.files
        ]
        return await _written(service, by, jobs, numbered=request.numbered)

    return routes


def add_project_routes(routes: APIRouter, service: Service) -> None:
    """Add the same routes for the files that a project stores."""

    @routes.post("/files", status_code=204, summary="Store the file that documents came from")
    def keep_file(body: KeptFileBody, request: Request, editor: Editor) -> None:
        """It is deleted with the first of its documents, and never returned unchanged.

        Only for documents that the caller added, or with the permission to administer the project.
        """
        check_access(request, service.team, *body.documents)
        _check_added(service, request.scope["nadie.sign_on"], body.documents)
        check_unpacked(body.file, service.limits.unpacked)
        service.store(request.scope["nadie.sign_on"], len(body.file.content))
        store_file(service.opened_project(), body.file, body.documents, editor, scanned=body.scanned)

    @routes.post("/export/original", **export_operation("Documents of the project in the format of their files"))
    async def export_kept(body: KeptFilesRequest, request: Request) -> Response:
        await run_in_threadpool(check_access, request, service.team, *body.documents)
        undecided = set() if service.team is None else await run_in_threadpool(service.team.undecided)
        wanted = frozenset(body.documents) - undecided
        found = await run_in_threadpool(stored_files, service.opened_project(), wanted)
        if not found:
            raise ProblemError("not-found", "no stored file has all its documents among these, all of them decided")
        caller, policy = request.scope["nadie.sign_on"], service.policy_named(body.policy)
        written = [document.id for each in found for document in each.documents]
        await run_in_threadpool(service.check_project, caller, policy, written)
        await record_files(service, request, len(found))
        jobs = [OriginalJob(each.file, tuple(map(_reviewed, each.documents)), policy, PROJECT) for each in found]
        return await _written(service, caller, jobs, numbered=body.numbered)


def _check_added(service: Service, caller: Caller, documents: list[int]) -> None:
    """Raise a problem if somebody else added one of the documents: their file is not the caller's to give."""
    may_give = Permission.ADMINISTER in caller.permissions
    if not may_give and not service.opened_project().added_by(caller.name).issuperset(documents):
        raise ProblemError("forbidden", "somebody else added the document", permission=Permission.ADMINISTER.value)


async def record_files(service: Service, caller: Request, count: int) -> None:
    """Write to the change log who exports files, before they are sent."""
    await run_in_threadpool(service.record, caller.scope["nadie.editor"], "exported", parts=["files"], count=count)


def _reviewed(stored: Stored) -> Reviewed:
    patient = stored.document.meta.get("patient")
    return Reviewed(stored.name, stored.spans, stored.text, patient, stored.replacements)


class Copies:
    """Copies of files in their own format, for one caller, as they are written one after the other."""

    def __init__(self, service: Service, caller: Caller, *, numbered: bool) -> None:
        self._service = service
        self._caller = caller
        self._numbered = numbered
        self._export = Export()
        self._listed: list[str] = []
        self._count = 0
        self.problem: ProblemError | None = None
        """The problem of the last file that could not be written."""

    async def add(self, job: OriginalJob | CopyJob) -> None:
        service, export, self._count = self._service, self._export, self._count + 1
        name = _name(job.file.name, self._count, export, numbered=self._numbered)
        try:
            await run_in_threadpool(check_unpacked, job.file, service.limits.unpacked)
            made = await service.pool.run_one(job)
        except ProblemError as problem:
            if problem.type in ("overloaded", "starting"):
                raise
            self.problem = problem
            export.failed.append(f"{name}: {problem.detail}")
            return
        values = {bytes.fromhex(each) for each in made.values}
        await run_in_threadpool(service.spend_digests, self._caller, job.key, values)
        export.files[f"{ANONYMIZED}/{name}"] = base64.b64decode(made.content)
        self._listed += [
            f"{name}, {f'part {place}' if self._numbered else where}: {why}\n"
            for place, (where, why) in enumerate(made.uncovered, start=1)
        ]

    def response(self) -> Response:
        if self._listed:
            self._export.files[_NOT_COVERED] = "".join(self._listed).encode()
        return self._export.response()


async def _written(service: Service, caller: Caller, jobs: list[OriginalJob], *, numbered: bool) -> Response:
    """The files with the reviewed spans replaced."""
    copies = Copies(service, caller, numbered=numbered)
    for job in jobs:
        await copies.add(job)
    return copies.response()


def _name(path: str, number: int, export: Export, *, numbered: bool) -> str:
    """A name in the archive with the suffix of the format; a number is added if the name is taken."""
    own = PurePosixPath(path.replace("\\", "/")).name
    suffix = known_suffix(own)
    stem = f"{number:04d}" if numbered else safe_name(own.removesuffix(suffix))
    is_taken = f"{ANONYMIZED}/{stem}{suffix}" in export.files
    return f"{stem} ({number}){suffix}" if is_taken else f"{stem}{suffix}"

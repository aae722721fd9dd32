"""`/v1/anonymize/file`: a file in, its anonymized copy in the same format out, as a form (`multipart/form-data`)."""

from __future__ import annotations

import base64

from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.responses import Response

from nadie.service.http.export import export_operation
from nadie.service.http.originals import Copies, record_files
from nadie.service.http.state import Service
from nadie.service.keyed import key_of
from nadie.service.problems import ProblemError, validation_errors
from nadie.service.schemas import FileBody
from nadie.service.workers.jobs import CopyJob

PATH = "/v1/anonymize/file"
_FIELDS = {
    "file": {"type": "string", "format": "binary", "description": "The file"},
    "policy": {"type": "string", "description": "A name from /v1/policies; by default the service's own"},
    "model": {"type": "string", "description": "A name from /v1/models; the first one if left out"},
    "patient_field": {"type": "string", "description": "The table column that identifies the patient"},
}
_SCHEMA = {"type": "object", "properties": _FIELDS, "required": ["file"], "additionalProperties": False}


class _InMemory(MultiPartParser):
    """Keeps files in memory: the limit of the body bounds them, and no text may be in a temporary file."""

    spool_max_size = 2**62


def router(service: Service) -> APIRouter:
    """The route of one service."""
    routes = APIRouter(tags=["documents"])
    body = {"requestBody": {"required": True, "content": {"multipart/form-data": {"schema": _SCHEMA}}}}

    @routes.post(PATH, **export_operation("A file, anonymized in its own format"), openapi_extra=body)
    async def anonymize_file(request: Request) -> Response:
        """Parts that were not searched, such as images, are listed in `NO-REVISADO.txt`, in an archive with the copy.

        The copy is numbered, because a file name often is the name of a patient.
        """
        file, fields = await _form(request)
        caller = request.scope["nadie.sign_on"]
        model, policy = service.model_named(fields.get("model")), service.policy_named(fields.get("policy"))
        job = CopyJob(file, model, policy, key_of(caller))
        await record_files(service, request, 1)
        copies = Copies(service, caller, numbered=True)
        await copies.add(job)
        if copies.problem is not None:
            raise copies.problem
        return copies.response()

    return routes


async def _form(request: Request) -> tuple[FileBody, dict[str, str]]:
    """The file of the form, and its other fields."""
    try:
        form = await _InMemory(request.headers, request.stream(), max_files=1, max_fields=len(_FIELDS)).parse()
    except (MultiPartException, KeyError, ValueError):
        raise ProblemError("bad-request", "the body is not a form as it should be") from None
    try:
        items = form.multi_items()
        if len(items) != len(form) or not set(form) <= set(_FIELDS):
            raise ProblemError("invalid", f"the fields of the form are {', '.join(_FIELDS)}, each once")
        fields = {name: value for name, value in items if isinstance(value, str)}
        upload = form.get("file")
        if not isinstance(upload, UploadFile):
            raise ProblemError("invalid", "the form has no file in the field `file`")
        content = base64.b64encode(await upload.read()).decode("ascii")
        named = {"name": upload.filename, "patient_field": fields.get("patient_field", "")}
        return FileBody.model_validate({**named, "content": content}), fields
    except ValidationError as error:
        raise ProblemError("invalid", "a field is wrong", errors=validation_errors(error.errors())) from None
    finally:
        await form.close()

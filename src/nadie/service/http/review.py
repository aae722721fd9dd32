"""The routes of `/v1/project` for a reviewer besides changes of spans: searching, commenting, replacing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeVar

from fastapi import APIRouter, Path, Request
from pydantic import Field
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from nadie.labels import Label
from nadie.service.problems import ProblemError
from nadie.service.project.schemas import DocumentBody, document_body
from nadie.service.project.searching import FoundValue, Hits, Wanted
from nadie.service.project.store import Project
from nadie.service.remarks import Comment
from nadie.service.schemas import Body, ChosenBody, Text
from nadie.service.team.access import untouched_by
from nadie.service.team.reviewers import Team

_MOST_VALUES = 1000
R = TypeVar("R")
DocumentId = Annotated[int, Path(ge=1, le=2**53)]


class SearchBody(Body):
    """Words to search for, ignoring case and accents."""

    words: Text = Field(min_length=1, max_length=1000)


class ValuesBody(Body):
    """The values to list: of one label, containing some words, with a score below this one (1: all of them)."""

    words: Text = Field(default="", max_length=1000)
    label: Label | None = None
    below: float = Field(default=1.0, ge=0, le=1)


class NewComment(Body):
    """A comment on a document, or on a place of it."""

    text: Text = Field(min_length=1, max_length=5000)
    start: int | None = Field(default=None, ge=0, le=2**31)
    end: int | None = Field(default=None, ge=1, le=2**31)


class ChoiceBody(ChosenBody):
    """The replacement of a span; without text the policy decides again."""

    text: Text | None = Field(default=None, max_length=1000)  # type: ignore[assignment]


def add_routes(routes: APIRouter, project: Project | None, team: Team | None) -> None:
    def here() -> Project:
        if project is None:
            raise ProblemError("not-found", "the service was started without --project")
        return project

    @routes.post("/search", summary="The documents whose text has some words")
    async def search(body: SearchBody, request: Request) -> list[Hits]:
        hidden = await run_in_threadpool(untouched_by, request, team)
        found = await run_in_threadpool(here().search, body.words)
        return [hits for hits in found if hits.document not in hidden]

    @routes.post("/values", summary="The values of all documents, each with its number of occurrences")
    async def values(body: ValuesBody, request: Request) -> list[FoundValue]:
        hidden = await run_in_threadpool(untouched_by, request, team)
        label = None if body.label is None else body.label.value
        wanted = Wanted(body.words, label, body.below, _MOST_VALUES)
        return await run_in_threadpool(here().values, wanted, hidden)

    @routes.post("/documents/{document}/comments", status_code=201, summary="Comment on a document")
    async def comment(document: DocumentId, body: NewComment, request: Request) -> tuple[Comment, ...]:
        new = Comment(0, "", request.scope["nadie.editor"], body.start, body.end, body.text)
        return await _found(here().comment, document, new)

    @routes.delete("/documents/{document}/comments/{comment}", status_code=204, summary="Remove a comment")
    async def remove_comment(document: DocumentId, comment: DocumentId, request: Request) -> Response:
        await _found(here().remove_comment, document, comment, request.scope["nadie.editor"])
        return Response(status_code=204)

    @routes.put("/documents/{document}/replacement", summary="Set the replacement of one span")
    async def choose(document: DocumentId, body: ChoiceBody, request: Request) -> DocumentBody:
        editor = request.scope["nadie.editor"]
        stored = await _found(here().choose, document, body.start, body.end, body.text, editor)
        return document_body(stored)


async def _found(work: Callable[..., R], *arguments: object) -> R:
    """The result of the work on a document; a problem if the document does not exist."""
    try:
        return await run_in_threadpool(work, *arguments)
    except KeyError:
        raise ProblemError("not-found") from None

"""The routes of `/v1/project` for a reviewer besides changes of spans: searching, commenting, replacing."""

from __future__ import annotations

from fastapi import APIRouter, Request
from pydantic import Field, StrictBool

from nadie.service.http.arguments import DocumentId, Editor, Number
from nadie.service.http.state import Service
from nadie.service.project.schemas import DocumentBody, document_body
from nadie.service.project.searching import FoundValue, Hits
from nadie.service.remarks import Comment
from nadie.service.schemas import Body, ChosenBody, LabelName, Text
from nadie.service.team.access import check_change, hidden_from, untouched_by
from nadie.service.tokens import Permission


class SearchBody(Body):
    """Words to search for, ignoring case and accents."""

    words: Text = Field(min_length=1, max_length=1000)


class ValuesBody(Body):
    """The values to list: of one label, containing some words, with a score below this one (1: all of them)."""

    words: Text = Field(default="", max_length=1000)
    label: LabelName | None = None
    below: float = Field(strict=True, default=1.0, ge=0, le=1)


class NewComment(Body):
    """A comment on a document, or on a place of it."""

    text: Text = Field(min_length=1, max_length=5000)
    start: int | None = Field(strict=True, default=None, ge=0, le=2**31)
    end: int | None = Field(strict=True, default=None, ge=1, le=2**31)


class FlagBody(Body):
    """Whether the document is flagged, and why."""

    flagged: StrictBool
    reason: Text = Field(default="", max_length=1000)


class ChoiceBody(ChosenBody):
    """The replacement of a span; without text the policy decides again."""

    text: Text | None = Field(default=None, max_length=1000)  # type: ignore[assignment]


def add_routes(routes: APIRouter, service: Service) -> None:
    @routes.post("/search", summary="The documents whose text has some words")
    def search(body: SearchBody, request: Request) -> list[Hits]:
        hidden = hidden_from(request, service.team)
        return [hits for hits in service.opened_project().search(body.words) if hits.document not in hidden]

    @routes.post("/values", summary="The values of all documents, each with its number of occurrences")
    def values(body: ValuesBody, request: Request) -> list[FoundValue]:
        label = None if body.label is None else body.label.value
        hidden = untouched_by(request, service.team)
        return service.opened_project().values(body.words, label, body.below, hidden)

    @routes.post("/documents/{document:int}/comments", status_code=201, summary="Comment on a document")
    def comment(document: DocumentId, body: NewComment, editor: Editor) -> tuple[Comment, ...]:
        new = Comment(0, "", editor, body.start, body.end, body.text)
        return service.opened_project().comment(document, new)

    @routes.delete("/documents/{document:int}/comments/{comment:int}", status_code=204, summary="Remove a comment")
    def remove_comment(document: DocumentId, comment: Number, request: Request, editor: Editor) -> None:
        """A comment of somebody else can be removed only with the permission to administer the project."""
        of_anybody = Permission.ADMINISTER in request.scope["nadie.sign_on"].permissions
        service.opened_project().remove_comment(document, comment, editor, of_anybody=of_anybody)

    @routes.put("/documents/{document:int}/flag", status_code=204, summary="Flag a document for others to look at")
    def flag(document: DocumentId, body: FlagBody, editor: Editor) -> None:
        service.opened_project().flag(document, body.reason if body.flagged else None, editor)

    @routes.put("/documents/{document:int}/replacement", summary="Set the replacement of one span")
    def choose(document: DocumentId, body: ChoiceBody, request: Request, editor: Editor) -> DocumentBody:
        project = service.opened_project()
        with project.writing():
            check_change(request, service.team, document)
            return document_body(project.choose(document, body.start, body.end, body.text, editor))

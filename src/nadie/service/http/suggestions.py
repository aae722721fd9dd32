"""The routes for what the corrections in a project imply: listed, and accepted one by one."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter
from pydantic import Field

from nadie.service.http.arguments import Editor
from nadie.service.http.openapi import problems
from nadie.service.http.state import Service
from nadie.service.problems import ProblemError
from nadie.service.project.corrections import corrections
from nadie.service.schemas import Body, LabelName, Text
from nadie.training.accepted import write_accepted
from nadie.training.suggestions import suggestions

FOLDER = "own"
"""The folder of a project with the files of what was accepted."""


class SuggestionBody(Body):
    """A suggestion by its kind, label and value."""

    kind: Literal["staff", "centre", "deny", "allow", "pattern", "threshold"]
    label: LabelName
    value: Text = Field(min_length=1, max_length=1000)


class FoundSuggestion(SuggestionBody):
    """A suggestion with its evidence: how often and in how many notes it was seen, and how often notes contradict."""

    times: int
    notes: int
    against: int


def add_routes(routes: APIRouter, service: Service) -> None:
    @routes.get("/suggestions", summary="What the corrections imply for lists, patterns and thresholds")
    def listed() -> list[FoundSuggestion]:
        """From the reviewed documents."""
        found = suggestions(corrections(service.opened_project().folder))
        return [FoundSuggestion.model_validate(each._asdict()) for each in found]

    @routes.post("/suggestions", status_code=204, summary="Accept a suggestion", responses=problems(404))
    def accept(body: SuggestionBody, editor: Editor) -> None:
        """It is added to the files in the folder `own` of the project, which every command reads."""
        folder = service.opened_project().folder
        wanted = (body.kind, body.label.value, body.value)
        found = [each for each in suggestions(corrections(folder)) if each[:3] == wanted]
        if not found:
            raise ProblemError("not-found", "the corrections do not imply this, or no longer")
        write_accepted(folder / FOLDER, found)
        service.audit(editor, "accepted", {"kind": body.kind, "label": body.label.value})

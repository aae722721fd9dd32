"""The documents of a project that a caller may work on: their own and unassigned ones, unless they adjudicate."""

from __future__ import annotations

from starlette.requests import Request

from nadie.service.problems import ProblemError
from nadie.service.team.reviewers import Team
from nadie.service.tokens import Permission

_OVERSEEING = frozenset((Permission.ADJUDICATE, Permission.ADMINISTER))


def oversees(request: Request) -> bool:
    """Whether the caller sees all documents."""
    return bool(request.scope["nadie.sign_on"].permissions & _OVERSEEING)


def hidden_from(request: Request, team: Team | None) -> set[int]:
    """The documents that the caller may not see: those of others, unless the caller oversees the project.

    Nobody sees the other reading of a text that they read themselves.
    """
    name = request.scope["nadie.sign_on"].name
    if team is None:
        return set()
    return team.other_readings(name) if oversees(request) else team.of_others(name)


def untouched_by(request: Request, team: Team | None) -> set[int]:
    """The documents that a change of all does not affect: those of others, their readings, what is adjudicated."""
    if team is None:
        return set()
    return hidden_from(request, team) | _read_by_others(request, team) | _decided_for(request, team)


def check_access(request: Request, team: Team | None, *documents: int) -> None:
    """Raise a problem if the caller may not see one of the documents."""
    if hidden_from(request, team).intersection(documents):
        raise ProblemError("forbidden", "the document is assigned to somebody else", assigned=True)


def check_change(request: Request, team: Team | None, *documents: int) -> None:
    """Raise a problem if the caller may not change one of the documents.

    Before an adjudication only its reader can change a reading: it is the opinion of that person. Afterwards only those
    who adjudicate can change the document, unless they were one of its readers.
    """
    check_access(request, team, *documents)
    if team is not None and _read_by_others(request, team).intersection(documents):
        raise ProblemError("forbidden", "the document is read by somebody else", assigned=True)
    if team is not None and _decided_for(request, team).intersection(documents):
        raise ProblemError("forbidden", "the document is adjudicated", adjudicated=True)


def _read_by_others(request: Request, team: Team) -> set[int]:
    """The readings to be adjudicated that are not the caller's; without sign-on there are none."""
    caller = request.scope["nadie.sign_on"]
    if caller.sign_on == "none":
        return set()
    assigned = team.assignments()
    return {document for document in team.undecided() if assigned.get(document) != caller.name}


def _decided_for(request: Request, team: Team) -> set[int]:
    """The adjudicated documents that the caller may not change."""
    caller = request.scope["nadie.sign_on"]
    may_decide = Permission.ADJUDICATE in caller.permissions
    return {document for document, readers in team.adjudicated().items() if not may_decide or caller.name in readers}

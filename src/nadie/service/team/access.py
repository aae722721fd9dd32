"""The documents of a project that a caller may work on: their own and unassigned ones, unless they adjudicate."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import Request

from nadie.service.problems import ProblemError
from nadie.service.team.reviewers import Team
from nadie.service.tokens import Permission

_OVERSEEING = frozenset((Permission.ADJUDICATE, Permission.ADMINISTER))


def hidden_from(request: Request, team: Team | None) -> set[int]:
    """The documents that the caller may not see because they are assigned to somebody else."""
    caller = request.scope["nadie.sign_on"]
    if team is None or caller.permissions & _OVERSEEING:
        return set()
    return team.of_others(caller.name)


def untouched_by(request: Request, team: Team | None) -> set[int]:
    """The documents that a change of all documents does not affect: those of others, and second readings of others."""
    if team is None:
        return set()
    others = team.of_others(request.scope["nadie.editor"])
    return hidden_from(request, team) | (others & team.copies())


def access_check(team: Team | None) -> Callable[[Request], None]:
    """A check for routes that name a document in their path."""

    def check(request: Request) -> None:
        named = request.path_params.get("document", "")
        if named.isdecimal():
            check_access(request, team, int(named))

    return check


def check_access(request: Request, team: Team | None, *documents: int) -> None:
    """Raise a problem if one of the documents is assigned to somebody else."""
    if hidden_from(request, team).intersection(documents):
        raise ProblemError("forbidden", "the document is assigned to somebody else", assigned=True)

"""Arguments that many routes have: the number of a document, and the caller as an editor."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Path, Request

from nadie.service.team.access import check_access, check_change

Number = Annotated[int, Path(ge=1, le=2**53)]


def _accessible(request: Request, document: Number) -> int:
    """The number of the document in the path, for routes that may be called only by those who can see the document.

    A route gets the number from here and from nowhere else, so what it works on is what was checked.
    """
    check_access(request, request.app.state.service.team, document)
    return document


DocumentId = Annotated[int, Depends(_accessible)]
"""The document of the path. Its part of the path must be `{document:int}`: digits, and no other spelling."""


def _changeable(request: Request, document: DocumentId) -> int:
    check_change(request, request.app.state.service.team, document)
    return document


ChangedId = Annotated[int, Depends(_changeable)]
"""The document of the path, for routes that change its spans, state or replacements."""


async def _editor(request: Request) -> str:
    return str(request.scope["nadie.editor"])


Editor = Annotated[str, Depends(_editor)]
"""The name under which changes of the caller are stored."""

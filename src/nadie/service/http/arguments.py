"""Arguments that many routes have: the number of a document, and the caller as an editor."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Path, Request

DocumentId = Annotated[int, Path(ge=1, le=2**53)]


async def _editor(request: Request) -> str:
    return str(request.scope["nadie.editor"])


Editor = Annotated[str, Depends(_editor)]
"""The name under which changes of the caller are stored."""

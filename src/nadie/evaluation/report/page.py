"""The page as a whole: one file that needs nothing else."""

from __future__ import annotations

import os
import secrets
from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from string import Template

from nadie.errors import FormatError
from nadie.evaluation.report.sections import Report, body


def write_report(path: Path, report: Report) -> None:
    """Write the page, complete or not at all, for its owner's eyes only: it holds document text."""
    content = render(report).encode("utf-8")
    staging = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with os.fdopen(os.open(staging, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(content)
            staging.replace(path)
        finally:
            staging.unlink(missing_ok=True)
    except OSError as error:
        raise FormatError(f"cannot be written ({error.strerror})", where=str(path)) from None


def render(report: Report) -> str:
    """The page as text.

    Its security policy lets only this style and this script run, by their checksums, and forbids every connection; so
    even if a document's text got through the escaping, it could do nothing.
    """
    here = files(__package__)
    style = (here / "style.css").read_text(encoding="utf-8")
    script = (here / "page.js").read_text(encoding="utf-8")
    policy = (
        f"default-src 'none'; style-src '{_checksum(style)}'; script-src '{_checksum(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return Template((here / "page.html").read_text(encoding="utf-8")).substitute(
        policy=policy, style=style, script=script, body=body(report)
    )


def _checksum(code: str) -> str:
    return f"sha256-{b64encode(sha256(code.encode()).digest()).decode()}"

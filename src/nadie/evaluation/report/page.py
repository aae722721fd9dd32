"""The complete page: one self-contained file."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from string import Template

from nadie.evaluation.report.sections import EvaluationReport, body
from nadie.files.disk import writing


def write_report(path: Path, report: EvaluationReport) -> None:
    """Write the page atomically, readable only by its owner, since it contains document text."""
    with writing(path, mode=0o600) as write:
        write(render(report).encode("utf-8"))


def render(report: EvaluationReport) -> str:
    """The page as text.

    Its content security policy allows only this style and this script, by their checksums, and forbids every
    connection; so even if the escaping failed, text of a document could not do anything.
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

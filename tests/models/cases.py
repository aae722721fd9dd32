"""Regression cases: short sentences with their spans and traps, and those that a model is known to fail.

python tests/models/cases.py          writes the known failures anew, to be read and committed
"""

from __future__ import annotations

from pathlib import Path

from nadie.document import Document
from nadie.files.annotated.notes import Marked, parse_marks
from nadie.run.documents import load

MODELS = ("fast", "best")
_HERE = Path(__file__).parent


def cases() -> dict[str, Marked]:
    """Line of `cases.txt` → the marked sentence."""
    lines = (_HERE / "cases.txt").read_text(encoding="utf-8").splitlines()
    numbered = [(n, line) for n, line in enumerate(lines, start=1) if line and not line.startswith("#")]
    return {line: parse_marks(line, file="cases.txt", line=number) for number, line in numbered}


def known_failures(model: str) -> list[str]:
    return _file(model).read_text(encoding="utf-8").splitlines()


def failures(model: str) -> list[str]:
    """The lines of which a span is not wholly covered or a trap is touched, in their order."""
    marked = cases()
    found = load(model).annotate_all([Document("", case.text) for case in marked.values()])
    return [line for (line, case), document in zip(marked.items(), found, strict=True) if not _is_right(case, document)]


def _is_right(case: Marked, found: Document) -> bool:
    covered = {at for span in found.spans for at in range(span.start, span.end)}
    wanted = {at for span in case.spans for at in range(span.start, span.end) if case.text[at].isalnum()}
    return wanted <= covered and not any(covered & set(range(start, end)) for start, end in case.traps)


def _file(model: str) -> Path:
    return _HERE / f"known_failures_{model}.txt"


if __name__ == "__main__":
    for name in MODELS:
        _file(name).write_text("".join(f"{line}\n" for line in failures(name)), encoding="utf-8")

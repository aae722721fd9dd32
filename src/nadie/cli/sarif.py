"""SARIF 2.1.0, the format in which code hosts accept results of a check. It has positions and labels, never text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import nadie
from nadie.cli.checked_files import CheckedFile, LikelyPhi

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def sarif_of(files: Sequence[CheckedFile], *, complete: bool) -> str:
    """The log of one run; `complete` says whether all files were read."""
    labels = sorted({position.label for file in files for position in file.positions})
    rules = [{"id": label, "shortDescription": {"text": f"Likely PHI: {label}"}} for label in labels]
    errors = [
        {"level": "warning", "message": {"text": "could not be read"}, "locations": [_location(file)]}
        for file in files
        if file.errors
    ]
    log = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "nadie", "version": nadie.__version__, "rules": rules}},
                "columnKind": "unicodeCodePoints",
                "results": [_result(file, position, labels) for file in files for position in file.positions],
                "invocations": [{"executionSuccessful": complete, "toolExecutionNotifications": errors}],
            }
        ],
    }
    return json.dumps(log, indent=1, ensure_ascii=False) + "\n"


def _result(file: CheckedFile, position: LikelyPhi, labels: list[str]) -> dict[str, Any]:
    return {
        "ruleId": position.label,
        "ruleIndex": labels.index(position.label),
        "level": "error",
        "message": {"text": f"likely PHI: {position.label}"},
        "rank": round(100 * position.score, 1),
        "locations": [_location(file, position)],
    }


def _location(file: CheckedFile, position: LikelyPhi | None = None) -> dict[str, Any]:
    path = Path(file.name)
    uri = path.as_uri() if path.is_absolute() else quote(path.as_posix())
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri}}
    location: dict[str, Any] = {"physicalLocation": physical}
    if position is not None and position.line:
        physical["region"] = {
            "startLine": position.line,
            "startColumn": position.column,
            "endLine": position.end_line,
            "endColumn": position.end_column,
        }
    elif position is not None and position.part:
        location["logicalLocations"] = [{"fullyQualifiedName": position.part}]
    return location

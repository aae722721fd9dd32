"""CSV tables that a user gives: of limited size, in UTF-8, with commas, semicolons or tabulators."""

from __future__ import annotations

import csv
import hashlib
import io
from pathlib import Path
from typing import NamedTuple

from nadie.errors import ConfigError


class CsvRows(NamedTuple):
    """The columns in lower case, the lines that are not empty with their numbers, and SHA-256 of the content."""

    columns: list[str]
    lines: list[tuple[int, list[str]]]
    digest: str


def read_table(path: Path, most_bytes: int, what: str) -> CsvRows:
    """The table in a file; `what` names it in errors."""
    try:
        if path.stat().st_size > most_bytes:
            raise ConfigError(f"{what} is larger than {most_bytes >> 20} MiB")
        content = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise ConfigError(f"{what} cannot be read as text in UTF-8") from None
    rows = csv.reader(io.StringIO(content, newline=""), delimiter=max(",;\t", key=content.partition("\n")[0].count))
    columns = [name.strip().lower() for name in next(rows, [])]
    lines = [(rows.line_num, [cell.strip() for cell in row]) for row in rows if any(map(str.strip, row))]
    return CsvRows(columns, lines, hashlib.sha256(content.encode()).hexdigest())

"""CSV tables given by the user: of limited size, in UTF-8, with commas, semicolons or tabs."""

from __future__ import annotations

import csv
import hashlib
import io
from pathlib import Path
from typing import NamedTuple

from nadie.errors import ConfigError


class CsvRows(NamedTuple):
    """The column names in lower case, the non-empty lines with their numbers, and the SHA-256 of the content."""

    columns: list[str]
    lines: list[tuple[int, list[str]]]
    digest: str


def read_table(path: Path, most_bytes: int, what: str) -> CsvRows:
    """Read the table from a file; `what` names it in errors."""
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

"""Make notebooks of the tutorials: their text as Markdown cells, their code as cells with the output of running it.

python scripts/build_tutorials.py             write docs/notebooks
python scripts/build_tutorials.py --check     exit with 1 if a notebook is not up to date
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / "docs").glob("e[ns]/tutorials/*.md"))
_CODE = re.compile(r"^```python\n(.*?)^```\n?", re.MULTILINE | re.DOTALL)
_NOTE = re.compile(r"^<!-- .* -->\n", re.MULTILINE)  # which English section was translated
_LINK = re.compile(r"\[([^\]]*)\]\((?!https?:)[^)]*\)")


def target(page: Path) -> Path:
    return ROOT / "docs" / "notebooks" / f"{page.stem}.{page.parents[1].name}.ipynb"


def notebook(page: Path) -> str:
    """The notebook of a page. Its code runs here, in the folder of the repository."""
    cells: list[dict[str, Any]] = []
    names: dict[str, object] = {"__name__": "__tutorial__"}
    for number, part in enumerate(_CODE.split(page.read_text(encoding="utf-8"))):
        if number % 2:
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(part, f"{page.name}, block {number}", "exec"), names)  # noqa: S102 - a page of the docs
            lines = printed.getvalue().splitlines(keepends=True)
            outputs = [{"name": "stdout", "output_type": "stream", "text": lines}] if lines else []
            more = {"execution_count": number // 2 + 1, "outputs": outputs}
            cells.append(_cell("code", part.rstrip("\n"), len(cells)) | more)
        elif part.strip():
            cells.append(_cell("markdown", _LINK.sub(r"\1", _NOTE.sub("", part).strip()), len(cells)))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    content = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _cell(kind: str, source: str, number: int) -> dict[str, Any]:
    return {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": source.splitlines(keepends=True)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing")
    is_check = parser.parse_args().check
    os.chdir(ROOT)
    stale = []
    for page in PAGES:
        path, content = target(page), notebook(page)
        if not path.exists() or path.read_text(encoding="utf-8") != content:
            stale.append(path)
            if not is_check:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content, encoding="utf-8")
            print(path.relative_to(ROOT), "is not up to date" if is_check else "written")
    return 1 if stale and is_check else 0


if __name__ == "__main__":
    sys.exit(main())

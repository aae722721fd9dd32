"""The pictures of the docs that show what commands write: `nadie show` in a terminal, and two reports in a browser.

    python scripts/report_pictures.py

In English and in Spanish. From the note of `build_pictures.py`, the notes of examples/ and those of
data/notes/dev. Needs the group `dev` and Chromium (`chromium`, or the path in NADIE_CHROMIUM).
"""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from build_pictures import IMAGES, NOTE
from PIL import Image
from playwright.sync_api import Page, sync_playwright
from rich.console import Console
from rich.terminal_theme import DEFAULT_TERMINAL_THEME
from rich.text import Text

ROOT = Path(__file__).resolve().parents[1]
LOCALES = {"": "en-GB", "-es": "es-ES"}
COLOURS, COLUMNS = 64, 116
_FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


def nadie(*arguments: str) -> str:
    """What a command prints in a terminal with colours."""
    terminal = {**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(COLUMNS)}
    command = (sys.executable, "-m", "nadie", *arguments)
    return subprocess.run(command, cwd=ROOT, env=terminal, check=True, capture_output=True, text=True).stdout  # noqa: S603


def terminal_picture(folder: Path, locale: str) -> str:
    """`nadie show --why` of a note as SVG, without the fonts that rich would load from elsewhere."""
    note = folder / "nota.txt"
    note.write_text(f"{NOTE} La Sra. Soto acude sola.", encoding="utf-8")
    console = Console(record=True, width=COLUMNS, file=io.StringIO())
    console.print(Text.from_ansi(nadie("--lang", locale[:2], "show", str(note), "--why").rstrip()))
    drawn = console.export_svg(title="nadie show nota.txt --why", theme=DEFAULT_TERMINAL_THEME, unique_id="show")
    return _FONT.sub("", drawn)


def reports(folder: Path) -> dict[str, Path]:
    """The report of a run and that of an evaluation, by the name of their picture; both are in both languages."""
    run, evaluation = folder / "run.html", folder / "errors.html"
    nadie("anonymize", "examples", "--out", str(folder / "copies"), "--report", str(run))
    nadie("evaluate", "data/notes/dev", "--model", "fast", "--report", str(evaluation))
    return {"report-run": run, "report-evaluation": evaluation}


def save(page: Page, report: Path, picture: Path) -> None:
    """The beginning of a report, with few colours: a third of the size and no visible difference."""
    page.goto(report.as_uri())
    shown = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    shown.quantize(COLOURS, dither=Image.Dither.NONE).save(picture, optimize=True)
    print(f"{picture.name}: {picture.stat().st_size // 1024} kB")


def main() -> None:
    with tempfile.TemporaryDirectory() as work, sync_playwright() as running:
        written = reports(Path(work))
        browser = running.chromium.launch(executable_path=os.environ.get("NADIE_CHROMIUM", shutil.which("chromium")))
        for ending, locale in LOCALES.items():
            (IMAGES / f"show{ending}.svg").write_text(terminal_picture(Path(work), locale), encoding="utf-8")
            page = browser.new_page(viewport={"width": 1000, "height": 760}, locale=locale)
            for name, report in written.items():
                save(page, report, IMAGES / f"{name}{ending}.png")
        browser.close()


if __name__ == "__main__":
    main()

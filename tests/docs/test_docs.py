"""The README and the docs: their code runs, their links exist, their generated parts are up to date."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import build_cli_reference
import build_label_pages
import pytest

from nadie.labels import Label

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "README.es.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "benchmarks" / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
_BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_code_blocks_run(page: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    monkeypatch.chdir(ROOT)
    if page.name == "postgres.md":
        monkeypatch.setenv("HOSPITAL_DATABASE", request.getfixturevalue("postgres"))
    names: dict[str, object] = {"__name__": "__docs__"}
    for number, block in enumerate(_BLOCK.findall(page.read_text(encoding="utf-8"))):
        exec(compile(block, f"{page.name}, block {number + 1}", "exec"), names)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in _LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_nadie_is_not_installed_by_its_name(page: Path) -> None:
    """The index of packages does not have it, and what has its name there would be somebody else's."""
    assert not re.search(
        r"pip install[^`\n]*['\" ]nadie(?:\[|['\"\s`]|$)", page.read_text(encoding="utf-8"), re.MULTILINE
    )


def test_the_reference_is_up_to_date() -> None:
    assert build_cli_reference.PAGE.read_text(encoding="utf-8") == build_cli_reference.reference(), (
        "run scripts/build_cli_reference.py"
    )


def test_the_pages_of_the_labels_are_up_to_date() -> None:
    pages = build_label_pages.pages()
    stale = [str(page.relative_to(ROOT)) for page, text in pages.items() if page.read_text(encoding="utf-8") != text]
    assert stale == [], "run scripts/build_label_pages.py"
    assert len(pages) == 2 * (1 + len(Label))


def test_every_table_is_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "build_results.py", "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"run scripts/build_results.py: {done.stderr}"


def test_both_readmes_show_the_blind_figures_first() -> None:
    names = [
        re.findall(r"<!-- table: ([a-z-]+) -->", (ROOT / page).read_text()) for page in ("README.md", "README.es.md")
    ]
    assert names[0] == names[1] == ["general", "papers"]


def test_every_benchmark_is_in_the_index() -> None:
    index = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    scripts = {path.name for path in (ROOT / "benchmarks").iterdir() if path.suffix in (".py", ".js")}
    assert set(re.findall(r"`(\w+\.(?:py|js))[` ]", index)) == scripts

"""The pictures of the docs: what the shipped model does now, small, and with words for those who cannot see them."""

from __future__ import annotations

import re
from pathlib import Path

import build_pictures
import pytest
import report_pictures

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("docs/e[ns]/**/*.md"), *ROOT.glob("README*.md")])
_PICTURE = re.compile(r"!\[([^\]]*)\]\(([\w./-]+\.(?:png|svg))\)")
MOST_BYTES = 150_000


def test_the_note_before_and_after_is_what_the_model_makes_of_it() -> None:
    assert (build_pictures.IMAGES / "before-after.svg").read_text(encoding="utf-8") == build_pictures.before_after()


@pytest.mark.parametrize(("name", "locale"), [("show", "en-GB"), ("show-es", "es-ES")])
def test_the_terminal_shows_what_is_found_and_loads_nothing(tmp_path: Path, name: str, locale: str) -> None:
    drawn = report_pictures.terminal_picture(tmp_path, locale)
    stored = (build_pictures.IMAGES / f"{name}.svg").read_text(encoding="utf-8")
    assert _upper_half(stored) == _upper_half(drawn)
    assert "url(http" not in stored


def _upper_half(picture: str) -> list[str]:
    """The words before the table, whose scores change with every training."""
    words = re.findall(r"<text[^>]*>([^<]*)</text>", picture)
    end = next(n for n, word in enumerate(words) if word.startswith("┏"))
    assert end > 10
    return words[:end]


def test_every_picture_is_there_and_small_and_has_an_alternative_text() -> None:
    shown = [(page, *found) for page in PAGES for found in _PICTURE.findall(page.read_text(encoding="utf-8"))]
    assert len(shown) > 20
    for page, words, target in shown:
        assert len(words) >= 10, f"{page.name}: {target} needs an alternative text"
        assert (page.parent / target).stat().st_size < MOST_BYTES, f"{page.name}: {target}"

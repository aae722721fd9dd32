"""A Spanish page is as old as its English page."""

from __future__ import annotations

from pathlib import Path

import check_translations
import pytest


def test_every_translation_is_up_to_date() -> None:
    assert list(check_translations.problems()) == []


def test_a_changed_section_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    english, spanish = tmp_path / "en", tmp_path / "es"
    for place in (english, spanish):
        place.mkdir()
    monkeypatch.setattr(check_translations, "ENGLISH", english)
    monkeypatch.setattr(check_translations, "SPANISH", spanish)
    (english / "a.md").write_text("# One\ntext\n\n## Two\n```text\n# no heading\n```\n")
    (spanish / "a.md").write_text("# Uno\ntexto\n\n## Dos\n```text\n# no heading\n```\n")
    assert len(list(check_translations.problems())) == 2, "no section was noted as translated"
    check_translations.stamp(spanish / "a.md")
    assert list(check_translations.problems()) == []
    (english / "a.md").write_text("# One\ntext\n\n## Two\nother text\n")
    assert list(check_translations.problems()) == ["docs/es/a.md: 'Dos' is older than its English section"]

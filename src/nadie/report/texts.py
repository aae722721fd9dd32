"""Texts in both languages that are kept in TOML files: the names of the labels, and the texts of sections."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from nadie.report.markup import Phrase


class SectionTexts(NamedTuple):
    """The title of a section, what it shows, and the heads of its table."""

    title: Phrase
    lead: Phrase
    heads: tuple[Phrase, ...]


def section(package: str, name: str) -> SectionTexts:
    """The texts of a section, from the `sections.toml` of a package."""
    texts = _read(package, "sections.toml")[name]
    heads = tuple(Phrase(*head) for head in texts.get("heads", ()))
    return SectionTexts(Phrase(*texts["title"]), Phrase(*texts["lead"]), heads)


def label_phrase(label: str) -> Phrase:
    """The readable name of a label."""
    return Phrase(*_read(__package__, "labels.toml")[label])


@cache
def _read(package: str, name: str) -> dict[str, Any]:
    return tomllib.loads((files(package) / name).read_text(encoding="utf-8"))

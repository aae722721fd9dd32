"""Texts in both languages, from TOML files: names of labels, and the sentences and sections of each page.

A sentence is in a file, so that all can be read and translated in one place; a word or two stand in the code.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from nadie.labels import Hipaa
from nadie.report.markup import Markup, Phrase, say
from nadie.report.numbers import comma


class SectionTexts(NamedTuple):
    """The title of a section, what it shows, and the heads of its table."""

    title: Phrase
    lead: Phrase
    heads: tuple[Phrase, ...]


def section(package: str, name: str) -> SectionTexts:
    """The texts of a section, from the `texts.toml` of a package."""
    texts = _read(package)[name]
    heads = tuple(Phrase(*head) for head in texts.get("heads", ()))
    return SectionTexts(Phrase(*texts["title"]), Phrase(*texts["lead"]), heads)


def sentence(package: str, name: str, **values: str | Phrase) -> Markup:
    """A sentence from the `texts.toml` of a package, with its values, which have a decimal comma in Spanish."""
    english, spanish = _read(package)["sentences"][name]
    ours = {key: each.english if isinstance(each, Phrase) else each for key, each in values.items()}
    theirs = {key: each.spanish if isinstance(each, Phrase) else comma(each) for key, each in values.items()}
    return say(english.format(**ours), spanish.format(**theirs))


def phrase(package: str, group: str, name: str) -> Phrase:
    """The phrase of that name in a group of the `texts.toml` of a package; the name itself if there is none."""
    return Phrase(*_read(package)[group].get(name, (name, name)))


def label_phrase(label: str) -> Phrase:
    """The readable name of a label."""
    return phrase(__package__, "labels", label)  # one of a user's own has no other name


def hipaa_phrase(identifier: Hipaa) -> Phrase:
    return Phrase(*_read(__package__)["hipaa"][identifier.value])


@cache
def _read(package: str) -> dict[str, Any]:
    return tomllib.loads((files(package) / "texts.toml").read_text(encoding="utf-8"))

"""Recipes: the changes of a copy and their probabilities; and the alterations of the robustness suite."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from random import Random

from nadie.augment import layout, replacement, surface, synthesis
from nadie.augment.split import Split
from nadie.document import Document
from nadie.errors import UnknownNameError

Transform = Callable[[Document, Random], Document]
ALTERATIONS: dict[str, Callable[[Document, Random], Document]] = {
    "labels-removed": layout.labels_removed,
    "relabelled": partial(layout.relabelled, split=Split.HELD_OUT),
    "one-line": layout.one_plain_line,
    "upper": surface.upper,
    "lower": surface.lower,
    "no-accents": surface.without_accents,
    "typos": surface.typos,
    "nfd": surface.decomposed,
    "crlf": surface.crlf,
    "unseen-names": replacement.unseen_names,
}


@dataclass(frozen=True, slots=True)
class Step:
    """A change that is applied with the probability `chance`."""

    name: str
    transform: Transform
    chance: float


@dataclass(frozen=True, slots=True)
class Recipe:
    """An ordered list of steps that take their words from one side of the split.

    The order matters: first the content, then the layout, then the spelling. A copy gets at most one of the steps of a
    group in `exclusive`.
    """

    split: Split
    steps: tuple[Step, ...]
    exclusive: tuple[frozenset[str], ...] = ()

    def only(self, names: Iterable[str]) -> Recipe:
        """The recipe with only these steps, each of which is always applied."""
        wanted = tuple(names)
        known = {step.name: step for step in self.steps}
        for name in wanted:
            if name not in known:
                raise UnknownNameError(f"there is no transform called {name[:40]!r}; there are: {', '.join(known)}")
        steps = tuple(replace(step, chance=1.0) for step in self.steps if step.name in wanted)
        return replace(self, steps=steps, exclusive=())

    def apply(self, document: Document, rng: Random) -> Document:
        """Make one copy."""
        done: set[str] = set()
        for step in self.steps:
            barred = any(step.name in group and done & group for group in self.exclusive)
            if rng.random() < step.chance and not barred:
                document = step.transform(document, rng)
                done.add(step.name)
        return document


_ONE_CASE = frozenset({"dictated", "upper", "lower", "mixed-case"})
_WHOLLY_NEW = tuple(frozenset({"synthetic", name}) for name in ("sentences", "identities", "header"))

_TYPOS = Step("typos", surface.typos, 0.12)
_UPPER = Step("upper", surface.upper, 0.12)
_LOWER = Step("lower", surface.lower, 0.14)
_NO_ACCENTS = Step("no-accents", surface.without_accents, 0.15)

TRAINING = Recipe(
    Split.TRAINING,
    (
        Step("synthetic", synthesis.synthetic_note, 0.7),
        Step("sentences", synthesis.with_added_sentences, 0.5),
        Step("identities", replacement.new_identities, 0.7),
        Step("header", layout.restyled, 0.5),
        Step("relabel", layout.relabelled, 0.3),
        Step("unlabel", layout.some_labels_removed, 0.3),
        Step("one-line", layout.one_line, 0.15),
        _TYPOS,
        Step("scanned", surface.scanned, 0.04),
        Step("faxed", surface.badly_scanned, 0.08),
        Step("misread", surface.misread, 0.15),
        Step("spacing", surface.spacing, 0.1),
        Step("dictated", surface.dictated, 0.11),
        _UPPER,
        _LOWER,
        Step("mixed-case", surface.mixed_case, 0.1),
        _NO_ACCENTS,
        Step("nfd", surface.decomposed, 0.04),
        Step("crlf", surface.crlf, 0.03),
    ),
    exclusive=(_ONE_CASE, *_WHOLLY_NEW),
)

HELD_OUT = Recipe(
    Split.HELD_OUT,
    (
        Step("synthetic", partial(synthesis.synthetic_note, split=Split.HELD_OUT), 0.5),
        Step("sentences", partial(synthesis.with_added_sentences, split=Split.HELD_OUT), 0.5),
        Step("identities", replacement.unseen_names, 0.7),
        Step("header", partial(layout.restyled, split=Split.HELD_OUT), 0.5),
        Step("relabel", partial(layout.relabelled, split=Split.HELD_OUT), 0.5),
        Step("one-line", layout.one_plain_line, 0.15),
        _TYPOS,
        _UPPER,
        _LOWER,
        _NO_ACCENTS,
    ),
    exclusive=(_ONE_CASE, *_WHOLLY_NEW),
)

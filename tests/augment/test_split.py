"""Held-out names, places, labels and templates never occur in training."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

import pytest

from augment.notes import invented
from nadie.augment import ALTERATIONS, HELD_OUT, TRAINING, Split, augment, seeded
from nadie.augment.fields import field_labels
from nadie.augment.grammar import rules
from nadie.augment.split import name_split
from nadie.augment.vocabulary import InventedWords, vocabulary
from nadie.spanish.folding import fold
from nadie.tokens.tokenizer import tokenize

KNOWN = vocabulary(Split.TRAINING)
UNSEEN = vocabulary(Split.HELD_OUT)
PARTICLES = frozenset("de del la las los el y i d da do dos das al ben bin ibn san santa van der von di".split())


def words(names: Iterable[str]) -> set[str]:
    split = (fold(name).replace("-", " ").replace("'", " ").split() for name in names)
    return {word for parts in split for word in parts} - PARTICLES


def letters(label: str) -> str:
    """The letters and digits of a label, folded, as a key for comparison."""
    return "".join(c for c in fold(label) if c.isalnum())


def people(side: InventedWords) -> set[str]:
    return words(name for pool in (*side.given.values(), *side.surnames.values()) for name in pool.values)


def places(side: InventedWords) -> set[str]:
    towns = {town for regions in side.regions.values() for region in regions for town in region.towns}
    named = {name for names in (*side.hospitals.values(), *side.institutions.values()) for name in names}
    return {fold(name) for name in towns | named | set(side.streets) | set(side.companies)}


def test_names_of_people_share_no_word() -> None:
    assert len(people(KNOWN)) > 4000
    assert len(people(UNSEEN)) > 500
    assert not people(KNOWN) & people(UNSEEN)


def test_places_and_institutions_share_no_name() -> None:
    assert len(places(KNOWN)) > 3000
    assert len(places(UNSEEN)) > 400
    assert not places(KNOWN) & places(UNSEEN)


def test_professions_share_none() -> None:
    assert not {m for m, _ in KNOWN.professions} & {m for m, _ in UNSEEN.professions}


def test_field_labels_share_none() -> None:
    known = {letters(label) for labels in field_labels(Split.TRAINING).values() for label in labels}
    unseen = {letters(label) for labels in field_labels(Split.HELD_OUT).values() for label in labels}
    assert field_labels(Split.TRAINING).keys() == field_labels(Split.HELD_OUT).keys()
    assert len(known) > 500
    assert not known & unseen


def test_templates_share_none() -> None:
    sides = rules(Split.TRAINING), rules(Split.HELD_OUT)
    shared = {name for name in sides[0] if sides[0][name] == sides[1][name]}
    known, unseen = ({line for name in side.keys() - shared for line in side[name]} for side in sides)
    assert len(known) > 300
    assert len(unseen) > 40
    assert not known & unseen


@pytest.mark.parametrize("recipe", [TRAINING, HELD_OUT], ids=["training", "held-out"])
def test_names_in_the_copies_come_from_their_own_side(recipe: object) -> None:
    """Also the invented surnames, which are in no table."""
    assert recipe in (TRAINING, HELD_OUT)
    chosen = TRAINING if recipe is TRAINING else HELD_OUT
    other = Split.HELD_OUT if chosen is TRAINING else Split.TRAINING
    copies = augment([invented()], 200, 0, recipe=chosen.only(["synthetic"]))
    for document in copies:
        for span in document.spans:
            if span.label == "NOMBRE_SUJETO_ASISTENCIA":
                for token in tokenize(document.text_of(span)):
                    whole = len(token.text) > 4 and token.text.isalpha()
                    assert not whole or name_split(token.text) is not other, token.text


def test_unseen_names_are_unseen() -> None:
    changed = [ALTERATIONS["unseen-names"](invented(), seeded(0, "x", i)) for i in range(40)]
    known = people(KNOWN)
    for document in changed:
        for span in document.spans:
            if span.label in ("NOMBRE_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO"):
                whole = {fold(t.text) for t in tokenize(document.text_of(span)) if len(t.text) > 3}
                assert not whole & known


@pytest.mark.corpus
def test_unseen_names_are_not_in_the_training_corpus(meddocan: Path) -> None:
    texts = (path.read_text(encoding="utf-8") for path in sorted((meddocan / "train" / "brat").glob("*.txt")))
    seen = {fold(token.text) for text in texts for token in tokenize(text)}
    assert not {word for word in people(UNSEEN) if len(word) > 3} & seen


def test_the_tables_are_small() -> None:
    root = Path(str(files("nadie.augment"))) / "data"
    assert sum(file.stat().st_size for file in root.rglob("*") if file.is_file()) < 1_500_000

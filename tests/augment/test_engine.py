"""Copies are the same for the same seed, and every span covers the right text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from augment.notes import invented, texts
from nadie.augment import HELD_OUT, TRAINING, augment, augmented_copy, copy_sets
from nadie.augment.recipes import Recipe
from nadie.document import Document
from nadie.errors import UnknownNameError
from nadie.labels import LABELS

DOCUMENTS = [invented("a"), invented("b"), Document("empty", ""), Document("bare", "Sin nada que decir.\n")]


def same(one: Document, other: Document) -> bool:
    return (one.id, one.text, one.spans) == (other.id, other.text, other.spans)


def test_the_same_seed_gives_the_same_copies() -> None:
    once, again = list(augment(DOCUMENTS, 5, 3)), list(augment(DOCUMENTS, 5, 3))
    assert all(same(a, b) for a, b in zip(once, again, strict=True))
    other = list(augment(DOCUMENTS, 5, 4))
    assert sum(a.text != b.text for a, b in zip(once, other, strict=True)) > 10


def test_order_and_company_do_not_matter() -> None:
    forwards = {d.id: d for d in augment(DOCUMENTS, 3, 9)}
    backwards = {d.id: d for d in augment(DOCUMENTS[::-1], 3, 9)}
    assert forwards.keys() == backwards.keys()
    assert all(same(forwards[key], backwards[key]) for key in forwards)
    assert same(augmented_copy(DOCUMENTS[1], 2, 9), forwards["b-aug2"])


def test_copies_differ_from_each_other_and_have_their_own_ids() -> None:
    copies = list(augment(DOCUMENTS[:1], 20, 0))
    assert len({d.id for d in copies}) == 20
    assert len({d.text for d in copies}) > 15


@pytest.mark.parametrize("recipe", [TRAINING, HELD_OUT], ids=["training", "held-out"])
def test_spans_are_clean(recipe: Recipe) -> None:
    """No span begins or ends with white space or a stop, crosses a line, or overlaps another."""
    for document in augment(DOCUMENTS[:2], 150, 1, recipe=recipe):
        end = -1
        for span in document.spans:
            text = document.text_of(span)
            assert text == text.strip(), (document.id, span)
            assert text[0] not in ".,;:", (document.id, span)
            assert text[-1] not in ",;:", (document.id, span)
            assert "\n" not in text, (document.id, span)
            assert span.start >= end, (document.id, span)
            end = span.end


def test_every_label_is_produced() -> None:
    seen = {span.label for document in augment(DOCUMENTS[:1], 2500, 5) for span in document.spans}
    assert seen == LABELS


@pytest.mark.parametrize("name", [step.name for step in TRAINING.steps])
def test_each_transform_alone(name: str) -> None:
    recipe = TRAINING.only([name])
    for document in DOCUMENTS:
        changed = augmented_copy(document, 0, 2, recipe=recipe)
        assert changed.text or not document.text
    changed = augmented_copy(DOCUMENTS[0], 0, 2, recipe=recipe)
    assert changed.text != DOCUMENTS[0].text


def test_identities_change_and_the_clinical_text_stays() -> None:
    changed = augmented_copy(DOCUMENTS[0], 1, 0, recipe=TRAINING.only(["identities"]))
    assert "Montalbán" not in changed.text
    assert "Peñalver" not in changed.text
    assert "hematuria de tres semanas" in changed.text
    assert [label for label, _ in texts(changed)] == [label for label, _ in texts(DOCUMENTS[0])]
    physicians = [text for label, text in texts(changed) if label == "NOMBRE_PERSONAL_SANITARIO"]
    assert physicians[0] == physicians[1]


def test_told_sentences_leave_the_note_in_order() -> None:
    changed = augmented_copy(DOCUMENTS[0], 0, 0, recipe=TRAINING.only(["sentences"]))
    old, new = texts(DOCUMENTS[0]), iter(texts(changed))
    assert len(changed.text) > len(DOCUMENTS[0].text)
    assert all(item in new for item in old)


def test_an_unknown_transform_is_named() -> None:
    with pytest.raises(UnknownNameError, match="sideways"):
        TRAINING.only(["upper", "sideways"])


def test_copies_to_train_on_are_made_of_what_people_annotated() -> None:
    note = DOCUMENTS[0]
    silver = replace(note, id="silver", meta={"silver": "true"})
    first, second = copy_sets([note, silver], 2, seed=1)
    assert [copy.id for copy in (*first, *second)] == ["a-aug0", "a-aug1"]
    assert first[0].text != second[0].text

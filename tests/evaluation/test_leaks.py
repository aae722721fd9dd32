"""Characters and documents: what stays readable."""

from __future__ import annotations

import pytest

from evaluation.build import DATE, NAME, TOWN, document, pair_of
from nadie.evaluation.leaks import CharacterCounts, characters, characters_by_label, is_safe, leaked

GOLD = document("Ana Ruiz, de Soria (12-A)", ("Ana Ruiz", NAME), ("Soria", TOWN), ("(12-A)", TOWN))


@pytest.mark.parametrize(
    ("found", "counts", "readable"),
    [
        ((), CharacterCounts(18, 0, 0), 15),
        ((("Ana Ruiz", NAME), ("Soria", TOWN), ("(12-A)", TOWN)), CharacterCounts(18, 18, 18), 0),
        ((("Ana Ruiz", DATE), ("Soria", DATE), ("(12-A)", DATE)), CharacterCounts(18, 18, 18), 0),
        # The signs of (12-A) stay; no letter or digit does.
        ((("Ana Ruiz", NAME), ("Soria", TOWN), ("12", TOWN), ("A)", TOWN)), CharacterCounts(18, 16, 16), 0),
        ((("na Ruiz, de Soria (12-A)", NAME),), CharacterCounts(18, 20, 17), 1),
        ((("de", NAME),), CharacterCounts(18, 2, 0), 15),
        ((("Ana", NAME), ("Ana Ruiz", TOWN)), CharacterCounts(18, 7, 7), 8),
    ],
)
def test_what_is_covered(found: tuple[tuple[str, str], ...], counts: CharacterCounts, readable: int) -> None:
    pair = pair_of(GOLD, *found)
    assert characters(pair) == counts
    assert leaked(pair) == readable
    assert is_safe(pair) is (readable == 0)


def test_shares() -> None:
    counts = CharacterCounts(gold=10, system=8, both=6) + CharacterCounts(gold=2, system=0, both=0)
    assert counts.leaked == 6
    assert counts.leaked_share == 0.5
    assert counts.recall == 0.5
    assert counts.precision == 0.75


def test_nothing_to_protect_is_nothing_leaked() -> None:
    counts = characters(pair_of(document("Sin datos.")))
    assert (counts.recall, counts.precision, counts.leaked_share) == (1.0, 1.0, 0.0)
    assert is_safe(pair_of(document("Sin datos."), ("datos", NAME)))


def test_each_type_is_covered_by_any_other() -> None:
    pair = pair_of(GOLD, ("Ana", TOWN), ("Soria", DATE))
    assert characters_by_label(pair) == {NAME: CharacterCounts(7, 3, 3), TOWN: CharacterCounts(11, 5, 5)}


def test_letters_outside_of_ascii_count() -> None:
    gold = document("Íñigo Ĉ٣", ("Íñigo Ĉ٣", NAME))
    assert leaked(pair_of(gold)) == 7

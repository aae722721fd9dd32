"""Keyed permutations: FF1 against the samples that NIST publishes with SP 800-38G, and small domains as a whole."""

from __future__ import annotations

import pytest

from nadie.anonymize.permutations import ff1, permuted

KEY_128 = "2B7E151628AED2A6ABF7158809CF4F3C"
KEY_192 = f"{KEY_128}EF4359D8D580AA4F"
KEY_256 = f"{KEY_192}7F036D6F04FC6A94"
FIGURES, LETTERS = "0123456789", "0123456789abcdefghi"
BACKWARDS, MIXED = "39383736353433323130", "3737373770717273373737"
SIGNS = "0123456789abcdefghijklmnopqrstuvwxyz"


def written(number: int, radix: int, length: int) -> str:
    signs = ""
    for _ in range(length):
        number, sign = divmod(number, radix)
        signs = SIGNS[sign] + signs
    return signs


@pytest.mark.parametrize(
    ("key", "radix", "tweak", "plain", "encrypted"),
    [
        (KEY_128, 10, "", FIGURES, "2433477484"),
        (KEY_128, 10, BACKWARDS, FIGURES, "6124200773"),
        (KEY_128, 36, MIXED, LETTERS, "a9tv40mll9kdu509eum"),
        (KEY_192, 10, "", FIGURES, "2830668132"),
        (KEY_192, 10, BACKWARDS, FIGURES, "2496655549"),
        (KEY_192, 36, MIXED, LETTERS, "xbj3kv35jrawxv32ysr"),
        (KEY_256, 10, "", FIGURES, "6657667009"),
        (KEY_256, 10, BACKWARDS, FIGURES, "1001623463"),
        (KEY_256, 36, MIXED, LETTERS, "xs8a0azh2avyalyzuwd"),
    ],
)
def test_the_samples_of_nist(key: str, radix: int, tweak: str, plain: str, encrypted: str) -> None:
    number = ff1(int(plain, radix), radix, len(plain), bytes.fromhex(key), bytes.fromhex(tweak))
    assert written(number, radix, len(plain)) == encrypted


@pytest.mark.parametrize("size", [1, 2, 3, 10, 90, 999, 2340])
def test_every_number_of_a_small_domain_is_met_once(size: int) -> None:
    found = [permuted(number, size, b"k" * 32, b"t") for number in range(size)]
    assert sorted(found) == list(range(size))
    assert size < 90 or sum(a == b for a, b in enumerate(found)) < 8
    assert size < 90 or found != [permuted(number, size, b"k" * 32, b"u") for number in range(size)]


def test_numbers_of_a_large_domain_stay_different_and_within() -> None:
    size = 9_000_000
    found = {permuted(number, size, b"k" * 32, b"t") for number in range(0, size, 4_507)}
    assert len(found) == len(range(0, size, 4_507))
    assert max(found) < size

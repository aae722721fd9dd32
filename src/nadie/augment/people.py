"""Invented persons, and the ways in which notes write names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random

from nadie.augment.invention import invented_word
from nadie.augment.passage import AnnotatedText, join, marked
from nadie.augment.split import Split, choose_names, name_split
from nadie.augment.vocabulary import InventedWords, pick, pick_name
from nadie.spanish import tables
from nadie.spanish.folding import TILDE, without_accents
from nadie.spanish.name_forms import pet_name
from nadie.spanish.names import GIVEN_ABBREVIATIONS, SURNAME_ABBREVIATIONS

_ORIGINS_SPAIN = {
    "es": 58, "la": 7, "ca": 7, "eu": 6, "gl": 5, "ar": 5, "ro": 4, "zh": 2, "uk": 2, "af": 2, "in": 1, "west": 1,
}  # fmt: skip
_ORIGINS_AMERICA = {"es": 56, "la": 40, "west": 2, "zh": 1, "ar": 1}
FOREIGN = frozenset({"ar", "ro", "zh", "uk", "af", "in"})
_ONE_SURNAME = FOREIGN | {"west"}
_FAMILY_NAME_FIRST = 0.5  # the share of Chinese names with the family name first
_SHORTENED = GIVEN_ABBREVIATIONS | SURNAME_ABBREVIATIONS


@dataclass(frozen=True, slots=True)
class InventedPerson:
    """A person with a sex, a given name and one or two surnames."""

    sex: str
    given: str
    surnames: tuple[str, ...]
    origin: str

    @property
    def surname(self) -> str:
        return " ".join(self.surnames)

    @property
    def full(self) -> str:
        return f"{self.given} {self.surname}"


def new_person(words: InventedWords, rng: Random, *, country: str = "ES", sex: str = "") -> InventedPerson:
    """A person who could live in `country`."""
    weights = _ORIGINS_SPAIN if country == "ES" else _ORIGINS_AMERICA
    origin = rng.choices(tuple(weights), tuple(weights.values()))[0]
    sex = sex or rng.choice("mf")
    given = pick_name(words.given[origin, sex], rng)
    if origin in ("es", "la") and " " not in given and rng.random() < 0.22:
        second = pick_name(words.given["es", sex], rng)
        given = f"{given} {second}" if second not in given and " " not in second else given
    count = 1 if origin in _ONE_SURNAME and rng.random() < 0.8 else 2
    surnames = tuple(_surname(words, origin, rng) for _ in range(count))
    if count == 2 and rng.random() < 0.04:
        surnames = (f"{surnames[0]}-{surnames[1]}",)
    elif count == 2 and origin == "ca" and rng.random() < 0.2:
        surnames = (surnames[0], f"i {surnames[1]}")
    return InventedPerson(sex, given, surnames, origin)


def _surname(words: InventedWords, origin: str, rng: Random) -> str:
    share = rng.random()
    if share < 0.07:
        return invented_word("surname", words.split, rng)
    if share < 0.09:
        return pick(_eponyms(words.split), rng)
    if origin in ("ca", "eu", "gl", "la") and share < 0.45:
        origin = "es"
    return pick_name(words.surnames[origin], rng)


@cache
def _eponyms(split: Split) -> tuple[str, ...]:
    """Surnames that are also in the names of diseases and signs: Dr. Wilson is a person."""
    return choose_names((row[2] for row in tables.rows("eponyms.tsv") if row[2:]), split)


def shortened(name: str, rng: Random) -> str:
    """`Mª Carmen Fdez. Ruiz`: a name with common abbreviations."""
    words = []
    for word in name.split(" "):
        options = _SHORTENED.get(word, ())
        short = rng.choice(options) + rng.choice((".", ".", "")) if options else word
        words.append(short if rng.random() < 0.7 else word)
    return " ".join(words)


def initials(person: InventedPerson, rng: Random) -> str:
    letters = [word[0].upper() for word in person.full.split() if word[0].isupper()]
    return rng.choice((". ".join(letters) + ".", ".".join(letters) + ".", "".join(letters)))


def nickname(person: InventedPerson) -> str:
    """The pet name of the first given name, or the given name where that is on the other side of the split."""
    first = person.given.split()[0]
    pet = pet_name(first)
    return pet if name_split(pet) is name_split(first) else first


def write_full(person: InventedPerson, label: str, rng: Random) -> AnnotatedText:
    """A whole name in one of the orders of hospital forms. A comma separates two spans (guidelines, M1.1)."""
    given, surname = person.given, person.surname
    share = rng.random()
    if share < 0.12:
        given, surname = shortened(given, rng), shortened(surname, rng)
    elif share < 0.2:
        given, surname = without_accents(given, TILDE), without_accents(surname, TILDE)
    if rng.random() < 0.25:
        given, surname = given.upper(), surname.upper()
    order = rng.random()
    if person.origin == "zh" and order < _FAMILY_NAME_FIRST:
        return marked(f"{surname} {given}", label)
    if order < 0.58:
        return marked(f"{given} {surname}", label)
    if order < 0.86:
        comma = rng.choice((", ", ", ", ", ", ",", " , "))
        return join((marked(surname, label), AnnotatedText(comma), marked(given, label)))
    if order < 0.96:
        return marked(f"{surname} {given}", label)
    return marked(f"{given.split()[0][0]}. {surname}", label)

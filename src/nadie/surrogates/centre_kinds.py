"""Recognising the form of a hospital's, health centre's or institution's name."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from nadie.labels import Label
from nadie.spanish import tables
from nadie.spanish.centre_words import KINDS, LINKS, is_only_kind
from nadie.spanish.folding import key_of, words_of
from nadie.spanish.word_lists import Lists
from nadie.surrogates.addresses import Address
from nadie.surrogates.bodies import bodies_like, is_body, is_body_word

_LISTS = Lists("centres", "nadie.surrogates")
LINK = re.compile(r"(?:de las|de los|de la|del|de)\s+", re.IGNORECASE)
MEDICAL = (Label.HOSPITAL, Label.CENTRO_SALUD)
_LINK_WITHIN = re.compile(r"\s+(?:de la|del|de)\s+", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:['’.][^\W\d_]+)*|\d+")
_SHORT_KIND = re.compile(
    r"(?:[A-ZÑ]{2,8}|[A-Z]/[A-Z]|(?:[A-ZÑ]\.){2,6}|[A-ZÑ][a-zñ]{2,7}\.)\s+(?=[^\W\d_]{2,}\D*$)(?![A-ZÑ]{2,}\b)"
)
_LONGEST_ACRONYM = 9
_SHORT_HEADS = frozenset("h hg hu hc hr hm hgu hcu hgr hosp chu".split())
_UNSAID = frozenset("de del los las y".split())
_ARTICLES = frozenset("la el i e".split())
_INSURER = re.compile(r"\b(?:isapre|eps(?: s)?|ars)\b")


class Centre(NamedTuple):
    """A centre: the words for its kind (`head`), the particle after them (`link`) and its proper name (`tail`)."""

    value: str
    label: str
    address: Address
    before: str
    head: str
    link: str
    tail: str


def is_faculty(value: str) -> bool:
    """Whether every university has one of that name: `Facultad de Odontología`."""
    head, _, tail = split(value)
    return not tail and key_of(head).split(" de ")[0] in ("facultad", "departamento", "catedra")


def is_acronym(value: str) -> bool:
    return value.isupper() and value.isalpha() and len(value) <= _LONGEST_ACRONYM


def short_kind(centre: Centre) -> re.Match[str] | None:
    is_kind = centre.label != Label.HOSPITAL or centre.value[:2] in _LISTS["hospital initials"]
    if centre.label == Label.INSTITUCION and not is_short_kind(centre.value.split()[0]):
        return None  # `MC` may be the name itself
    return _SHORT_KIND.match(centre.value) if is_kind and not centre.head else None


def is_short_kind(word: str) -> bool:
    """Whether an abbreviation names a kind of centre or a body that every region has: `CPN`, `Fcia.`, `SEDES`."""
    letters = "".join(words_of(word))
    is_known = letters in tables.words("acronyms") or letters in _LISTS.words("bear names") or word in _LISTS["bodies"]
    return is_known or not word.isupper()


def is_called_by_kind(centre: Centre) -> bool:
    """Whether a hospital is named by a word for its kind alone: `al Escuela`."""
    return centre.label == Label.HOSPITAL and key_of(centre.value) in _LISTS.words("called by a kind")


def is_bare_kind(centre: Centre) -> bool:
    """Whether the value is only a word for a kind of hospital or health centre: `el comarcal`."""
    is_one_word = not centre.tail and len(words_of(centre.head)) == 1
    return is_one_word and not centre.address.towns and centre.label in MEDICAL


def is_named_after(centre: Centre) -> bool:
    """Whether a reader expects the name of a person, saint or place after the kind, and not what the body does."""
    if centre.label in MEDICAL or not centre.head:
        return True
    words = words_of(centre.head)
    return not _LISTS.words("bear names").isdisjoint((*words, "".join(words)))  # `U.E.` is ue


def is_prison(centre: Centre) -> bool:
    return centre.head == "CP" and key_of(centre.tail) in tables.town_codes()


def is_of_town(centre: Centre) -> bool:
    is_named = key_of(centre.tail) in tables.town_codes() or is_body(words_of(centre.head))
    return not centre.tail or ((bool(centre.link) or has_short_head(centre)) and is_named)


def has_short_head(centre: Centre) -> bool:
    """Whether the kind is abbreviated: `H.G. Segovia`."""
    return key_of(centre.head).replace(" ", "") in _SHORT_HEADS


def has_short_kind(word: str) -> bool:
    return word in _SHORT_HEADS


def known_like(centre: Centre) -> tuple[str, ...]:
    """Police, ambulances and insurers of the same kind, where the value is one of these."""
    folded, insurers = key_of(centre.value), tuple(_insurers().values())
    if centre.label == Label.INSTITUCION and (alike := bodies_like(centre.value)):
        return alike
    own = f" {folded.removeprefix('mutua ')}"
    if work := tuple(name for name in _LISTS["work insurers"] if key_of(name).endswith(own)):
        return tuple(name for name in _LISTS["work insurers"] if name not in work)
    if folded in _insurers():  # `Sanitas` insures health, and is no `Ibermutua`
        return tuple(name for name in insurers if not any(work.endswith(name) for work in _LISTS["work insurers"]))
    if key_of(centre.head) == "mutua" and centre.tail:
        return tuple(name for name in insurers if name.startswith("Mutua") and centre.tail not in name)
    if centre.label == Label.INSTITUCION and (insured := _INSURER.sub("", folded).strip()):
        abroad = next((names for names in _insurers_abroad() if insured in names), {})
        kind = "Isapre " if folded.startswith("isapre") else ""
        return tuple(kind + name for own, name in abroad.items() if own != insured)
    return ()


@cache
def _insurers_abroad() -> tuple[dict[str, str], ...]:
    """For each country, the folded names of its insurers, without `EPS` and the like, and the names."""
    kinds = (kind for kind in _LISTS.names() if kind.startswith("insurers "))
    return tuple({_INSURER.sub("", key_of(name)).strip(): name for name in _LISTS[kind]} for kind in kinds)


@cache
def _insurers() -> dict[str, str]:
    """Folded name → name of the insurers of Spain, which have so many members that they identify nobody."""
    rows = (row[2] for row in tables.rows("institutions.tsv") if row[:2] == ["ES", "insurer"])
    return {key_of(name): name for names in rows for name in names.split("|")}


def split(value: str, *, is_body: bool = False) -> tuple[str, str, str]:
    """A name in three parts: the words for the kind of centre, the particle after them, and the proper name."""
    for link in _LINK_WITHIN.finditer(value):
        head, town = value[: link.start()], value[link.end() :]
        if is_only_kind(words_of(head)) and key_of(town) in tables.town_codes():
            return head, link.group(), town
    end = 0
    for match in _WORD.finditer(value):
        word = key_of(match.group()).replace(" ", "")  # I.E. is ie
        if match.start() == 0 and word in _SHORT_HEADS:
            end = match.end()
            continue
        if word not in KINDS and word not in LINKS and not (is_body and is_body_word(word)):
            return _cut(value, end)
        end = end if word in LINKS else match.end()
    return value[:end].rstrip(), "", ""


def _cut(value: str, end: int) -> tuple[str, str, str]:
    end += value[end : end + 1] == "."
    rest = value[end:].lstrip(" \"'-,")
    link = LINK.match(rest)
    tail = rest[link.end() :] if link else rest
    return value[:end], f" {link.group().strip()} " if link else "", tail.strip(" \"'")


def initials_of(value: str) -> str:
    """The initials by which a centre is known: `HULP` of `Hospital Universitario La Paz`."""
    return _initials(value, _UNSAID)


def all_initials_of(value: str) -> frozenset[str]:
    """Such initials, also with the conjunction (`HURYC`) and without articles (`HSCSP`)."""
    return frozenset(_initials(value, unsaid) for unsaid in (_UNSAID, _UNSAID - {"y"}, _UNSAID | _ARTICLES))


def is_initials_of(letters: str, value: str) -> bool:
    return letters in all_initials_of(value)


def _initials(value: str, unsaid: frozenset[str]) -> str:
    words = (word for word in words_of(value) if word not in unsaid)
    return "".join(word if word.isdigit() else word[0].upper() for word in words)  # `HU12O`

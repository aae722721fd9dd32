"""Parsing a written name into first names, surnames and initials, each with its written form.

Spanish names have many orders and abbreviations: `Ana Pérez Soto`, `PEREZ SOTO, ANA`, `PEREZ^ANA`, `Sra. Pérez`,
`M.ª Ángeles de la Fuente`, `Fco. Glez.`, or the first name and the surnames in two fields of a form.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from nadie.persons.mending import NAME_PARTICLES, as_letters, mended
from nadie.spanish import tables
from nadie.spanish.folding import fold, key_of, same_length
from nadie.spanish.name_forms import is_pet_name
from nadie.spanish.name_kin import american_bearers, is_native, kin_elsewhere, listed_sex
from nadie.spanish.names import (
    FEMALE_TITLES,
    FIRST_NAME_TITLES,
    MALE_TITLES,
    SHORT_GIVEN,
    SHORT_SURNAMES,
    SHORT_TITLES,
)
from nadie.spanish.population import bearers, is_given_elsewhere, is_named_elsewhere, surname_bearers
from nadie.spanish.word_lists import Lists

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*(?:\.?[ºª])?\.?")
_LINKS = frozenset(("y", "i", "e"))
_SURNAMES_BEFORE = re.compile(r"apellidos?(?! y nombre)\W*$")
_GIVEN_BEFORE = re.compile(r"(?<!apellidos y )nombres?\W*$")
_STUDY = "img|dsc|scan|foto|doc|informe|alta|rx|tc|tac|rm|rmn|eco|ecg|pet|us|ct|mr"
_FILE_BEGINNING = re.compile(rf"(?:{_STUDY})_", re.I)
_FILE_ENDING = re.compile(
    rf"(?:_(?:{_STUDY}|\d+))*(?:\.(?:dcm|pdf|jpe?g|png|docx?|txt|xlsx?|tiff?|zip|xml|json|csv|rtf|odt|html?|mp4)\b.*|$)",
    re.I,
)
_MOST_INITIALS = 4
_FAR = ("ar", "af", "zh", "in")
_MARY = ("maria", "mari")  # `Joxe Mari`
_GENDER = Lists("gender")
_VOWELS = frozenset("aeiou")
_PET = re.compile(r"[a-z]{2,3}[yi]|[a-z]{2,6}it[ao]")  # `Lety`, `Chelita`, where no table has them
_TITLES = MALE_TITLES | FEMALE_TITLES | SHORT_TITLES
_RATHER = 20
_SOME = 500
_FEW = 100
_DEVOTIONS = frozenset("valle mar cielo transito refugio".split())
_CHILE = 3  # as many people live in Spain as in Chile


class Kind(Enum):
    GIVEN = "given"
    SURNAME = "surname"


@dataclass(slots=True)
class Part:
    """One first name or one surname: `value[start:end]`, known as `key`.

    `has_particle` is true for `de la Fuente`, whose key is `fuente`, and `is_after_de` for `de Miguel`. `of` is the
    person's name that the part stands for, if it is written in another way, as a pet name or with a typing error.
    """

    start: int
    end: int
    raw: str
    key: str
    is_initial: bool = False
    is_short: bool = False
    has_particle: bool = False
    is_after_de: bool = False
    kind: Kind = Kind.SURNAME
    of: str = ""


@dataclass(frozen=True, slots=True)
class Name:
    """A parsed name. `sex` is that of its title: `m`, `f` or empty; `is_titled` is true after `Dr.` and the like."""

    parts: tuple[Part, ...]
    sex: str
    is_titled: bool = False

    def keys(self, kind: Kind) -> tuple[str, ...]:
        return tuple(part.key for part in self.parts if part.kind is kind and not part.is_initial)

    @property
    def full(self) -> list[Part]:
        """The parts that are written out."""
        return [part for part in self.parts if not part.is_initial]

    @property
    def initials(self) -> list[Part]:
        return [part for part in self.parts if part.is_initial]


def parse(value: str, before: str = "", *, only: Kind | None = None, lone: Kind = Kind.SURNAME) -> Name:
    """Parse the name in `value`; `before` is the text before it, where forms name the field.

    With `only` all parts are first names or all are surnames; `lone` is used for a single word that no table has.
    """
    value = as_letters(value)
    before = same_length(before[-40:]).rstrip("\x00")
    named = _FILE_ENDING.sub("", value)
    start = prefix.end() if (prefix := _FILE_BEGINNING.match(named)) else 0
    words = mended([(match.start(), match.end(), match.group()) for match in _WORD.finditer(named, start)], named)
    titles = [_bare(word) for word in re.split(r"[\s|=]+", before.rstrip())[-1:]]
    while len(words) > 1 and _is_title(words[0][2], words[1][2]):
        titles.append(key_of(words.pop(0)[2]))
    parts = _letters(words) or _units(value, words)
    if only is None:
        _tell_apart(parts, value, before, titles, lone)
    else:
        for part in parts:
            part.kind = only
    sex = "f" if any(t in FEMALE_TITLES for t in titles) else "m" if any(t in MALE_TITLES for t in titles) else ""
    return Name(tuple(parts), sex, any(t[:2] in ("dr", "do", "pr") and t not in FIRST_NAME_TITLES for t in titles))


def _bare(word: str) -> str:
    """`d.ª` → `dna`, `dr.` → `dr`."""
    word = word.strip('(«"[:|')
    return "dna" if word in ("d.ª", "dª", "d.ª.", "da.") else word.strip(".:,")


def _is_title(word: str, following: str) -> bool:
    key = key_of(word)
    if key == "d":  # Don before a first name, and an initial before a surname
        first = key_of(following)
        return "ª" in word or (len(first) > 1 and bearers(first) > surname_bearers(first))
    is_short = word.endswith(".") and key.rstrip(".") in SHORT_TITLES
    return key in MALE_TITLES or key in FEMALE_TITLES or is_short


def _letters(words: list[tuple[int, int, str]]) -> list[Part]:
    """The initials in a short word in capitals that is not itself a name: `ASV`, not `ANA`."""
    if len(words) != 1:
        return []
    start, _, raw = words[0]
    folded = key_of(raw)
    is_known = bearers(folded) or surname_bearers(folded) or is_pet_name(folded) or is_named_elsewhere(folded)
    is_written_so = raw.isupper() or (raw.islower() and _VOWELS.isdisjoint(folded))  # `mjv`
    if not raw.isalpha() or not is_written_so or not 2 <= len(raw) == len(folded) <= _MOST_INITIALS or is_known:
        return []
    return [Part(start + n, start + n + 1, raw[n], folded[n], is_initial=True) for n in range(len(raw))]


def _units(value: str, words: list[tuple[int, int, str]]) -> list[Part]:
    """Join words with the particles before them: `de la Fuente` is one surname, `Ortiz de Pinedo` are two."""
    parts: list[Part] = []
    opened: int | None = None
    particles: list[str] = []
    for start, end, raw in words:
        key = key_of(raw.rstrip("."))
        is_particle = key in NAME_PARTICLES and len(words) > 1 and (raw.islower() or len(key) > 1)
        if is_particle and (raw.islower() or (start, end) != words[-1][:2]):
            opened = start if opened is None else opened
            particles.append(key)
            continue
        part = _part(start, end, raw, key)
        if opened is not None and _is_devotion(key, parts, is_last=(start, end) == words[-1][:2]):
            parts[-1].end, parts[-1].raw = end, value[parts[-1].start : end]
            opened, particles = None, []
            continue
        if opened is not None and not part.is_initial and not _is_link(particles):
            part.start, part.raw, part.has_particle = opened, value[opened : part.end], True
        part.is_after_de = particles == ["de"]
        parts.append(part)
        opened, particles = None, []
    return parts


def _is_devotion(key: str, parts: list[Part], *, is_last: bool) -> bool:
    """Whether a word with a particle goes with the first name before it: `Juan de Dios`, `Génesis del Valle Rondón`."""
    if not parts or surname_bearers(parts[-1].key) > bearers(parts[-1].key):
        return False
    return key == "dios" or (key in _DEVOTIONS and not is_last)


def _is_link(particles: list[str]) -> bool:
    """Whether a word is `y` or a bare `de`, which is kept between two names: `Ortiz de Pinedo`, `Ana Soto de Gil`."""
    return particles == ["de"] or particles[0] in _LINKS


def _part(start: int, end: int, raw: str, key: str) -> Part:
    bare = fold(raw.rstrip(".").replace(".", ""))
    if bare in SHORT_GIVEN and (bare != "ma" or raw.endswith(".")):
        return Part(start, end, raw, SHORT_GIVEN[bare], is_short=True, kind=Kind.GIVEN)
    if bare in SHORT_SURNAMES:
        return Part(start, end, raw, SHORT_SURNAMES[bare], is_short=True)
    if raw.endswith(".") and len(key) > 1:
        end, raw = end - 1, raw[:-1]
    return Part(start, end, raw, key, is_initial=len(key) == 1)


def _tell_apart(parts: list[Part], value: str, before: str, titles: list[str], lone: Kind) -> None:
    """Mark each part as a first name or a surname."""
    if not parts:
        return
    comma = min((at for sign in ",^" if (at := value.find(sign)) >= 0), default=-1)
    if _SURNAMES_BEFORE.search(before):
        given: range = range(0)
    elif comma >= 0 and parts[0].end <= comma < parts[-1].start:
        given = range(sum(part.end <= comma for part in parts), len(parts))
    elif len(parts) == 1:
        given = range(int(_alone_is_given(parts[0], before, titles, lone)))
    elif _reversed(parts):
        given = range(_trailing_given(parts), len(parts))
    elif _is_only_surname(parts[0]) and not _begins_with_given(parts):
        given = range(0)
    else:
        given = range(_leading_given(parts, all_given=_GIVEN_BEFORE.search(before) is not None))
    for place, part in enumerate(parts):
        part.kind = Kind.GIVEN if place in given else Kind.SURNAME
        if place and value[parts[place - 1].end : part.start] == "-":
            if not _is_only_surname(part):
                part.kind = parts[place - 1].kind  # `Jean-Baptiste`
            elif len(parts) == 2:
                parts[0].kind = part.kind  # `Johnson-Ortiz`


def _alone_is_given(part: Part, before: str, titles: list[str], lone: Kind) -> bool:
    given, family = bearers(part.key), surname_bearers(part.key)
    if any(title in FIRST_NAME_TITLES for title in titles) or (given == family == 0 and _PET.fullmatch(part.key)):
        return True
    if titles and given > _RATHER * family:
        return True  # `Sra. Ester`, `Dra. Mercedes`
    if any(title.rstrip(".") in _TITLES for title in titles) or part.has_particle:
        return False
    if part.kind is Kind.GIVEN or is_pet_name(part.key):
        return True
    rather_given = lone is Kind.GIVEN or _GIVEN_BEFORE.search(before) is not None
    if given == family == 0:
        return (
            rather_given
            or is_given_elsewhere(part.key)
            or _is_listed_given(part.key)
            or (
                part.key.endswith("a") and not is_named_elsewhere(part.key) and not _is_foreign(part.key)  # `Awilda`
            )
        )
    return given > family or (rather_given and 50 * (given + _CHILE * american_bearers(part.key)) > family)


def _is_only_surname(part: Part) -> bool:
    """Whether nearly nobody has the part as a first name: `PEREZ`."""
    is_surname = surname_bearers(part.key) > 20 * bearers(part.key) and not is_given_elsewhere(part.key)
    is_surname = is_surname and kin_elsewhere(part.key, "given_names") not in _FAR  # `Abselam Heddi Laarbi`
    is_surname = is_surname or (is_native(part.key) and not bearers(part.key))
    return is_surname and not part.is_initial and not part.is_short


def _begins_with_given(parts: list[Part]) -> bool:
    """Whether a first name follows what is rather a surname, and then a surname: `Reina Elizabeth Cornejo`."""
    first, last = parts[0].key, parts[-1].key
    is_name = len(parts) > 2 and bearers(first) >= _FEW and _is_given(parts[1].key, 4)
    return is_name and surname_bearers(last) > 20 * bearers(last)


def _reversed(parts: list[Part]) -> bool:
    """Whether the first part can only be a surname and the last only a first name: `Pérez Soto Ana`."""
    first, last = parts[0].key, parts[-1].key
    if parts[0].is_initial or surname_bearers(first) <= 20 * bearers(first):
        return False
    if parts[-1].is_initial:
        return True  # `Pérez Soto A.`
    is_listed = all(part.raw.isupper() and not part.is_initial for part in parts)  # as in lists of patients
    if len(parts) > 2 and not surname_bearers(last) and not parts[-1].is_initial:
        surnames = all(surname_bearers(part.key) > 20 * bearers(part.key) for part in parts[:2])
        if surnames or (is_listed and not _is_given(parts[1].key, 1) and surname_bearers(parts[1].key)):
            return True  # `MAMANI QUISPE WILBER`, `Quispe Mamani Wara`
    if is_listed and (_is_given(last, 4) if len(parts) > 2 else bearers(last) > surname_bearers(last)):
        return True  # `PEREZ SOTO ROSARIO`, `CHOQUE NINA ROSA`, `JIMENEZ NIEVES`
    return bearers(last) > 20 * surname_bearers(last) and bearers(last) > 0


def _is_given(key: str, times: int) -> bool:
    """Whether a folded word is a first name that many times more people have than the surname."""
    given = bearers(key) + _CHILE * american_bearers(key)
    return given > times * surname_bearers(key) or is_given_elsewhere(key)


def _is_listed_given(key: str) -> bool:
    """Whether a word that nobody in Spain has as a surname is a first name of another origin."""
    is_listed = listed_sex(key) or key in _GENDER.words("names of women") or key in _GENDER.words("names of men")
    return bool(is_listed) and not surname_bearers(key)


def _is_foreign(key: str) -> bool:
    """Whether a word that no table has is spelled like a surname of another language: `Colella`."""
    return kin_elsewhere(key, "surnames") != "es"


def _trailing_given(parts: list[Part]) -> int:
    """Where the first names at the end begin: `PEREZ SOTO MARIA JOSE` has two."""
    start = len(parts) - 1
    while start > 1 and parts[start].is_initial and parts[start - 1].is_initial:
        start -= 1
    while start > 2:
        previous, part = parts[start - 1], parts[start]
        if f"{previous.key} {part.key}" not in tables.double_names() and not _is_given(previous.key, 4):
            break
        start -= 1
    return start


def _leading_given(parts: list[Part], *, all_given: bool) -> int:
    """The number of first names at the beginning: at least one, and not all parts."""
    if len(parts) == 2 and (
        f"{parts[0].key} {parts[1].key}" in tables.double_names()
        or (parts[1].key in _MARY and bearers(parts[0].key) > surname_bearers(parts[0].key))
        or all(bearers(part.key) > max(_SOME, _RATHER * surname_bearers(part.key)) for part in parts)
    ):
        return 2  # `Ana Karen`
    if all_given and all(part.is_initial or bearers(part.key) for part in parts) and len(parts) < 3:
        return len(parts)
    count = 1
    while count < len(parts) - 1:
        previous, part = parts[count - 1], parts[count]
        double = f"{previous.key} {part.key}" in tables.double_names() or part.key in _MARY
        certain = bearers(part.key) > 4 * surname_bearers(part.key) and not part.has_particle
        if not (double or certain or part.is_initial or (part.is_short and part.kind is Kind.GIVEN)):
            break
        count += 1
    return count

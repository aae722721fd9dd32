"""A person's name as it is written → first names, surnames, initials, and how each is written.

Spanish names come in many orders and cuts: `Ana Pérez Soto`, `PEREZ SOTO, ANA`, `Sra. Pérez`, `M.ª Ángeles de la
Fuente`, `Fco. Glez.`, or the first name and the surnames in two fields of a form.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from nadie.spanish import tables
from nadie.spanish.folding import fold, key_of, same_length
from nadie.spanish.names import (
    FEMALE_TITLES,
    FIRST_NAME_TITLES,
    MALE_TITLES,
    PARTICLES,
    SAINTS,
    SHORT_GIVEN,
    SHORT_SURNAMES,
)

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*(?:\.?[ºª])?\.?")
_PARTICLES = PARTICLES - {"d"} | SAINTS
_SURNAMES_BEFORE = re.compile(r"apellidos?(?! y nombre)\W*$")
_GIVEN_BEFORE = re.compile(r"(?<!apellidos y )nombre\W*$")


class Kind(Enum):
    GIVEN = "given"
    SURNAME = "surname"


@dataclass(slots=True)
class Part:
    """One first name or one surname: `value[start:end]`, known as `key`, particles and all."""

    start: int
    end: int
    raw: str
    key: str
    initial: bool = False
    abbreviated: bool = False
    kind: Kind = Kind.SURNAME


@dataclass(frozen=True, slots=True)
class Name:
    """A name taken apart. `sex` is what titles tell: `m`, `f` or empty."""

    parts: tuple[Part, ...]
    sex: str

    def keys(self, kind: Kind) -> tuple[str, ...]:
        return tuple(part.key for part in self.parts if part.kind is kind and not part.initial)


def parse(value: str, before: str = "") -> Name:
    """The name in `value`; `before` is the text that stands before it, where forms name the field."""
    before = same_length(before[-40:]).rstrip("\x00")
    words = [(match.start(), match.end(), match.group()) for match in _WORD.finditer(value)]
    titles = [word.strip(".:") for word in before.split()[-1:]]
    while len(words) > 1 and _is_title(words[0][2], words[1][2]):
        titles.append(key_of(words.pop(0)[2]))
    parts = _units(words)
    _tell_apart(parts, value, before, titles)
    sex = "f" if any(t in FEMALE_TITLES for t in titles) else "m" if any(t in MALE_TITLES for t in titles) else ""
    return Name(tuple(parts), sex)


def _is_title(word: str, following: str) -> bool:
    key = key_of(word)
    if key == "d":
        return len(key_of(following)) > 1
    return key in MALE_TITLES or key in FEMALE_TITLES


def _units(words: list[tuple[int, int, str]]) -> list[Part]:
    """Words with the particles before them: `de la Fuente` is one surname, `Ortiz de Pinedo` is one as well."""
    parts: list[Part] = []
    opened: int | None = None
    joins = False
    for start, end, raw in words:
        key = key_of(raw.rstrip("."))
        if key in _PARTICLES and len(words) > 1 and (raw.islower() or len(key) > 1) and (start, end) != words[-1][:2]:
            opened = start if opened is None else opened
            joins = key == "de" or key == "del"
            continue
        part = _part(opened if opened is not None else start, end, raw, key)
        compound = opened is not None and joins and parts and _joins_surname(parts[-1])
        if compound:
            last = parts.pop()
            part = Part(last.start, end, raw, f"{last.key} de {key}")
        parts.append(part)
        opened, joins = None, False
    return parts


def _joins_surname(before: Part) -> bool:
    """`Ortiz de Pinedo`, but not `Ana de Miguel` and not `María del Carmen`."""
    return not before.initial and before.key in tables.surnames() and before.key not in tables.given_names()


def _part(start: int, end: int, raw: str, key: str) -> Part:
    bare = fold(raw.rstrip(".").replace(".", ""))
    if bare in SHORT_GIVEN and (bare != "ma" or raw.endswith(".")):
        return Part(start, end, raw, SHORT_GIVEN[bare], abbreviated=True, kind=Kind.GIVEN)
    if bare in SHORT_SURNAMES:
        return Part(start, end, raw, SHORT_SURNAMES[bare], abbreviated=True)
    return Part(start, end, raw, key, initial=len(key) == 1)


def _tell_apart(parts: list[Part], value: str, before: str, titles: list[str]) -> None:
    """Mark each part as a first name or a surname."""
    if not parts:
        return
    comma = value.find(",")
    if _SURNAMES_BEFORE.search(before):
        given: range = range(0)
    elif comma >= 0 and parts[0].end <= comma < parts[-1].start:
        given = range(sum(part.end <= comma for part in parts), len(parts))
    elif len(parts) == 1:
        given = range(int(_alone_is_given(parts[0], before, titles)))
    elif _only_surnames(parts):
        given = range(0)
    elif _reversed(parts):
        given = range(len(parts) - 1, len(parts))
    else:
        given = range(_leading_given(parts, all_given=_GIVEN_BEFORE.search(before) is not None))
    for place, part in enumerate(parts):
        part.kind = Kind.GIVEN if place in given else Kind.SURNAME


def _alone_is_given(part: Part, before: str, titles: list[str]) -> bool:
    if any(title in FIRST_NAME_TITLES for title in titles) or _GIVEN_BEFORE.search(before):
        return True
    if any(title in MALE_TITLES or title in FEMALE_TITLES for title in titles):
        return False
    return part.kind is Kind.GIVEN or _is_given(part)


def _is_given(part: Part) -> bool:
    name = tables.given_names().get(part.key)
    return part.abbreviated or (name is not None and (part.key not in tables.surnames() or _bearers(part.key) > 20000))


def _bearers(key: str) -> int:
    name = tables.given_names().get(key)
    return 0 if name is None else name.men + name.women


def _only_surnames(parts: list[Part]) -> bool:
    """`Ordóñez Rivas`: nothing in it is a first name, and the first is known as a surname."""
    return parts[0].key in tables.surnames() and not any(p.initial or p.abbreviated or _bearers(p.key) for p in parts)


def _reversed(parts: list[Part]) -> bool:
    """`Pérez Soto Ana`: begins with what is only a surname, ends with what is only a first name."""
    first, last = parts[0].key, parts[-1].key
    return (
        first in tables.surnames()
        and first not in tables.given_names()
        and last in tables.given_names()
        and last not in tables.surnames()
    )


def _leading_given(parts: list[Part], *, all_given: bool) -> int:
    """How many parts at the beginning are first names; at least one, and one is left over for the surname."""
    if len(parts) == 2 and f"{parts[0].key} {parts[1].key}" in tables.double_names():
        return 2
    if all_given and all(part.initial or _bearers(part.key) for part in parts) and len(parts) < 3:
        return len(parts)
    count = 1
    while count < len(parts) - 1:
        previous, part = parts[count - 1], parts[count]
        double = f"{previous.key} {part.key}" in tables.double_names()
        certain = _bearers(part.key) > 0 and part.key not in tables.surnames()
        if not (double or certain or part.initial or (part.abbreviated and part.kind is Kind.GIVEN)):
            break
        count += 1
    return count

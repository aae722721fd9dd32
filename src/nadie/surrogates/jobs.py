"""Invented professions and other occupations, in the grammatical gender of the original."""

from __future__ import annotations

import re
from functools import cache

from nadie.spanish import tables
from nadie.spanish.folding import key_of, same_length, words_of
from nadie.spanish.word_lists import Lists
from nadie.surrogates.draws import Draws
from nadie.surrogates.job_fields import professions_like
from nadie.surrogates.spelling import in_case_of

_LISTS = Lists("jobs", "nadie.surrogates")

_TEACHING = frozenset(("da", "imparte", "ensena"))
_GRADE = re.compile(r"(?<!\d)([1-6])(?=\s?(?:\.?[ºª°]|er\b|do\b|ro\b|to\b|ero\b))")
_GRADES = ("primero", "segundo", "tercero", "cuarto", "quinto", "sexto", "séptimo", "octavo", "noveno", "décimo")
_GRADE_WORD = re.compile(
    rf"(?i)\b({'|'.join(_GRADES)}|primer|tercer)(?= (?:de |año |curso |grado )?(?:de "
    rf")?(?:primaria|secundaria|eso|bachillerato|básica|"
    r"grado|año|preparatoria|bach|media))"
)
_BEFORE_NOUN = re.compile(r"(?i) (?:año|curso|grado)\b")
_STATES = ("retired", "unemployed", "at home")
_SHORTEST_WORD = 4  # `TES`, `DUE`: initials of a profession
_STUDENT_OF = 2


def another(value: str, key: Draws, scope: str, sex: str, *, has_employer: bool = False) -> str | None:
    """Another profession in the same gender; None if the value does not begin like a profession.

    With `has_employer`, one that fits any employer, because an employer is named beside it.
    """
    parts = words_of(value)
    if grade := _another_grade(value):
        return grade
    if not parts or any(c.isdigit() for c in parts[0]):
        return None
    identity = ("job", scope, key_of(value))
    head = parts[0]

    def one_of(pool: tuple[str, ...]) -> str:
        return in_case_of(key.choose(pool, lambda c: key_of(c) != key_of(value), *identity) or "", value)

    for state in _STATES:
        for column in (0, 1):
            if any(key_of(row[column]) == key_of(value) for row in _LISTS.pairs(state)):
                return one_of(tuple(dict.fromkeys(row[column] for row in _LISTS.pairs(state))))
    if key_of(value) in _LISTS.words("home"):
        return one_of(_LISTS["branches"])
    if (done := _another_activity(head, len(parts), has_employer=has_employer)) is not None:
        return one_of(done)
    prefix = "ex " if head == "ex" and len(parts) > 1 else ""
    head = parts[1] if prefix else head
    if head.startswith("ex") and len(head) > 6 and head[2:] in _genders():
        prefix, head = "ex", head[2:]
    gender = int(sex == "f") if value.isupper() and len(value) < _SHORTEST_WORD else _gender(head, sex)
    if gender is None:
        return None
    if head == "estudiante" and len(parts) > _STUDENT_OF:
        return one_of(tuple(f"estudiante de {subject}" for subject in _LISTS["subjects"]))
    is_pupil = head in _LISTS.words("is a pupil")
    like = " ".join(parts[1:] if prefix == "ex " else parts)
    names = (
        tuple(row[gender] for row in _LISTS.pairs("pupils"))
        if is_pupil
        else professions_like(like, gender, has_employer=has_employer)
    )
    own = key_of(value)
    one = key.choose(names, lambda c: key_of(c).split()[0] != head or (is_pupil and key_of(c) != own), *identity)
    return None if one is None else in_case_of(prefix + one, value)


def _another_activity(head: str, words: int, *, has_employer: bool) -> tuple[str, ...] | None:
    """Replacements for an activity, expressed by a verb or a noun: `vende flores`, `venta de flores`."""
    does = _LISTS.words("does")
    if head in _TEACHING and words > 1:
        return _LISTS["teaches"]
    if head in ("estudia", "cursa"):
        return _LISTS["studies"]
    if head in does:
        return ("trabaja en la limpieza",) if has_employer else _working("trabaja")
    if head in _LISTS.words("doing"):
        return _working("trabajando")
    if words > 1 and head.endswith("aba") and head[:-2] in does:
        return _working("trabajaba")
    if words > 1 and (head[:-1] in does or head == "dar"):
        return _working("trabajar")
    return _LISTS.get(f"activity {head}") or None if words > 1 else None


def _working(verb: str) -> tuple[str, ...]:
    return tuple(f"{verb} en {place}" for place in _LISTS["workplaces"])


def _another_grade(value: str) -> str | None:
    """`5.º de Primaria` → `4.º de Primaria`, `cuarto de secundaria` → `tercero de secundaria`."""
    if figure := _GRADE.search(value):
        number = int(figure[1])
        most = 2 if "bach" in value.lower() else 4 if "eso" in value.lower() else 6
        other = number - 1 if number > 1 else number + 1
        return value[: figure.start(1)] + str(min(other, most)) + value[figure.end(1) :]
    word = _GRADE_WORD.search(value)
    if word is None:
        return None
    place = next(n for n, grade in enumerate(_GRADES) if same_length(grade).startswith(same_length(word[1])))
    new = _GRADES[place - 1 if place else 1]
    if new in ("primero", "tercero") and _BEFORE_NOUN.match(value, word.end()):
        new = new[:-1]
    return value[: word.start(1)] + in_case_of(new, word[1]) + value[word.end(1) :]


@cache
def _genders() -> dict[str, set[int]]:
    """Folded first word of a profession → the columns of the table that have it: 0 for men, 1 for women."""
    found: dict[str, set[int]] = {}
    for row in tables.rows("professions.tsv"):
        for column in (0, 1):
            if words := words_of(row[column] if len(row) > column else ""):
                found.setdefault(words[0], set()).add(column)
    return found


def _gender(head: str, sex: str) -> int | None:
    """The column of the table that a profession belongs to, by the patient's sex if the word has one form for both."""
    known = _genders().get(head, set())
    if head in _LISTS.words("male") or head in _LISTS.words("female"):
        return int(head in _LISTS.words("female"))
    if head in _LISTS.words("of either sex") or head.endswith(_LISTS["endings of either sex"]):
        return int(sex == "f")
    if len(known) == 1 and head[-1] in "oar":
        return 1 if head.endswith("a") else 0
    if len(head) < 4 or not head.isalpha():
        return None
    if head.endswith("a"):
        return 1
    return 0 if head.endswith(("o", "or", "n", "s", "z")) else int(sex == "f")

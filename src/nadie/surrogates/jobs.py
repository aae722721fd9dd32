"""Professions generalized to their group of occupations: `soldador` → `trabajador del metal`.

An activity keeps the form of its verb (`teje sombreros` → `trabaja en el textil`, `vendía flores` → `trabajaba en el
comercio`). Words that half a country shares (`jubilada`, `estudiante`, `ama de casa`) and years of school stay. Where a
policy asks for it, a profession becomes another one of its group.
"""

from __future__ import annotations

import re
from functools import cache

from nadie.spanish import tables
from nadie.spanish.folding import key_of, same_length, words_of
from nadie.spanish.word_lists import Lists
from nadie.surrogates.decision import KEEP, Outcome
from nadie.surrogates.draws import Draws
from nadie.surrogates.occupations import Group, group_of, groups
from nadie.surrogates.spelling import in_case_of

_LISTS = Lists("jobs", "nadie.surrogates")
_EVERYBODY = re.compile(rf"{_LISTS.pattern('of everybody')}")
_NO_LONGER = re.compile(rf"{_LISTS.pattern('no longer')}\b")
_STUDIES = re.compile(
    r"(?:estudiant[ea]s?|alumn[oa]s?|escolar(?:es)?|colegial(?:es|a)?|estudia(?:ba|n|ndo|r)?|cursa(?:ba|n)?)\b"
)
_TOKEN = re.compile(r"[a-z]+|\d+")
_PREFIX = re.compile(r"(?:(?:de|como) (?=\w)|ex[ -]+|antigu[oa] |actual |aprendiz de |aprendiza de )")
_WORKS_AS = re.compile(r"\b(?:trabaj(?!ador)\w+|empleo) (?:de|como) (?:una? )?")
_ENDS_WORKING = re.compile(r"\b(?:trabaj(?!ador)\w+|empleo) (?:en [^.;]{1,40} )?(?:de|como) (?:una? )?$")
_WORKS = re.compile(r"\btrabaj\w+ $")
_WORKER = re.compile(r"^trabajador(?:a|es|as)?\b")
_EMPLOYEE = {
    "trabajador": "empleado",
    "trabajadora": "empleada",
    "trabajadores": "empleados",
    "trabajadoras": "empleadas",
}
_CONTINUES = re.compile(r"\s+(?:del?|en|por)\b")
_FEWEST = 3
_PLURAL = re.compile(r"\w{2,}(?:ores|oras|eros|eras|istas|antes|entes|ros|ras|nos|nas|cos|cas)\b")


def is_continued(value: str, after: str) -> bool:
    """Whether a word that several trades share is told apart by what follows: `interno` of `interno de medicina`."""
    return key_of(value) in _LISTS.words("of several trades") and _CONTINUES.match(after) is not None


def generalized(value: str, sex: str, before: str = "") -> Outcome | None:
    """The general word for a profession or an activity, in its gender and number; None if it is not understood.

    After `trabaja de`, in the text `before`, nobody is called a worker once more.
    """
    folded = same_length(value).strip()
    if _EVERYBODY.fullmatch(folded) or _is_school(folded):
        return KEEP
    if known := _NO_LONGER.match(folded):
        return value[: known.end()] if known.end() < len(value) else KEEP  # `jubilado de la mina`
    if learns := _STUDIES.match(folded):
        return value[: learns.end()] if learns.end() < len(value) else KEEP
    if works := _WORKS_AS.match(folded):
        rest = generalized(value[works.end() :], sex, value[: works.end()])
        return value[: works.end()] + rest if isinstance(rest, str) else rest
    if key_of(value) in _generals():
        return KEEP
    prefix, rest = _split(value)
    words = words_of(rest)
    group = group_of(rest)
    if not words or (group is None and not _verb(words)):
        return None
    new = _activity(words, group) or (group and _noun(words[0], group, sex))
    if new is None or (new == "trabajando" and _WORKS.search(same_length(before[-40:]))):
        return None  # `trabaja poniendo parqué`
    if _ENDS_WORKING.search(same_length(before[-40:])):
        new = _WORKER.sub(lambda found: _EMPLOYEE[found.group()], new)
    new = prefix + (new if prefix else in_case_of(new, value))
    return KEEP if key_of(new) == key_of(value) else new


def _is_school(folded: str) -> bool:
    """Whether it is only a year or a kind of school: `5.º de Primaria`, `cursa noveno grado`."""
    tokens = {token for token in _TOKEN.findall(folded) if not token.isdigit()}
    years, schools = _LISTS.words("years of school"), _LISTS.words("schools")
    return not tokens.isdisjoint(years | schools) and tokens <= years | schools | _LISTS.words("in school")


@cache
def _generals() -> frozenset[str]:
    forms = (
        group.called(column, is_plural=many)
        for group in groups().values()
        for column in (0, 1)
        for many in (False, True)
    )
    return frozenset(map(key_of, forms))


def _split(value: str) -> tuple[str, str]:
    """`ex` and what follows: `exminero`, `ex minero`, `antigua maestra`."""
    folded = same_length(value)
    if found := _PREFIX.match(folded):
        return value[: found.end()], value[found.end() :]
    head = folded[2:].partition(" ")[0]
    is_joined = folded.startswith("ex") and head in _genders() and f"ex{head}" not in _genders()
    return (value[:2], value[2:]) if is_joined else ("", value)


def _verb(words: list[str]) -> str:
    """The form of `trabajar` that an activity has; empty if the first word is no verb."""
    head, does = words[0], _LISTS.words("does")
    if head == "guarda" and not _LISTS.words("guards of").isdisjoint(words[1:2]):
        return ""  # `guarda de seguridad`, who is no verb
    if head in does:
        return "trabaja"
    if head[:-1] in does and head.endswith("n"):
        return "trabajan"
    if head.endswith(("ando", "iendo")):
        return "trabajando"
    if len(words) > 1 and ((head.endswith("aba") and head[:-2] in does) or head in _LISTS.words("did")):
        return "trabajaba"
    return "trabajar" if len(words) > 1 and (head[:-1] in does or head in _LISTS.words("to do")) else ""


def _activity(words: list[str], group: Group | None) -> str | None:
    verb = _verb(words)
    if not verb and group and words[0] in _LISTS.words("activities"):
        return f"trabajo en {group.place}" if group.place else None
    return (verb and (f"{verb} en {group.place}" if group and group.place else verb)) or None


def _noun(head: str, group: Group, sex: str) -> str | None:
    column = _gender(head, sex)
    if column is None:
        return None
    return group.called(column, is_plural=_PLURAL.fullmatch(head) is not None and head not in _LISTS.words("one"))


def another(value: str, key: Draws, scope: str, sex: str) -> Outcome | None:
    """Another profession of the same group and gender; for an activity, or if the group has few, the general word."""
    prefix, rest = _split(value)
    words, group = words_of(rest), group_of(rest)
    column = _gender(words[0], sex) if words else None
    if group is None or column is None or _verb(words) or not isinstance(generalized(value, sex), str):
        return generalized(value, sex)
    others = tuple(name for name in _professions(group, column) if words_of(name)[0] != words[0])
    chosen = key.choose(others, lambda _: True, "job", scope, key_of(value)) if len(others) >= _FEWEST else None
    if chosen is None:
        return generalized(value, sex)
    return prefix + (chosen if prefix else in_case_of(chosen, value))


@cache
def _professions(group: Group, column: int) -> tuple[str, ...]:
    """The professions of a group, for men (0) or women (1)."""
    names = (row[column] for row in tables.professions() if _LISTS.words("not drawn").isdisjoint(row))
    return tuple(name for name in names if group_of(name) == group)


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

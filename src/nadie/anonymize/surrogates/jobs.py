"""Invented professions, of a man for a man's and of a woman for a woman's."""

from __future__ import annotations

from nadie.anonymize.secret import Key
from nadie.anonymize.surrogates.spelling import in_case_of
from nadie.spanish import tables
from nadie.spanish.folding import key_of, words_of

_FEMALE_ENDINGS = ("ora", "era", "aria", "ada", "ica", "oga", "esa", "iva", "ina", "ata", "enta")
_MALE_ENDINGS = ("or", "ero", "ario", "ado", "ico", "ogo", "ivo", "ino", "ato")
_EITHER_ENDINGS = ("ista", "ante", "ente")
_EITHER = frozenset("militar auxiliar policia albanil comercial conserje contable profesional portavoz juez".split())
_EX = "ex"


def another(value: str, key: Key, scope: str, sex: str) -> str | None:
    """Another profession of the same sex, or None where the first word does not look like one."""
    parts = words_of(value)
    if not parts:
        return None
    former = parts[0] == _EX and len(parts) > 1
    head = parts[1] if former else parts[0]
    gender = _gender(head, sex)
    if gender is None:
        return None
    pool = tuple(row[gender] for row in tables.professions())
    chosen = key.choose(pool, lambda c: key_of(c).split()[0] != head, "job", scope, key_of(value))
    return None if chosen is None else in_case_of(f"ex {chosen}" if former else chosen, value)


def _gender(head: str, sex: str) -> int | None:
    """The column of the table that a profession belongs to; that of the patient where the word fits both."""
    for man, woman in tables.professions():
        if key_of(man) != key_of(woman) and head in (key_of(man), key_of(woman)):
            return int(head == key_of(woman))
    if head in _EITHER or head.endswith(_EITHER_ENDINGS):
        return 1 if sex == "f" else 0
    if head.endswith(_FEMALE_ENDINGS):
        return 1
    return 0 if head.endswith(_MALE_ENDINGS) else None

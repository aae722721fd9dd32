"""Invented professions, of a man for a man's and of a woman for a woman's, and other things that people do."""

from __future__ import annotations

from functools import cache

from nadie.anonymize.secret import Key
from nadie.anonymize.surrogates.spelling import in_case_of
from nadie.spanish import tables
from nadie.spanish.folding import key_of, words_of

_EITHER_ENDINGS = (
    "ista",
    "ante",
    "ente",
    "iatra",
    "atra",
    "ense",
    "il",
    "al",
    "ar",
    "iz",
    "e",
    "arca",
    "auta",
    "crata",
)
_EITHER = frozenset(
    "militar auxiliar policia albanil comercial conserje contable profesional portavoz juez chofer guia atleta piloto "
    "taxista luthier chef portero capataz soldado guardia guardafauna baqueano modelo agente interprete".split()
)
_MALE = frozenset("hombre amo senor peon capitan varon baqueano".split())
_FEMALE = frozenset("mujer ama senora sor".split())
_DOES = frozenset(
    "vende trabaja estudia cuida maneja conduce ensena cultiva repara limpia hace atiende pesca siembra cose ayuda "
    "cocina borda despacha reparte corta carga lava plancha recoge empaca".split()
)
_DOING = frozenset(("vendiendo", "trabajando", "cuidando", "haciendo", "limpiando", "cultivando", "colocando"))
_WORKS = tuple(
    f"trabaja en {place}"
    for place in (
        "un almacén", "una oficina", "una tienda de ropa", "un taller", "un supermercado", "una panadería",
        "una fábrica", "un restaurante", "una empresa de transportes", "una imprenta", "un vivero", "una ferretería",
    )
)  # fmt: skip
_TO_WORK = tuple(work.replace("trabaja", "trabajar") for work in _WORKS)
_STUDIES = ("estudia formación profesional", "estudia bachillerato", "estudia idiomas", "estudia informática")
_PUPILS = (("estudiante", "estudiante"), ("alumno de instituto", "alumna de instituto"), ("escolar", "escolar"))
_STATES = (
    (
        ("jubilado", "jubilada"),
        ("pensionista", "pensionista"),
        ("retirado", "retirada"),
        ("prejubilado", "prejubilada"),
    ),
    (("parado", "parada"), ("desempleado", "desempleada"), ("en paro", "en paro"), ("sin empleo", "sin empleo")),
    (("ama de casa", "ama de casa"), ("sus labores", "sus labores"), ("tareas del hogar", "tareas del hogar")),
)
_SHORTEST_WORD = 4  # `TES`, `DUE`: initials of a profession
_ODD = frozenset(("diplomático", "trapecista", "community manager", "sereno"))  # few, or wrong for women
_SUBJECTS = ("derecho", "magisterio", "informática", "economía", "arquitectura", "turismo", "farmacia", "biología")
_STUDENT_OF = 2
_IS_PUPIL = frozenset("estudiante alumno alumna escolar".split())
_BRANCHES = ("hostelería", "comercio", "limpieza", "construcción", "transporte", "administración", "agricultura")
_HOME = frozenset(("hogar", "labores", "sus labores", "tareas del hogar", "s l"))


def another(value: str, key: Key, scope: str, sex: str) -> str | None:
    """Another profession of the same sex, or None where the first word is none of a profession."""
    parts = words_of(value)
    if not parts or any(c.isdigit() for c in parts[0]):
        return None
    identity = ("job", scope, key_of(value))
    head = parts[0]
    for state in _STATES:
        for column in (0, 1):
            if any(key_of(row[column]) == key_of(value) for row in state):
                words = tuple(dict.fromkeys(row[column] for row in state))
                return in_case_of(key.choose(words, lambda c: key_of(c) != key_of(value), *identity) or "", value)
    if key_of(value) in _HOME:
        return in_case_of(key.choose(_BRANCHES, lambda c: True, *identity) or "", value)
    if head in _DOES or head in _DOING:
        pool = _STUDIES if head == "estudia" else _WORKS
        chosen = key.choose(pool, lambda c: key_of(c) != key_of(value), *identity) or ""
        return in_case_of(chosen.replace("trabaja", "trabajando") if head in _DOING else chosen, value)
    if len(parts) > 1 and head.endswith(("ar", "er", "ir")) and head not in _genders() and head not in _EITHER:
        return in_case_of(key.choose(_TO_WORK, lambda c: key_of(c) != key_of(value), *identity) or "", value)
    prefix = "ex " if head == "ex" and len(parts) > 1 else ""
    head = parts[1] if prefix else head
    if head.startswith("ex") and len(head) > 6 and head[2:] in _genders():
        prefix, head = "ex", head[2:]
    gender = int(sex == "f") if value.isupper() and len(value) < _SHORTEST_WORD else _gender(head, sex)
    if gender is None:
        return None
    if head == "estudiante" and len(parts) > _STUDENT_OF:
        subjects = tuple(f"estudiante de {subject}" for subject in _SUBJECTS)
        return in_case_of(key.choose(subjects, lambda c: key_of(c) != key_of(value), *identity) or "", value)
    rows = _PUPILS if head in _IS_PUPIL else tuple(row for row in tables.professions() if row[0] not in _ODD)
    names = tuple(row[gender] for row in rows)
    own = key_of(value)
    one = key.choose(names, lambda c: key_of(c).split()[0] != head or (rows is _PUPILS and key_of(c) != own), *identity)
    return None if one is None else in_case_of(prefix + one, value)


@cache
def _genders() -> dict[str, set[int]]:
    """Folded first word of a profession → the columns that it stands in: 0 for men, 1 for women."""
    found: dict[str, set[int]] = {}
    for row in tables.rows("professions.tsv"):
        for column in (0, 1):
            if words := words_of(row[column] if len(row) > column else ""):
                found.setdefault(words[0], set()).add(column)
    return found


def _gender(head: str, sex: str) -> int | None:
    """The column of the table that a profession belongs to; that of the patient where the word fits both."""
    known = _genders().get(head, set())
    if head in _MALE or head in _FEMALE:
        return int(head in _FEMALE)
    if head in _EITHER or head.endswith(_EITHER_ENDINGS):
        return int(sex == "f")
    if len(known) == 1 and head[-1] in "oar":
        return 1 if head.endswith("a") else 0
    if len(head) < 4 or not head.isalpha():
        return None
    if head.endswith("a"):
        return 1
    return 0 if head.endswith(("o", "or", "n", "s", "z")) else int(sex == "f")

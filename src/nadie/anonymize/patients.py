"""The patient of a document, who determines the shift of dates and the scope of identities.

Documents that contradict each other about patients are found here, too.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

import re2

from nadie.anonymize.csv_tables import read_table
from nadie.bounded import BoundedMap
from nadie.document import Document
from nadie.errors import ConfigError
from nadie.expressions import compiled
from nadie.labels import Label
from nadie.spanish.squashing import squash

HELP = "auto, none, meta:FIELD, id:PATTERN, folder, table:FILE or span"
_MOST_BYTES = 64 << 20
_DOCUMENT_COLUMNS = frozenset({"document", "documento", "file", "archivo", "fichero", "id"})
_PATIENT_COLUMNS = frozenset({"patient", "paciente"})
_RECORD = re2.compile(r"(?i)(?:\bN\.?\s?H\.?\s?C|\bH\.?\s?C\b|histori)[^0-9\n]{0,24}$")
_NATIONAL = re2.compile(r"(?:[0-9]{8}|[xyz][0-9]{7})[a-z]")
_LETTERS = "trwagmyfpdxbnjzsqvhlcke"
_BEFORE = 40
_TITLES = {0: "record numbers", 1: "national identity numbers", 2: "insurance numbers", 3: "patient numbers"}

Patient = Callable[[Document], str]


def patient_by(rule: str) -> Patient:
    """The function that identifies a document's patient.

    `auto`          by the metadata field `patient`, else the strongest identifier found; else as with `none`
    `none`          every document is its own patient
    `meta:FIELD`    by that field of the metadata, such as a column of a table
    `id:PATTERN`    by the pattern's first group in the document's id, such as `id:^([^/]+)/`
    `folder`        by the folder of the document
    `table:FILE`    by a CSV file with the columns `document` and `patient`
    `span`          by the strongest identifier found in the text

    If a field, a match or a span is missing, the document is an error and not a patient of its own, except with `auto`:
    its dates would be shifted by another number of days than in the patient's other notes, and nobody would notice.
    """
    kind, _, argument = rule.partition(":")
    if rule == "none":
        return lambda document: ""
    if rule == "auto":
        return _by_what_is_known
    if rule == "span":
        return lambda document: _patient_key(_strongest(document), document, rule)
    if rule == "folder":
        return lambda document: _patient_key(document.id.rpartition("/")[0], document, rule)
    if kind == "meta" and argument:
        return lambda document: _patient_key(document.meta.get(argument, ""), document, rule)
    if kind == "id" and argument:
        return _by_pattern(argument, rule)
    if kind == "table" and argument:
        return _by_table(_read_table(Path(argument)), rule)
    raise ConfigError(f"the patient is identified by {HELP}, not by {rule[:60]!r}")


def _patient_key(patient: str, document: Document, rule: str) -> str:
    if not patient:
        raise ConfigError(f"{rule.partition(':')[0]} does not identify its patient", where=document.id)
    return f"patient {patient}"


def _by_what_is_known(document: Document) -> str:
    found = document.meta.get("patient", "") or _strongest(document)
    return f"patient {found}" if found else ""


def _strongest(document: Document) -> str:
    return next((value for _, value in identifiers_of(document)), "")


def _by_pattern(pattern: str, rule: str) -> Patient:
    try:
        expression = compiled(pattern)
    except re2.error:
        raise ConfigError(f"the pattern of {rule[:60]!r} is not a valid RE2 regular expression") from None

    def patient(document: Document) -> str:
        match = expression.search(document.id)
        found = "" if match is None else match.group(1 if expression.groups else 0)
        return _patient_key(found or "", document, rule)

    return patient


def _by_table(table: dict[str, str], rule: str) -> Patient:
    def patient(document: Document) -> str:
        name = document.id.partition("#")[0]  # a row or a part of a file belongs to the patient of the file
        folders = name.split("/")
        names = (document.id, name, *("/".join(folders[:n]) for n in range(len(folders) - 1, 0, -1)))
        return _patient_key(next((table[each] for each in names if each in table), ""), document, rule)

    return patient


@lru_cache(maxsize=4)
def _read_table(path: Path) -> dict[str, str]:
    """Patients by document: its id, its file name with or without the suffix, or a folder for all files below it."""
    what = f"the table of patients {path.name}"
    names, lines, _ = read_table(path, _MOST_BYTES, what)
    at = [next((n for n, name in enumerate(names) if name in of), -1) for of in (_DOCUMENT_COLUMNS, _PATIENT_COLUMNS)]
    if min(at) < 0:
        raise ConfigError(f"{what} needs the columns document and patient in its first line")
    table: dict[str, str] = {}
    for line, row in lines:
        document, patient = (row[n] if n < len(row) else "" for n in at)
        where = f"{what}, line {line}"
        if not document or not patient:
            raise ConfigError(f"{where}: the document or the patient is missing")
        document = document.replace("\\", "/").removeprefix("./").rstrip("/")
        for name in {document, document.removesuffix(Path(document).suffix)}:
            if table.setdefault(name, patient) != patient:
                raise ConfigError(f"{where}: the document has another patient in a line above")
    return table


def identifiers_of(document: Document) -> list[tuple[int, str]]:
    """The patient's numbers in a document with their kinds, the strongest first, regardless of their order in the text.

    A record number is the strongest, since nearly every note of a hospital has it; then come national identity numbers
    with a correct check letter, insurance numbers, and other numbers of the patient. Of several numbers of one kind the
    most frequent is used, then the lowest.
    """
    counts = Counter(_identifiers(document))
    return sorted(counts, key=lambda item: (item[0], -counts[item], item[1]))


def _identifiers(document: Document) -> list[tuple[int, str]]:
    found = []
    for span in document.spans:
        if span.label not in (Label.ID_SUJETO_ASISTENCIA, Label.ID_ASEGURAMIENTO):
            continue
        value = squash(document.text_of(span))
        if not any(c.isdigit() for c in value):
            continue
        if span.label == Label.ID_ASEGURAMIENTO:
            found.append((2, value))
        elif _is_national(value):
            found.append((1, value))
        elif _RECORD.search(document.text[max(0, span.start - _BEFORE) : span.start]):
            found.append((0, value.lstrip("0") or value))
        else:
            found.append((3, value))
    return found


def _is_national(value: str) -> bool:
    if not _NATIONAL.fullmatch(value):
        return False
    digits = value[:-1].translate({ord("x"): "0", ord("y"): "1", ord("z"): "2"})
    return _LETTERS[int(digits) % 23] == value[-1]


class Conflicts:
    """Finds documents that contradict each other about patients. It stores hashes and document ids, no numbers."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._owners, self._numbers = BoundedMap(), BoundedMap()

    def add(self, document: Document, patient: str, name: str) -> None:
        """Compare a document of that patient, named `name`, with the previous ones."""
        whose = _hash(patient)
        by_kind: dict[int, list[str]] = defaultdict(list)
        for kind, value in identifiers_of(document):
            by_kind[kind].append(value)
        for kind, values in by_kind.items():
            if len(values) > 1:
                if kind < 2:
                    self.found.append(f"{name}: has {len(values)} different {_TITLES[kind]}")
                continue
            number = _hash(values[0])
            owner, _, other = self._owners.setdefault(f"{kind} {number}", f"{whose} {name}").partition(" ")
            if owner != whose:
                self.found.append(f"{name} and {other}: two patients with the same number among their {_TITLES[kind]}")
            known, _, other = self._numbers.setdefault(f"{kind} {whose}", f"{number} {name}").partition(" ")
            if known != number and kind < 2:
                self.found.append(f"{name} and {other}: one patient with different {_TITLES[kind]}")


def _hash(value: str) -> str:
    return blake2b(value.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()

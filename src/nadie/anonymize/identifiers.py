"""The numbers that identify a patient, the strongest first, and contradictions between documents."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from hashlib import blake2b

import re2

from nadie.anonymize.squash import squash
from nadie.bounded import BoundedMap
from nadie.document import Document
from nadie.labels import Label

_RECORD = re2.compile(r"(?i)(?:\bN\.?\s?H\.?\s?C|\bH\.?\s?C\b|histori)[^0-9\n]{0,24}$")
_NATIONAL = re2.compile(r"(?:[0-9]{8}|[xyz][0-9]{7})[a-z]")
_LETTERS = "trwagmyfpdxbnjzsqvhlcke"
_BEFORE = 40
_TITLES = {0: "record numbers", 1: "national identity numbers", 2: "insurance numbers", 3: "patient numbers"}


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

    def __init__(self, patient: Callable[[Document], str]) -> None:
        self.found: list[str] = []
        self._patient = patient
        self._owners, self._numbers = BoundedMap(), BoundedMap()

    def add(self, document: Document, name: str) -> None:
        """Compare a document, named `name`, with the previous ones."""
        patient = self._patient(document)
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
            if not patient:
                continue
            owner, _, other = self._owners.setdefault(f"{kind} {number}", f"{whose} {name}").partition(" ")
            if owner != whose:
                self.found.append(f"{name} and {other}: two patients with the same number among their {_TITLES[kind]}")
            known, _, other = self._numbers.setdefault(f"{kind} {whose}", f"{number} {name}").partition(" ")
            if known != number and kind < 2:
                self.found.append(f"{name} and {other}: one patient with different {_TITLES[kind]}")


def _hash(value: str) -> str:
    return blake2b(value.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()

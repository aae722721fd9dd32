"""Fax numbers: numbers to dial right after the word."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nadie.detectors.patterns.base import SEPARATOR, hit
from nadie.detectors.patterns.contact.dialling import dialled
from nadie.detectors.patterns.note import PlainText
from nadie.detectors.patterns.scanning import compiled
from nadie.document import Span
from nadie.labels import Label

FAX = rf"(?i)\b(?:tele)?fax(?: (?:de|del|la|el|es|numero|servicio|al)\b){{0,3}}\.?{SEPARATOR}\z"


@dataclass(frozen=True)
class Fax:
    """Numbers that the word fax announces."""

    name: str = "fax"

    def find(self, note: PlainText) -> Iterator[Span]:
        if compiled(r"(?i)fax").search(note.raw) is None:
            return
        for number in dialled(note):
            if number.digits >= 6 and compiled(FAX).search(note.raw[max(0, number.start - 40) : number.start]):
                yield hit(self.name, Label.NUMERO_FAX, (number.start, number.end), 0.97)


PATTERNS = (Fax(),)

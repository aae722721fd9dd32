"""Telephone, pager and fax numbers of Spain and Latin America."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nadie.detectors.patterns.base import SEPARATOR, pattern_span
from nadie.detectors.patterns.contact.dialling import dialled
from nadie.detectors.patterns.plain_text import PlainText, compiled
from nadie.document import Span
from nadie.labels import Label
from nadie.spanish.word_lists import Lists

_LISTS = Lists("contact", "nadie.detectors.patterns")

_WORDS = _LISTS.pattern("telephone")
_OWNER = rf"(?:[ .:(]{{1,2}}{_LISTS.pattern('owners of telephones')}\b){{0,5}}"
_CUE = rf"(?i)\b(?:{_WORDS}){_OWNER}\.?\)?{SEPARATOR}\z"
_CONTACT = (
    r"(?i)\b(?:contacto|avisar a|contactar(?: con| al)?|localizable en(?: el)?|llamada (?:desde el|a su)|"
    rf"desde el telefono){_OWNER}{SEPARATOR}\z"
)
_PAGER = rf"(?i)\b(?:busca(?:personas)?|bip(?:er)?|beeper|corporativo|interno|extension|ext){_OWNER}\.?{SEPARATOR}\z"
# A fax word right before a number.
_FAX = rf"(?i)\b(?:tele)?fax(?: (?:de|del|la|el|es|numero|servicio|al)\b){{0,3}}\.?{SEPARATOR}\z"
# A second number right after the first needs no label.
_AGAIN = r"(?i)\A(?: ?[/,;y-] ?| o | y | / ){1,2}(?:\(?(?:movil|fijo|casa|cel|trabajo)\)?[: ]{1,2})?\z"


@dataclass(frozen=True)
class Phone:
    """Numbers to dial that do not follow a fax word."""

    name: str = "phone"

    def find(self, note: PlainText) -> Iterator[Span]:
        last = -1
        for number in dialled(note):
            context = note.raw[max(0, number.start - 64) : number.start]
            if compiled(_FAX).search(context):
                continue
            chained = last >= 0 and number.start - last < 24 and compiled(_AGAIN).search(note.raw[last : number.start])
            score = self._score(context, number.digits, bool(chained), number.score)
            if score > 0:
                last = number.end
                yield pattern_span(self.name, Label.NUMERO_TELEFONO, (number.start, number.end), score)

    def _score(self, context: bytes, digits: int, chained: bool, score: float) -> float:
        if digits >= 6 and (chained or compiled(_CUE).search(context)):
            return 0.97
        if digits >= 6 and compiled(_CONTACT).search(context):
            return max(0.9, score)
        if digits <= 7 and compiled(_PAGER).search(context):
            return 0.85
        return score


@dataclass(frozen=True)
class Fax:
    """Numbers to dial after a fax word."""

    name: str = "fax"

    def find(self, note: PlainText) -> Iterator[Span]:
        if compiled(r"(?i)fax").search(note.raw) is None:
            return
        for number in dialled(note):
            if number.digits >= 6 and compiled(_FAX).search(note.raw[max(0, number.start - 40) : number.start]):
                yield pattern_span(self.name, Label.NUMERO_FAX, (number.start, number.end), 0.97)


PATTERNS = (Phone(), Fax())

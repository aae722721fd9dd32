"""Countries, by name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nadie.detectors.patterns.base import follows, hit, precedes
from nadie.detectors.patterns.note import PlainText
from nadie.document import Span
from nadie.labels import Label
from nadie.spanish.tables import alternatives, country_names

# Things of medicine that bear a country's name.
_THING = r"(?:balsamo|tinta|nuez|fiebre|virus|manzana|gripe|caña|cana|goma) (?:de |del |de la )?"
# Names of streets, schools and surnames do too.
_NAMED_AFTER = (
    r"\b(?:calle|c/|avda?\.?|avenida|av\.?|plaza|paseo|glorieta|banco|republica|barrio|colonia|hospital|"
    r"clinica|universidad|servicio|sociedad) (?:de |del |de la )?"
)


@dataclass(frozen=True)
class Country:
    """The name of a country, capitalised where the note uses capitals."""

    name: str = "country"

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(rf"(?i)\b({alternatives(country_names())})"):
            start, end = match.span(1)
            if (end < len(note.plain) and note.plain[end].isalnum()) or follows(note, start, _THING):
                continue
            yield hit(self.name, Label.PAIS, (start, end), self._worth(note, start, end))

    def _worth(self, note: PlainText, start: int, end: int) -> float:
        if follows(note, start, r"\b(?:pais(?: de (?:origen|nacimiento|procedencia))?|nacionalidad) ?[:|] {0,4}"):
            return 0.98
        if note.casing(start) == "mixed" and not note.plain[start].isupper():
            return 0.3 if end - start < 6 else 0.6
        if (follows(note, start, _NAMED_AFTER) and not follows(note, start, r"(?:[,(.-]|\d) ?", 3)) or precedes(
            note, end, r",? ?(?:n[º.]|\d)", 6
        ):
            return 0.4
        return 0.95


PATTERNS = (Country(),)

"""Health centres of primary care, by the names that Spain and Latin America give them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nadie.detectors.patterns.base import hit
from nadie.detectors.patterns.note import PlainText
from nadie.detectors.patterns.places.institutions import institution_end
from nadie.document import Span
from nadie.labels import Label

_KIND = (
    r"(?i:centros? de salud(?: familiar| mental)?|centre de salut|centro de saude|"
    r"centro de atencion primaria|centro de especialidades|consultorio(?: (?:local|rural|auxiliar))?|"
    r"ambulatorio|"
    r"puesto de salud|posta(?: de salud| sanitaria)?|dispensario|unidad de medicina familiar(?: n)?|"
    r"centro medico|centro asistencial|unidad de salud|casa de salud|osasun zentroa|"
    r"centro de atencion)|"
    r"(?i:subcentro(?: de salud)?|unidad (?:de atencion primaria|sanitaria)|zona basica de salud|"
    r"sala de primeros auxilios|clinica (?:familiar|comunal))|"
    r"Ce[Ss][Aa][Cc]|CESAC|CSM|UBS|CESSA|COSAM|CMF|USM|CAMI|UPA|UNAP|CLAS|CSMC|CCR|UAPS|APS|"
    r"CAP|CESFAM|UMF|C\.S\.|CS|ABS|EAP|EBAIS|CAPS|SAPU|CECOSF|SAMU|UBA|IPS|ESE|E\.S\.E\.|CUAP|PAC|UAPS|SUAP"
)


@dataclass(frozen=True)
class HealthCentre:
    """`Centro de Salud Las Flores`, `CESFAM Los Álamos`, `UMF 23`."""

    name: str = "health_centre"

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(rf"(?:^|\b)({_KIND})(?: (?i:no?\.?º?|numero|#))? {{1,2}}"):
            stop = institution_end(note, match.end(), limit=6)
            if stop > match.end():
                short = match.end(1) - match.start(1) < 7
                yield hit(
                    self.name, Label.CENTRO_SALUD, (match.start(1), stop), self._worth(note, match.start(1), short)
                )

    def _worth(self, note: PlainText, start: int, short: bool) -> float:
        casing = note.casing(start)
        if casing == "mixed":
            return 0.75 if short else 0.92
        return 0.45 if short else 0.65


PATTERNS = (HealthCentre(),)

"""Licences of health professionals: Spain's collegiate number and its Latin American sisters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nadie.detectors.patterns.base import hit, stands_alone
from nadie.detectors.patterns.field import Field
from nadie.detectors.patterns.note import PlainText
from nadie.document import Span
from nadie.labels import Label

_ID = Label.ID_TITULACION_PERSONAL_SANITARIO


@dataclass(frozen=True)
class ProvincialNumber:
    """Spain's number without its cue: the codes of two provinces, mostly the same one twice, and up to six digits."""

    name: str = "collegiate_form"

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(r"\b((\d{2}) ?([ /-]) ?(\d{2}) ?[ /-] {0,2}(\d{4,6}))\b"):
            start, end = match.span(1)
            if not stands_alone(note, start, end):
                continue
            first, second, last = (note.plain[slice(*match.span(i))] for i in (2, 4, 5))
            if not 1 <= int(first) <= 52 or (len(last) == 4 and last[:2] in ("19", "20")):
                continue
            yield hit(self.name, _ID, (start, end), 0.85 if first == second else 0.4)


PATTERNS = (
    Field(
        "collegiate",
        _ID,
        (
            r"n(?:º|o|um|umero|\.º|\.)?\.? ?(?:de )?col(?:egiad[oa]|egiacion|eg|)\.?(?:/a)?|"
            r"colegiad[oa](?:/a)?|coleg\.?|ncol|col\.(?: n)?|cole?g?\.? ?n"
        ),
        (
            r"\d{2} ?[ /-] ?\d{2} ?[ /-] {0,2}\d{3,6}|\d{2} ?[ /-] ?\d{4,6}|\d{2,3}\.\d{3,6}|"
            r"\d{2} \d{2}\b|\d{3,10}(?:[/-]\d{1,5})?"
        ),
        score=0.97,
    ),
    ProvincialNumber(),
    Field(
        "licence",
        _ID,
        r"m\.? ?n\.|m\.? ?p\.|m\.n|m\.p|(?-i:MN|MP|ME|MAT|CMP|RNE|RNPI|SIS|RM[ :]|R\.M|TP[ :]|T\.P|CP|CPSP|RMP|"
        r"JVPM)|matricula(?: (?:nacional|provincial|profesional|medica))?|mat\.|"
        r"ced(?:ula|\.)? ?prof(?:esional|\.)?|cedula (?:de )?especiali(?:dad|sta)|registro (?:medico|"
        r"profesional|sanitario)|reg\.? ?(?:med|prof)\.?|"
        r"senescyt|rethus|colegiatura|cssp|reg\.(?: n)?|mpps|c\.m\.p|r\.n\.e|tarjeta profesional|"
        r"licencia(?: medica| profesional)?|"
        r"exequatur|codigo medico|lic\. n",
        r"(?:[a-z]{1,2}[-/ ])?\d{1,8}(?:[-/.]\d{1,7}){0,2}",
        score=0.9,
        digits=4,
    ),
)

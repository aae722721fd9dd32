"""Institutions that are neither hospital nor health centre: universities, courts, schools, homes, insurers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nadie.detectors.patterns.base import hit
from nadie.detectors.patterns.note import PlainText
from nadie.detectors.patterns.places.institutions import institution_end
from nadie.document import Span
from nadie.labels import Label
from nadie.spanish.tables import alternatives, words

_KIND = (
    r"(?:universidad|universitat|facultad|instituto|institut|colegio|residencia|centro penitenciario|"
    r"centro de (?:dia|rehabilitacion|psicologia|mayores|acogida|transfusion|menores)|fundacion|fundacio|"
    r"asociacion|juzgado|ayuntamiento|laboratorios?|mutua|ies|ceip|empresa|ministerio|consejeria|"
    r"servicio (?:andaluz|madrileno|murciano|canario|aragones|cantabro|extremeno|gallego|galego|vasco|riojano|"
    r"castellano[- ]leones|navarro) de salud|escuela|guarderia|geriatrico|hogar|centro nacional|sociedad|"
    r"secretaria de salud|comisaria|fiscalia|ong|cooperativa|prision|carcel|penal|seminario|convento|monasterio|"
    r"club|academia|banco|obra social|eps(?:-s)?|e\.p\.s\.|isapre|prepaga|medicina prepagada|mutual|seguros|"
    r"aseguradora|igualatorio|montepio|caja de compensacion|arl|ars|liceo|unidad educativa|i\.e\.|"
    r"institucion educativa|preescolar|jardin infantil|jardin de (?:infancia|ninos|infantes)|sala cuna|kinder|"
    r"ikastola|conservatorio|cbtis|secundaria tecnica|asilo|ancianato|albergue|casa (?:hogar|de (?:acogida|"
    r"reposo)|del abuelo)|eleam|centro (?:ocupacional|gerontologico|sociosanitario|geriatrico|civico|de (?:fp|"
    r"reclusion|reinsercion|reeducacion))|piso tutelado|parroquia|iglesia|mezquita|templo|cofradia|hermandad|"
    r"sindicato|federacion|patronato|comunidad terapeutica|municipalidad|alcaldia|gobernacion|diputacion|cabildo|"
    r"intendencia|tribunal|defensoria|procuraduria|cuartel|batallon|base (?:aerea|naval)|cereso|unidad penal|"
    r"comedor social|servicios sociales|banco de sangre)"
)


@dataclass(frozen=True)
class Institution:
    """`Universidad de Granada`, `Residencia Los Tilos`, and those known by their acronym or brand."""

    name: str = "institution"

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(rf"(?i)\b({_KIND}) {{1,2}}"):
            start, at = match.start(1), match.end()
            if note.casing(start) == "lower":
                continue
            stop = institution_end(note, at)
            if stop > at and any(c.isupper() for c in note.plain[at:stop]):
                yield hit(self.name, Label.INSTITUCION, (start, stop), 0.8 if note.plain[start].isupper() else 0.65)
        for match in note.scan(rf"(?i)\b({alternatives(words('public_bodies'))})\b"):
            if note.casing(match.start()) != "mixed" or note.plain[match.start(1)].isupper():
                yield hit("institution_known", Label.INSTITUCION, match.span(1), 0.7)


PATTERNS = (Institution(),)

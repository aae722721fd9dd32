"""The words for relatives, and for men, women and children, folded."""

from __future__ import annotations

RELATIVES = frozenset(
    "madre padre padres progenitor progenitora progenitores hijo hija hijos hijas hermano hermana hermanos hermanas "
    "esposo esposa marido conyuge pareja novio novia abuelo abuela abuelos abuelas bisabuelo bisabuela bisabuelos "
    "bisabuelas nieto nieta nietos nietas tio tia tios tias sobrino sobrina sobrinos sobrinas primo prima primos "
    "primas cunado cunada cunados cunadas suegro suegra suegros suegras yerno nuera padrastro madrastra hijastro "
    "hijastra familia familiar familiares".split()
)
# Words that mean a relative only in the context of relatives.
OTHER_RELATIVES = frozenset(
    "madres mama papa mujer companero companera pariente parientes gemelo gemela gemelos gemelas mellizo melliza "
    "mellizos hermanastro tutor tutora cuidador cuidadora".split()
)
# Which of several relatives is meant, and from which side of the family.
SIDES = frozenset(
    "materno materna maternos maternas paterno paterna paternos paternas mayor mayores menor menores gemelo gemela "
    "gemelos gemelas mediano mediana politico politica carnal carnales biologico biologica biologicos biologicas "
    "adoptivo adoptiva adoptivos adoptivas".split()
)

FEMALE = frozenset("mujer mujeres femenino femenina f nina ninas hembra anciana m chica".split())
MALE = frozenset("varon varones hombre hombres masculino masculina macho h v nino ninos anciano chico".split())
"""What forms and notes write for the patient's sex. A lone `M` is *mujer*, as beside *H* in most forms."""

"""Particles of names, forms of address, and abbreviated names."""

from __future__ import annotations

from nadie.spanish.folding import fold
from nadie.spanish.word_lists import Lists

# Particles between the parts of a name.
ROMANCE_PARTICLES = frozenset("de del la las los el y i e d da do dos das".split())
PARTICLES = ROMANCE_PARTICLES | frozenset("di van von der den ter al ben bin ibn abu".split())
# Those that join two names in any context; `y` does not: `Cabeza y Cuello`.
JOINING = frozenset("de del la las los i".split())
SAINTS = frozenset(("san", "santa"))  # they begin surnames, towns and hospitals alike

MALE_TITLES = frozenset("dr d don sr doctor senor prof profesor fray".split())
FEMALE_TITLES = frozenset("dra dna sra srta doctora senora senorita profa profesora sor dona".split())
SHORT_TITLES = frozenset(
    "tec klgo klga kgo kga mat obst psic psicol ps nutr farm lic licda lcda lcdo ldo lda ing mtro mtra prof enf enfra "
    "enfro aux int res dtor dtora tens odont bioq fisio tm flga flgo".split()
)
"""Professions that are written short before a name, with a full stop."""
FIRST_NAME_TITLES = frozenset("d don dna dona sor fray".split())
"""Titles that the first name follows; after the others comes the surname."""

_ABBREVIATIONS = Lists("name_abbreviations")
GIVEN_ABBREVIATIONS = {name: tuple(forms.split()) for name, forms in _ABBREVIATIONS.pairs("first names")}
SURNAME_ABBREVIATIONS = {name: tuple(forms.split()) for name, forms in _ABBREVIATIONS.pairs("surnames")}
# Folded abbreviation → folded name.
SHORT_GIVEN = {fold(short): fold(name) for name, forms in GIVEN_ABBREVIATIONS.items() for short in forms}
SHORT_SURNAMES = {fold(short): fold(name) for name, forms in SURNAME_ABBREVIATIONS.items() for short in forms}


def short_surnames(folded: str) -> tuple[str, ...]:
    """The folded abbreviations of a folded surname."""
    return tuple(short for short, name in SHORT_SURNAMES.items() if name == folded and len(short) > 2)


SHORT_SAINTS = {"sta": "santa", "sto": "santo"}
SIGNED = "fdo"
"""`Fdo.` is Fernando in a name, but `firmado` before one."""

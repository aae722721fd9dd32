"""Cédulas: the identity numbers of Colombia, Ecuador, the Dominican Republic and Central America."""

from __future__ import annotations

from stdnum.cr import cpf as costa_rica
from stdnum.do import cedula as dominicana
from stdnum.ec import ci as ecuador

from nadie.detectors.patterns.field import Field
from nadie.detectors.patterns.shape import Checksum, Shape
from nadie.labels import Label

_ID = Label.ID_SUJETO_ASISTENCIA
_CUE = (
    r"c\.? ?c\.?|cedula(?: de)?(?: ciudadania| identidad| extranjeria| identificacion)?(?: n)?|ced\.?|c\.? ?i\.?|"
    r"tarjeta de identidad|registro civil|t\.i\.?|r\.c\.?|c\.e\.?|cui|dpi|dui|documento"
)
_DIGITS = r"\d{1,3}[.' ]\d{3}[.' ]\d{3}(?:[.' ]\d{3})?(?:-\d)?|\d{1,4}-\d{2,7}-\d{1,7}[a-z]?|\d{5,13}(?:-\d)?"

PATTERNS = (
    Field(
        "cedula",
        _ID,
        (
            r"(?:cedula(?: de)?(?: ciudadania| identidad| extranjeria| identificacion)?|ced\.|"
            r"tarjeta de identidad|dpi|dui|cui)(?: no| n)?\b"
        ),
        _DIGITS,
        digits=5,
    ),
    # Two letters are a weak cue (a volume in `cc`, a body mass), so capitals or points are asked for.
    Field(
        "cedula_short",
        _ID,
        r"(?-i:C\.? ?C|C\.? ?I|T\.? ?I|C\.? ?E|R\.? ?C)|(?:c\.c|c\.i|t\.i|r\.c|c\.e|[(]cc|cc[:#]|ci[:#])",
        _DIGITS,
        score=0.9,
        digits=6,
    ),
    Shape(
        "cedula_ecuador",
        _ID,
        r"\b((?:[01]\d|2[0-4]|30)[0-5]\d{6}-?\d)\b",
        cue=_CUE,
        checksum=Checksum(ecuador.is_valid, 0.6, 0.15),
    ),
    Shape(
        "cedula_dominicana", _ID, r"\b(\d{3}-\d{7}-\d)\b", cue=_CUE, checksum=Checksum(dominicana.is_valid, 0.97, 0.8)
    ),
    Shape(
        "cedula_costa_rica",
        _ID,
        r"\b([1-9]-0?\d{3,4}-0?\d{3,4})\b",
        cue=_CUE,
        checksum=Checksum(costa_rica.is_valid, 0.6, 0.3),
    ),
    Shape("dui", _ID, r"\b(0\d{7}-\d)\b", cue=_CUE, score=0.75),
    Shape("cedula_honduras", _ID, r"\b([01]\d{3}-(?:19|20)\d{2}-\d{5})\b", cue=_CUE, score=0.9),
    Shape("cedula_nicaragua", _ID, r"\b(\d{3}-\d{6}-\d{4}[A-Z])\b", cue=_CUE, score=0.95),
    Shape("dpi", _ID, r"\b(\d{4} \d{5} \d{4})\b", cue=_CUE, score=0.75),
)

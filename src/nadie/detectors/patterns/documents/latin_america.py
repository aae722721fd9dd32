"""Identity documents and tax numbers of Latin America."""

from __future__ import annotations

from stdnum.ar import cuit
from stdnum.br import cpf
from stdnum.cl import rut
from stdnum.cr import cpf as costa_rica
from stdnum.do import cedula as dominicana
from stdnum.ec import ci as ecuador
from stdnum.mx import curp, rfc

from nadie.detectors.patterns.field import Field
from nadie.detectors.patterns.shape import Checksum, Shape
from nadie.labels import Label

_ID = Label.ID_SUJETO_ASISTENCIA
_RUT_CUE = r"r\.? ?u\.? ?[tn]|rol unico (?:tributario|nacional)|rut/run|run/rut|cedula de identidad|c\.? ?i"
_DNI_CUE = (
    r"d\.? ?n\.? ?i|l\.? ?e|l\.? ?c|c\.? ?i|documento|cedula(?: de identidad)?|identidad|"
    r"libreta (?:civica|de enrolamiento)"
)
_CEDULA = (
    r"c\.? ?c\.?|cedula(?: de)?(?: ciudadania| identidad| extranjeria| identificacion)?(?: n)?|ced\.?|c\.? ?i\.?|"
    r"tarjeta de identidad|registro civil|t\.i\.?|r\.c\.?|c\.e\.?|cui|dpi|dui|documento"
)
_DIGITS = r"\d{1,3}[.' ]\d{3}[.' ]\d{3}(?:[.' ]\d{3})?(?:-\d)?|\d{1,4}-\d{2,7}-\d{1,7}[a-z]?|\d{5,13}(?:-\d)?"
_RFC = r"(?i)\b([a-z&]{3,4}[ -]?\d{2}[01]\d[0-3]\d[ -]?[a-z0-9]{3})\b"
_RUT = r"(?i)\b(\d{1,2}\.\d{3}\.\d{3} ?- ?[0-9k]|\d{7,8}-[0-9k])\b"
_CUIT = r"\b((?:2[03478]|3[034]|5[05])[ -]?\d{8}[ -]?\d|(?:2[03478]|3[034])[ -]\d{2}\.\d{3}\.\d{3}[ -]\d)\b"
_CUIT_CUE = r"c\.? ?u\.? ?i\.? ?[lt]|cuil/cuit|cuit/cuil"
_CEDULA_ECUADOR = r"\b((?:[01]\d|2[0-4]|30)[0-5]\d{6}-?\d)\b"
_CEDULA_DOMINICANA = r"\b(\d{3}-\d{7}-\d)\b"
_CPF = r"\b(\d{3}\.\d{3}\.\d{3} ?- ?\d{2})\b"

PATTERNS = (
    # CURP: Mexico, eighteen characters with the initials, birth date, sex and state of the holder.
    Shape("curp", _ID, r"(?i)\b([a-z]{4}\d{6}[hmx][a-z]{5}[a-z0-9]\d)\b", checksum=Checksum(curp.is_valid, 0.99, 0.95)),
    # After its name, a mistyped or truncated key counts as well.
    Field("curp_cued", _ID, r"c\.? ?u\.? ?r\.? ?p", r"[a-z]{3,5}\d{4,7}[a-z0-9]{0,9}", digits=4),
    # The voter's key on the INE card.
    Shape("elector", _ID, r"(?i)\b([a-z]{6}\d{8}[hm]\d{3})\b", score=0.97),
    Field(
        "elector_cued",
        _ID,
        r"clave de elector|credencial de elector|\bine\b|\bife\b",
        r"[a-z]{0,6}\d{6,13}[a-z]?\d{0,3}",
        digits=8,
    ),
    # RFC: Mexico, tax number of three or four letters, a date and three more characters.
    Shape("rfc", _ID, _RFC, cue=r"r\.? ?f\.? ?c", checksum=Checksum(rfc.is_valid, 0.95, 0.6)),
    # RUT and RUN: Chile, up to eight digits and a check character.
    Shape("rut", _ID, _RUT, cue=_RUT_CUE, checksum=Checksum(rut.is_valid, 0.97, 0.7)),
    Field(
        "rut_cued",
        _ID,
        r"r\.? ?u\.? ?t|r\.? ?u\.? ?n|rol unico (?:tributario|nacional)",
        r"\d{1,2}[. ]?\d{3}[. ]?\d{3}(?: ?- ?[0-9k])?|\d{6,9}k?",
        digits=6,
        check=rut.is_valid,
    ),
    # CUIL and CUIT: Argentina, two digits, the DNI and a check digit.
    Shape("cuit", _ID, _CUIT, cue=_CUIT_CUE, checksum=Checksum(cuit.is_valid, 0.93, 0.35)),
    # Seven or eight digits with points are a platelet count as well: alone they have a low score.
    Shape("dni_argentina", _ID, r"\b(\d{1,2}\.\d{3}\.\d{3})\b", score=0.5, cue=_DNI_CUE),
    Shape("venezuela", _ID, r"\b([VE]-?\d{1,2}\.?\d{3}\.?\d{3})\b", score=0.75, cue=_DNI_CUE),
    Shape("uruguay", _ID, r"\b(\d\.\d{3}\.\d{3}-\d)\b", score=0.9, cue=_DNI_CUE),
    # Colombia, Ecuador, the Dominican Republic and Central America.
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
    # Two letters are a weak cue (`cc` is also a volume), so they need capitals or points.
    Field(
        "cedula_short",
        _ID,
        r"(?-i:C\.? ?C|C\.? ?I|T\.? ?I|C\.? ?E|R\.? ?C)|(?:c\.c|c\.i|t\.i|r\.c|c\.e|[(]cc|cc[:#]|ci[:#])",
        _DIGITS,
        score=0.9,
        digits=6,
    ),
    Shape("cedula_ecuador", _ID, _CEDULA_ECUADOR, cue=_CEDULA, checksum=Checksum(ecuador.is_valid, 0.6, 0.15)),
    Shape(
        "cedula_dominicana",
        _ID,
        _CEDULA_DOMINICANA,
        cue=_CEDULA,
        checksum=Checksum(dominicana.is_valid, 0.97, 0.8),
    ),
    Shape(
        "cedula_costa_rica",
        _ID,
        r"\b([1-9]-0?\d{3,4}-0?\d{3,4})\b",
        cue=_CEDULA,
        checksum=Checksum(costa_rica.is_valid, 0.6, 0.3),
    ),
    Shape("dui", _ID, r"\b(0\d{7}-\d)\b", cue=_CEDULA, score=0.75),
    Shape("cedula_honduras", _ID, r"\b([01]\d{3}-(?:19|20)\d{2}-\d{5})\b", cue=_CEDULA, score=0.9),
    Shape("cedula_nicaragua", _ID, r"\b(\d{3}-\d{6}-\d{4}[A-Z])\b", cue=_CEDULA, score=0.95),
    Shape("dpi", _ID, r"\b(\d{4} \d{5} \d{4})\b", cue=_CEDULA, score=0.75),
    # CPF: Brazil, eleven digits of which two are checks.
    Shape("cpf", _ID, _CPF, cue=r"c\.? ?p\.? ?f", checksum=Checksum(cpf.is_valid, 0.99, 0.85)),
    Shape("cpf_plain", _ID, r"\b(\d{11})\b", cue=r"c\.? ?p\.? ?f", checksum=Checksum(cpf.is_valid, 0.55)),
)

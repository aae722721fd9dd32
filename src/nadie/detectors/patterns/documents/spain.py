"""Identity documents and tax numbers of Spain: DNI and NIF, NIE, passport, CIF."""

from __future__ import annotations

from stdnum.es import cif, dni, nie

from nadie.detectors.patterns.base import digits_of
from nadie.detectors.patterns.field import CODE, Field
from nadie.detectors.patterns.shape import Checksum, Shape
from nadie.labels import Label

_ID = Label.ID_SUJETO_ASISTENCIA
_DNI_CUE = (
    r"d\.? ?n\.? ?i|n\.? ?i\.? ?f|(?:n(?:º|o|um)?\.? )?doc(?:umento)?s?\.?(?: nac(?:ional)"
    r"?)?(?: de)?(?: ident(?:idad|ificacion)?)?|"
    r"identificacion|identificador|identidad|nro\. doc|tipo y n(?:º|o)\.? de doc"
)
_NIE_CUE = (
    r"n\.? ?i\.? ?e|tarjeta de (?:residencia|residente|extranjero)|t\.i\.e|permiso de residencia|dni|nif|documento"
)
_DNI = r"(?i)\b(\d{7,8}-?[a-z]|\d{1,2}[. ]\d{3}[. ]\d{3} ?-? ?[a-z])\b"
_NIE = r"(?i)\b([xyz][ .-]?\d{7}[ .-]?[a-z])\b"
_CIF = r"(?i)\b([abcdefghjnpqrsuvw][ .-]?\d{2}\.?\d{3}\.?\d{2}[ .-]?[0-9a-j])\b"
_CIF_CUE = r"c\.? ?i\.? ?f|n\.? ?i\.? ?f|nif/cif|cif/nif"


def _dni_holds(value: str) -> bool:
    return bool(dni.is_valid(digits_of(value).rjust(8, "0") + value[-1]))


PATTERNS = (
    # DNI and NIF: eight digits and a letter that depends on them.
    Shape("dni", _ID, _DNI, cue=_DNI_CUE, checksum=Checksum(_dni_holds, 0.95, 0.45)),
    # After a blank, the letter may be a word of its own.
    Shape("dni_spaced", _ID, r"\b(\d{8} ?-? [A-Z])\b", cue=_DNI_CUE, checksum=Checksum(_dni_holds, 0.8, 0.2)),
    # DNI is also the document of Argentina and Peru, without a letter.
    Field(
        "dni_cued",
        _ID,
        rf"(?:{_DNI_CUE})(?:[ :]{{1,2}}(?:dni|nif|nie|cc|ci|ti|ce|v|e)\b)?",
        r"\d{2}-\d{8}-\d|\d{1,3}[.' ]\d{3}[.' ]\d{3}(?: ?-? ?[a-z]\b)?|\d{5,10}(?:[ -]{0,2}[a-z]\b)?",
        digits=5,
    ),
    # NIE: the number of a foreigner, X, Y or Z, seven digits and a letter.
    Shape("nie", _ID, _NIE, cue=_NIE_CUE, checksum=Checksum(nie.is_valid, 0.97, 0.6)),
    Field("nie_cued", _ID, r"n\.? ?i\.? ?e\b|tarjeta de (?:residencia|residente|extranjero)", CODE, digits=5),
    # Passports have another shape in each country, so they need the cue.
    Field("passport", _ID, r"pasaporte|passport|pasap?\.?(?: n)|pass?port", r"[a-z]{0,3}[ -]?\d{5,9}[a-z]?", digits=5),
    # Spain's: three letters and six digits. Other things look like it too.
    Shape("passport_spain", _ID, r"\b([A-Z]{3}\d{6}[A-Z]?)\b", score=0.45),
    # CIF: the tax number of a company or institution, such as an employer.
    Shape("cif", Label.OTRO_NUMERO_IDENTIF, _CIF, cue=_CIF_CUE, cued=0.95, checksum=Checksum(cif.is_valid, 0.85, 0.25)),
)

"""Numbers of insured persons: social security, health cards, health plans."""

from __future__ import annotations

from nadie.detectors.patterns.base import digits_of
from nadie.detectors.patterns.field import CODE, NUMBER, Field
from nadie.detectors.patterns.shape import Checksum, Shape
from nadie.labels import Label
from nadie.spanish.check_digits import social_security
from nadie.spanish.word_lists import Lists

_WORDS = Lists("care", "nadie.detectors.patterns")

_ID = Label.ID_ASEGURAMIENTO
_NASS_CUE = (
    r"n\.? ?a\.? ?s\.? ?s|n\.? ?u\.? ?s\.? ?s|n\.? ?s\.? ?s|(?:n(?:º|o|um|umero)?\.? ?(?:de(?: la)? )?)?"
    r"(?:s\.? ?s|seg(?:uridad|\.)? ?soc(?:ial|\.)?|afiliacion(?: a la seguridad social)?)"
)
_INSURER = _WORDS.pattern("insurers")
_NASS = r"\b(\d{2} ?[ /-] ?\d{7,8} ?[ /-] ?\d{2})\b"
_CIP_LETTERS = (
    r"(?i)\b([a-z]{4}\d{10,12}|cyl[a-z]?\d{8,11}|(?:carm|astu|cant|rioj|extr|mlll|"
    r"ceut)[a-z]{0,2}\d{8,13})\b"
)


def _nass_holds(value: str) -> bool:
    """Whether the last two digits fit the others, with the zeros of a small number or without them."""
    digits = digits_of(value)
    if len(digits) not in (11, 12):
        return False
    province, number, check = digits[:2], digits[2:-2], digits[-2:]
    if not (1 <= int(province) <= 53 or int(province) == 66):
        return False
    return check in (social_security(province, number), f"{int(province + number) % 97:02}")


PATTERNS = (
    # NASS, NUSS, NSS: the social security of Spain and of Mexico.
    Shape("nass", _ID, _NASS, cue=_NASS_CUE, checksum=Checksum(_nass_holds, 0.97, 0.75)),
    Shape("nass_plain", _ID, r"\b(\d{11,12})\b", cue=_NASS_CUE, checksum=Checksum(_nass_holds, 0.6, 0.2)),
    Field("nass_cued", _ID, _NASS_CUE, NUMBER, digits=5, check=_nass_holds),
    # Health cards of the autonomous communities, and member numbers of insurers in Latin America.
    # The code that holds in all of Spain: eight B, two letters, six digits.
    Shape("cip_sns", _ID, r"(?i)\b(b{8}[a-z]{2}\d{6})\b", score=0.99),
    # Catalonia and others: letters of the surnames, sex, birth date, number.
    Shape("cip", _ID, r"(?i)\b([a-z]{4} ?[01] ?\d{6} ?\d{3})\b", score=0.9),
    Shape("cip_letters", _ID, _CIP_LETTERS, score=0.85),
    # Galicia: birth date, letters, digits.
    Shape("cip_galicia", _ID, r"(?i)\b(\d{6}[a-z]{4}\d{4})\b", score=0.9),
    # Andalusia.
    Shape("nuhsa", _ID, r"(?i)\b(an ?\d{10})\b", score=0.95),
    Field(
        "health_card",
        _ID,
        _WORDS.pattern("health cards"),
        r"(?:[a-z]{1,10}[- ]?)?\d{1,16}(?: \d{3,8}){0,3}(?:[a-z]{1,4}\d{1,6})?",
        digits=5,
    ),
    Field(
        "member",
        _ID,
        r"(?:n(?:º|o|ro|um|umero)?\.? ?(?:de )?)?(?:afiliad[oa]|asegurad[oa]|afil\.|mutualista|poliza|"
        r"credencial|cartilla|"
        rf"contrato|carnet?)(?: (?:de |del |al |la )?(?:afiliado|asegurado|seguridad social|salud|{_INSURER}))?"
        rf"|(?:{_INSURER})(?: [a-z]{{2,14}}){{0,2}}(?: (?:con )?(?:n|nº|no|nro|num|numero|afiliado|"
        r"poliza|afil|contrato|socio)\.?)",
        rf"{CODE}|{NUMBER}",
        score=0.93,
        digits=4,
    ),
    # The insurer's name is enough for a long number.
    Field("insurer_number", _ID, rf"(?:{_INSURER})", rf"{NUMBER}", score=0.8, digits=6),
    # Health plans, in Latin America.
    Field(
        "beneficiary",
        Label.NUMERO_BENEF_PLAN_SALUD,
        r"beneficiari[oa](?: (?:del plan(?: de salud)?|titular|plan))?|benef\.|plan (?:de salud|"
        r"medico|sanitario|auge|ges)|"
        r"n(?:º|o|ro|um|umero)\.? ?(?:de )?(?:plan|beneficiari[oa]|carga)",
        CODE,
        score=0.93,
        digits=4,
    ),
)

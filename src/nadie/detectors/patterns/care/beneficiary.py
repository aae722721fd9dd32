"""Numbers of the beneficiary of a health plan, which Spain has not but Latin America has."""

from __future__ import annotations

from nadie.detectors.patterns.field import CODE, Field
from nadie.labels import Label

PATTERNS = (
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

"""Names in social networks. The guidelines have no type for them, so they are what else tells of the patient."""

from __future__ import annotations

from nadie.detectors.patterns.field import Field
from nadie.detectors.patterns.shape import Shape
from nadie.labels import Label

PATTERNS = (
    Shape(
        "handle",
        Label.OTROS_SUJETO_ASISTENCIA,
        r"(?:\A|[\s(:,;/|])(@[A-Za-z_][A-Za-z0-9_.]{1,28}[A-Za-z0-9_])",
        score=0.88,
    ),
    Field(
        "handle_cued",
        Label.OTROS_SUJETO_ASISTENCIA,
        r"(?:instagram|twitter|facebook|tik ?tok|telegram|linkedin|skype|snapchat|"
        r"perfil de [a-z]{2,12}|usuario de [a-z]{2,12}|cuenta de (?:instagram|twitter|facebook|tiktok|"
        r"x))"
        r"(?: ?[:=]| @| como| usuario)",
        r"@?[a-z0-9_.-]{2,29}[a-z0-9_]",
        score=0.85,
        digits=0,
    ),
)

"""Mail addresses, also with blanks around the sign or the sign in letters."""

from __future__ import annotations

from nadie.detectors.patterns.shape import Shape
from nadie.labels import Label

_LOCAL = r"[a-z0-9][a-z0-9._%+'-]{0,63}"
_DOMAIN = r"[a-z0-9-]{1,60}(?:\.[a-z0-9-]{1,60}){0,5}\.[a-z]{2,12}"

PATTERNS = (
    Shape("email", Label.CORREO_ELECTRONICO, rf"(?i)({_LOCAL}@{_DOMAIN})", score=0.99),
    Shape(
        "email_spaced",
        Label.CORREO_ELECTRONICO,
        rf"(?i)({_LOCAL} ?(?:@|\[at\]|\(at\)|\[arroba\]|\(arroba\)| arroba ) ?{_DOMAIN})",
        score=0.95,
    ),
    # An address whose domain was cut off or mistyped, after its label.
    Shape(
        "email_cut",
        Label.CORREO_ELECTRONICO,
        rf"(?i)({_LOCAL} ?@ ?[a-z0-9-]{{2,60}}(?:[.,;] ?[a-z]{{2,12}})?)",
        score=0.7,
        cue=r"e-?mail|correo(?: electronico)?|mail|c\.e\.?",
    ),
)

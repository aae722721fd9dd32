"""Feast days, which are dates to whoever knows the calendar."""

from __future__ import annotations

from nadie.detectors.patterns.form import Form
from nadie.labels import Label

_FEASTS = (
    r"noche ?vieja|noche ?buena|navidad(?:es)?|fin de ano|ano nuevo|(?:noche|dia) de reyes|"
    r"reyes magos|semana santa|(?:jueves|viernes|sabado) santo|"
    r"domingo de (?:ramos|resurreccion|pascua)|lunes de pascua|miercoles de ceniza|carnaval(?:es)?|"
    r"halloween|dia de (?:los )?muertos|todos los santos|"
    r"dia de difuntos|dia de la (?:madre|hispanidad|constitucion|raza|independencia|mujer|virgen)|"
    r"dia del (?:padre|nino|trabajo|trabajador|pilar|amor)|"
    r"san valentin|noche de san juan|san fermin(?:es)?|sanfermines|fallas|feria de abril|"
    r"fiestas patrias|grito de independencia|corpus christi|"
    r"inmaculada concepcion|puente de (?:la constitucion|la inmaculada|mayo|todos los santos|"
    r"diciembre|noviembre)|black friday|ramadan|"
    r"ano nuevo chino|diada|sant jordi|candelaria|virgen de guadalupe|posadas|dieciocho de septiembre"
)

PATTERNS = (
    Form("feast", Label.FECHAS, rf"(?i)\b((?:dia de )?(?:{_FEASTS})(?: de(?:l)? (?:19|20)\d{{2}})?)\b", score=0.75),
    # A saint is a hospital or a street as well: only where the word before says it is a day.
    Form(
        "saint",
        Label.FECHAS,
        (
            r"(?i)\b(?:en|por|vispera de|dia de|festividad de|fiesta de) (san (?:juan|jose|pedro|isidro|"
            r"antonio|roque|miguel|lorenzo|blas)|santiago apostol|la asuncion|la merced|el pilar)\b"
        ),
        score=0.4,
        cue=r"vispera de|dia de|festividad de|fiestas? de",
        cued=0.8,
    ),
)

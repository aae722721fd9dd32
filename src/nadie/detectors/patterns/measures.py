"""Quantities: numbers with a unit after them, or a scale before them, are no identifiers."""

from __future__ import annotations

from nadie.detectors.patterns.plain_text import PlainText, compiled

# Units of more than one letter, with which no other word begins.
_LONG = (
    r"%|\x03|mg|mcg|ug\b|xg|ng\b|ng/|pg\b|pg/|kg|gr?/|grs?\b|gramos|ml|dl\b|cc\b|mm\b|mm[0-9\x03]|"
    r"mmhg|mm hg|cm|ui\b|ui/|"
    r"iu\b|iu/|u/|mu/|ul\b|meq|mmol|mosm|xmol|nmol|pmol|lpm|rpm|bpm|latidos|kcal|cal\b|hz\b|msv|gy\b|"
    r"cgy|fl\b|copias|cels?\b|"
    r"celulas|leucocitos|hematies|plaquetas|neutrofilos|/ ?(?:[mxud]l|mm|l\b|campo|min|kg|hora|h\b|dia)|x ?10|\* ?10|"
    r"por (?:mm|campo|minuto|ciento|mil)|horas?\b|hs\b|min\b|minutos?|segundos?|seg\b|dias?\b|"
    r"semanas?|mes(?:es)?\b|anos?\b|"
    r"puntos|comprimidos?|comp\b|amp|gotas|euros|pesos|veces"
)
_SHORT = r"[glmhu]\b"
_SCALE = (
    r"(?:glasgow|gcs|apgar|eva|ecog|karnofsky|barthel|norton|braden|balance muscular|bm|mrc|fuerza(?: muscular)?|grado|"
    r"estadio|asa|nyha|tnm|gleason|child|meld|escala|score|puntuacion|test|minimental|mmse|mec|"
    r"tension(?: arterial)?|ta|"
    r"t\.a\.?|pa|p\.a\.?|pas|pad|presion(?: arterial)?|agudeza visual|av|a\.v\.?|ojo derecho|ojo izquierdo|od|oi|"
    r"saturacion|sato2|spo2|fc|fr|ritmo|dilucion|titulo|titulos|ratio|relacion|leucocitos|plaquetas|"
    r"hematies|hemoglobina)"
)
_COUNTED = (
    r"(?:plaquetas|plaq|plq|leucocitos|leucos|hematies|eritrocitos|neutrofilos|linfocitos|plt|wbc|bnp|ferritina|ck|ldh|"
    r"copias|carga viral|ufc|recuento|celulas|cfu)"
)


def has_unit(note: PlainText, end: int, *, short: bool = True) -> bool:
    """Whether a unit follows `end`; with `short`, one-letter units count (`12 g`), which may be another field (`H`)."""
    units = f"{_LONG}|{_SHORT}" if short else _LONG
    return compiled(rf"(?i)\A ?(?:{units})").search(note.raw[end : end + 16]) is not None


def has_scale(note: PlainText, start: int) -> bool:
    """Whether a clinical scale or measurement is named right before `start`: `Glasgow 15/15`, `TA: 120/80`."""
    context = note.raw[max(0, start - 40) : start]
    return (
        compiled(rf"(?i)\b{_SCALE}(?: (?:de|del|a|en))?[ :=(]{{0,4}}(?:\d[\d,.]{{0,5}}[ /-]{{1,3}})?\z").search(context)
        is not None
    )


def is_count(note: PlainText, start: int) -> bool:
    """Whether something is named before `start` that is counted in thousands and millions: `plaquetas 4.500.000`."""
    context = note.raw[max(0, start - 48) : start]
    return compiled(rf"(?i)\b{_COUNTED}[^\n;]{{0,12}}\z").search(context) is not None

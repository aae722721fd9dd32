"""Numbers in Spanish words, for ages and dates."""

from __future__ import annotations

from nadie.spanish.folding import fold

SMALL = (
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete "
    "dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete "
    "veintiocho veintinueve"
).split()
TENS = "treinta cuarenta cincuenta sesenta setenta ochenta noventa".split()
_HUNDREDS = (
    "ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos".split()
)


def in_words(number: int) -> str:
    """A number from 0 to 9999: `treinta y dos`."""
    if number < len(SMALL):
        return SMALL[number]
    if number < 100:
        ten, one = divmod(number, 10)
        return TENS[ten - 3] + (f" y {SMALL[one]}" if one else "")
    if number < 1000:
        hundred, rest = divmod(number, 100)
        if number == 100:
            return "cien"
        return _HUNDREDS[hundred - 1] + (f" {in_words(rest)}" if rest else "")
    thousand, rest = divmod(number, 1000)
    head = "mil" if thousand == 1 else f"{before_noun(thousand)} mil"
    return head + (f" {in_words(rest)}" if rest else "")


def before_noun(number: int, *, feminine: bool = False) -> str:
    """The number as it stands before its noun: `un año`, `veintiún meses`, `treinta y una semanas`."""
    words = in_words(number)
    if not words.endswith("uno"):
        return words
    if feminine:
        return words[:-1] + "a"
    return words.removesuffix("uno") + "ún" if words.endswith("veintiuno") else words[:-1]


# Folded words → number, from 0 to 99, before nouns of either gender and as the first of a month.
NUMBERS = {
    **{fold(form): n for n in range(100) for form in (in_words(n), before_noun(n), before_noun(n, feminine=True))},
    "primero": 1,
}

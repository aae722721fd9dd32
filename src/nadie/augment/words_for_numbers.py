"""Numbers in Spanish words, as ages and dates are sometimes written."""

from __future__ import annotations

_SMALL = (
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete "
    "dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete "
    "veintiocho veintinueve"
).split()
_TENS = "treinta cuarenta cincuenta sesenta setenta ochenta noventa".split()
_HUNDREDS = (
    "ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos".split()
)


def in_words(number: int) -> str:
    """A number from 0 to 9999."""
    if number < 30:
        return _SMALL[number]
    if number < 100:
        ten, one = divmod(number, 10)
        return _TENS[ten - 3] + (f" y {_SMALL[one]}" if one else "")
    if number < 1000:
        hundred, rest = divmod(number, 100)
        if number == 100:
            return "cien"
        return _HUNDREDS[hundred - 1] + (f" {in_words(rest)}" if rest else "")
    thousand, rest = divmod(number, 1000)
    head = "mil" if thousand == 1 else f"{in_words(thousand)} mil"
    return head + (f" {in_words(rest)}" if rest else "")


def before_noun(number: int) -> str:
    """The number as it stands before a masculine noun: `un año`, `veintiún meses`, `treinta y un días`."""
    words = in_words(number)
    if words.endswith("veintiuno"):
        return words.removesuffix("veintiuno") + "veintiún"
    return words.removesuffix("o") if words.endswith("uno") else words

"""Numbers that were dictated: `seis cero cero, cero cuatro`. Each word gives way to another one of its kind."""

from __future__ import annotations

import re

from nadie.anonymize.secret import Key
from nadie.anonymize.surrogates.spelling import in_case_of
from nadie.spanish.folding import same_length

_KINDS = tuple(
    tuple(kind.split())
    for kind in (
        "cero uno dos tres cuatro cinco seis siete ocho nueve",
        "diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve",
        "veinte veintiuno veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve",
        "treinta cuarenta cincuenta sesenta setenta ochenta noventa",
        "doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos",
        "a be ce de e efe ge hache i jota ka ele eme ene o pe cu erre ese te u uve equis zeta",
    )
)
_STAY = frozenset("y punto guion barra coma espacio mil millon millones ciento cien letra doble raya extension".split())
_SPELLED = {"dieciseis": "dieciséis", "veintidos": "veintidós", "veintitres": "veintitrés", "veintiseis": "veintiséis"}
_WORD = re.compile(r"[^\W\d_]+")
_LETTERS = "ABCDEFGHJKLMNPRSTV"
_FEWEST = 2


def respoken(value: str, key: Key, scope: str) -> str | None:
    """Another number in words, or None where some word is none of a number."""
    count = 0
    failed = False

    def other(match: re.Match[str]) -> str:
        nonlocal count, failed
        word, folded = match.group(), same_length(match.group())
        identity = ("spoken", scope, same_length(value), str(match.start()))
        kind = next((kind for kind in _KINDS if folded in kind), None)
        if folded in _STAY:
            return word
        if kind is None:
            failed = failed or len(word) > _FEWEST + 1
            return in_case_of(key.characters(_LETTERS, len(word), *identity), word)
        count += 1
        is_unit = value[: match.start()].lower().endswith(" y ")  # `cuarenta y dos`, never `cuarenta y cero`
        pool = kind[1:] if is_unit and kind[0] == "cero" else kind
        new = key.choose(pool, lambda candidate: candidate != folded, *identity) or folded
        return in_case_of(_SPELLED.get(new, new), word)

    made = _WORD.sub(other, value)
    return None if failed or count < _FEWEST else made

"""Dictated numbers: `seis cero cero, cero cuatro`. Each word is replaced by another number word of the same sort."""

from __future__ import annotations

import re

from nadie.spanish.folding import same_length
from nadie.spanish.word_lists import Lists
from nadie.surrogates.draws import Draws
from nadie.surrogates.spelling import in_case_of

_LISTS = Lists("spoken", "nadie.surrogates")

_SPELLED = {"dieciseis": "dieciséis", "veintidos": "veintidós", "veintitres": "veintitrés", "veintiseis": "veintiséis"}
_WORD = re.compile(r"[^\W\d_]+")
_LETTERS = "ABCDEFGHJKLMNPRSTV"
_FEWEST = 2


def respoken(value: str, key: Draws, scope: str) -> str | None:
    """Another number in words; None if a word of the value is not part of a number."""
    count = 0
    failed = False

    def other(match: re.Match[str]) -> str:
        nonlocal count, failed
        word, folded = match.group(), same_length(match.group())
        identity = ("spoken", scope, same_length(value), str(match.start()))
        kind = next((kind for name in _LISTS.names() if name != "stay" and folded in (kind := _LISTS[name])), None)
        if folded in _LISTS.words("stay"):
            return word
        if kind is None:
            failed = failed or len(word) > _FEWEST + 1
            return in_case_of(key.characters(_LETTERS, len(word), *identity), word)
        count += 1
        if count == 1:
            return word  # it tells a mobile telephone from others
        is_unit = value[: match.start()].lower().endswith(" y ")  # `cuarenta y dos`, never `cuarenta y cero`
        pool = kind[1:] if is_unit and kind[0] == "cero" else kind
        new = key.choose(pool, lambda candidate: candidate != folded, *identity) or folded
        return in_case_of(_SPELLED.get(new, new), word)

    made = _WORD.sub(other, value)
    return None if failed or count < _FEWEST else made

"""How hard a passphrase is to guess, and what needs no such question because it was drawn at random.

The estimate counts what a guesser would try first as little: common words, years, runs and repetitions. It is coarse
on purpose: it refuses `hospital2026`, it does not certify anything.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from itertools import pairwise

from nadie.spanish.folding import fold

_LEAST_CHARACTERS, _LEAST_DIFFERENT, _LEAST_BITS = 16, 6, 40
_RAW_BYTES = 24
_HEXADECIMAL = re.compile(r"[0-9a-fA-F]{32,}")
_BASE64 = re.compile(r"[A-Za-z0-9+/_=-]{32,}")
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_PARTS = re.compile(r"[^\W\d_]+|[0-9]+|[\W_]+")
_LOOK_ALIKES = str.maketrans("013457@$", "oieastas")
_WORD, _SHORT_WORD, _LETTER, _SINGLE_LETTER, _DIGIT, _SIGN, _NEXT = 8.0, 3.0, 2.5, 4.7, 3.3, 3.0, 0.3
_LONGEST_ESTIMATED = 1000


def weakness(material: bytes) -> str:
    """Why a passphrase can be guessed, or nothing if it cannot easily be."""
    if is_random(material):
        return ""
    if len(material) < _LEAST_CHARACTERS or len(set(material)) < _LEAST_DIFFERENT:
        return f"it needs at least {_LEAST_CHARACTERS} characters, {_LEAST_DIFFERENT} of them different"
    text = fold(material.decode("utf-8", "replace")[:_LONGEST_ESTIMATED])
    if min(_bits(text), _bits(text.translate(_LOOK_ALIKES))) < _LEAST_BITS:
        return "it consists of common words, years, runs or repetitions"
    return ""


def is_random(material: bytes) -> bool:
    """Whether it looks drawn at random: raw bytes, hexadecimal digits or base64 of at least 128 bits."""
    try:
        text = material.decode("ascii")
    except UnicodeDecodeError:
        text = ""
    if not text or not text.isprintable():
        is_text = not any(byte < 32 for byte in material) and _is_utf8(material)
        return not is_text and len(material) >= _RAW_BYTES and len(set(material)) >= _RAW_BYTES // 2
    kinds = ["A" if c.isupper() else "a" if c.islower() else "0" for c in text]
    changes = sum(a != b for a, b in pairwise(kinds)) / max(1, len(text) - 1)
    if _HEXADECIMAL.fullmatch(text):
        return changes > 0.25 and len(set(text)) >= 8
    return bool(_BASE64.fullmatch(text)) and changes > 0.35 and len(set(text)) >= 16


def _is_utf8(material: bytes) -> bool:
    try:
        return material.decode("utf-8").isprintable()
    except UnicodeDecodeError:
        return False


def _bits(text: str) -> float:
    """The logarithm of the number of guesses; a part that was there before counts nothing."""
    return sum(_part_bits(part) for part in dict.fromkeys(_PARTS.findall(text)))


def _part_bits(part: str) -> float:
    if part.isdigit():
        return _WORD if _YEAR.fullmatch(part) else _run_bits(part, _DIGIT)
    if not part[0].isalpha():
        return _run_bits("".join(dict.fromkeys(part)), _SIGN)
    words, bits, rest, at = _common_words(), 0.0, "", 0
    if len(part) < 3:
        return _SHORT_WORD if part in words else _SINGLE_LETTER * len(part)
    while at < len(part):
        end = next((end for end in range(len(part), at + 2, -1) if part[at:end] in words), 0)
        if end:
            bits += _WORD if end - at > 3 else _SHORT_WORD
        else:
            rest += part[at]
        at = end or at + 1
    return bits + (_run_bits(rest, _LETTER) if len(rest) > 2 or bits == 0 else _SHORT_WORD if rest else 0)


def _run_bits(characters: str, each: float) -> float:
    """Characters one by one; one that repeats or follows the one before (`aaa`, `1234`, `cba`) adds hardly anything."""
    steps = (abs(ord(b) - ord(a)) <= 1 for a, b in pairwise(characters))
    return sum((_NEXT if is_next else each for is_next in steps), each if characters else 0.0)


@cache
def _common_words() -> frozenset[str]:
    text = files("nadie.anonymize").joinpath("common_words.txt").read_text(encoding="utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())

"""Repairs of damaged text: what scanning, hyphenation and wrong encodings did to words and numbers.

Only damage that can be told from the characters alone is undone. In clean text nothing matches, apart from a few codes
that look like a scanning error (`2O89`); a test counts them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from html import unescape
from typing import NamedTuple

_UPPER, _LOWER = "A-ZÁÉÍÓÚÜÑÇ", "a-záéíóúüñç"
_LETTER = r"[^\W\d_]"
_ALONE, _ENDS = r"(?<![^\W_])", r"(?![^\W_])"
# Classes of characters: d digit, z zero, l small l, c other letters like a digit, U and w other letters. Pairs of
# classes that hardly occur in clean text tell where to look, in a fraction of the time of the expressions below.
_CLASSES = bytes(
    ord(
        "z" if c == "0" else "d" if c in "123456789" else "l" if c == "l" else "c" if c in "OoI" else
        "U" if c.isupper() else "w" if c.isalpha() else c if c in "-\n " else "."
    )
    for c in map(chr, range(256))
)  # fmt: skip
_PAIRS = (b"dc", b"zc", b"dl", b"zl", b"cd", b"cz", b"ld", b"lz", b"wz", b"Uz", b"zw", b"zU", b"UlU", b"lUU", b"lUc")
_PLACES = re.compile(rb"[dz][cl]|[cl][dz]|[wU]z|z[wU]|UlU|lU[Uc]")
_CHUNK = re.compile(r"\S+")
# `Fermo-` at the end of a line and `selle` on the next one.
_HYPHENATED = re.compile(rf"(?<={_LETTER}{_LETTER})-[ ]?\n[ ]*(?=[{_LOWER}]{{2}})")
# `P A C I E N T E`.
_SPACED = re.compile(rf"{_ALONE}(?:[{_UPPER}][ ]){{4,}}[{_UPPER}]{_ENDS}")
# `O3/ll/1938`, `2O24-ll77`: groups of digits in which letters stand for 0 and 1.
_NUMBER = re.compile(rf"{_ALONE}[\dOol][\dOolI]*(?:[./-][\dOolI]+)*{_ENDS}")
_CLEAN_NUMBER = re.compile(
    r"[\d./-]+|O\d\d(?:\.\d+)?|O-?\d+|[Ool]+[./-].*|.*[./-][OolI]+|\d+(?:[./-]\d+)*(?:[ol]|I+)|.*[./-]I+[./-].*"
)
# `C0NCHA`, `0ntiver0s`: a zero in a word of one case.
_WORD = re.compile(rf"{_ALONE}(?=[^\W_]*0)(?:{_LETTER}|0(?!\d)){{5,}}{_ENDS}")
_REGULAR = re.compile(rf"[{_UPPER}0l]+|[{_UPPER}0]?[{_LOWER}0]+")
_CODES = frozenset({"ECOG0"})
# `HOSPlTAL`, `lNFORME`: a small l among capitals.
_CAPITALS = re.compile(rf"{_ALONE}(?=[{_UPPER}]*l)[{_UPPER}l]{{5,}}{_ENDS}")
_DIGITS = str.maketrans("OolI", "0011")
# `&ntilde;`; `Ã±`, UTF-8 read as Windows-1252; `¤` between letters, code page 850 read as Windows-1252.
_ENTITY = re.compile(r"&[A-Za-z]{2,8};")
_TWICE = re.compile(r"[ÃÂ][\u0080-\u00bf\u2018-\u203a\u0152-\u0192\u20ac\u02c6\u02dc\u2122]")
_DOS = re.compile(rf"(?<={_LETTER})[‚¡¢£¤](?={_LETTER})")
_DOS_LETTERS = dict(zip("‚¡¢£¤", "éíóúñ", strict=True))


class Repair(NamedTuple):
    """`text[start:end]` was `text`, which may be shorter."""

    start: int
    end: int
    text: str


def repairs(text: str) -> list[Repair]:
    """The repairs of a text in order; they do not overlap."""
    classes = text.encode("latin-1", "replace").translate(_CLASSES)
    found = [*_joined(text, classes), *_decoded(text)]
    if any(pair in classes for pair in _PAIRS):
        for start, end in _suspect_chunks(text, classes):
            found += [*_numbers(text, start, end), *_words(text, start, end)]
    found.sort()
    return [repair for i, repair in enumerate(found) if i == 0 or found[i - 1].end <= repair.start]


def _decoded(text: str) -> Iterator[Repair]:
    if "&" in text:
        yield from (Repair(*match.span(), unescape(match.group())) for match in _ENTITY.finditer(text))
    if "Ã" in text or "Â" in text:
        for match in _TWICE.finditer(text):
            with suppress(UnicodeError):
                yield Repair(*match.span(), match.group().encode("cp1252").decode("utf-8"))
    if not _DOS_LETTERS.keys().isdisjoint(text):
        yield from (Repair(*match.span(), _DOS_LETTERS[match.group()]) for match in _DOS.finditer(text))


def _suspect_chunks(text: str, classes: bytes) -> Iterator[tuple[int, int]]:
    """Where the stretches without white space are that have an unusual pair of characters."""
    done = 0
    for place in _PLACES.finditer(classes):
        if place.start() >= done:
            start = max(text.rfind(space, done, place.start()) for space in " \n") + 1 or done
            chunk = _CHUNK.match(text, max(start, done))
            if chunk is not None:
                yield chunk.span()
                done = chunk.end()


def _numbers(text: str, start: int, end: int) -> Iterator[Repair]:
    for match in _NUMBER.finditer(text, start, end):
        run = match.group()
        digits = sum(map(str.isdecimal, run))
        if 2 <= digits < len(run) - sum(map(run.count, "./-")) and not _CLEAN_NUMBER.fullmatch(run):
            yield Repair(*match.span(), run.translate(_DIGITS))


def _words(text: str, start: int, end: int) -> Iterator[Repair]:
    for match in _WORD.finditer(text, start, end):
        word = match.group()
        if sum(map(str.isalpha, word)) >= 4 and word not in _CODES and _REGULAR.fullmatch(word):
            in_capitals = word[1:].replace("0", "").replace("l", "").isupper()
            written = word.replace("l", "I") if in_capitals else word
            first = "O" if written[0] == "0" else written[0]
            yield Repair(*match.span(), first + written[1:].replace("0", "O" if in_capitals else "o"))
    for match in _CAPITALS.finditer(text, start, end):
        if sum(map(str.isupper, match.group())) * 2 > len(match.group()):
            yield Repair(*match.span(), match.group().replace("l", "I"))


def _joined(text: str, classes: bytes) -> list[Repair]:
    found = []
    if b"-\n" in classes or b"- \n" in classes:
        found += [Repair(*match.span(), "") for match in _HYPHENATED.finditer(text)]
    if b" U U" in classes:
        found += [
            Repair(at, at + 1, "")
            for match in _SPACED.finditer(text)
            for at in range(match.start() + 1, match.end(), 2)
        ]
    return found

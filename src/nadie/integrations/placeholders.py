"""Placeholders in the answer of a language model: finding them, also altered ones, outside addresses."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

STRICT = re.compile(r"\[[A-Z_]{1,40}_[0-9]{1,9}(?:\.[0-9]{1,9})?\]")
_LONGEST = 80
_UNSEEN = "\u200b\u200c\u200d\u2060\u00ad\ufeff"  # characters without width
_ALTERED = re.compile(
    rf"[\[［【]\s{{0,3}}[^\W\d_](?:[^\W\d_]|\\?[_\s＿{_UNSEEN}-]){{0,45}}?\\?[_\s＿{_UNSEEN}-]{{0,3}}"
    r"\d{1,9}(?:\s?[.．]\s?\d{1,9})?\s{0,3}\\?[\]］】]"
)
_BARE = re.compile(r"(?:(?<=%5B)|(?<![A-Z_])(?<!%5))[A-Z_]{1,40}_[0-9]{1,9}(?:\.[0-9]{1,9})?")
_OPEN = re.compile(r"[\[［【][^\[\]［］【】]{0,79}\Z")
_ADDRESS = re.compile(
    r"(?i)\b(?:https?|ftp|data|file|javascript|blob|wss?|mailto|tel|sms):[^\s<>\"'`]*|(?://|\bwww\.)[a-z0-9-]+\.[a-z][^\s<>\"'`]*|"
    r"(?<=\])\([^)\n]*\)?|(?<=\]:)[ \t]*\S*|"
    r"\b(?:src|href|action|srcset)\s*=\s*(?:\"[^\"]*\"?|'[^']*'?|[^\s>]*)"
)
_MAY_BE_ADDRESS = re.compile(
    r"(?i)(?:/|(?://|\bwww\.)[a-z0-9.-]*|\b[a-z]{1,10}:?|[\])]|\]:[ \t]*|\b(?:src|href|action|srcset)\s*=?\s*)\Z"
)


class FoundPlaceholder(NamedTuple):
    """A placeholder in a text, and how it was written before it was altered."""

    start: int
    end: int
    name: str


def placeholders(text: str, own: str | None = "") -> Iterator[FoundPlaceholder]:
    """What is or looks like a placeholder: lower case, other spaces or signs, escaped, or in wide characters.

    Those within addresses of pages and images are left out, unless the address occurs in `own`, which is the text that
    was sent; with None, all are found.
    """
    addresses = iter(()) if own is None else (each for each in _ADDRESS.finditer(text) if each.group() not in own)
    address = next(addresses, None)
    for found in _ALTERED.finditer(text):
        while address is not None and address.end() <= found.start():
            address = next(addresses, None)
        if address is None or found.start() < address.start():
            yield FoundPlaceholder(found.start(), found.end(), _canonical(found.group()))


def bare_names(text: str, names: Iterable[str]) -> Iterator[str]:
    """Names of placeholders that stand in a text without their brackets: `NOMBRE_1`, `(NOMBRE_1)`, `%5BNOMBRE_1%5D`."""
    wanted = {name[1:-1] for name in names}
    inside = {place for found in placeholders(text, None) for place in range(found.start, found.end)}
    for found in _BARE.finditer(text):
        if found.start() not in inside and found.group() in wanted:
            yield found.group()


def cut(text: str) -> int:
    """Where a part of a stream must be cut: what follows may be the beginning of a placeholder or of an address."""
    at = len(text)
    if opened := _OPEN.search(text, max(0, at - _LONGEST)):
        at = opened.start()
    unfinished = next((each.start() for each in _ADDRESS.finditer(text) if each.end() >= at), None)
    if unfinished is not None:
        at = max(0, min(at, unfinished - 2))  # with the `]:` before it, by which it is recognised
    elif may_be := _MAY_BE_ADDRESS.search(text, max(0, at - _LONGEST), at):
        at = may_be.start()
    within = (each.start() for each in _ALTERED.finditer(text, max(0, at - _LONGEST)) if each.start() < at < each.end())
    return next(within, at)


def _canonical(text: str) -> str:
    seen = text.translate(dict.fromkeys(map(ord, _UNSEEN)))
    plain = unicodedata.normalize("NFKC", seen).upper().strip("[]【】 \t\r\n\\")
    words = re.sub(r"[\\\s_-]+", "_", re.sub(r"\s*\.\s*", ".", plain))
    separated = re.sub(r"(?<=[^\W\d_])(?=\d)", "_", words, count=1)
    return f"[{separated.strip('_')}]"

"""One hospital in several writings: `Hospital Universitario La Paz`, `H. La Paz`, `HULP`, `La Paz`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache

from nadie.spanish.centre_words import KINDS, LINKS, is_only_kind
from nadie.spanish.folding import words_of
from nadie.spanish.numbers import NUMBERS
from nadie.surrogates.centre_kinds import all_initials_of, has_short_kind, initials_of, is_initials_of, split


def whole_name(value: str, values: Sequence[str]) -> str:
    """The full name, among the `values` of a document, of a hospital that is called by a part of it elsewhere.

    `Barrón` is `Hospital Guzmán Barrón`, and `H. V. del Rocío` is `H. Virgen del Rocío`.
    """
    own = _core(value)
    if value.islower():
        return value
    numbers = _by_words(tuple(values))
    rarest = min((numbers.get(word, []) for word in own), key=len, default=[])
    near = sorted({*rarest, *numbers.get(f"={value}", ())})
    longer = [other for other in map(values.__getitem__, near) if other != value and _is_part(value, own, other)]
    whole = max(longer, key=lambda other: len(_core(other)), default=value)
    if whole == value:
        return value
    if is_initials_of(value, whole):
        return whole
    whole = whole.title() if whole.isupper() and not value.isupper() else whole
    head, _, tail = split(value)
    return f"{head} {split(whole)[2]}" if head and tail and split(whole)[2] else whole


def as_part(new: str, value: str, whole: str) -> str:
    """The surrogate of a whole name, in the writing that stands for it."""
    if is_initials_of(value, whole):
        return initials_of(new)
    head = split(whole)[0]
    part = new.removeprefix(f"{head} ") if head and not split(value)[0] else new
    return part.upper() if value.isupper() else part


def is_kind_of_one(value: str, values: Sequence[str]) -> bool:
    """Whether a value is only the kind of a hospital that a document names in full: `el Clínico`."""
    own = words_of(value)
    heads = (split(other)[0] for other in values if len(words_of(other)) > len(own))
    kinds = {word for word in own if word not in LINKS}
    return is_only_kind(own) and any(kinds <= set(words_of(head)) for head in heads if head)


@lru_cache(4)
def _by_words(values: tuple[str, ...]) -> Mapping[str, list[int]]:
    """The numbers of the values by each word of their proper names, by its first letter, and by `=` and initials."""
    numbers: defaultdict[str, list[int]] = defaultdict(list)
    for number, value in enumerate(values):
        words = {form for word in _core(value) for form in (word, word[0])}
        for key in words | {f"={letters}" for letters in all_initials_of(value)}:
            numbers[key].append(number)
    return numbers


def _core(value: str) -> list[str]:
    """The words of the proper name, with numbers in figures."""
    words = [word for word in words_of(value) if word not in KINDS and word not in LINKS and not has_short_kind(word)]
    return [str(NUMBERS.get(word, word)) for word in words]


def _is_part(value: str, own: list[str], other: str) -> bool:
    whole = _core(other)
    if is_initials_of(value, other):
        return len(words_of(other)) > 1
    if not own or (len(words_of(other)) <= len(words_of(value)) and own == whole):
        return False
    places = range(len(whole) - len(own) + 1)
    return any(all(map(_stands_for, own, whole[at:])) for at in places) and (own != whole or _is_bare(value, other))


def _is_bare(value: str, other: str) -> bool:
    """Whether a value has the proper name alone, and the other one has the kind as well."""
    return not split(value)[0] and bool(split(other)[0])


def _stands_for(word: str, whole: str) -> bool:
    return word == whole or (len(word) == 1 and word.isalpha() and whole.startswith(word))

"""Names of known persons in forms other than whole words: joined names, account names, initials, and after a title."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from nadie.detectors.known.names import NameFound, Names
from nadie.resolve.terms import FoldedWord
from nadie.spanish.folding import NOTHING, same_length
from nadie.spanish.name_forms import TITLED, capitals_in, full_name, initials_in, is_login

_SHORTEST_NAME = 3
_SHORTEST_JOIN = 5
_LONGEST_JOIN = 40


def joins(names: Names, text: str, words: Sequence[FoldedWord]) -> Iterator[NameFound]:
    """Words made of two or more names of one person (`ANARUBIO`), or of an initial and a name in an account name."""
    folded = same_length(text)
    for place, word in enumerate(words):
        run = word.folded
        if not _SHORTEST_JOIN - 1 <= len(run) <= _LONGEST_JOIN or names.owners(run):
            continue
        persons, count = _cut(names, run)
        if count > 1 and len(run) >= _SHORTEST_JOIN:
            yield NameFound(place, place + 1, persons, count, 0)
            continue
        is_account = text[word.end : word.end + 1] == "@" or is_login(folded[max(0, word.start - 24) : word.start])
        whose = (
            frozenset(p for p in names.owners(run[1:]) if run[0] in names.initials(p)) if is_account else frozenset()
        )
        if whose:
            yield NameFound(place, place + 1, whose, 1, 1)


def _cut(names: Names, run: str) -> tuple[frozenset[int], int]:
    """The persons whose names make up a run completely, and the number of names in it."""
    reached: dict[int, tuple[frozenset[int], int]] = {0: (frozenset(), 0)}
    for start in range(len(run) - _SHORTEST_NAME + 1):
        if start not in reached:
            continue
        before, count = reached[start]
        for end in range(start + _SHORTEST_NAME, len(run) + 1):
            owners = names.owners(run[start:end])
            both = owners & before if count else owners
            if both and reached.get(end, (None, 0))[1] <= count:
                reached[end] = (both, count + 1)
    return reached.get(len(run), (frozenset(), 0))


def initials(names: Names, text: str, certain: frozenset[int]) -> Iterator[tuple[int, int, int]]:
    """The positions of initials of one of the persons: all initials in any order, or the first with one more."""
    whose: dict[str, int] = {}
    for person in sorted(certain):
        letters = names.initials(person)
        whose.setdefault("".join(sorted(letters)), person)
        for other in letters[1:]:
            whose.setdefault("".join(sorted(letters[0] + other)), person)
    if not whose:
        return
    for start, end, letters in initials_in(same_length(text).replace(NOTHING, " ")):
        owner = whose.get("".join(sorted(letters)))
        if owner is not None:
            yield start, end, owner
    in_order = {rotation: person for person in sorted(certain) for rotation in _rotations(names.initials(person))}
    for start, end, letters in capitals_in(text):
        if letters in in_order:
            yield start, end, in_order[letters]


def _rotations(letters: str) -> set[str]:
    """The rotations of the initials, `arc` → `arc`, `rca`, `car`: with the first names or the surnames first."""
    return {letters[n:] + letters[:n] for n in range(len(letters))}


def titled(names: Names, text: str) -> dict[int, frozenset[int]]:
    """The starts of words that are a name because they follow a title, and the persons who have that name."""
    found: dict[int, frozenset[int]] = defaultdict(frozenset)
    for match in TITLED.finditer(same_length(text).replace(NOTHING, " ")):
        owners = names.owners(match["word"]) or names.owners(full_name(match["word"]))
        if owners:
            found[match.start("word")] = owners
    return found

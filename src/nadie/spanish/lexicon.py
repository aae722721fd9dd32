"""The lexicon: word lists and Brown clusters, looked up without regard to case or accents."""

from __future__ import annotations

import gzip
from collections import defaultdict
from collections.abc import Container, Iterable, Sequence
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from typing import NamedTuple

from nadie.spanish import tables
from nadie.spanish.folding import fold

# A list → the name of what its words are.
_LISTS = {
    "first_names_male": "first_name_m",
    "first_names_female": "first_name_f",
    "first_names_any": "first_name",
    "surnames": "surname",
    "towns": "town",
    "provinces": "province",
    "regions": "region",
    "countries": "country",
    "street_types": "street_type",
    "time_words": "time",
    "months": "month",
    "professions": "profession",
    "hospital_words": "hospital_word",
    "relations": "relation",
    "sex_words": "sex",
    "titles": "title",
    "peoples": "people",
}
_LONGEST_PHRASE = 6
UNKNOWN = 10
"""The rarity of words that the lexicon does not have."""

_Phrases = dict[str, dict[str, list[tuple[tuple[str, ...], str]]]]
"""The first word, the second word → the other words and the list of each phrase."""


class Match(NamedTuple):
    """Words `first` up to, not including, `stop` stand in the list `kind`."""

    first: int
    stop: int
    kind: str


class Lexicon:
    """All lists and clusters, each read on first use, which takes a moment: use `Lexicon.shared()`."""

    @staticmethod
    @lru_cache(maxsize=1)
    def shared() -> Lexicon:
        return Lexicon()

    def kinds(self, folded: str) -> tuple[str, ...]:
        """The lists in which a folded word stands by itself."""
        return self._kinds.get(folded, ())

    def cluster(self, word: str) -> str | None:
        """The Brown cluster of this written form; `García`, `garcía` and `GARCÍA` may be of different clusters."""
        return self._clusters.get(word)

    def rarity(self, word: str) -> int:
        """How rare this written form is: 0 for the most frequent words, 9 for rare ones, 10 for unknown ones."""
        return rarity_in(self._written, word)

    def lemma(self, lowered: str) -> str:
        return self._lemmas.get(lowered, lowered)

    def phrases(self, folded: Sequence[str]) -> list[Match]:
        """Entries of several words, found among folded words; a hyphen or an apostrophe counts as a word."""
        matches = []
        for i, word in enumerate(folded[:-1]):
            if word not in self._phrases:
                continue
            for rest, kind in self._phrases[word].get(folded[i + 1], ()):
                stop = i + 2 + len(rest)
                if not rest or tuple(folded[i + 2 : stop]) == rest:
                    matches.append(Match(i, stop, kind))
        return matches

    @cached_property
    def _kinds(self) -> dict[str, tuple[str, ...]]:
        return self._lists[0]

    @cached_property
    def _phrases(self) -> _Phrases:
        return self._lists[1]

    @cached_property
    def _lists(self) -> tuple[dict[str, tuple[str, ...]], _Phrases]:
        kinds: dict[str, list[str]] = defaultdict(list)
        phrases: _Phrases = defaultdict(lambda: defaultdict(list))
        for name, kind in _LISTS.items():
            for line in _entries(name):
                words = tuple(fold(line).replace("-", " - ").split())
                if len(words) == 1:
                    kinds[words[0]].append(kind)
                elif len(words) <= _LONGEST_PHRASE:
                    phrases[words[0]][words[1]].append((words[2:], kind))
        return {word: tuple(found) for word, found in kinds.items()}, phrases

    @cached_property
    def _written(self) -> frozenset[str]:
        """The written forms of words, each with its rarity: `casa0`."""
        return frozenset(entries())

    @cached_property
    def _clusters(self) -> dict[str, str]:
        lines = (line.partition("\t") for line in _cluster_lines())
        return {word[:-1]: cluster for cluster, _, words in lines for word in words.split(" ")}

    @cached_property
    def _lemmas(self) -> dict[str, str]:
        lines = (line.split(" ") for line in gzip.decompress(_data("lemmas.txt.gz")).decode().split("\n"))
        return {form: lemma for lemma, *forms in lines for form in forms}


@cache
def entries() -> Sequence[str]:
    """Every written form of a word with its rarity, a digit: `casa0`, `Fontaneria7`."""
    return " ".join([line.partition("\t")[2] for line in _cluster_lines()]).split(" ")


def rarity_in(forms: Container[str], word: str) -> int:
    """The rarity of a word among forms with their rarity."""
    for rarity in "0123456789":
        if word + rarity in forms:
            return int(rarity)
    return UNKNOWN


def _cluster_lines() -> list[str]:
    return gzip.decompress(_data("clusters.txt.gz")).decode().split("\n")


def _entries(name: str) -> Iterable[str]:
    if name == "countries":
        return (country.name for country in tables.countries())
    if name == "professions":
        return tables.known_professions(tables.LEXICON)
    if name == "peoples":
        return tables.known_peoples(tables.LEXICON)
    return _data(f"{name}.txt").decode().splitlines()


def _data(name: str) -> bytes:
    return (files("nadie.models") / "lexicon" / name).read_bytes()

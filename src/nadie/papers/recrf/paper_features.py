"""The features of Hassan et al. (2019), section 3.3, in groups that can be switched off one by one.

Every feature of a token is also one of its neighbours', up to `reach` words on each side, with its offset.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files

from nadie.document import Span
from nadie.errors import ConfigError
from nadie.papers.recrf.sequence import TokenSequence
from nadie.spanish import tables
from nadie.spanish.folding import fold
from nadie.spanish.lexicon import Lexicon

GROUPS = ("lexical", "orthographic", "rules", "lists", "parts_of_speech")
_AFFIXES = (2, 3)
_HOSPITAL, _ENGLISH = "hospital", "english_name"


class PaperFeatures:
    """The features of some of the `GROUPS`."""

    def __init__(self, groups: str, reach: int, lexicon: Lexicon) -> None:
        self._groups = frozenset(filter(None, (name.strip() for name in groups.split(","))))
        if unknown := sorted(self._groups - set(GROUPS)):
            raise ConfigError(f"there is no feature group {unknown[0][:60]!r}; there are: {', '.join(GROUPS)}")
        self._offsets = range(-reach, reach + 1)
        self._lexicon = lexicon

    def window(self, word: str) -> list[list[str]]:
        """The features of a word alone, at each position of the window."""
        return [[f"{offset}:{name}" for name in self._of_word(word)] for offset in self._offsets]

    def context(self, note: TokenSequence, marks: Iterable[tuple[str, Span]], parts: Sequence[str]) -> list[list[str]]:
        """The features of each token that depend on other words: rules, entries of several words, parts of speech."""
        own: list[list[str]] = [[] for _ in note.tokens]
        if "rules" in self._groups:
            _add_rules(own, note, marks)
        if "lists" in self._groups:
            self._add_phrases(own, note)
        if "parts_of_speech" in self._groups:
            for features, part in zip(own, parts, strict=True):
                features.append(f"pos={part}")
        return [
            [f"{offset}:{name}" for offset in self._offsets if 0 <= i + offset < len(own) for name in own[i + offset]]
            for i in range(len(own))
        ]

    def _of_word(self, word: str) -> list[str]:
        if not word:
            return ["padding"]
        found: list[str] = []
        if "lexical" in self._groups:
            found += [f"w={word}", f"lemma={self._lexicon.lemma(word.lower())}"]
            found += [f"prefix={word[:n]}" for n in _AFFIXES] + [f"suffix={word[-n:]}" for n in _AFFIXES]
        if "orthographic" in self._groups:
            found += [f"length={len(word)}", f"shape={_shape(word)}", f"ends_s={word.endswith('s')}"]
            found.append(f"alpha={any(c.isalpha() for c in word)}")
            found.append(f"number={any(c.isdigit() for c in word)}")
        if "lists" in self._groups:
            folded = fold(word)
            found += [f"list={kind}" for kind in self._lexicon.kinds(folded)]
            found += [f"list={kind}" for rest, kind in _more().get(folded, ()) if not rest]
        return found

    def _add_phrases(self, own: list[list[str]], note: TokenSequence) -> None:
        places = [(match.first, match.stop, match.kind) for match in self._lexicon.phrases(note.folded)]
        for first, word in enumerate(note.folded):
            for rest, kind in _more().get(word, ()):
                if rest and tuple(note.folded[first + 1 : first + 1 + len(rest)]) == rest:
                    places.append((first, first + 1 + len(rest), kind))
        for first, stop, kind in places:
            for i in range(first, stop):
                own[i].append(f"list={kind}")


def _add_rules(own: list[list[str]], note: TokenSequence, marks: Iterable[tuple[str, Span]]) -> None:
    """Where a token is in a match of the RegEx model, and the match's label; a token outside has no feature."""
    for _, span in marks:
        first, stop = note.token_range(span.start, span.end)
        for i in range(first, stop):
            place = "beginning" if i == first else "end" if i == stop - 1 else "middle"
            own[i].append(f"rule={place}:{span.label}")


def _shape(word: str) -> str:
    """The four shapes that the paper names."""
    if word.isupper():
        return "ALL_UPPER"
    if word.islower():
        return "ALL_LOWER"
    return "CAPITALIZED" if word[:1].isupper() and word[1:].islower() else "MIX"


@cache
def _more() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """The lists of the paper that the lexicon lacks, by the first word of an entry: hospitals, English names."""
    english = (files("nadie.papers.recrf") / "data" / "english_names.txt").read_text(encoding="utf-8")
    hospitals = [name for row in tables.rows("hospitals.tsv") for name in row[1].split("|")]
    names = [(line, _ENGLISH) for line in english.splitlines() if line and not line.startswith("#")]
    found: dict[str, list[tuple[tuple[str, ...], str]]] = defaultdict(list)
    for name, kind in (*names, *((name, _HOSPITAL) for name in hospitals)):
        first, *rest = fold(name).replace("-", " - ").replace("'", " ' ").split()
        found[first].append((tuple(rest), kind))
    return dict(found)

"""Spans about the patient's family: kinship is kept, because heredity matters clinically; identities are replaced.

`madre` is kept; `madre Teresa Rodríguez` gets another name; `hijo de 27 años` gets another age. A span with any other
word is refused.
"""

from __future__ import annotations

import re

from nadie.persons.people import Mention
from nadie.persons.relatives import is_kin, is_name
from nadie.spanish.folding import same_length
from nadie.spanish.lexicon import Lexicon
from nadie.spanish.names import FEMALE_TITLES, MALE_TITLES
from nadie.spanish.numbers import NUMBERS
from nadie.surrogates.ages import Ages
from nadie.surrogates.decision import KEEP, REFUSE, Outcome
from nadie.surrogates.names import Inventor

_WORD = re.compile(r"[^\W\d_]+")
_AGE = re.compile(
    r"\d{1,3}\s*(?:anos|ano|anys|mesos|meses|mes|semanas|semana|dias|dia|a)(?![^\W\d_])|(?<=de "
    r")\d{1,3}(?!\d)|(?<=\()\d{1,3}(?=\))"
    rf"|\b(?:{'|'.join(NUMBERS)})\s+(?:anos|meses|semanas|dias)\b"
)
_ONLY_AGE = re.compile(r"\s*(?=[Ol]?\d)[\dOl]{1,3}\s*(?:a|años|anos)?\.?\s*")
_ORDINARY = 6  # of the lexicon's rarity
_TITLES = MALE_TITLES | FEMALE_TITLES


class Relatives:
    """Rewrites spans about relatives, who share the surnames of the patient's family."""

    def __init__(self, inventor: Inventor, ages: Ages) -> None:
        self._inventor = inventor
        self._ages = ages

    def rewrite(self, value: str, mentions: list[Mention]) -> Outcome:
        if _ONLY_AGE.fullmatch(value):
            return self._ages.rewrite(_in_figures(value), own=False)
        new, end = "", 0
        for mention in mentions:
            name = self._inventor.rewrite(value[mention.start : mention.end], mention)
            if name is None:
                return REFUSE
            between = self._between(value[end : mention.start])
            if between is None:
                return REFUSE
            new += between + name
            end = mention.end
        rest = self._between(value[end:])
        if rest is None:
            return REFUSE
        return KEEP if new + rest == value else new + rest

    def _between(self, text: str) -> str | None:
        """The text between names with other ages; None if it has a word that may identify somebody."""
        if not all(_is_understood(word) for word in _WORD.findall(text)):
            return None
        for match in reversed(list(_AGE.finditer(same_length(text)))):
            outcome = self._ages.rewrite(text[match.start() : match.end()], own=False)
            if isinstance(outcome, str):
                text = text[: match.start()] + outcome + text[match.end() :]
        return text


def _in_figures(value: str) -> str:
    """`2Oa` as `20a`."""
    return value.replace("O", "0").replace("l", "1")


def _is_understood(word: str) -> bool:
    """Whether a word is a kinship term, a title, or a common word in lower case and no name: `compañero de celda`."""
    folded = same_length(word)
    if is_kin(word) or folded in _TITLES:
        return True
    return word.islower() and Lexicon.shared().rarity(word) <= _ORDINARY and not is_name(word)

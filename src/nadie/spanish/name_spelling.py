"""Whether a name is spelled like those that many people of Spanish-speaking countries have.

The rare names of a census are half those of immigrants. A reader stumbles over `Ciornei` or `Sanhaji` for a patient
called Vinuesa, so such a name stands only for one of its own origin. Letters are judged by threes: how often each
follows the two before it in the usual names.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable

_ALIEN = re.compile(
    r"w|q(?!u)|oo|ou|dd|aa|ee|sh|gh|dj|mj|kh|th|ck|ff|escu$|[aeio]va$|ski$|[eo]v$|iya|[bcdfglmnprstz]u$|[bcdfgkmnst]j|h[bcdfgjklmnpqrstvxz]"
)
_SMOOTHING, _UNSEEN = 0.1, 3


def spelling_of(usual: Iterable[str]) -> Callable[[str], float]:
    """A function that gives the mean log-probability of a folded name's letters, after those of the usual ones."""
    seen: Counter[str] = Counter()
    before: Counter[str] = Counter()
    for key in usual:
        for three in _threes(key):
            seen[three] += 1
            before[three[:2]] += 1

    def score(key: str) -> float:
        logs = (math.log((seen[three] + _SMOOTHING) / (before[three[:2]] + _UNSEEN)) for three in _threes(key))
        return sum(logs) / (len(key) + 1)

    return score


def is_alien(key: str) -> bool:
    """Whether a folded name has letters that no Spanish, Catalan, Galician or Basque name has together."""
    return _ALIEN.search(key) is not None


def _threes(key: str) -> Iterable[str]:
    padded = f"^^{key}$"
    return (padded[at : at + 3] for at in range(len(padded) - 2))

"""What is known about words without having seen a note: names, places, professions, word clusters, lemmas."""

from __future__ import annotations

from nadie.lexicon.lexicon import Lexicon, Match, fold

__all__ = ["Lexicon", "Match", "fold"]

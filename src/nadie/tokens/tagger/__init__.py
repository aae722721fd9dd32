"""Part-of-speech tags for Spanish words."""

from __future__ import annotations

from collections.abc import Sequence

from nadie.tokens.tagger.tagger import Tagger

__all__ = ["Tagger", "tag"]


def tag(words: Sequence[str]) -> list[str]:
    """The tag of each word of one sentence, by the tagger that ships with nadie."""
    return Tagger.shared().tag(words)

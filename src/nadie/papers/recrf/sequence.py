"""A whole note as one sequence of tokens, with a token for each line break; or one sequence for each line.

Hassan et al. (2019) split at newlines. A note on one long line, or one whose labels are on the line before the value,
needs the words across the break; so by default the break becomes a token, and the window extends across it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property

from nadie.papers.recrf.word_features import NEWLINE
from nadie.spanish.folding import fold
from nadie.tokens.tokenizer import Token, tokenize


@dataclass(frozen=True)
class TokenSequence:
    """The tokens of a note and its line breaks, in order."""

    text: str
    tokens: list[Token]

    @classmethod
    def of(cls, text: str) -> TokenSequence:
        words = tokenize(text)
        tokens: list[Token] = []
        end = 0
        for word in words:
            at = text.find("\n", end, word.start)
            if at >= 0:
                tokens.append(Token(at, at + 1, NEWLINE))
            tokens.append(word)
            end = word.end
        return cls(text, tokens)

    def split(self) -> list[TokenSequence]:
        """A sequence for each line that has words, as in the paper; offsets are those of the whole text."""
        return [TokenSequence(self.text, self.tokens[first:stop]) for first, stop in self.lines if first < stop]

    @cached_property
    def words(self) -> list[str]:
        return [token.text for token in self.tokens]

    @cached_property
    def folded(self) -> list[str]:
        return [fold(token.text) for token in self.tokens]

    @cached_property
    def lines(self) -> list[tuple[int, int]]:
        """Ranges of tokens, without the breaks."""
        breaks = [i for i, token in enumerate(self.tokens) if token.text == NEWLINE]
        return list(zip([0, *(i + 1 for i in breaks)], [*breaks, len(self.tokens)], strict=True))

    def token_range(self, start: int, end: int) -> tuple[int, int]:
        """The tokens that overlap a range of the text."""
        return bisect_right(self._ends, start), bisect_left(self._starts, end)

    @cached_property
    def _starts(self) -> list[int]:
        return [token.start for token in self.tokens]

    @cached_property
    def _ends(self) -> list[int]:
        return [token.end for token in self.tokens]

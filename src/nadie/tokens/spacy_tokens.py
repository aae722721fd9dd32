"""spaCy's rule-based Spanish tokens and sentences, for systems whose papers used them."""

from __future__ import annotations

from functools import cache
from typing import Any

from nadie.errors import MissingExtraError
from nadie.tokens.sentences import Sentence
from nadie.tokens.tokenizer import Token


def spacy_tokens(text: str) -> tuple[list[Token], list[Sentence]]:
    """The tokens of spaCy's Spanish tokenizer without white space, and the sentences of its sentencizer."""
    tokens: list[Token] = []
    firsts: list[int] = []
    waiting = True
    for token in _pipeline()(text):
        waiting = waiting or token.is_sent_start
        if token.is_space:
            continue
        if waiting:
            firsts.append(len(tokens))
            waiting = False
        tokens.append(Token(token.idx, token.idx + len(token.text), token.text))
    return tokens, [Sentence(a, b) for a, b in zip(firsts, [*firsts[1:], len(tokens)], strict=True)]


@cache
def _pipeline() -> Any:
    try:
        import spacy
    except ModuleNotFoundError as error:
        raise MissingExtraError("this model's tokens", "spacy") from error
    pipeline = spacy.blank("es")
    pipeline.max_length = 1 << 40  # the limit is for parsers, which take much memory
    pipeline.add_pipe("sentencizer")
    return pipeline

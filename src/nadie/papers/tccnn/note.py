"""A text as input of TCCNN: words with their tags, and a special word for each line end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nadie.document import Document, Span
from nadie.tokens.sentences import split_lines, split_sentences
from nadie.tokens.tagger import Tagger
from nadie.tokens.tokenizer import Token, tokenize

NEW_LINE = "\u2028"  # the word between two lines; no word can be equal to it
LINE_TAG = "LINE"


@dataclass(frozen=True, slots=True)
class TaggedWords:
    """Words in order with their offsets, parts of speech, and whether each directly follows the previous one."""

    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    tags: tuple[str, ...]
    glued: tuple[bool, ...]

    def __len__(self) -> int:
        return len(self.words)

    def span(self, first: int, stop: int, label: str, score: float, source: str) -> Span:
        return Span(self.starts[first], self.ends[stop - 1], label, score, source)


def read_notes(texts: Sequence[str]) -> list[TaggedWords]:
    """Tag the words of many texts; all sentences are tagged together."""
    cut = [(text, tokenize(text)) for text in texts]
    sentences = [
        [token.text for token in tokens[sentence.first : sentence.stop]]
        for text, tokens in cut
        for sentence in split_sentences(text, tokens)
    ]
    tags = iter([tag for sentence in Tagger.shared().tag_all(sentences) for tag in sentence])
    return [_note(text, tokens, [next(tags) for _ in tokens]) for text, tokens in cut]


def gold_places(note: TaggedWords, document: Document) -> dict[tuple[int, int], str]:
    """The annotated spans as ranges of words; a span that splits a word is left out."""
    first = {start: i for i, start in enumerate(note.starts) if note.words[i] != NEW_LINE}
    stop = {end: i + 1 for i, end in enumerate(note.ends) if note.words[i] != NEW_LINE}
    return {
        (first[span.start], stop[span.end]): span.label
        for span in document.spans
        if span.start in first and span.end in stop
    }


def _note(text: str, tokens: Sequence[Token], tags: Iterable[str]) -> TaggedWords:
    breaks = {line.first for line in split_lines(text, tokens)} - {0}
    words: list[str] = []
    places: list[tuple[int, int]] = []
    kept: list[str] = []
    for i, (token, tag) in enumerate(zip(tokens, tags, strict=True)):
        if i in breaks:
            words.append(NEW_LINE)
            places.append((tokens[i - 1].end, tokens[i - 1].end))
            kept.append(LINE_TAG)
        words.append(token.text)
        places.append((token.start, token.end))
        kept.append(tag)
    glued = [
        i > 0 and NEW_LINE not in (words[i - 1], word) and places[i - 1][1] == places[i][0]
        for i, word in enumerate(words)
    ]
    starts, ends = tuple(start for start, _ in places), tuple(end for _, end in places)
    return TaggedWords(tuple(words), starts, ends, tuple(kept), tuple(glued))

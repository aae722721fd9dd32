"""Features from the context of a token: field label, position in the line, phrases, repetitions, hints and rules.

The field label that applies to a token (`Médico:` before a name, ten words later `NºCol:` before a number) and the
previous line are not in the paper; they represent the layout of the note.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from nadie.document import Span
from nadie.papers.recrf.sequence import TokenSequence
from nadie.papers.recrf.word_features import NEWLINE
from nadie.spanish.lexicon import Lexicon
from nadie.tokens.tagger import Tagger

_LABEL_WORDS = 4
_FAR = 60
_SURE, _LIKELY = 0.9, 0.6
_AT = tuple(f"at={place}" for place in range(5))
_LEFT = tuple(f"left={place}" for place in range(4))
_CUES = frozenset("dr dra doctor doctora nombre apellidos apellido medico paciente sr sra don dona d remitido".split())


def context_features(
    note: TokenSequence, lexicon: Lexicon, hints: Iterable[tuple[str, Span]], parts: Sequence[str] = ()
) -> list[list[str]]:
    """A list of features for each token of the note. `parts` are the tokens' parts of speech, or empty."""
    features: list[list[str]] = [[] for _ in note.words]
    _add_parts_of_speech(features, parts)
    _add_bigrams(features, note.folded)
    _add_lines(features, note)
    _add_labels(features, note)
    _add_phrases(features, note, lexicon)
    _add_repetitions(features, note)
    _add_hints(features, note, hints)
    return features


def _add_bigrams(features: list[list[str]], words: Sequence[str]) -> None:
    kinds = ["#" if word.isdigit() else word for word in words]
    padded = ["", *kinds, ""]
    for i, found in enumerate(features):
        before, here, after = padded[i], padded[i + 1], padded[i + 2]
        found += (f"bi-={before}|{here}", f"bi+={here}|{after}", f"around={before}|{after}")


def parts_of_speech(notes: Sequence[TokenSequence], tagger: Tagger) -> list[list[str]]:
    """The part of speech of each token of each note, tagged line by line; line breaks have none."""
    tagged = iter(tagger.tag_all([note.words[first:stop] for note in notes for first, stop in note.lines]))
    found = []
    for note in notes:
        parts = [NEWLINE] * len(note.words)
        for first, stop in note.lines:
            parts[first:stop] = next(tagged)
        found.append(parts)
    return found


def _add_parts_of_speech(features: list[list[str]], parts: Sequence[str]) -> None:
    padded = ["", "", *parts, "", ""]
    for i in range(len(parts)):
        features[i] += _names_of_parts(*padded[i : i + 5])


@lru_cache(maxsize=1 << 16)
def _names_of_parts(a: str, b: str, here: str, c: str, d: str) -> tuple[str, ...]:
    return f"pos={here}", f"pos-={b}|{here}", f"pos+={here}|{c}", f"pos--={a}|{b}", f"pos++={c}|{d}"


def _add_lines(features: list[list[str]], note: TokenSequence) -> None:
    """The position in the line and in the note, and the first word of the line."""
    lines = note.lines
    for number, (first, stop) in enumerate(lines):
        place = f"line={min(number, 14)}" if number < len(lines) - 4 else f"line=-{len(lines) - number}"
        opening = f"opens={note.folded[first] if first < stop else ''}"
        for i in range(first, stop):
            features[i] += (place, opening, _AT[min(i - first, 4)], _LEFT[min(stop - i - 1, 3)])


def _add_labels(features: list[list[str]], note: TokenSequence) -> None:
    """The nearest field label to the left on the same line, with its distance, and the label of the previous line."""
    previous = "none"
    for first, stop in note.lines:
        label, since = "none", 0
        opening = "none"
        above = f"above={previous}"
        for i in range(first, stop):
            since += 1
            if label != "none" and since <= _FAR:
                features[i] += (*_names_of_field(label, _distance(since)), above)
            else:
                features[i] += ("field=none", above)
            if note.words[i] == ":":
                label, since = _label_before(note.folded, first, i), 0
                if opening == "none":
                    opening = label
        previous = opening


@lru_cache(maxsize=1 << 14)
def _names_of_field(label: str, distance: str) -> tuple[str, str]:
    return f"field={label}", f"field@={label}@{distance}"


def _label_before(folded: Sequence[str], first: int, colon: int) -> str:
    words: list[str] = []
    for i in range(colon - 1, max(first - 1, colon - 1 - _LABEL_WORDS), -1):
        if not folded[i].isalpha() and folded[i] not in ("/", "º"):
            break
        words.append(folded[i])
    return "_".join(reversed(words)) or "punct"


def _distance(since: int) -> str:
    return str(since) if since < 5 else "9" if since < 10 else "20" if since < 20 else "60"


def _add_phrases(features: list[list[str]], note: TokenSequence, lexicon: Lexicon) -> None:
    for first, stop, kind in lexicon.phrases(note.folded):
        for i in range(first, stop):
            features[i].append(f"phrase={kind}:{'b' if i == first else 'i'}")


def _add_repetitions(features: list[list[str]], note: TokenSequence) -> None:
    """Words that follow a title or the label of a name field anywhere in the note are probably names."""
    named = set()
    for i in range(1, len(note.words)):
        back = i - 1
        while back > 0 and note.words[back] in (".", ":", " "):
            back -= 1
        if note.folded[back] in _CUES and note.words[i][0].isalpha() and len(note.words[i]) > 3:
            for j in range(i, min(i + 4, len(note.words))):
                if note.words[j] == NEWLINE or not note.words[j][0].isalpha():
                    break
                if len(note.words[j]) > 3:
                    named.add(note.folded[j])
    for i, word in enumerate(note.folded):
        if word in named:
            features[i].append("named")


def _add_hints(features: list[list[str]], note: TokenSequence, hints: Iterable[tuple[str, Span]]) -> None:
    """Begin, inside or end of a match of a rule or of another detector, as in the paper's RegEx features."""
    for name, span in hints:
        first, stop = note.token_range(span.start, span.end)
        for i in range(first, stop):
            part = "single" if stop - first == 1 else "begin" if i == first else "end" if i == stop - 1 else "middle"
            sure = "sure" if span.score >= _SURE else "likely" if span.score >= _LIKELY else "unsure"
            features[i] += (f"{name}={span.label}:{sure}", f"{name}:{part}={span.label}:{sure}")
            if span.source:
                features[i].append(f"{name}:{part}={span.source}")

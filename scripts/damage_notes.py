"""Make damaged notes: characters confused, words broken by spaces or over lines, letters lost; spans are carried over.

    python scripts/damage_notes.py data/notes/train OUT.jsonl [--share 0.2] [--seed 1]

Pages read by Tesseract (`scripts/scan_notes.py`) have its errors. This script adds those of other scanners, faxes,
typewriters and wrong encodings. Each note has damage of a few kinds, one of them strong.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random

from nadie.augment.engine import seeded
from nadie.document import Document, Span
from nadie.files.annotated.jsonl import format_line
from nadie.files.annotated.reading import read_documents

Letters = list[tuple[str, int]]
"""What stands for the characters of the note, with the offset of each; -1 for what was inserted."""
_CONFUSED = (
    ("o0", "O0", "0O"),
    ("l1", "1l", "Il", "I1"),
    ("5S", "S5", "8B", "B8"),
    ("0O", "1l"),
    ("Il", "0O", "1I"),
    ("i1", "6G", "2Z"),
)
_JOINED = (("m", "rn"), ("n", "ri"), ("d", "cl"), ("ñ", "n"), ("é", "6"), ("á", "a"), ("í", "i"), ("ó", "o"))


def confused(letters: Letters, rate: float, rng: Random) -> Letters:
    table = {pair[0]: pair[1] for pair in rng.choice(_CONFUSED)}
    table |= dict(rng.sample(_JOINED, 2)) if rng.random() < 0.6 else {}
    return [
        (replaced, at)
        for letter, at in letters
        for replaced in (table.get(letter, letter) if rng.random() < rate else letter)
    ]


def spaced(letters: Letters, rate: float, rng: Random) -> Letters:
    """Spaces inside words, at a tenth of the rate, and wide ones between words."""
    wide = rng.random() < 0.4
    found: Letters = []
    for (letter, at), (after, _) in _with_next(letters):
        found.append((letter, at))
        if letter.isalnum() and after.isalnum() and rng.random() < rate / 10:
            found.append((" ", -1))
        elif letter == " " and wide and rng.random() < rate / 3:
            found += [(" ", -1)] * rng.randrange(1, 4)
    return found


def broken(letters: Letters, rate: float, rng: Random) -> Letters:
    """Lines of one width; words at their ends are hyphenated at the given rate."""
    width, column = rng.randrange(48, 96), 0
    found: Letters = []
    for (letter, at), (after, _) in _with_next(letters):
        if letter == " " and column > width - 8:
            found.append(("\n", -1))
            column = 0
            continue
        found.append((letter, at))
        column = 0 if letter == "\n" else column + 1
        if column >= width - 6 and letter.isalpha() and after.isalpha() and rng.random() < rate:
            found += [("-", -1), ("\n", -1)]
            column = 0
    return found


def lost(letters: Letters, rate: float, rng: Random) -> Letters:
    """Letters with an accent in another encoding, or punctuation that was not read."""
    sign = rng.choice(("?", "�", "¤", ""))
    if rng.random() < 0.6:
        return [(sign if letter in "áéíóúñÁÉÍÓÚÑ" else letter, at) for letter, at in letters]
    return [(letter, at) for letter, at in letters if letter not in ".,:;" or rng.random() > rate / 2]


_KINDS: tuple[Callable[[Letters, float, Random], Letters], ...] = (confused, spaced, broken, lost)


def _with_next(letters: Letters) -> Iterator[tuple[tuple[str, int], tuple[str, int]]]:
    return zip(letters, [*letters[1:], ("", -1)], strict=True)


def damaged(document: Document, rng: Random) -> Document:
    letters: Letters = list(zip(document.text, range(len(document.text)), strict=True))
    strong = rng.choice((confused, confused, spaced, spaced, broken, lost))
    for damage in _KINDS:
        if damage is strong or rng.random() < 0.35:
            letters = damage(letters, rng.choice((0.3, 0.6, 0.9)) if damage is strong else 0.15, rng)
    text = "".join(letter for letter, _ in letters)
    places = [at for letter, at in letters for _ in letter]
    spans = tuple(_carried(text, places, document.spans))
    return Document(f"{document.id}-damaged", text, spans, {**document.meta, "traps": ""})


def _carried(text: str, places: list[int], spans: Iterable[Span]) -> Iterator[Span]:
    """The spans in the damaged text; one that is broken over lines becomes several."""
    owner = {at: number for number, span in enumerate(spans) for at in range(span.start, span.end)}
    labels = [span.label for span in spans]
    own = [owner.get(at, -1) for at in places]
    for position, at in enumerate(places):  # what was inserted inside a span belongs to it, except for line breaks
        if at < 0 and 0 < position < len(own) - 1:
            after = next((owner.get(a, -1) for a in places[position:] if a >= 0), -1)
            own[position] = own[position - 1] if own[position - 1] == after and text[position] != "\n" else -1
    start = 0
    while start < len(own):
        end = start
        while end < len(own) and own[end] == own[start]:
            end += 1
        first, last = start, end
        while first < last and not text[first].isalnum():
            first += 1
        while last > first and not text[last - 1].isalnum():
            last -= 1
        if own[start] >= 0 and last > first:
            yield Span(first, last, labels[own[start]])
        start = end


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notes", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--share", type=float, default=0.2)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with given.out.open("w", encoding="utf-8") as out:
        for document in read_documents(given.notes):
            if document.spans and seeded(given.seed, document.id, 3).random() < given.share:
                out.write(format_line(damaged(document, seeded(given.seed, document.id, 4))))


if __name__ == "__main__":
    main()

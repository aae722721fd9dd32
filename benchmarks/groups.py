"""How many names a model finds, by the origin of the names and the sex of the first names: is it fair?

In notes with right spans, every first name and surname of patients and staff is replaced by one of the same origin and
sex. These names are on the held-out side of the split, so no training text was made with them. The rest of the note is
the same for all groups, and a difference comes from the names alone. Counted are names of which every letter is
covered; the interval is a bootstrap over notes.

    python benchmarks/groups.py data/notes/dev [--models fast,best] [--json groups.json]

`scripts/build_results.py --groups groups.json` writes the figures into the model cards.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np

import nadie
from nadie.augment.edits import rewrite, substitution
from nadie.augment.split import Split
from nadie.augment.vocabulary import ORIGINS, pick_name, vocabulary
from nadie.document import Document, Span
from nadie.files.annotated.reading import read_documents
from nadie.labels import Label
from nadie.spanish import population
from nadie.spanish.folding import fold
from nadie.spanish.names import PARTICLES

NAMES = {Label.NOMBRE_SUJETO_ASISTENCIA, Label.NOMBRE_PERSONAL_SANITARIO}
GROUPS = {
    "es": "Spain and Spanish America", "ca": "Catalan", "eu": "Basque", "gl": "Galician", "in": "native American",
    "ar": "Arabic", "af": "African", "ro": "Romanian and East European", "uk": "Ukrainian", "zh": "Chinese",
    "west": "West European",
}  # fmt: skip
_WORD = re.compile(r"[^\W\d_]{3,}")
_RESAMPLES = 1000


class Renamer:
    """The names of one note in another group: equal words get equal names."""

    def __init__(self, origin: str, sex: str, rng: Random) -> None:
        words = vocabulary(Split.HELD_OUT)
        self._pools = {True: words.given[origin, sex], False: words.surnames[origin]}
        self._rng = rng
        self._known: dict[str, str] = {}

    def new(self, name: str) -> str:
        return _WORD.sub(lambda found: self._word(found[0]), name)

    def _word(self, word: str) -> str:
        key = fold(word)
        if key in PARTICLES:
            return word
        if key not in self._known:
            self._known[key] = pick_name(self._pools[bool(population.sex_of(key))], self._rng)
        new = self._known[key]
        return new.upper() if word.isupper() else new.lower() if word.islower() else new


def renamed(note: Document, origin: str, sex: str) -> Document:
    """The note with the names of a group; the same for every run."""
    renamer = Renamer(origin, sex, Random(f"{note.id} {origin} {sex}"))
    spans = [span for span in note.spans if span.label in NAMES]
    return rewrite(note, [substitution(s.start, s.end, renamer.new(note.text_of(s))) for s in spans])


def found_whole(note: Document, found: Sequence[Span]) -> tuple[int, int]:
    """How many names of the note are covered to the last letter, and how many there are."""
    covered = {at for span in found for at in range(span.start, span.end)}
    names = [span for span in note.spans if span.label in NAMES]
    whole = sum(all(at in covered or not note.text[at].isalnum() for at in range(s.start, s.end)) for s in names)
    return whole, len(names)


def shares(counts: Sequence[tuple[int, int]]) -> list[float]:
    """The share in per cent, and its 95 % interval."""
    table = np.array(counts, dtype=float)
    rng = np.random.default_rng(1)
    drawn = table[rng.integers(len(table), size=(_RESAMPLES, len(table)))].sum(axis=1)
    ends = np.percentile(drawn[:, 0] / drawn[:, 1], [2.5, 97.5])
    return [round(100 * float(each), 1) for each in (table[:, 0].sum() / table[:, 1].sum(), *ends)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notes", type=Path, help="annotated notes")
    parser.add_argument("--models", default="fast,best", help="separated by commas")
    parser.add_argument("--json", type=Path, help="also write the figures there")
    options = parser.parse_args()
    missing = set(GROUPS) - set(ORIGINS)
    assert not missing, missing
    notes = [note for note in read_documents(options.notes) if any(span.label in NAMES for span in note.spans)]
    figures: dict[str, dict[str, dict[str, list[float]]]] = {}
    for model in options.models.split(","):
        pipeline = nadie.load(model)
        for origin, title in GROUPS.items():
            for sex, people in (("f", "women"), ("m", "men")):
                copies = [renamed(note, origin, sex) for note in notes]
                found = pipeline.annotate_all(Document(copy.id, copy.text) for copy in copies)
                counts = [found_whole(copy, each.spans) for copy, each in zip(copies, found, strict=True)]
                share, low, high = shares(counts)
                figures.setdefault(title, {}).setdefault(model, {})[people] = [share, low, high]
                print(f"{model:8} {title + ', ' + people:36} {share:5.1f} [{low:.1f}; {high:.1f}]", flush=True)
    if options.json:
        options.json.write_text(json.dumps(figures), encoding="utf-8")


if __name__ == "__main__":
    main()

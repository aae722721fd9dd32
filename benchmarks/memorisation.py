"""What an adapted model tells about the notes that it learned from: can a name be recognised as one of them?

A model is adapted to half of some notes. An attacker has it and its base, and a list of names, half of which occur only
in those notes and half only in the others. Each name is put into sentences of which no model knows anything, and the
names are ranked by how much more certain the adapted model is than its base that they are PHI. The area under the curve
(AUC) is how often a name of the notes ranks above another: 0.5 is chance, 1 is certainty. Its interval is a bootstrap
over names.

    python benchmarks/memorisation.py [--notes data/notes/dev] [--base fast] [--methods lists,layer,network]
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt

from nadie.detector import Model, Teacher
from nadie.document import Document
from nadie.files.annotated.reading import read_documents
from nadie.run.adapting import AdaptOptions, fitting
from nadie.spanish.folding import fold

CARRIERS = (
    "Se comenta con {} por la mañana.",
    "Pendiente de {}, sin cambios.",
    "{} no acude hoy.",
    "Avisar a {} si empeora.",
)
_LEAST_LETTERS, _LEAST = 5, 1e-6
_DIGITS = 3  # below that, the difference is one of rounding, which also a model that has learned nothing has

Floats = npt.NDArray[np.float64]


class Silent:
    """Progress that is not shown."""

    def start(self, task: str, total: int) -> None: ...

    def advance(self, done: int, **figures: float) -> None: ...


def names(notes: Sequence[Document]) -> set[str]:
    """The names of patients and staff."""
    found = (note.text_of(span) for note in notes for span in note.spans if span.label.startswith("NOMBRE"))
    return {" ".join(name.split()).title() for name in found if len(name) >= _LEAST_LETTERS}


def certainty(detector: Teacher, some: Sequence[str]) -> Floats:
    """The mean log-odds of each name being PHI, over its tokens and the sentences; more if it is found, as by lists."""
    texts = [(name, carrier.format(name)) for name in some for carrier in CARRIERS]
    documents = [Document(str(n), text) for n, (_, text) in enumerate(texts)]
    found = zip(detector.token_probabilities(documents), detector.detect(documents), strict=True)
    odds = []
    for (name, text), (each, spans) in zip(texts, found, strict=True):
        begin = text.index(name)
        is_found = any(span.start <= begin and begin + len(name) <= span.end for span in spans)
        inside = [begin <= token.start and token.end <= begin + len(name) for token in each.tokens]
        outside = np.clip(each.values[inside, 0].astype(np.float64), _LEAST, 1 - _LEAST)
        odds.append(float(np.mean(np.log1p(-outside) - np.log(outside))) + is_found)
    means: Floats = np.array(odds).reshape(len(some), len(CARRIERS)).mean(1)
    return means


def auc(members: Floats, others: Floats) -> float:
    """How often a member ranks above another name; half for ties."""
    difference = members[:, None] - others[None, :]
    return float((difference > 0).mean() + (difference == 0).mean() / 2)


def interval(members: Floats, others: Floats, seed: int = 0) -> tuple[float, float]:
    rng = np.random.default_rng(seed)
    drawn = [auc(rng.choice(members, len(members)), rng.choice(others, len(others))) for _ in range(1000)]
    low, high = np.percentile(drawn, [2.5, 97.5])
    return float(low), float(high)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--notes", type=Path, default=Path("data/notes/dev"))
    parser.add_argument("--base", default="fast")
    parser.add_argument("--methods", default="lists,layer,network")
    parser.add_argument("--size", type=int, default=50)
    given = parser.parse_args()
    notes = list(read_documents(given.notes))
    Random(1).shuffle(notes)
    own, rest = notes[: given.size], notes[given.size :]
    inside, elsewhere = names(own), names(rest)
    words = {fold(word) for name in elsewhere for word in name.split()}
    members = sorted(name for name in inside if not {fold(word) for word in name.split()} & words)
    known = {fold(word) for name in inside for word in name.split()}
    others = sorted(name for name in elsewhere if not {fold(word) for word in name.split()} & known)
    base = Model.of(given.base)
    plain = base.detector()
    assert isinstance(plain, Teacher)
    before = certainty(plain, members), certainty(plain, others)
    print(f"{len(members)} names of {len(own)} notes, {len(others)} other names")
    for method in given.methods.split(","):
        with TemporaryDirectory() as work:
            model = fitting(base, AdaptOptions(given.base, method), Silent(), Path(work))(own, "all")
        assert isinstance(model, Teacher)
        pairs = zip((members, others), before, strict=True)
        ours, theirs = (np.round(certainty(model, some) - was, _DIGITS) for some, was in pairs)
        low, high = interval(ours, theirs)
        print(f"{method}: AUC {auc(ours, theirs):.3f} ({low:.3f}–{high:.3f})", flush=True)


if __name__ == "__main__":
    main()

"""Whether an attacker can distinguish a missed name from the invented ones.

The figures of docs/en/understand/surrogates.md.

    python benchmarks/hiding.py NOTES [--format notes] [--keys 3]

Notes with their gold spans are anonymized. Then a few persons are shown with their real names, as if all their spans
had been missed. An attacker ranks the persons by how suspicious their names are and flags a tenth of them; random
guessing finds a tenth of the missed ones. The result is the expected share over all persons that may be missed,
relative to that tenth. The first attacker flags names with a very common part. The second is
a classifier (logistic regression over frequencies of first names and surnames, letters, accents, length, label and
number of mentions) trained on the other half of the notes, with half of the persons leaked and labelled. Persons named
in both halves are left out: they would be recognised as persons, not by the type of their names.
"""

from __future__ import annotations

import argparse
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import OLD_SALT, Secret
from nadie.document import Span
from nadie.files.annotated.reading import read_documents
from nadie.labels import Label
from nadie.persons.parsing import Kind, parse
from nadie.persons.people import People
from nadie.resolve.completing import complete
from nadie.resolve.overlaps import disjoint
from nadie.spanish.folding import fold, words_of
from nadie.spanish.population import bearers, surname_bearers

NAMES = (Label.NOMBRE_SUJETO_ASISTENCIA, Label.NOMBRE_PERSONAL_SANITARIO)
FLAGGED = 0.10
VERY_COMMON = 250_000
TRIGRAMS = 512
Vector = npt.NDArray[np.float64]


class Shown(NamedTuple):
    """One person: the names that an attacker sees if the person was replaced, and if the person was missed."""

    invented: tuple[str, ...]
    real: tuple[str, ...]
    is_staff: bool


def persons(folder: Path, name: str, secret: Secret) -> list[list[Shown]]:
    """The persons of each note."""
    engine = Engine(read_policy("research"), secret.key())
    notes = []
    for document in read_documents(folder, name):
        done = engine.run(complete(document.with_spans(disjoint(document.spans)), engine.kept))
        people = People(done.document)
        shown: dict[object, list[tuple[str, str, Span]]] = {}
        for item in done.replaced:
            person = people.person(item.span)
            if item.span.label in NAMES and person is not None and not item.refused:
                pair = (done.text[item.start : item.end], done.document.text_of(item.span), item.span)
                shown.setdefault(person, []).append(pair)
        notes.append(
            [
                Shown(tuple(p[0] for p in pairs), tuple(p[1] for p in pairs), pairs[0][2].label == NAMES[1])
                for pairs in shown.values()
            ]
        )
    return notes


def features(names: Sequence[str], person: Shown) -> Vector:
    fullest = max(names, key=lambda name: len(words_of(name)))
    name = parse(fullest)
    given = [bearers(key) for key in name.keys(Kind.GIVEN)] or [0]
    family = [surname_bearers(key) for key in name.keys(Kind.SURNAME)] or [0]
    logs = [np.log1p(min(given)), np.log1p(max(given)), np.log1p(min(family)), np.log1p(max(family))]
    steps = [float(10**k <= count < 10 ** (k + 1)) for k in range(2, 7) for count in (max(given), max(family))]
    plain = [len(fullest) / 10, len(name.parts), len(names), float(person.is_staff), float(not fullest.isascii())]
    plain += [float(fullest.isupper()), float(0 in given), float(0 in family), 1.0]
    letters = np.zeros(TRIGRAMS)
    for word in words_of(fullest):
        padded = f"^{fold(word)}$"
        for at in range(len(padded) - 2):
            letters[zlib.crc32(padded[at : at + 3].encode()) % TRIGRAMS] = 1.0
    return np.concatenate([np.array([x / 5 for x in logs] + steps + plain), letters])


def trained(rows: Vector, leaked: Vector) -> Vector:
    """Weights of a logistic regression with a penalty, by gradient descent."""
    weights = np.zeros(rows.shape[1])
    for _ in range(400):
        guess = 1 / (1 + np.exp(-rows @ weights))
        weights -= 0.5 * (rows.T @ (guess - leaked) / len(rows) + 0.002 * weights)
    return weights


def lift(hidden: Vector, bare: Vector) -> float:
    """How much more often than by chance a leaked person is among the most suspicious tenth.

    `hidden` and `bare` are the scores of all persons if they are replaced and if they are missed. So few are missed
    that the border of the most suspicious tenth is that of the replaced ones. Ties are broken at random.
    """
    border = np.sort(hidden)[::-1][int(len(hidden) * FLAGGED)]
    free = FLAGGED - (hidden > border).mean()
    tied = (hidden == border).mean()
    return float(((bare > border).mean() + (bare == border).mean() * free / tied) / FLAGGED)


def is_common(names: Sequence[str]) -> float:
    parts = [key for name in names for key in words_of(name)]
    return float(any(max(bearers(key), surname_bearers(key)) > VERY_COMMON for key in parts))


def attacked(notes: list[list[Shown]]) -> dict[str, float]:
    """The result of each attacker relative to chance, with either half of the notes known to the classifier."""
    halves = [[person for note in notes[half::2] for person in note] for half in (0, 1)]
    results = [_attacked(*halves), _attacked(*halves[::-1])]
    return {name: float(np.mean([result[name] for result in results])) for name in results[0]}


def _attacked(known: list[Shown], others: list[Shown]) -> dict[str, float]:
    known_names = {words for person in known for name in person.real if len(words := tuple(words_of(name))) > 1}
    seen = [person for person in others if not known_names & {tuple(words_of(name)) for name in person.real}]
    is_leaked = np.random.default_rng(16).random(len(known)) < 0.5
    rows = [features(p.real if leaked else p.invented, p) for p, leaked in zip(known, is_leaked, strict=True)]
    weights = trained(np.array(rows), is_leaked.astype(float))
    sides = [[p.invented for p in seen], [p.real for p in seen]]
    hidden, bare = (np.array([features(n, p) for n, p in zip(names, seen, strict=True)]) @ weights for names in sides)
    common, bare_common = (np.array([is_common(n) for n in names]) for names in sides)
    print(
        f"persons {len(known)} known, {len(seen)} attacked; with a very common part: "
        f"real {bare_common.mean():.2f}, invented {common.mean():.2f}",
        flush=True,
    )
    return {"very common": lift(common, bare_common), "classifier": lift(hidden, bare)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notes", type=Path)
    parser.add_argument("--format", default="notes")
    parser.add_argument("--keys", type=int, default=3, help="the number of keys, since surrogates depend on the key")
    options = parser.parse_args()
    found_with = []
    for number in range(options.keys):
        secret = Secret(f"otra clave {number} para medir".encode(), salt=OLD_SALT)
        found_with.append(attacked(persons(options.notes, options.format, secret)))
        print({name: round(value, 2) for name, value in found_with[-1].items()}, flush=True)
    for name in found_with[0]:
        values = [each[name] for each in found_with]
        print(f"{name}: {np.mean(values):.2f} times chance ({min(values):.2f} to {max(values):.2f})")


if __name__ == "__main__":
    main()

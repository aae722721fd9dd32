"""Whether names that recur give themselves away.

The figures of docs/en/understand/surrogates.md about staff who sign many notes.

    python benchmarks/recurrence.py [--notes 4000] [--physicians 200] [--missed 0.02] [--keys 5]

Invented physicians sign the notes of as many patients, the n-th as often as 1 / n. Of the signatures, a share is
missed. The attacker knows all signatures in the output and guesses that ten of them are real: those that stand in the
most notes, or those that stand in the fewest. All is measured with one surrogate for each patient, with one for each
physician in all notes (the scope `corpus`, as in the policy `research`), and with the scope `mixed`.
"""

from __future__ import annotations

import argparse
import dataclasses
import random
from collections import Counter
from collections.abc import Iterator

from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import Policy, read_policy
from nadie.anonymize.secret import Key
from nadie.document import Document, Span
from nadie.labels import Label
from nadie.spanish.folding import words_of
from nadie.spanish.name_pools import given_pool, surname_pool

GUESSES = 10
_GIVEN = (("maria", "f"), ("lucia", "f"), ("ines", "f"), ("jose", "m"), ("david", "m"), ("hugo", "m"))
_SURNAMES = ("garcia", "soto", "cabezas", "llorente", "etxeberria", "puig")


def person(draw: random.Random) -> str:
    first = given_pool(*draw.choice(_GIVEN))
    surnames = [surname_pool(draw.choice(_SURNAMES), with_particle=False) for _ in range(2)]
    return " ".join(pool.at(draw.randrange(pool.total)) for pool in (first, *surnames))


def signed(options: argparse.Namespace, seed: int) -> Iterator[tuple[Document, str, bool]]:
    """Notes of different patients, each with its physician and whether the signature is missed."""
    draw = random.Random(seed)
    staff = [person(draw) for _ in range(options.physicians)]
    chosen = draw.choices(staff, [1 / rank for rank in range(1, len(staff) + 1)], k=options.notes)
    for number, name in enumerate(chosen):
        patient, is_missed = person(draw), draw.random() < options.missed
        text = f"Paciente: {patient}.\nAcude a revisión, sin cambios.\nFirmado: {name}"
        spans = [Span(10, 10 + len(patient), Label.NOMBRE_SUJETO_ASISTENCIA)]
        if not is_missed:
            spans.append(Span(len(text) - len(name), len(text), Label.NOMBRE_PERSONAL_SANITARIO))
        yield Document(str(number), text, tuple(spans), {"patient": str(number)}), name, is_missed


def attacked(policy: Policy, options: argparse.Namespace, seed: int) -> tuple[int, int]:
    """The number of right guesses by most and by fewest notes."""
    engine = Engine(policy, Key(bytes([seed]) * 32))
    stands: Counter[str] = Counter()
    real: set[str] = set()
    for document, name, is_missed in signed(options, seed):
        signature = " ".join(words_of(engine.run(document).text.rpartition("Firmado: ")[2]))
        stands[signature] += 1
        if is_missed and signature == " ".join(words_of(name)):
            real.add(signature)
    order = random.Random(seed)
    by_most, by_fewest = (
        sorted(stands, key=lambda each: (sign * stands[each], order.random()))[:GUESSES] for sign in (-1, 1)
    )
    return sum(each in real for each in by_most), sum(each in real for each in by_fewest)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--notes", type=int, default=4000)
    parser.add_argument("--physicians", type=int, default=200)
    parser.add_argument("--missed", type=float, default=0.02)
    parser.add_argument("--keys", type=int, default=5)
    options = parser.parse_args()
    research = read_policy("research")
    for scope in ("patient", "corpus", "mixed"):
        policy = dataclasses.replace(research, scopes={"staff": scope})
        results = [attacked(policy, options, seed) for seed in range(1, options.keys + 1)]
        most, fewest = ([result[place] for result in results] for place in (0, 1))
        print(f"scope {scope}: right of ten guesses by most notes {most}, by fewest {fewest}", flush=True)


if __name__ == "__main__":
    main()

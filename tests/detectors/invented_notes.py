"""Invented notes, and batches of them, for the tests of the neural systems."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

from nadie.detectors.base import DETECTORS
from nadie.detectors.neural.config import TaggerConfig
from nadie.detectors.neural.encoding import Batch
from nadie.document import Document, Span
from nadie.formats.reading import read_documents
from nadie.storage import find_model, read_model
from nadie.tokens.view import seen


class Silence:
    def start(self, task: str, total: int) -> None: ...

    def advance(self, done: int, **figures: float) -> None: ...


def invented(count: int, seed: int) -> list[Document]:
    """Notes with a name, an age, a town and some prose."""
    rng = random.Random(seed)
    notes = []
    for i in range(count):
        parts: list[tuple[str, str | None]] = [
            ("Nombre: ", None),
            (rng.choice(["Ana", "Luis", "Marta", "Iker", "Sara"]), "NOMBRE_SUJETO_ASISTENCIA"),
            (".\nNacida en ", None),
            (rng.choice(["Cuenca", "Soria", "Lugo", "Jaca"]), "TERRITORIO"),
            (".\nEdad: ", None),
            (f"{rng.randint(18, 90)} años", "EDAD_SUJETO_ASISTENCIA"),
            (f".\nAcude por {rng.choice(['tos', 'fiebre', 'dolor'])} de {rng.randint(2, 9)} días.\n", None),
        ]
        text, spans = "", []
        for piece, label in parts:
            if label:
                spans.append(Span(len(text), len(text) + len(piece), label))
            text += piece
        notes.append(Document(f"note-{seed}-{i}", text, tuple(spans)))
    return notes


def batches_of(config: TaggerConfig) -> tuple[list[Batch], Any]:
    """Batches of several shapes, and the sizes of a network for them."""
    import torch

    from nadie.detectors.neural.encoding import collate, encode
    from nadie.detectors.neural.vocabulary import build_vocabulary
    from nadie.tokens.codec import allowed_steps, tag_set
    from nadie.training.assembly import Sizes

    batches = []
    texts = [note.text for note in invented(6, 8)]
    vocabulary = build_vocabulary(["nombre", "edad", "cuenca"], Counter(" ".join(texts).split()), lexicon=True)
    for some in (texts[:1], texts[:4], ["Ana", texts[5] * 3]):
        joined = encode("\n".join(some))
        rows, begin = [], 0
        for text in some:
            end = begin + len(encode(text).tokens)
            rows.append((joined.kinds[begin:end], joined.spacing[begin:end]))
            begin = end
        batches.append(collate(rows, vocabulary.forms(joined.forms)))
    tags = tag_set(["TERRITORIO", "FECHAS"], config.scheme)
    sizes = Sizes(
        vocabulary.word_count,
        vocabulary.character_count,
        len(tags),
        None,
        torch.from_numpy(allowed_steps(tags)),
        len(vocabulary.lists),
        vocabulary.cluster_count,
    )
    return batches, sizes


def shipped_recall(name: str, meddocan: Path) -> tuple[float, int]:
    """The share of gold spans that a shipped model finds in some dev notes, and how many notes those were."""
    notes = [seen(note) for note in islice(read_documents(meddocan / "dev" / "brat"), 12)]
    folder = read_model(find_model(name))
    found = DETECTORS.get(folder.system).load(folder).detect(notes)
    right = sum(len(set(spans) & set(note.spans)) for note, spans in zip(notes, found, strict=True))
    return right / sum(len(note.spans) for note in notes), len(notes)

"""Invented notes, and batches of them, for the tests of the neural systems."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from nadie.detector import DETECTORS, Detector
from nadie.document import Document, Span
from nadie.files.annotated.reading import read_documents
from nadie.neural.config import TaggerConfig
from nadie.neural.encoding import Batch, collate, encode
from nadie.neural.tagger import onnx_network
from nadie.neural.vocabulary import Vocabulary, build_vocabulary
from nadie.storage import find_model, read_model
from nadie.tokens.codec import tag_set
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
        notes.append(document_of(f"note-{seed}-{i}", parts))
    return notes


def document_of(name: str, parts: Sequence[tuple[str, str | None]]) -> Document:
    """A document of pieces of text, each with its label or none."""
    text, spans = "", []
    for piece, label in parts:
        if label:
            spans.append(Span(len(text), len(text) + len(piece), label))
        text += piece
    return Document(name, text, tuple(spans))


def right(model: Detector, notes: Sequence[Document]) -> int:
    """How many of the notes' spans the model finds."""
    return sum(len(set(found) & set(note.spans)) for note, found in zip(notes, model.detect(notes), strict=True))


def rows_of(texts: Sequence[str], vocabulary: Vocabulary, between: str = "\n") -> Batch:
    """A batch with a row for each text."""
    joined = encode(between.join(texts))
    rows, begin = [], 0
    for text in texts:
        end = begin + len(encode(text).tokens)
        rows.append((joined.kinds[begin:end], joined.spacing[begin:end]))
        begin = end
    return collate(rows, vocabulary.forms(joined.forms))


def batches_of(config: TaggerConfig) -> tuple[list[Batch], Any]:
    """Batches of several shapes, and the sizes of a network for them."""
    from nadie.training.fitting import TaggerSizes

    texts = [note.text for note in invented(6, 8)]
    vocabulary = build_vocabulary(["nombre", "edad", "cuenca"], Counter(" ".join(texts).split()), lexicon=True)
    batches = [rows_of(some, vocabulary) for some in (texts[:1], texts[:4], ["Ana", texts[5] * 3])]
    return batches, TaggerSizes(vocabulary, None, tuple(tag_set(["TERRITORIO", "FECHAS"], config.scheme)))


def assert_export_agrees(build: Callable[[Any, Any], Any], config: Any, near: float) -> set[str]:
    """The ONNX file gives what the torch network gives, within `near` of the largest value; the outputs' names."""
    import torch

    from nadie.training.onnx_graph import Graph
    from nadie.training.tagging import torch_network

    batches, sizes = batches_of(config)
    torch.manual_seed(1)
    network = build(config, sizes).eval()
    graph = Graph(config.storage)
    network.to_graph(graph)
    exported = onnx_network(graph.to_bytes("test"))
    names: set[str] = set()
    for batch in batches:
        inside = np.arange(batch.kinds.shape[1]) < batch.lengths[:, None]
        expected = torch_network(network)(batch)
        for name, values in exported(batch).items():
            wanted = expected[name][inside]
            assert np.abs(values[inside] - wanted).max() <= near * max(1.0, float(np.abs(wanted).max()))
            names.add(name)
    return names


def shipped_recall(name: str, meddocan: Path) -> tuple[float, int]:
    """The share of gold spans that a shipped model finds in some dev notes, and how many notes those were."""
    notes = [seen(note) for note in islice(read_documents(meddocan / "dev" / "brat"), 12)]
    folder = read_model(find_model(name))
    model = DETECTORS.get(folder.system).load(folder)
    return right(model, notes) / sum(len(note.spans) for note in notes), len(notes)

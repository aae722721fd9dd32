"""Augmented copies of annotated notes, the same on every machine."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from nadie.augment.recipes import TRAINING, Recipe
from nadie.document import Document


def augment(documents: Sequence[Document], copies: int, seed: int, *, recipe: Recipe = TRAINING) -> Iterator[Document]:
    """`copies` augmented copies of each document, with exact offsets.

    A copy depends only on the seed, the id of the document and the number of the copy, not on the order of the
    documents or the number of workers.
    """
    for document in documents:
        for copy in range(copies):
            yield augmented_copy(document, copy, seed, recipe=recipe)


def augmented_copy(document: Document, copy: int, seed: int, *, recipe: Recipe = TRAINING) -> Document:
    """The copy with that number."""
    rng = seeded(seed, document.id, copy)
    return replace(recipe.apply(document, rng), id=f"{document.id}-aug{copy}")


def copy_sets(documents: Sequence[Document], sets: int, seed: int) -> list[list[Document]]:
    """`sets` times one copy of each gold document, for training."""
    gold = [document for document in documents if not document.is_silver]
    return [[augmented_copy(document, copy, seed) for document in gold] for copy in range(sets)]


def seeded(seed: int, name: str, number: int) -> Random:
    """A random generator for (seed, name, number)."""
    digest = hashlib.sha256(f"{seed}\x1f{name}\x1f{number}".encode()).digest()
    return Random(int.from_bytes(digest[:8], "big"))  # noqa: S311 - not for cryptography

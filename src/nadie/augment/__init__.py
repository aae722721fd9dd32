"""Augmented copies of annotated notes, with other identities, layouts and spellings and exact offsets."""

from nadie.augment.engine import augment, augmented_copy, copy_sets, seeded
from nadie.augment.recipes import ALTERATIONS, HELD_OUT, TRAINING, Recipe, Step
from nadie.augment.split import Split
from nadie.augment.synthesis import synthetic_notes

__all__ = [
    "ALTERATIONS",
    "HELD_OUT",
    "TRAINING",
    "Recipe",
    "Split",
    "Step",
    "augment",
    "augmented_copy",
    "copy_sets",
    "seeded",
    "synthetic_notes",
]

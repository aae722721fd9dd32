"""The field labels of hospital headers: which kinds of field there are, and how each is called."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from random import Random
from typing import NamedTuple

from nadie.augment.passage import AnnotatedText
from nadie.augment.split import Split
from nadie.augment.vocabulary import rows
from nadie.spanish.folding import fold

_SIDE = {"T": Split.TRAINING, "H": Split.HELD_OUT}


class HeaderField(NamedTuple):
    """One line of a header: what kind it is of, and its value."""

    kind: str
    value: AnnotatedText


@cache
def field_labels(split: Split) -> dict[str, tuple[str, ...]]:
    """Field labels by kind, of one side."""
    labels: dict[str, list[str]] = defaultdict(list)
    for kind, side, names in rows("headers.tsv"):
        if _SIDE[side] is split:
            labels[kind].extend(names.split("|"))
    return {kind: tuple(names) for kind, names in labels.items()}


def label_for(kind: str, split: Split, rng: Random) -> str:
    """One of the labels of that kind."""
    labels = field_labels(split)
    return rng.choice(labels.get(kind) or labels["XX"])


def folded_label(label: str) -> str:
    """What two labels must share to be the same label."""
    return "".join(c for c in fold(label) if c.isalnum())

"""From documents and settings to a network of the right sizes, and from there to a trained tagger."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from nadie.augment import copy_sets
from nadie.detectors.base import Progress
from nadie.detectors.neural.config import TaggerConfig
from nadie.detectors.neural.encoding import SPACINGS
from nadie.detectors.neural.vocabulary import Vocabulary, build_vocabulary
from nadie.document import Document
from nadie.errors import ConfigError
from nadie.tokens.codec import allowed_steps
from nadie.training.checkpoint import best_weights
from nadie.training.devset import DevSet
from nadie.training.examples import Examples
from nadie.training.loop import Plan, fit
from nadie.training.tagging import TaggingTask
from nadie.training.vectors import load_vectors

C = TypeVar("C", bound=TaggerConfig)
_WORDS = "vocab.json"


@dataclass(frozen=True)
class Sizes:
    """What a network must know of the data: counts, pretrained vectors, and the steps its tag scheme allows."""

    words: int
    characters: int
    tags: int
    vectors: Tensor | None
    allowed: Tensor
    lists: int = 0
    clusters: int = 0
    spacings: int = SPACINGS


@dataclass(frozen=True)
class Trained:
    """A task whose network has been trained, and the figures of every epoch."""

    task: TaggingTask
    history: list[dict[str, float]]


def train_tagger(
    build: Callable[[C, Sizes], nn.Module],
    config: C,
    train: Sequence[Document],
    dev: Sequence[Document],
    *,
    seed: int,
    work: Path,
    progress: Progress,
) -> Trained:
    """Train the network that `build` makes on `train`; where `dev` is given, its best epoch on it is kept."""
    if not any(document.spans for document in train):
        raise ConfigError("there are no annotated documents to train on")
    examples = Examples(train, config.scheme, copy_sets(train, config.copies, seed))
    vocabulary, vectors = _vocabulary(config, examples)
    work.mkdir(parents=True, exist_ok=True)
    (work / _WORDS).write_bytes(vocabulary.to_json())
    sizes = Sizes(
        vocabulary.word_count,
        vocabulary.character_count,
        len(examples.tag_names),
        vectors,
        torch.from_numpy(allowed_steps(examples.tag_names)),
        len(vocabulary.lists),
        vocabulary.cluster_count if config.lexicon else 0,
    )
    torch.manual_seed(seed)
    network = build(config, sizes)
    if config.start:
        network.load_state_dict(best_weights(Path(config.start)))
    task = TaggingTask(network, examples, DevSet(dev), vocabulary, config, seed)
    plan = Plan(
        epochs=config.epochs,
        learning_rate=config.learning_rate,
        clip=config.clip,
        schedule=config.schedule,
        warmup=config.warmup,
        patience=config.patience,
        seed=seed,
        precision=config.precision,
    )
    return Trained(task, fit(task, plan, work, progress))


def _vocabulary(config: TaggerConfig, examples: Examples) -> tuple[Vocabulary, Tensor | None]:
    """The words to know and, with pretrained vectors, a table (words + 1, width) whose row 0 is for the unknown."""
    if config.start:
        known = Vocabulary.from_json((Path(config.start) / _WORDS).read_bytes())
        return known, torch.zeros(known.word_count, config.word_embedding) if config.vectors else None
    counts = dict(zip(examples.forms, examples.counts.tolist(), strict=True))
    if not config.vectors:
        return build_vocabulary((form for form, n in counts.items() if n), counts, lexicon=config.lexicon), None
    vectors = load_vectors(Path(config.vectors))
    vocabulary = build_vocabulary(vectors.words[: config.most_words], counts, lexicon=config.lexicon)
    rows = {word: i for i, word in enumerate(vectors.words)}
    dense = vectors.dense()[[rows[word] for word in vocabulary.words]]
    return vocabulary, torch.from_numpy(np.concatenate([np.zeros_like(dense[:1]), dense]))

"""Training of a tagger from documents and a config, and the files of its model folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from nadie.augment import copy_sets
from nadie.detector import TrainingRun
from nadie.errors import ConfigError
from nadie.neural.config import TaggerConfig, WordFeatures
from nadie.neural.detector import FIELD, field_to_json
from nadie.neural.encoding import SPACINGS
from nadie.neural.model import NETWORK, TRAINED, VOCABULARY
from nadie.neural.tagger import onnx_network
from nadie.neural.vocabulary import Vocabulary, build_vocabulary
from nadie.nn.words import CharacterBiLSTM, CharacterCNN, TokenRepresentation, WordEmbedding
from nadie.tokens.codec import allowed_steps
from nadie.training.checkpoint import best_weights
from nadie.training.examples import BatchSizes, Examples, WindowBatches
from nadie.training.loop import fit
from nadie.training.onnx_graph import Graph
from nadie.training.records import record_files, result_file
from nadie.training.tagging import DevSet, TaggingTask
from nadie.training.vectors import load_vectors

C = TypeVar("C", bound=TaggerConfig)


@dataclass(frozen=True)
class TaggerSizes:
    """The parameters of a network that depend on the data: vocabulary, pretrained vectors (words, width), tags, and the
    ids of the words that training can meet, None for all.
    """

    vocabulary: Vocabulary
    vectors: Tensor | None
    tags: tuple[str, ...] = ()
    used: Tensor | None = None

    def allowed(self) -> Tensor:
        """The transitions between tags that the scheme allows."""
        return torch.from_numpy(allowed_steps(self.tags))


def token_layer(
    features: WordFeatures, sizes: TaggerSizes, characters: CharacterBiLSTM | CharacterCNN, *, tuned: bool
) -> TokenRepresentation:
    """The layer that represents tokens; vectors with random initial values are always tuned."""
    known, vectors = sizes.vocabulary, sizes.vectors
    width = features.word_embedding if vectors is None else vectors.shape[1]
    return TokenRepresentation(
        WordEmbedding(known.word_count, width, vectors, tuned=tuned or vectors is None, used=sizes.used),
        characters,
        (SPACINGS, features.spacing_embedding) if features.spacing_embedding else None,
        (len(known.lists), known.cluster_count, features.cluster_embedding) if features.lexicon else None,
    )


def fit_tagger(build: Callable[[C, TaggerSizes], nn.Module], config: C, run: TrainingRun) -> dict[str, bytes]:
    """Train the network that `build` returns; if there are dev documents, the best epoch on them is kept."""
    copies = copy_sets(run.train, config.augmentation.copies, run.seed)
    examples = Examples(run.train, config.scheme, copies, reading=config.reading)
    vocabulary, vectors = _vocabulary(config, examples)
    (run.work / VOCABULARY).write_bytes(vocabulary.to_json())
    torch.manual_seed(run.seed)
    network = build(config, TaggerSizes(vocabulary, vectors, examples.tag_names))
    if config.start:
        network.load_state_dict(best_weights(Path(config.start)))
    sizes = BatchSizes(config.batch_tokens, config.batch_sequences)
    windows = WindowBatches(examples, vocabulary, config.augmentation, sizes, run.seed)
    task = TaggingTask(network, windows, DevSet(run.dev, config.reading), vocabulary, config)
    history = fit(task, config.optimisation, run.seed, run.work, run.progress)
    graph = Graph(config.storage)
    task.tagger_network.to_graph(graph)
    exported, tagger = graph.to_bytes(type(network).__name__), task.tagger()
    answers = task.dev.answers(replace(tagger, network=onnx_network(exported)))
    return {
        NETWORK: exported,
        VOCABULARY: vocabulary.to_json(),
        FIELD: field_to_json(tagger.tags, tagger.chain),
        TRAINED: result_file(answers, config.start, run.work),
        **record_files(history, type(network).__name__),
    }


def start_vocabulary(start: Path) -> Vocabulary:
    """The vocabulary of the training in the work folder `start`, whose numbers the weights refer to."""
    path = start / VOCABULARY
    if not path.is_file():
        raise ConfigError(f"{start} holds no training to start from")
    return Vocabulary.from_json(path.read_bytes())


def _vocabulary(config: TaggerConfig, examples: Examples) -> tuple[Vocabulary, Tensor | None]:
    """The vocabulary and, with pretrained vectors, a table (words + 1, width) whose row 0 is for unknown words."""
    features = config.words
    if config.start:
        known = start_vocabulary(Path(config.start))
        return known, torch.zeros(known.word_count, features.word_embedding) if features.vectors else None
    counts = dict(zip(examples.forms, examples.counts.tolist(), strict=True))
    kinds = {"lexicon": features.lexicon, "folded": features.folded}
    if not features.vectors:
        return build_vocabulary((form for form, n in counts.items() if n), counts, **kinds), None
    vectors = load_vectors(Path(features.vectors)).keyed(folded=features.folded)
    vocabulary = build_vocabulary(vectors.words[: features.most_words or None], counts, **kinds)
    rows = {word: i for i, word in enumerate(vectors.words)}
    dense = vectors.dense()[[rows[word] for word in vocabulary.words]]
    return vocabulary, torch.from_numpy(np.concatenate([np.zeros_like(dense[:1]), dense]))

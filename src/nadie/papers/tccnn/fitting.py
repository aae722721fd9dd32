"""TCCNN as a task for the training loop: candidates of annotated notes in, dev F1 out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from nadie.augment import augment
from nadie.detector import TrainingRun
from nadie.document import Document
from nadie.errors import ConfigError
from nadie.files.annotated.reading import read_documents
from nadie.neural.model import NETWORK, VOCABULARY
from nadie.papers.tccnn.candidates import Place
from nadie.papers.tccnn.classify import Classifier, Scores
from nadie.papers.tccnn.config import ClassWeights, TCCNNConfig
from nadie.papers.tccnn.constraints import Constraints
from nadie.papers.tccnn.encoding import Channels, EncodedCandidates, encode
from nadie.papers.tccnn.learning_candidates import FilterPlan, learn_generator, out_of_fold
from nadie.papers.tccnn.model import CANDIDATES
from nadie.papers.tccnn.network import CandidateSizes, TCCNNNetwork, export
from nadie.papers.tccnn.note import TaggedWords, gold_places, read_notes
from nadie.papers.tccnn.vocabulary import NO_ENTITY, CandidateVocabulary, Ints, build_vocabulary, frequent_words
from nadie.tokens.tagger import Tagger
from nadie.tokens.view import seen, view_of
from nadie.training.loop import fit
from nadie.training.records import dev_figures, record_files
from nadie.training.vectors import VectorPlan, load_vectors, word2vec

_VECTOR_EPOCHS = 8
_SPREAD = 0.3  # the standard deviation of the values of the word vectors in the network


@dataclass(frozen=True)
class CandidateExamples:
    """Annotated notes prepared for training."""

    notes: list[TaggedWords]
    gold: list[dict[tuple[int, int], str]]
    texts: list[str]

    @classmethod
    def of(cls, documents: Sequence[Document]) -> CandidateExamples:
        texts = [document.text for document in documents]
        notes = read_notes(texts)
        return cls(notes, [gold_places(n, d) for n, d in zip(notes, documents, strict=True)], texts)


class ClassificationTask:
    """Candidates to train on, and a dev set to score."""

    def __init__(
        self,
        network: TCCNNNetwork,
        config: TCCNNConfig,
        examples: tuple[EncodedCandidates, Ints],
        classifier: Classifier,
        run: TrainingRun,
    ) -> None:
        self.network: nn.Module = network
        self._network = network
        self.config = config
        self.seed = run.seed
        self._encoded, self._labels = examples
        self._classifier = replace(classifier, network=self.probabilities)
        self._dev = run.dev
        counts = np.bincount(self._labels, minlength=len(classifier.vocabulary.labels))
        self._weights = class_weights(counts, config.sampling.class_weights)
        self._weights[0] /= config.sampling.refused
        self._shapes = torch.from_numpy(classifier.vocabulary.shape_ids())
        self._hide = self._chances() if config.sampling.word_dropout else None

    def batches(self, epoch: int) -> list[Ints]:
        rng = np.random.default_rng([self.seed, epoch])
        order = rng.permutation(len(self._labels))
        order = order[(self._labels[order] > 0) | (rng.random(len(order)) < self.config.sampling.refused)]
        return [order[i : i + self.config.sampling.batch] for i in range(0, len(order), self.config.sampling.batch)]

    def forward(self, batch: Ints) -> tuple[Tensor, Tensor]:
        own = self.config.architecture
        channels = self._encoded.channels(batch, tags=own.tags, characters=own.characters)
        inputs = {name: torch.from_numpy(ids) for name, ids in channels.items()}
        if self._hide is not None:
            for name in [name for name in inputs if name.endswith("_words")]:
                hidden = torch.rand(inputs[name].shape) < self._hide[inputs[name]]
                inputs[name] = torch.where(hidden, self._shapes[inputs[name]], inputs[name])
        logits = self._network(inputs)
        labels = torch.from_numpy(self._labels[batch])
        losses = nn.functional.cross_entropy(logits.float(), labels, reduction="none")
        return logits, (losses * self._weights[labels]).mean() + self.config.sampling.l2 * self._network.penalty()

    def evaluate(self) -> Mapping[str, float]:
        found = self._classifier.spans_of_all([document.text for document in self._dev], "")
        return dev_figures(zip(self._dev, found, strict=True))

    def probabilities(self, channels: Channels) -> Scores:
        self.network.eval()
        with torch.no_grad():
            logits = self._network({name: torch.from_numpy(ids) for name, ids in channels.items()})
            scores: Scores = torch.softmax(logits.float(), dim=1).numpy()
        return scores

    def _chances(self) -> Tensor:
        """The probability of replacing each word by its shape: d / (d + n), n its occurrences in the notes."""
        counts = np.bincount(self._encoded.words, minlength=len(self._shapes))
        hide = self.config.sampling.word_dropout
        return torch.from_numpy(hide / (hide + counts)).float()


def class_weights(counts: Ints, kind: ClassWeights) -> Tensor:
    """n / n_i, its square root, or 1 for every class; a class without examples has the weight 0."""
    known = torch.from_numpy(np.maximum(counts, 1)).double()
    weights = known.sum() / known if kind != "none" else torch.ones_like(known)
    return (weights.sqrt() if kind == "root" else weights).float()


def train_tccnn(config: TCCNNConfig, run: TrainingRun) -> dict[str, bytes]:
    """Train the filter, the word vectors and the network; return the files of the model folder."""
    train, copies = run.train, config.sampling.copies
    plain = CandidateExamples.of(train)
    generator = learn_generator(plain.notes, plain.gold, FilterPlan.of(config.candidates))
    material = CandidateExamples.of([*train, *(seen(document) for document in augment(train, copies, run.seed))])
    origins = [*range(len(train)), *(i for i in range(len(train)) for _ in range(copies))]
    vocabulary, vectors = _words(config, material, run.seed)
    classifier = Classifier(
        lambda _: np.zeros((0, 0), dtype=np.float32),
        generator,
        vocabulary,
        Constraints.shipped() if config.final_filter else None,
        config,
    )
    torch.manual_seed(run.seed)
    sizes = CandidateSizes(
        vocabulary.word_count, vocabulary.tag_count, vocabulary.character_count, len(vocabulary.labels), vectors
    )
    network = TCCNNNetwork(config.architecture, sizes)
    if config.training_filter == "same":
        places = [generator.places(note) for note in material.notes]
    else:
        places = out_of_fold(material.notes, material.gold, origins, FilterPlan.of(config.candidates))
    examples = _examples(material, places, vocabulary, config)
    task = ClassificationTask(network, config, examples, classifier, run)
    history = fit(task, config.optimisation, run.seed, run.work, run.progress)
    return {
        NETWORK: export(network),
        VOCABULARY: vocabulary.dump(),
        CANDIDATES: generator.dump(),
        **record_files(history, "tccnn"),
    }


def _words(config: TCCNNConfig, material: CandidateExamples, seed: int) -> tuple[CandidateVocabulary, Tensor]:
    others = [view_of(d.text).text for path in config.texts.split(",") if path for d in read_documents(Path(path))]
    notes = [note.words for note in (*material.notes, *read_notes(others))]
    labels = [label for gold in material.gold for label in gold.values()]
    imported = load_vectors(Path(config.vectors)) if config.vectors else None
    words = imported.words if imported else frequent_words(notes, config.rarest)
    shapes = config.unknown == "shape"
    vocabulary = build_vocabulary(words, [*material.texts, *others], Tagger.shared().tags, labels, shapes=shapes)
    width = config.architecture.embedding
    if imported is None:
        return vocabulary, torch.from_numpy(train_vectors(notes, vocabulary, width, seed))
    if imported.table.shape[1] != width:
        raise ConfigError(f"these vectors have {imported.table.shape[1]} dimensions: use --set embedding=...")
    return vocabulary, torch.from_numpy(
        _table(vocabulary, dict(zip(imported.words, imported.dense(), strict=True)), width)
    )


def _examples(
    material: CandidateExamples,
    places: Sequence[Sequence[Place]],
    vocabulary: CandidateVocabulary,
    config: TCCNNConfig,
) -> tuple[EncodedCandidates, Ints]:
    encoded = encode(material.notes, material.texts, places, vocabulary, config.architecture.words)
    labels = [
        vocabulary.label_ids[gold.get(place, NO_ENTITY)]
        for own, gold in zip(places, material.gold, strict=True)
        for place in own
    ]
    return encoded, np.array(labels, dtype=np.int64)


def train_vectors(
    notes: Sequence[Sequence[str]], vocabulary: CandidateVocabulary, width: int, seed: int
) -> npt.NDArray[np.float32]:
    """CBOW vectors, as in the paper, from notes instead of newspapers: one row per word, row 0 for padding.

    Rare words are replaced by their shapes, so that shapes have vectors too: the paper gives unknown words zeros, but
    in clinical notes a capital or five digits are informative. Words that are not in the notes have zero vectors.
    """
    names = ("", *vocabulary.words)
    read = [[names[vocabulary.word_id(word)] for word in words] for words in notes]
    found = word2vec(read, VectorPlan(width=width, rarest=1, epochs=_VECTOR_EPOCHS, seed=seed), skipgram=False)
    return _table(vocabulary, found, width)


def _table(vocabulary: CandidateVocabulary, found: Any, width: int) -> npt.NDArray[np.float32]:
    """A row for each word of the vocabulary, zero if it was not found; row 0 is for padding."""
    rows = np.zeros((vocabulary.word_count, width), dtype=np.float32)
    for i, word in enumerate(vocabulary.words, 1):
        if word in found:
            rows[i] = found[word]
    spread = (float(rows[rows.any(axis=1)].std()) if rows.any() else 0.0) or 1.0
    scaled: npt.NDArray[np.float32] = rows * np.float32(_SPREAD / spread)
    return scaled

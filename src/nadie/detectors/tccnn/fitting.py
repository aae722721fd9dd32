"""TCCNN as a task for the training loop: candidates of annotated notes in, dev F1 out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from nadie.detectors.base import Progress
from nadie.detectors.tccnn.classify import Classifier, Scores
from nadie.detectors.tccnn.config import ClassWeights, TCCNNConfig
from nadie.detectors.tccnn.constraints import Constraints
from nadie.detectors.tccnn.encoding import Channels, Encoded, encode
from nadie.detectors.tccnn.export import export
from nadie.detectors.tccnn.learning_candidates import FilterPlan, learn_generator, out_of_fold
from nadie.detectors.tccnn.network import Sizes, TCCNNNetwork
from nadie.detectors.tccnn.note import Note, gold_places, read_notes
from nadie.detectors.tccnn.vectors import train_vectors
from nadie.detectors.tccnn.vocabulary import NO_ENTITY, Ints, Vocabulary, build_vocabulary, frequent_words
from nadie.document import Document
from nadie.errors import ConfigError
from nadie.evaluation.official import Counts, subtask1
from nadie.evaluation.pairing import Pair
from nadie.formats.reading import read_documents
from nadie.tokens.tagger import Tagger
from nadie.tokens.view import view_of
from nadie.training.loop import Plan, fit


@dataclass(frozen=True)
class Trained:
    """The files of a model and the figures of every epoch."""

    files: dict[str, bytes]
    history: list[dict[str, float]]


@dataclass(frozen=True)
class Material:
    """Annotated notes as they are learned from."""

    notes: list[Note]
    gold: list[dict[tuple[int, int], str]]
    texts: list[str]

    @classmethod
    def of(cls, documents: Sequence[Document]) -> Material:
        texts = [document.text for document in documents]
        notes = read_notes(texts)
        return cls(notes, [gold_places(n, d) for n, d in zip(notes, documents, strict=True)], texts)


class ClassificationTask:
    """Candidates to learn from, and a dev set to be measured on."""

    def __init__(
        self,
        network: TCCNNNetwork,
        config: TCCNNConfig,
        examples: tuple[Encoded, Ints],
        classifier: Classifier,
        dev: Sequence[Document],
        seed: int,
    ) -> None:
        self.network: nn.Module = network
        self._network = network
        self.config = config
        self.seed = seed
        self._encoded, self._labels = examples
        self._classifier = replace(classifier, network=self.probabilities)
        self._dev = list(dev)
        counts = np.bincount(self._labels, minlength=len(classifier.vocabulary.labels))
        self._weights = class_weights(counts, config.class_weights)
        self._weights[0] /= config.refused
        self._shapes = torch.from_numpy(classifier.vocabulary.shape_ids())
        self._hide = self._chances() if config.word_dropout else None

    def batches(self, epoch: int) -> list[Ints]:
        rng = np.random.default_rng([self.seed, epoch])
        order = rng.permutation(len(self._labels))
        order = order[(self._labels[order] > 0) | (rng.random(len(order)) < self.config.refused)]
        return [order[i : i + self.config.batch] for i in range(0, len(order), self.config.batch)]

    def forward(self, batch: Ints) -> tuple[Tensor, Tensor]:
        channels = self._encoded.channels(batch, tags=self.config.tags, characters=self.config.characters)
        inputs = {name: torch.from_numpy(ids) for name, ids in channels.items()}
        if self._hide is not None:
            for name in [name for name in inputs if name.endswith("_words")]:
                hidden = torch.rand(inputs[name].shape) < self._hide[inputs[name]]
                inputs[name] = torch.where(hidden, self._shapes[inputs[name]], inputs[name])
        logits = self._network(inputs)
        labels = torch.from_numpy(self._labels[batch])
        losses = nn.functional.cross_entropy(logits.float(), labels, reduction="none")
        return logits, (losses * self._weights[labels]).mean() + self.config.l2 * self._network.penalty()

    def evaluate(self) -> Mapping[str, float]:
        if not self._dev:
            return {}
        counts = Counts()
        found = self._classifier.spans_of_all([document.text for document in self._dev], "")
        for gold, spans in zip(self._dev, found, strict=True):
            counts += subtask1(Pair(gold, gold.with_spans(spans)))
        return {"precision": counts.precision, "recall": counts.recall, "f1": counts.f1}

    def probabilities(self, channels: Channels) -> Scores:
        self.network.eval()
        with torch.no_grad():
            logits = self._network({name: torch.from_numpy(ids) for name, ids in channels.items()})
            scores: Scores = torch.softmax(logits.float(), dim=1).numpy()
        return scores

    def _chances(self) -> Tensor:
        """With which chance each word is shown as its shape: d / (d + n), n its occurrences in the notes."""
        counts = np.bincount(self._encoded.words, minlength=len(self._shapes))
        return torch.from_numpy(self.config.word_dropout / (self.config.word_dropout + counts)).float()


def class_weights(counts: Ints, kind: ClassWeights) -> Tensor:
    """n / n_i, its square root, or 1 for every class; a class without examples weighs nothing."""
    known = torch.from_numpy(np.maximum(counts, 1)).double()
    weights = known.sum() / known if kind != "none" else torch.ones_like(known)
    return (weights.sqrt() if kind == "root" else weights).float()


def train_tccnn(
    config: TCCNNConfig, train: Sequence[Document], dev: Sequence[Document], seed: int, work: Path, progress: Progress
) -> Trained:
    """Learn the filter, the word vectors and the network."""
    if not any(document.spans for document in train):
        raise ConfigError("there are no annotated documents to train on")
    plain = Material.of(train)
    generator = learn_generator(plain.notes, plain.gold, FilterPlan())
    material = Material.of([*train, *_copies(train, config.copies, seed)])
    origins = [*range(len(train)), *(i for i in range(len(train)) for _ in range(config.copies))]
    vocabulary, vectors = _words(config, material, seed)
    classifier = Classifier(
        lambda _: np.zeros((0, 0), dtype=np.float32),
        generator,
        vocabulary,
        Constraints.shipped() if config.final_filter else None,
        config,
    )
    torch.manual_seed(seed)
    sizes = Sizes(
        vocabulary.word_count, vocabulary.tag_count, vocabulary.character_count, len(vocabulary.labels), vectors
    )
    network = TCCNNNetwork(config, sizes)
    task = ClassificationTask(network, config, _examples(material, origins, vocabulary, config), classifier, dev, seed)
    plan = Plan(epochs=config.epochs, learning_rate=config.learning_rate, schedule=config.schedule, seed=seed)
    history = fit(task, plan, work, progress)
    files = {"model.onnx": export(network), "vocab.json": vocabulary.dump(), "candidates.json": generator.dump()}
    return Trained(files, history)


def _copies(train: Sequence[Document], copies: int, seed: int) -> list[Document]:
    if not copies:
        return []
    from nadie.augment import augment
    from nadie.tokens.view import seen

    return [seen(document) for document in augment(train, copies, seed)]


def _words(config: TCCNNConfig, material: Material, seed: int) -> tuple[Vocabulary, Tensor]:
    others = [view_of(d.text).text for path in config.texts.split(",") if path for d in read_documents(Path(path))]
    notes = [note.words for note in (*material.notes, *read_notes(others))]
    labels = [label for gold in material.gold for label in gold.values()]
    words = frequent_words(notes, config.rarest)
    vocabulary = build_vocabulary(words, [*material.texts, *others], Tagger.shared().tags, labels)
    return vocabulary, torch.from_numpy(train_vectors(notes, vocabulary, config.embedding, seed))


def _examples(
    material: Material, origins: Sequence[int], vocabulary: Vocabulary, config: TCCNNConfig
) -> tuple[Encoded, Ints]:
    places = out_of_fold(material.notes, material.gold, origins, FilterPlan())
    encoded = encode(material.notes, material.texts, places, vocabulary, config.words)
    labels = [
        vocabulary.label_ids[gold.get(place, NO_ENTITY)]
        for own, gold in zip(places, material.gold, strict=True)
        for place in own
    ]
    return encoded, np.array(labels, dtype=np.int64)


def settings_of(config: TCCNNConfig) -> dict[str, object]:
    """What a model folder keeps of the settings: not where the texts were on somebody's disk."""
    return {**asdict(config), "texts": ""}

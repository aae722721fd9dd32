"""From annotated notes to the files of a model folder: one network for each variant, over one table of vectors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from nadie.augment import copy_sets
from nadie.detectors.base import Progress
from nadie.detectors.exhaustive.config import ExhaustiveConfig
from nadie.detectors.exhaustive.decoding import Candidate
from nadie.detectors.exhaustive.export import export
from nadie.detectors.exhaustive.folder import TABLE, VOCABULARY, curve_file, log_file, network_file
from nadie.detectors.exhaustive.gold import Coverage, choose_sizes, chunks_of, coverage_of
from nadie.detectors.exhaustive.network import ExhaustiveNetwork, Sizes
from nadie.detectors.exhaustive.reading import Reading, SpanReader
from nadie.detectors.exhaustive.starting import begin_with, start_vocabulary
from nadie.detectors.exhaustive.targets import Sampling
from nadie.detectors.exhaustive.task import Material, SpanTask
from nadie.detectors.exhaustive.variants import Variant
from nadie.detectors.exhaustive.vectors import SharedVectors
from nadie.detectors.neural.confidence import Calibration, fit_calibration
from nadie.detectors.neural.encoding import encode
from nadie.detectors.neural.tagger import onnx_network
from nadie.detectors.neural.vocabulary import Vocabulary, build_vocabulary
from nadie.document import Document, Span
from nadie.errors import ConfigError
from nadie.evaluation.official import Counts, subtask1
from nadie.evaluation.pairing import Pair
from nadie.labels import LABELS
from nadie.tokens.view import seen
from nadie.training.examples import Examples
from nadie.training.history import as_lines, learning_curve
from nadie.training.loop import Plan, fit
from nadie.training.vectors import VectorPlan, WordVectors, load_vectors, save_vectors, train_vectors


class Fitting:
    """One training: what the variants share is made once, then each is trained in a folder of its own."""

    def __init__(
        self, config: ExhaustiveConfig, train: Sequence[Document], dev: Sequence[Document], seed: int, work: Path
    ) -> None:
        if not any(document.spans for document in train):
            raise ConfigError("there are no annotated documents to train on")
        self.config = config
        self.seed = seed
        self.work = work
        examples = Examples(train, "BIO", copy_sets(train, config.copies, seed))
        self.coverage = _coverage(config, examples)
        labels = tuple(sorted(LABELS))  # all of them, so that trainings on other notes have the same classes
        vocabulary, self.vectors = _shared_vectors(config, examples, seed, work)
        work.mkdir(parents=True, exist_ok=True)
        (work / VOCABULARY).write_bytes(vocabulary.to_json())
        self.material = Material(examples, vocabulary, labels, Sampling(self.coverage.sizes, config.negatives))
        self.dev = [(document, encode(document.text)) for document in map(seen, dev)]
        self.reader = SpanReader(
            (),
            vocabulary,
            self.vectors,
            labels,
            Reading(self.coverage.sizes, config.window, config.margin),
            Calibration(),
            config.nested,
            config.bias,
        )

    def train(self, variant: Variant, progress: Progress) -> tuple[ExhaustiveNetwork, list[dict[str, float]]]:
        """The trained network of a variant, and the figures of every epoch."""
        config = self.config
        sizes = Sizes(
            self.material.vocabulary,
            torch.from_numpy(self.vectors.dense()),
            self.coverage.sizes,
            len(self.material.labels) + 1,
        )
        torch.manual_seed(self.seed)
        network = ExhaustiveNetwork(config, variant, sizes)
        if config.start:
            begin_with(network, variant, Path(config.start))
        plan = Plan(
            epochs=config.epochs,
            learning_rate=config.learning_rate,
            clip=config.clip,
            schedule=config.schedule,
            warmup=config.warmup,
            patience=config.patience,
            seed=self.seed,
            precision=config.precision,
        )
        task = SpanTask(network, self.material, config, self.measure, self.seed)
        return network, fit(task, plan, self.work / variant.name, progress)

    def measure(self, network: ExhaustiveNetwork) -> Mapping[str, float]:
        """Subtask 1 on the dev notes, as the exported network will do it; nothing where there are none."""
        if not self.dev:
            return {}
        counts = Counts()
        for gold, _, spans in self._found([export(network, self.config.storage)]):
            counts += subtask1(Pair(gold, Document(gold.id, gold.text, spans)))
        return {"precision": counts.precision, "recall": counts.recall, "f1": counts.f1}

    def calibration(self, networks: Sequence[bytes]) -> Calibration:
        """The calibration that suits the vote of these networks on the dev notes; without any, that of the settings."""
        if not self.dev:
            return Calibration(self.config.calibration_slope, self.config.calibration_offset)
        probabilities: list[float] = []
        right: list[bool] = []
        for gold, candidates, spans in self._found(networks):
            probabilities += [candidate.score for candidate in candidates]
            right += [span in gold.spans for span in spans]
        return fit_calibration(probabilities, right)

    def _found(self, networks: Sequence[bytes]) -> Iterator[tuple[Document, list[Candidate], tuple[Span, ...]]]:
        """Every dev note, with what these networks together find in it."""
        reader = replace(self.reader, networks=tuple(onnx_network(network) for network in networks))
        with ThreadPoolExecutor(torch.get_num_threads()) as pool:
            found = pool.map(reader.candidates, [encoded for _, encoded in self.dev])
            for (gold, encoded), candidates in zip(self.dev, found, strict=True):
                yield gold, candidates, reader.as_spans(encoded, candidates, "")


def train_variants(
    config: ExhaustiveConfig,
    train: Sequence[Document],
    dev: Sequence[Document],
    *,
    seed: int,
    work: Path,
    progress: Progress,
) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The settings and files of the model folder. A variant that `work` holds already trained is taken from there."""
    fitting = Fitting(config, train, dev, seed, work)
    files = {VOCABULARY: fitting.material.vocabulary.to_json(), TABLE: fitting.vectors.to_bytes()}
    variants = config.chosen()
    for variant in variants:
        network, history = fitting.train(variant, progress)
        files[network_file(variant.name)] = export(network.eval(), config.storage)
        files[log_file(variant.name)] = as_lines(history)
        files[curve_file(variant.name)] = learning_curve(history, variant.name)
    calibration = fitting.calibration([files[network_file(variant.name)] for variant in variants])
    settings = asdict(config) | {
        "vectors": Path(config.vectors).name,
        "start": Path(config.start).name,
        "variants": ",".join(variant.name for variant in variants),
        "labels": list(fitting.material.labels),
        "sizes": fitting.coverage.sizes,
        "covered": round(fitting.coverage.share, 5),
        "calibration_slope": calibration.slope,
        "calibration_offset": calibration.offset,
    }
    return settings, files


def _coverage(config: ExhaustiveConfig, examples: Examples) -> Coverage:
    """How long spans may be, from the training notes; copies have no say."""
    notes = examples.documents
    chunks = [chunk for note in notes for chunk in chunks_of(note.encoded.tokens, note.document.spans)]
    return coverage_of(chunks, config.sizes) if config.sizes else choose_sizes(chunks, config.coverage)


def _shared_vectors(
    config: ExhaustiveConfig, examples: Examples, seed: int, work: Path
) -> tuple[Vocabulary, SharedVectors]:
    vectors = _word_vectors(config, examples, seed, work)
    if config.start:
        vocabulary = start_vocabulary(Path(config.start))
    else:
        counts = dict(zip(examples.forms, examples.counts.tolist(), strict=True))
        vocabulary = build_vocabulary(vectors.words[: config.most_words], counts, lexicon=config.lexicon)
    places = {word: i for i, word in enumerate(vectors.words)}
    if not places.keys() >= set(vocabulary.words):
        raise ConfigError(f"the training in {config.start} had other word vectors: give it the same")
    rows = [places[word] for word in vocabulary.words]
    table = np.concatenate([np.zeros_like(vectors.table[:1]), vectors.table[rows]])
    scales = np.concatenate([np.ones(1, dtype=np.float32), vectors.scales[rows]])
    return vocabulary, SharedVectors(table, scales)


def _word_vectors(config: ExhaustiveConfig, examples: Examples, seed: int, work: Path) -> WordVectors:
    """The vectors that were asked for, or such as the training notes give; the latter are kept in `work`."""
    if config.vectors:
        return load_vectors(Path(config.vectors))
    place = work / "vectors"
    if not place.is_dir():
        plan = VectorPlan(width=config.word_embedding, seed=seed)
        notes = [note.document.text for note in examples.documents]
        save_vectors(train_vectors(notes, plan), place, plan, {"notes": len(notes), "seed": seed})
    return load_vectors(place)

"""Training on annotated notes: one network for each variant, all with the same table of vectors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import torch

from nadie.augment import copy_sets
from nadie.detector import TrainingRun
from nadie.document import Document, Span
from nadie.errors import ConfigError
from nadie.labels import LABELS
from nadie.neural.encoding import encode
from nadie.neural.model import TRAINED, VOCABULARY, Calibration
from nadie.neural.tagger import onnx_network
from nadie.neural.vocabulary import UNKNOWN_WORD, Vocabulary, build_vocabulary
from nadie.papers.exhaustive.config import VARIANTS, ExhaustiveConfig, Variant
from nadie.papers.exhaustive.decoding import Candidate
from nadie.papers.exhaustive.model import TABLE, curve_file, log_file, network_file
from nadie.papers.exhaustive.network import ExhaustiveNetwork, SpanSizes, export
from nadie.papers.exhaustive.reading import SharedVectors, SpanReader, wide_enough
from nadie.papers.exhaustive.targets import Coverage, Sampling, choose_sizes, chunks_of, coverage_of
from nadie.papers.exhaustive.task import SpanExamples, SpanTask
from nadie.tokens.view import seen
from nadie.training.checkpoint import best_weights
from nadie.training.examples import Examples
from nadie.training.fitting import start_vocabulary
from nadie.training.loop import fit
from nadie.training.records import dev_figures, record_files, result_file
from nadie.training.vectors import VectorPlan, WordVectors, load_vectors, save_vectors, train_vectors

_SHARED = ("tokens.", "encoder.")


class Fitting:
    """One training: the parts that variants share are built once, then each variant is trained in its own folder."""

    def __init__(self, config: ExhaustiveConfig, run: TrainingRun) -> None:
        self.config = config
        self.run = run
        copies = copy_sets(run.train, config.augmentation.copies, run.seed)
        examples = Examples(run.train, "BIO", copies, reading=config.reading)
        self.coverage = _coverage(config, examples)
        labels = tuple(sorted(LABELS))  # all labels, so that trainings on other notes have the same classes
        vocabulary, self.vectors = _shared_vectors(config, examples, run)
        (run.work / VOCABULARY).write_bytes(vocabulary.to_json())
        self.material = SpanExamples(
            examples, vocabulary, labels, Sampling(self.coverage.sizes, config.sampling.negatives)
        )
        self.dev = [(document, encode(document.text, config.reading.tokens)) for document in map(seen, run.dev)]
        self.reader = SpanReader(
            (),
            vocabulary,
            None if config.architecture.tune_vectors else self.vectors,
            labels,
            wide_enough(config.reading, self.coverage.sizes),
            Calibration(),
            config.spans.nested,
            config.spans.bias,
        )

    def train(self, variant: Variant) -> tuple[ExhaustiveNetwork, list[dict[str, float]]]:
        """The trained network of a variant, and the figures of every epoch."""
        run = self.run
        network = self.network(variant)
        if self.config.start:
            begin_with(network, variant, Path(self.config.start))
        task = SpanTask(network, self.material, self.config, self.measure, run.seed)
        return network, fit(task, self.config.optimisation, run.seed, run.work / variant.name, run.progress)

    def network(self, variant: Variant) -> ExhaustiveNetwork:
        """An untrained network."""
        torch.manual_seed(self.run.seed)
        table = torch.from_numpy(self.vectors.dense())
        classes = len(self.material.labels) + 1
        vocabulary, forms = self.material.vocabulary, self.material.examples.forms
        used = torch.from_numpy(np.unique([UNKNOWN_WORD, *map(vocabulary.word_id, forms)]))
        sizes = SpanSizes(vocabulary, table, used=used, longest=self.coverage.sizes, classes=classes)
        return ExhaustiveNetwork(self.config, variant, sizes)

    def measure(self, network: ExhaustiveNetwork) -> Mapping[str, float]:
        """Dev figures, computed as the exported network will compute them."""
        exported = [export(network, self.config.storage)] if self.dev else []
        return dev_figures((gold, spans) for gold, _, spans in self._found(exported))

    def answers(self, networks: Sequence[bytes]) -> list[tuple[float, bool]]:
        """The probability of every dev entity that the vote of these networks finds, and whether it is correct."""
        return [
            (candidate.score, span in gold.spans)
            for gold, candidates, spans in self._found(networks)
            for candidate, span in zip(candidates, spans, strict=True)
        ]

    def _found(self, networks: Sequence[bytes]) -> Iterator[tuple[Document, list[Candidate], tuple[Span, ...]]]:
        """Every dev note, with the entities that the vote of these networks finds in it."""
        reader = replace(self.reader, networks=tuple(onnx_network(network) for network in networks))
        with ThreadPoolExecutor(torch.get_num_threads()) as pool:
            found = pool.map(reader.candidates, [encoded for _, encoded in self.dev])
            for (gold, encoded), candidates in zip(self.dev, found, strict=True):
                yield gold, candidates, reader.as_spans(encoded, candidates, "")


def train_variants(config: ExhaustiveConfig, run: TrainingRun) -> dict[str, bytes]:
    """Train the variants and return the files of the model folder. A variant already trained in `work` is reused."""
    fitting = Fitting(config, run)
    files = {VOCABULARY: fitting.material.vocabulary.to_json()}
    if not config.architecture.tune_vectors:
        files[TABLE] = fitting.vectors.to_bytes()
    names = [variant.name for variant in config.chosen()]
    for variant in config.chosen():
        network, history = fitting.train(variant)
        files[network_file(variant.name)] = export(network.eval(), config.storage)
        files |= record_files(history, variant.name, (log_file(variant.name), curve_file(variant.name)))
    files[TRAINED] = result_file(
        fitting.answers([files[network_file(name)] for name in names]),
        config.start,
        run.work,
        labels=fitting.material.labels,
        sizes=fitting.coverage.sizes,
        covered=round(fitting.coverage.share, 5),
    )
    return files


def begin_with(network: ExhaustiveNetwork, variant: Variant, start: Path) -> None:
    """Initialise the network with the weights of its variant in the work folder `start`.

    A variant that was not trained there takes the layers below the span layer from the first variant that was.
    """
    there = [name for name in VARIANTS if (start / name).is_dir()]
    if not there:
        raise ConfigError(f"{start} holds no training to start from")
    own = variant.name in there
    weights = best_weights(start / (variant.name if own else there[0]))
    taken = {name: value for name, value in weights.items() if own or name.startswith(_SHARED)}
    try:
        network.load_state_dict(network.state_dict() | taken)
    except RuntimeError as error:
        raise ConfigError(f"{start} holds a training of another network: its weights do not fit") from error


def _coverage(config: ExhaustiveConfig, examples: Examples) -> Coverage:
    """The maximum length of spans, from the training notes without their copies."""
    notes = examples.documents
    chunks = [chunk for note in notes for chunk in chunks_of(note.encoded.tokens, note.document.spans)]
    return (
        coverage_of(chunks, config.spans.sizes) if config.spans.sizes else choose_sizes(chunks, config.spans.coverage)
    )


def _shared_vectors(config: ExhaustiveConfig, examples: Examples, run: TrainingRun) -> tuple[Vocabulary, SharedVectors]:
    vectors = _word_vectors(config, examples, run).keyed(folded=config.words.folded)
    if config.start:
        vocabulary = start_vocabulary(Path(config.start))
    else:
        counts = dict(zip(examples.forms, examples.counts.tolist(), strict=True))
        kept = vectors.words[: config.words.most_words or None]
        vocabulary = build_vocabulary(kept, counts, lexicon=config.words.lexicon, folded=config.words.folded)
    places = {word: i for i, word in enumerate(vectors.words)}
    if not places.keys() >= set(vocabulary.words):
        raise ConfigError(f"the training in {config.start} had other word vectors: use the same ones")
    rows = [places[word] for word in vocabulary.words]
    table = np.concatenate([np.zeros_like(vectors.table[:1]), vectors.table[rows]])
    scales = np.concatenate([np.ones(1, dtype=np.float32), vectors.scales[rows]])
    return vocabulary, SharedVectors(table, scales)


def _word_vectors(config: ExhaustiveConfig, examples: Examples, run: TrainingRun) -> WordVectors:
    """The vectors of the config, or else vectors trained on the training notes, which are stored in `work`."""
    if config.words.vectors:
        return load_vectors(Path(config.words.vectors))
    place = run.work / "vectors"
    if not place.is_dir():
        plan = VectorPlan(width=config.words.word_embedding, seed=run.seed, folded=config.words.folded)
        notes = [note.document.text for note in examples.documents]
        save_vectors(train_vectors(notes, plan), place, asdict(plan), {"notes": len(notes), "seed": run.seed})
    return load_vectors(place)

"""Training of the network from documents and a config, and the files of its model folder."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from nadie.augment import copy_sets
from nadie.detector import TrainingRun
from nadie.detectors.convnet.auxiliary import TASK, AuxiliaryTask, read_task
from nadie.detectors.convnet.export import to_onnx
from nadie.detectors.convnet.forms import FormNumbers, FormVocabulary
from nadie.detectors.convnet.model import TAGS, ConvNet, ConvNetConfig
from nadie.detectors.convnet.network import ConvNetwork, FormBatch, TokenBatch
from nadie.detectors.convnet.starting import StartModel, begin_with
from nadie.detectors.convnet.tables import Floats, write_tables
from nadie.detectors.convnet.teaching import teacher_probabilities
from nadie.detectors.convnet.words import NO_WORD, column_places, word_numbers, word_places
from nadie.document import Document, Span
from nadie.neural.encoding import training_windows
from nadie.neural.model import NETWORK, TRAINED
from nadie.neural.vocabulary import fold
from nadie.tokens.arrays import Ints, token_arrays
from nadie.tokens.codec import ProbabilityDecoder
from nadie.tokens.columns import table_columns
from nadie.tokens.view import seen
from nadie.training.examples import Examples, SeenDocument, bucketed
from nadie.training.loop import fit
from nadie.training.records import dev_figures, record_files, result_file
from nadie.training.vectors import load_vectors

_LISTS_HIDDEN = 0.1
TrainingRange = tuple[SeenDocument, int, int]
"""Tokens of a document, from the first to the last (exclusive)."""


@dataclass(frozen=True)
class ConvBatch:
    """Forms and the tokens (B, T) that have them; `targets` (B, T, K) are the target probabilities.

    `task` is the auxiliary task that the tags belong to; empty for the main task.
    """

    forms: FormBatch
    tokens: TokenBatch
    mask: Tensor
    targets: Tensor
    task: str


class ConvTask:
    """Windows of annotated documents to train on, and dev documents to score."""

    def __init__(
        self,
        network: ConvNetwork,
        examples: Examples,
        vocabulary: FormVocabulary,
        config: ConvNetConfig,
        run: TrainingRun,
        auxiliary: Mapping[str, AuxiliaryTask],
    ) -> None:
        self.network: nn.Module = network
        self.examples = examples
        self.config = config
        self._vocabulary = vocabulary
        self._numbers = vocabulary.describe(examples.forms)
        self._words = word_numbers(examples.forms)
        self._seed = run.seed
        self._dev = [seen(document) for document in run.dev]
        self._hidden = self._hiding()
        self._decoder = ProbabilityDecoder(examples.tag_names)
        self._auxiliary = auxiliary
        everything = [*examples.documents, *(copy for some in examples.copies for copy in some)]
        self._taught = teacher_probabilities(config.teacher, examples, run.work) if config.teacher else {}
        self._layout = {id(each): _layout(each.document.text) for each in everything}

    def _hiding(self) -> Floats:
        """The probability of hiding the word vector of each form, so that letters describe rare words."""
        share = self.config.augmentation.word_dropout
        counts = np.zeros(int(self._vocabulary.rows.max(initial=0)) + 1)
        np.add.at(counts, self._numbers.words, self.examples.counts)
        hidden: Floats = np.maximum(0.05, share / (share + counts))[self._numbers.words].astype(np.float32)
        return hidden

    def batches(self, epoch: int) -> Sequence[list[TrainingRange]]:
        rng = np.random.default_rng([self._seed, epoch])
        plan = self.config.augmentation
        shown = [each for each in self.examples.documents if rng.random() < self._share(each)]
        own = [each for each in shown if not _task_of(each)]
        windows = self._windows(own, plan.kept_share, rng)
        windows += self._windows(self.examples.copies_in(epoch, plan.copies_at_once), plan.kept_of_copies, rng)
        batches = self._batched(windows, rng)
        for name in self._auxiliary:
            batches += self._batched(self._windows([each for each in shown if _task_of(each) == name], 1.0, rng), rng)
        return [batches[i] for i in rng.permutation(len(batches))]

    def _share(self, example: SeenDocument) -> float:
        """The share of the documents of this type that each epoch uses."""
        if _task_of(example):
            return self.config.auxiliary_share
        return self.config.silver_share if example.document.is_silver else 1.0

    def _batched(self, windows: Sequence[TrainingRange], rng: np.random.Generator) -> list[list[TrainingRange]]:
        groups = bucketed([end - begin for _, begin, end in windows], self.config.batch_tokens, rng)
        return [[windows[i] for i in group] for group in groups]

    def _windows(self, documents: Sequence[SeenDocument], kept: float, rng: np.random.Generator) -> list[TrainingRange]:
        size, found = self.config.train_window, []
        for example in documents:
            first = int(rng.integers(size // 4, size + 1))
            for begin, end in training_windows(example.starts, len(example.tags), size, first):
                if rng.random() < kept or example.tags[begin:end].any():
                    found.append((example, begin, end))
        return found

    def forward(self, batch: Sequence[TrainingRange]) -> tuple[Tensor, Tensor]:
        given = self._assemble(batch)
        scores = self.network(given.forms, given.tokens, given.task)
        loss = -(given.targets * functional.log_softmax(scores, dim=-1)).sum(dim=-1)
        return scores, (loss * given.mask).sum() / given.mask.sum()

    def _assemble(self, windows: Sequence[TrainingRange]) -> ConvBatch:
        rng = np.random.default_rng([self._seed, windows[0][1], int(windows[0][0].kinds.sum()), len(windows)])
        longest = max(end - begin for _, begin, end in windows)
        shape = (len(windows), longest)
        kinds, spacing, columns = (np.zeros(shape, np.int64) for _ in range(3))
        firsts, mask = np.full(shape, -1, np.int64), np.zeros(shape, np.float32)
        task = _task_of(windows[0][0])
        tags = len(self._auxiliary[task].tags) if task else len(self.examples.tag_names)
        targets = np.zeros((*shape, tags), dtype=np.float32)
        for row, (example, begin, end) in enumerate(windows):
            layout = self._layout[id(example)]
            own = (example.kinds[begin:end], layout.spacing[begin:end])
            columns[row, : end - begin] = np.where(
                layout.columns[begin:end], layout.columns[begin:end] + (row << 20), 0
            )
            first = layout.firsts[begin:end] - begin
            firsts[row, : end - begin] = np.where(first >= 0, first + row * longest, -1)
            if rng.random() < self.config.augmentation.variety:
                own = self.examples.varied(*own, rng)
            kinds[row, : end - begin], spacing[row, : end - begin] = own
            mask[row, : end - begin] = 1.0
            targets[row, : end - begin] = self._targets(example, begin, end)
        used, where = np.unique(kinds, return_inverse=True)
        words = self._words[kinds] + np.arange(len(windows))[:, None] * len(self._words)  # separate words for each row
        words = np.where(self._words[kinds] == NO_WORD, NO_WORD, words).reshape(-1)
        groups, places = word_places(words, repeated_only=self.config.architecture.repeated_only)
        of_columns, column_starts = column_places(columns.reshape(-1), firsts.reshape(-1))
        given = [
            where.reshape(shape),
            spacing,
            groups.reshape(shape),
            places,
            of_columns.reshape(shape),
            column_starts,
            mask,
        ]
        tokens = TokenBatch(*map(torch.from_numpy, given))
        forms = FormBatch.of(self._shown(self._numbers.take(used), self._hidden[used], rng))
        return ConvBatch(forms, tokens, torch.from_numpy(mask), torch.from_numpy(targets), task)

    def _targets(self, example: SeenDocument, begin: int, end: int) -> Floats:
        if (soft := self._taught.get(id(example))) is not None:
            return soft[begin:end].astype(np.float32)
        if task := _task_of(example):
            count, tags = len(self._auxiliary[task].tags), self._auxiliary[task].targets[example.document.id]
        else:
            count, tags = len(self.examples.tag_names), example.tags
        smoothing = self.config.smoothing
        exact: Floats = np.eye(count, dtype=np.float32)[tags[begin:end]]
        return exact * (1 - smoothing) + np.float32(smoothing / count)

    def _shown(self, numbers: FormNumbers, hidden: Floats, rng: np.random.Generator) -> FormNumbers:
        """The forms with some rare words made unknown, and some words removed from all lists."""
        words = np.where(rng.random(len(numbers.words)) < hidden, 0, numbers.words)
        listed = rng.random(len(numbers.words)) >= _LISTS_HIDDEN
        kept = np.repeat(listed, numbers.list_counts)
        return replace(
            numbers, words=words, lists=numbers.lists[kept], list_counts=np.where(listed, numbers.list_counts, 0)
        )

    def evaluate(self) -> Mapping[str, float]:
        return dev_figures((gold, spans) for gold, spans, _ in self.found())

    def found(self) -> list[tuple[Document, tuple[Span, ...], list[float]]]:
        """Every dev document, the spans found in it, and the probability of each span before calibration."""
        self.network.eval()
        return [(document, *self._spans(document)) for document in self._dev]

    @torch.no_grad()
    def _spans(self, document: Document) -> tuple[tuple[Span, ...], list[float]]:
        reading = token_arrays([document.text])
        if not len(reading):
            return (), []
        forms = FormBatch.of(self._vocabulary.describe(reading.forms))
        words = word_numbers(reading.forms)
        groups, places = word_places(words, repeated_only=self.config.architecture.repeated_only)
        of_columns, column_starts = column_places(*table_columns([document.text], reading))
        each = np.arange(len(reading))
        kinds, spacing, own, columns = (
            torch.from_numpy(v).unsqueeze(0) for v in (each, reading.spacing, groups, of_columns)
        )
        tokens = TokenBatch(kinds, spacing, own, torch.from_numpy(places), columns, torch.from_numpy(column_starts))
        probabilities = functional.softmax(self.network(forms, tokens), dim=-1)[0].numpy()
        chunks = self._decoder.chunks(probabilities)
        found = ((int(reading.starts[c.first]), int(reading.ends[c.stop - 1]), c.label) for c, _ in chunks)
        return tuple(Span(*place) for place in found), [probability for _, probability in chunks]


class _Layout(NamedTuple):
    """The white space before each token of a document, the column of its cell, and the first token of the cell."""

    spacing: Ints
    columns: Ints
    firsts: Ints


def _layout(text: str) -> _Layout:
    reading = token_arrays([text])
    return _Layout(reading.spacing, *table_columns([text], reading))


def _task_of(example: SeenDocument) -> str:
    return example.document.meta.get(TASK, "")


def fit_convnet(config: ConvNetConfig, run: TrainingRun) -> dict[str, bytes]:
    """Train the network; if there are dev documents, the best epoch on them is kept."""
    own = [document for document in run.train if not document.is_silver]
    auxiliary = {task.name: task for task in map(read_task, config.knowledge.auxiliary_files)}
    others = [document for task in auxiliary.values() for document in task.documents]
    start = StartModel.read(config.start)
    copies = copy_sets(own, config.augmentation.copies, run.seed)
    examples = Examples([*run.train, *others], "BIO", copies, start.tags if start else ())
    vocabulary, vectors = (start.vocabulary, start.vectors) if start else form_vocabulary(config, examples)
    torch.manual_seed(run.seed)
    network = ConvNetwork(config.architecture, vectors, len(vocabulary.lists), len(examples.tag_names))
    for task in auxiliary.values():
        network.add_task(task.name, len(task.tags))
    if start:
        start.give(network, examples.tag_names)
    elif config.start:
        begin_with(network, Path(config.start))
    training = ConvTask(network, examples, vocabulary, config, run, auxiliary)
    history = fit(training, config.optimisation, run.seed, run.work, run.progress)
    found = ((gold, zip(spans, sure, strict=True)) for gold, spans, sure in training.found())
    answers = [(probability, span in gold.spans) for gold, pairs in found for span, probability in pairs]
    return {
        NETWORK: to_onnx(network.context),
        TAGS: json.dumps(examples.tag_names).encode(),
        **write_tables(vocabulary, network.forms.tables(network.context.entry)),
        TRAINED: result_file(answers, "", run.work) if run.dev or not start else start.results,
        **record_files(history, ConvNet.system),
    }


def form_vocabulary(config: ConvNetConfig, examples: Examples) -> tuple[FormVocabulary, Tensor]:
    """The vocabulary and its vectors (words + 1, width), whose row 0 is for unknown words.

    Without pretrained vectors the words of the training documents get random vectors, which must be tuned.
    """
    knowledge = config.knowledge
    lists, masks = read_gazetteer(Path(knowledge.gazetteer)) if knowledge.gazetteer else ([], {})
    if knowledge.vectors:
        stored = load_vectors(Path(knowledge.vectors))
        words = stored.words[: knowledge.most_words]
        dense = stored.dense()[: len(words)]
        dense *= 3.0 / np.linalg.norm(dense, axis=1).mean()
    else:
        seen_words = {fold(form) for form, n in zip(examples.forms, examples.counts.tolist(), strict=True) if n > 1}
        words = tuple(sorted(seen_words))[: knowledge.most_words]
        dense = np.random.default_rng(0).normal(0, 0.3, (len(words), 64)).astype(np.float32)
    known = [*words, *sorted(set(masks) - set(words))]
    bits: npt.NDArray[np.uint64] = np.fromiter((masks.get(word, 0) for word in known), np.uint64, len(known))
    table = np.concatenate([np.zeros_like(dense[:1]), dense]).astype(np.float32)
    return FormVocabulary.of(known, len(words), bits, lists), torch.from_numpy(table)


def read_gazetteer(path: Path) -> tuple[list[str], dict[str, int]]:
    """The names of the lists, from the first line, and for each folded word a mask of the lists that it is on."""
    lines = path.read_text(encoding="utf-8").splitlines()
    pairs = (line.split("\t") for line in lines[1:])
    return lines[0].split("\t"), {word: int(mask, 16) for word, mask in pairs}

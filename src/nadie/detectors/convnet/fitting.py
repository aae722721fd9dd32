"""From documents and a config to a trained network, and from there to the files of its model folder."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from nadie.augment import copy_sets
from nadie.detectors.base import DETECTORS, Teacher, TrainingRun
from nadie.detectors.convnet.decoding import Decoder
from nadie.detectors.convnet.export import to_onnx
from nadie.detectors.convnet.forms import Floats, FormNumbers, FormVocabulary
from nadie.detectors.convnet.model import TAGS, ConvNet, ConvNetConfig, write_tables
from nadie.detectors.convnet.network import ConvNetwork, FormBatch
from nadie.detectors.convnet.reading import groups_of, read, spacing_of
from nadie.detectors.neural.encoding import training_windows
from nadie.detectors.neural.model import NETWORK, TRAINED
from nadie.detectors.neural.vocabulary import fold
from nadie.document import Document, Span
from nadie.errors import ConfigError
from nadie.storage import find_model, read_model
from nadie.tokens.view import seen
from nadie.training.checkpoint import best_weights
from nadie.training.examples import Examples, SeenDocument, bucketed
from nadie.training.loop import fit
from nadie.training.records import dev_figures, record_files, result_file
from nadie.training.vectors import load_vectors

_LISTS_HIDDEN = 0.1
_TAUGHT_AT_ONCE = 16
_TAUGHT = "teacher.npy"


@dataclass(frozen=True)
class ConvBatch:
    """Forms and (B, T) tokens that have them; `targets` (B, T, K) are the probabilities to learn."""

    forms: FormBatch
    kinds: Tensor
    spacing: Tensor
    groups: Tensor
    mask: Tensor
    targets: Tensor


class ConvTask:
    """Windows of annotated documents to learn from, dev documents to be measured on."""

    def __init__(
        self,
        network: ConvNetwork,
        examples: Examples,
        vocabulary: FormVocabulary,
        config: ConvNetConfig,
        run: TrainingRun,
    ) -> None:
        self.network: nn.Module = network
        self.examples = examples
        self.config = config
        self._vocabulary = vocabulary
        self._numbers = vocabulary.describe(examples.forms)
        self._groups = groups_of(examples.forms)
        self._seed = run.seed
        self._dev = [seen(document) for document in run.dev]
        self._hidden = self._hiding()
        self._decoder = Decoder(examples.tag_names)
        everything = [*examples.documents, *(copy for some in examples.copies for copy in some)]
        self._taught = taught(config.teacher, examples, run.work) if config.teacher else {}
        self._spacing = {id(each): spacing_of(each.document.text, each.encoded.tokens) for each in everything}

    def _hiding(self) -> Floats:
        """The probability with which each form loses its word vector: rare words must be known by their letters."""
        share = self.config.augmentation.word_dropout
        counts = np.zeros(self._vocabulary.vectors + 1)
        np.add.at(counts, self._numbers.words, self.examples.counts)
        hidden: Floats = np.maximum(0.05, share / (share + counts))[self._numbers.words].astype(np.float32)
        return hidden

    def batches(self, epoch: int) -> Sequence[list[tuple[SeenDocument, int, int]]]:
        rng = np.random.default_rng([self._seed, epoch])
        plan = self.config.augmentation
        share = self.config.silver_share
        shown = [each for each in self.examples.documents if not _is_silver(each) or rng.random() < share]
        windows = self._windows(shown, plan.kept_share, rng)
        windows += self._windows(self.examples.copies_in(epoch, plan.copies_at_once), plan.kept_of_copies, rng)
        groups = bucketed([end - begin for _, begin, end in windows], self.config.batch_tokens, rng)
        return [[windows[i] for i in group] for group in groups]

    def _windows(
        self, documents: Sequence[SeenDocument], kept: float, rng: np.random.Generator
    ) -> list[tuple[SeenDocument, int, int]]:
        size, found = self.config.train_window, []
        for example in documents:
            first = int(rng.integers(size // 4, size + 1))
            for begin, end in training_windows(example.starts, len(example.tags), size, first):
                if rng.random() < kept or example.tags[begin:end].any():
                    found.append((example, begin, end))
        return found

    def forward(self, batch: Sequence[tuple[SeenDocument, int, int]]) -> tuple[Tensor, Tensor]:
        given = self._assemble(batch)
        scores = self.network(given.forms, given.kinds, given.spacing, given.groups, given.mask)
        loss = -(given.targets * functional.log_softmax(scores, dim=-1)).sum(dim=-1)
        return scores, (loss * given.mask).sum() / given.mask.sum()

    def _assemble(self, windows: Sequence[tuple[SeenDocument, int, int]]) -> ConvBatch:
        rng = np.random.default_rng([self._seed, windows[0][1], int(windows[0][0].kinds.sum()), len(windows)])
        longest = max(end - begin for _, begin, end in windows)
        shape = (len(windows), longest)
        kinds, spacing, mask = np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.zeros(shape, np.float32)
        targets = np.zeros((*shape, len(self.examples.tag_names)), dtype=np.float32)
        for row, (example, begin, end) in enumerate(windows):
            own = (example.kinds[begin:end], self._spacing[id(example)][begin:end])
            if rng.random() < self.config.augmentation.variety:
                own = self.examples.varied(*own, rng)
            kinds[row, : end - begin], spacing[row, : end - begin] = own
            mask[row, : end - begin] = 1.0
            targets[row, : end - begin] = self._targets(example, begin, end)
        used, where = np.unique(kinds, return_inverse=True)
        groups = self._groups[kinds]
        in_rows = np.where(groups > 0, groups + np.arange(len(windows))[:, None] * len(self._groups), 0)
        apart = np.unique(np.append(in_rows, 0), return_inverse=True)[1][:-1].reshape(shape)
        return ConvBatch(
            FormBatch.of(self._shown(self._numbers.take(used), self._hidden[used], rng)),
            torch.from_numpy(where.reshape(shape)),
            torch.from_numpy(spacing),
            torch.from_numpy(apart),
            torch.from_numpy(mask),
            torch.from_numpy(targets),
        )

    def _targets(self, example: SeenDocument, begin: int, end: int) -> Floats:
        if (soft := self._taught.get(id(example))) is not None:
            return soft[begin:end].astype(np.float32)
        count, smoothing = len(self.examples.tag_names), self.config.smoothing
        exact: Floats = np.eye(count, dtype=np.float32)[example.tags[begin:end]]
        return exact * (1 - smoothing) + np.float32(smoothing / count)

    def _shown(self, numbers: FormNumbers, hidden: Floats, rng: np.random.Generator) -> FormNumbers:
        """The forms with some rare words made unknown, and some words on no list."""
        words = np.where(rng.random(len(numbers.words)) < hidden, 0, numbers.words)
        listed = rng.random(len(numbers.words)) >= _LISTS_HIDDEN
        kept = np.repeat(listed, numbers.list_counts)
        return replace(
            numbers, words=words, lists=numbers.lists[kept], list_counts=np.where(listed, numbers.list_counts, 0)
        )

    def evaluate(self) -> Mapping[str, float]:
        return dev_figures((gold, spans) for gold, spans, _ in self.found())

    def found(self) -> list[tuple[Document, tuple[Span, ...], list[float]]]:
        """Every dev document, the spans found in it, and the probability of each before calibration."""
        self.network.eval()
        return [(document, *self._spans(document)) for document in self._dev]

    @torch.no_grad()
    def _spans(self, document: Document) -> tuple[tuple[Span, ...], list[float]]:
        reading = read(document.text)
        if not reading.tokens:
            return (), []
        forms = FormBatch.of(self._vocabulary.describe(reading.forms))
        row = (torch.from_numpy(values).unsqueeze(0) for values in (reading.kinds, reading.spacing, reading.groups))
        probabilities = functional.softmax(self.network(forms, *row), dim=-1)[0].numpy()
        chunks = self._decoder.chunks(probabilities)
        places = ((reading.tokens[c.first].start, reading.tokens[c.stop - 1].end, c.label) for c, _ in chunks)
        return tuple(Span(*place) for place in places), [probability for _, probability in chunks]


def _is_silver(example: SeenDocument) -> bool:
    return bool(example.document.meta.get("silver"))


def taught(teacher: str, examples: Examples, work: Path) -> dict[int, npt.NDArray[np.float16]]:
    """The token probabilities (T, K) of the teacher for each silver document, by the identity of its example.

    They stay in `work`, because asking a teacher takes long.
    """
    silver = [example for example in examples.documents if _is_silver(example)]
    ends = np.cumsum([len(example.tags) for example in silver])
    shape = (int(ends[-1]) if len(ends) else 0, len(examples.tag_names))
    stored = work / _TAUGHT
    if not stored.is_file() or np.load(stored, mmap_mode="r").shape != shape:
        rows: list[npt.NDArray[np.float16]] = [np.zeros((0, shape[1]), dtype=np.float16)]
        for first in range(0, len(silver), _TAUGHT_AT_ONCE):
            rows += _probabilities(teacher, silver[first : first + _TAUGHT_AT_ONCE], examples.tag_names)
        np.save(stored, np.concatenate(rows), allow_pickle=False)
    parts = np.split(np.load(stored, mmap_mode="r", allow_pickle=False), ends[:-1])
    return {id(example): part for example, part in zip(silver, parts, strict=True)} if silver else {}


@lru_cache(maxsize=1)
def _teacher(name: str) -> Teacher:
    folder = read_model(find_model(name))
    detector = DETECTORS.get(folder.system).load(folder)
    if not isinstance(detector, Teacher):
        raise ConfigError(f"the model {name[:80]!r} cannot teach: it gives no token probabilities")
    return detector.unbiased()


def _probabilities(
    teacher: str, examples: Sequence[SeenDocument], tags: Sequence[str]
) -> list[npt.NDArray[np.float16]]:
    """(T, K) for each example: the teacher's probabilities of `tags`, scaled to sum to 1."""
    column = {tag: number for number, tag in enumerate(tags)}
    found = []
    for told in _teacher(teacher).token_probabilities([example.document for example in examples]):
        values = np.zeros((len(told.tokens), len(tags)), dtype=np.float32)
        for number, tag in enumerate(told.tags):
            if tag in column:
                values[:, column[tag]] = told.values[:, number]
        found.append((values / values.sum(axis=1, keepdims=True)).astype(np.float16))
    return found


def fit_convnet(config: ConvNetConfig, run: TrainingRun) -> dict[str, bytes]:
    """Train the network; where there are dev documents, its best epoch on them is kept."""
    own = [document for document in run.train if not document.meta.get("silver")]
    examples = Examples(run.train, "BIO", copy_sets(own, config.augmentation.copies, run.seed))
    vocabulary, vectors = form_vocabulary(config, examples)
    torch.manual_seed(run.seed)
    network = ConvNetwork(config.architecture, vectors, len(vocabulary.lists), len(examples.tag_names))
    if config.start:
        network.load_state_dict(best_weights(Path(config.start)))
    task = ConvTask(network, examples, vocabulary, config, run)
    history = fit(task, config.optimisation, run.seed, run.work, run.progress)
    found = ((gold, zip(spans, sure, strict=True)) for gold, spans, sure in task.found())
    answers = [(probability, span in gold.spans) for gold, pairs in found for span, probability in pairs]
    return {
        NETWORK: to_onnx(network.context, network.forms.width),
        TAGS: json.dumps(examples.tag_names).encode(),
        **write_tables(vocabulary, network.forms.tables()),
        TRAINED: result_file(answers, "", run.work),
        **record_files(history, ConvNet.system),
    }


def form_vocabulary(config: ConvNetConfig, examples: Examples) -> tuple[FormVocabulary, Tensor]:
    """The words to know and their vectors (words + 1, width), whose row 0 is for the unknown.

    Without pretrained vectors the words of the training documents get vectors at random, which are to be tuned.
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
    return FormVocabulary(known, len(words), bits, lists), torch.from_numpy(table)


def read_gazetteer(path: Path) -> tuple[list[str], dict[str, int]]:
    """The names of the lists, from the first line, and for each folded word a mask of the lists that it is on."""
    lines = path.read_text(encoding="utf-8").splitlines()
    pairs = (line.split("\t") for line in lines[1:])
    return lines[0].split("\t"), {word: int(mask, 16) for word, mask in pairs}

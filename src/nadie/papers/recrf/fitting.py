"""Training: first the rules, then the CRF over all features, with CRFsuite's L-BFGS."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pycrfsuite

from nadie.crf.emissions import WindowFeatures, windowed
from nadie.crf.weights import Weights
from nadie.detector import Progress, TrainingRun
from nadie.document import Document
from nadie.papers.recrf.context_features import parts_of_speech
from nadie.papers.recrf.model import ReCRFConfig, features_of, hint_detectors, marks, sequences_of
from nadie.papers.recrf.rule_generator import generate_rules, out_of_fold_rules
from nadie.papers.recrf.rules import RuleSet
from nadie.papers.recrf.sequence import TokenSequence
from nadie.tokens.codec import encode
from nadie.tokens.passages import joined, passages
from nadie.tokens.tagger import Tagger
from nadie.tokens.view import seen

_LONG = 12  # words


def fit(run: TrainingRun, config: ReCRFConfig) -> tuple[RuleSet, Weights]:
    """Learn rules and weights from the notes.

    Rules and copies are made only from gold documents; silver documents (`nadie distil`) are used without copies.
    """
    gold = [document for document in run.train if not document.is_silver]
    rules, per_note = _rules(gold, config)
    notes = list(_with_copies(gold, per_note, rules, config, run.seed))
    notes += [(document, rules) for document in run.train if document.is_silver]
    trainer = _WatchedTrainer(algorithm="lbfgs", verbose=False)
    trainer.progress = run.progress
    trainer.set_params({"c1": config.c1, "c2": config.c2, "max_iterations": config.iterations})
    hints = hint_detectors(config)
    features = features_of(config)
    cache: dict[str, Sequence[Sequence[str]]] = {}
    run.progress.start("features", len(notes))
    for document, known in notes:
        found = marks(Document(document.id, document.text), known, hints)
        sequences = sequences_of(document.text, config)
        tagged = parts_of_speech(sequences, Tagger.shared()) if config.tagger else [[] for _ in sequences]
        for sequence, parts in zip(sequences, tagged, strict=True):
            context = features.context(sequence, found, parts)
            tags = encode(sequence.tokens, document.spans, config.scheme)
            trainer.append(all_features(sequence, context, features.window, cache), tags)
        run.progress.advance(1)
    run.work.mkdir(parents=True, exist_ok=True)
    model = run.work / "model.crfsuite"
    run.progress.start("CRF", config.iterations)
    trainer.train(str(model))
    return rules, Weights.from_crfsuite(model)


def all_features(
    note: TokenSequence,
    context: Sequence[Sequence[str]],
    of_word: WindowFeatures,
    cache: dict[str, Sequence[Sequence[str]]] | None = None,
) -> list[list[str]]:
    """Every feature of every token as strings for CRFsuite; `cache` stores those of words."""
    window = windowed(note.words, of_word, {} if cache is None else cache)
    return [[*own, *around] for own, around in zip(context, window, strict=True)]


def _rules(train: Sequence[Document], config: ReCRFConfig) -> tuple[RuleSet, list[RuleSet]]:
    if not config.rules:
        return RuleSet([]), [RuleSet([])] * len(train)
    rules = generate_rules(train)
    return rules, out_of_fold_rules(train, config.rule_folds) if config.rule_folds > 1 else [rules] * len(train)


def _with_copies(
    train: Sequence[Document], per_note: Sequence[RuleSet], rules: RuleSet, config: ReCRFConfig, seed: int
) -> Iterator[tuple[Document, RuleSet]]:
    """The notes with the rules to apply to each, then their augmented copies."""
    yield from zip(train, per_note, strict=True)
    if config.copies:
        from nadie.augment import augment

        for document in augment(train, config.copies, seed):
            dice = random.Random(f"{seed} {document.id}")  # noqa: S311
            yield seen(shortened(document, dice, config.kept_share)), rules


def shortened(document: Document, dice: random.Random, kept_share: float) -> Document:
    """The document without most of its long sentences that contain no span.

    The copies of a note repeat its narrative, which is already in the original; they are useful for the context of
    identifiers. Without the rest, training on several copies takes about as long as on one.
    """
    return joined(
        document, [p for p in passages(document) if p.spans or p.words < _LONG or dice.random() <= kept_share]
    )


class _WatchedTrainer(pycrfsuite.Trainer):  # type: ignore[misc]
    """CRFsuite's trainer, with a progress report after each iteration."""

    progress: Progress

    def message(self, message: str) -> None:
        if self.logparser.feed(message) == "iteration":
            self.progress.advance(1, loss=float(self.logparser.last_iteration["loss"]))

"""Training: rules first, then the CRF with CRFsuite's L-BFGS over everything the features say."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pycrfsuite

from nadie.detectors.base import Progress
from nadie.detectors.recrf.context_features import context_features, parts_of_speech
from nadie.detectors.recrf.emissions import WINDOW, Weights, window_features
from nadie.detectors.recrf.model import ReCRFSettings, hint_detectors, marks
from nadie.detectors.recrf.rule_generator import generate_rules, out_of_fold_rules
from nadie.detectors.recrf.rules import RuleSet
from nadie.detectors.recrf.sequence import Sequence as NoteSequence
from nadie.detectors.recrf.shortening import shortened
from nadie.detectors.recrf.word_features import PADDING
from nadie.document import Document
from nadie.spanish.lexicon import Lexicon
from nadie.tokens.codec import encode
from nadie.tokens.tagger import Tagger
from nadie.tokens.view import seen


def fit(
    train: Sequence[Document], settings: ReCRFSettings, *, seed: int, work: Path, progress: Progress
) -> tuple[RuleSet, Weights]:
    """The rules and the weights that the notes teach.

    Rules and copies are made of notes that people have annotated; those of a teacher (`nadie distil`) are learned from
    as they are.
    """
    gold = [document for document in train if not document.is_silver]
    rules, per_note = _rules(gold, settings)
    notes = list(_with_copies(gold, per_note, rules, settings, seed))
    notes += [(document, rules) for document in train if document.is_silver]
    trainer = _WatchedTrainer(algorithm="lbfgs", verbose=False)
    trainer.progress = progress
    trainer.set_params({"c1": settings.c1, "c2": settings.c2, "max_iterations": settings.iterations})
    hints = hint_detectors(settings)
    lexicon = Lexicon.shared()
    cache: dict[tuple[str, int], list[str]] = {}
    progress.start("features", len(notes))
    for document, known in notes:
        note = NoteSequence.of(document.text)
        parts = parts_of_speech([note], Tagger.shared())[0] if settings.tagger else ()
        context = context_features(note, lexicon, marks(Document(document.id, document.text), known, hints), parts)
        features = _windowed(note.words, context, lexicon, cache)
        trainer.append(features, encode(note.tokens, document.spans, settings.scheme))
        progress.advance(1)
    work.mkdir(parents=True, exist_ok=True)
    model = work / "model.crfsuite"
    progress.start("CRF", settings.iterations)
    trainer.train(str(model))
    return rules, read_weights(model)


def read_weights(model: Path) -> Weights:
    """The weights of a CRFsuite model file."""
    tagger = pycrfsuite.Tagger()
    tagger.open(str(model))
    info = tagger.info()
    tags = tagger.labels()
    tagger.close()
    return Weights.from_crfsuite(info.state_features, info.transitions, tags)


def all_features(note: NoteSequence, context: Sequence[Sequence[str]], lexicon: Lexicon) -> list[list[str]]:
    """Every feature of every token, written out: what CRFsuite itself would be given."""
    return _windowed(note.words, context, lexicon, {})


def _rules(train: Sequence[Document], settings: ReCRFSettings) -> tuple[RuleSet, list[RuleSet]]:
    if not settings.rules:
        return RuleSet([]), [RuleSet([])] * len(train)
    return generate_rules(train), out_of_fold_rules(train)


def _with_copies(
    train: Sequence[Document], per_note: Sequence[RuleSet], rules: RuleSet, settings: ReCRFSettings, seed: int
) -> Iterator[tuple[Document, RuleSet]]:
    """The notes with the rules each may see, then their varied copies."""
    yield from zip(train, per_note, strict=True)
    if settings.copies:
        from nadie.augment import augment

        for document in augment(train, settings.copies, seed):
            dice = random.Random(f"{seed} {document.id}")  # noqa: S311
            yield seen(shortened(document, dice, settings.kept_share)), rules


def _windowed(
    words: Sequence[str],
    context: Sequence[Sequence[str]],
    lexicon: Lexicon,
    cache: dict[tuple[str, int], list[str]],
) -> list[list[str]]:
    padded = [*[PADDING] * WINDOW, *words, *[PADDING] * WINDOW]
    features = []
    for i, around in enumerate(context):
        found = list(around)
        for offset in range(-WINDOW, WINDOW + 1):
            key = (padded[i + WINDOW + offset], offset)
            if key not in cache:
                cache[key] = window_features(*key, lexicon)
            found += cache[key]
        features.append(found)
    return features


class _WatchedTrainer(pycrfsuite.Trainer):  # type: ignore[misc]
    """CRFsuite's trainer, whose iterations move the progress on."""

    progress: Progress

    def message(self, message: str) -> None:
        if self.logparser.feed(message) == "iteration":
            self.progress.advance(1, loss=float(self.logparser.last_iteration["loss"]))

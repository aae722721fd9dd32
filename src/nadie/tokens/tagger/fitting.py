"""Training the tagger with CRFsuite, and measuring it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pycrfsuite

from nadie.spanish.lexicon import Lexicon
from nadie.tokens.tagger.features import OFFSETS, PADDING, WINDOW, window_features
from nadie.tokens.tagger.tagger import Tagger
from nadie.tokens.tagger.treebank import TaggedSentence
from nadie.tokens.tagger.weights import Weights

_CASE_COPIES = 0.25  # share of the sentences that are learned in capitals as well, and in lower case


def fit(sentences: Sequence[TaggedSentence], *, iterations: int = 80, seed: int = 1) -> Weights:
    """The weights that the sentences teach: L-BFGS, with L1 so that most features vanish and L2 for the rest."""
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({"c1": 0.1, "c2": 0.1, "max_iterations": iterations})
    cache: dict[tuple[str, int], list[str]] = {}
    for tokens, tags in _with_case_copies(sentences, Random(seed)):  # noqa: S311
        trainer.append(_features(tokens, cache), tags)
    with TemporaryDirectory() as folder:
        model = str(Path(folder) / "model.crfsuite")
        trainer.train(model)
        tagger = pycrfsuite.Tagger()
        tagger.open(model)
        info, tags = tagger.info(), tagger.labels()
        tagger.close()
    return Weights.collect(info.state_features, info.transitions, tags)


def accuracy(tagger: Tagger, sentences: Iterable[TaggedSentence], *, participles: bool = True) -> float:
    """The share of the treebank's words with the right tag; one cut into several tokens is judged by its first."""
    gold = list(sentences)
    right = words = 0
    for sentence, tags in zip(gold, tagger.tag_all([s.tokens for s in gold]), strict=True):
        for word in sentence.words:
            given, wanted = tags[word.first], word.tag
            if not participles:
                given, wanted = given.partition(":")[0], wanted.partition(":")[0]
            right += given == wanted
            words += 1
    return right / words if words else 0.0


def _with_case_copies(
    sentences: Sequence[TaggedSentence], random: Random
) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """The sentences, and some of them again in capitals or in lower case, as clinical notes have them."""
    for sentence in sentences:
        yield sentence.tokens, sentence.tags
        chance = random.random()
        if chance < _CASE_COPIES:
            yield [token.upper() for token in sentence.tokens], sentence.tags
        elif chance < 2 * _CASE_COPIES:
            yield [token.lower() for token in sentence.tokens], sentence.tags


def _features(tokens: Sequence[str], cache: dict[tuple[str, int], list[str]]) -> list[list[str]]:
    padded = [*[PADDING] * WINDOW, *tokens, *[PADDING] * WINDOW]
    lexicon = Lexicon.shared()
    rows: list[list[str]] = []
    for i in range(len(tokens)):
        row: list[str] = []
        for place, offset in enumerate(OFFSETS):
            key = (padded[i + place], offset)
            if key not in cache:
                cache[key] = window_features(*key, lexicon)
            row += cache[key]
        rows.append(row)
    return rows

"""Training the tagger with CRFsuite, and measuring it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pycrfsuite

from nadie.crf.emissions import windowed
from nadie.crf.weights import Weights
from nadie.spanish.lexicon import Lexicon
from nadie.tokens.tagger.tagger import Tagger, window_features
from nadie.tokens.tagger.treebank import TaggedSentence

_CASE_COPIES = 0.25  # share of the sentences that are learned in capitals as well, and in lower case


def fit(sentences: Sequence[TaggedSentence], *, iterations: int = 80, seed: int = 1) -> Weights:
    """Weights trained on the sentences: L-BFGS, with L1 so that most features vanish and L2 for the rest."""
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({"c1": 0.1, "c2": 0.1, "max_iterations": iterations})
    features = partial(window_features, lexicon=Lexicon.shared())
    cache: dict[str, Sequence[Sequence[str]]] = {}
    for tokens, tags in _with_case_copies(sentences, Random(seed)):  # noqa: S311
        trainer.append(windowed(tokens, features, cache), tags)
    with TemporaryDirectory() as folder:
        model = Path(folder) / "model.crfsuite"
        trainer.train(str(model))
        return Weights.from_crfsuite(model)


def accuracy(tagger: Tagger, sentences: Iterable[TaggedSentence], *, participles: bool = True) -> float:
    """The share of the treebank's words with the right tag; one cut into several tokens counts by its first."""
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

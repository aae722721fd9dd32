"""ReCRF: learned rules and a conditional random field.

F. Hassan, M. Jabreel, N. Maaroof, D. Sánchez, J. Domingo-Ferrer, A. Moreno: "ReCRF: Spanish Medical Document
Anonymization using Automatically-crafted Rules and CRF", IberLEF 2019.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

from nadie.config import flat_config, parse_config
from nadie.crf.emissions import Emissions
from nadie.crf.forward_backward import posteriors
from nadie.crf.viterbi import Chain
from nadie.crf.weights import Floats, Weights
from nadie.detector import DETECTORS, Detector, TrainingRun
from nadie.document import Document, Span
from nadie.papers.recrf.context_features import context_features, parts_of_speech
from nadie.papers.recrf.rules import RuleSet, best_of
from nadie.papers.recrf.sequence import TokenSequence
from nadie.papers.recrf.word_features import NEWLINE, window_features
from nadie.resolve.agreement import agree
from nadie.spanish.lexicon import Lexicon
from nadie.storage import ModelFolder, fingerprints, write_model
from nadie.tokens.codec import OUTSIDE, decode
from nadie.tokens.probabilities import TokenProbabilities
from nadie.tokens.tagger import Tagger


@dataclass(frozen=True)
class ReCRFConfig:
    """The tagging scheme, features and window are the paper's; the rest was chosen on the development set."""

    scheme: Literal["BIO", "BIOES"] = "BIO"
    c1: float = 0.02  # L1 regularisation: most weights become zero, which makes the model small
    c2: float = 0.02  # L2 regularisation
    iterations: int = 120
    rules: bool = True
    tagger: bool = True  # parts of speech as features
    hints: str = ""  # names of detectors, separated by commas, whose spans become features
    copies: int = 0  # augmented copies of each training note
    kept_share: float = 0.2  # share of the long sentences without identifiers that copies keep
    agreement: bool = True
    bias: float = 0.0  # added to the log-odds of a word being PHI


class ReCRF:
    """The paper's system: rules learned from the data are matched, and a CRF with the matches as features decides.

    Deviations: a note is one sequence with its line breaks as tokens, not one sequence per line; word clusters, the
    field label and the previous line are additional features; rule matches in training come from rules that were not
    learned from the same note. docs/systems/recrf.md measures the effect of each.
    """

    system: ClassVar[str] = "recrf"

    def __init__(self, config: ReCRFConfig, rules: RuleSet, weights: Weights, name: str = "recrf") -> None:
        self.name = name
        self.config = config
        self.rules = rules
        self.weights = weights
        self._lexicon = Lexicon.shared()
        self._tagger = Tagger.shared() if config.tagger else None
        self._emissions = Emissions(weights, partial(window_features, lexicon=self._lexicon))
        self._chain = Chain(weights.transitions)
        self._outside = weights.tags.index(OUTSIDE)
        self._hints = hint_detectors(config)
        self._bias = config.bias

    def with_bias(self, bias: float) -> Self:
        other = copy(self)
        other._bias = self._bias + bias
        return other

    def unbiased(self) -> Self:
        return self.with_bias(-self._bias)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        notes, emissions = self._read(documents)
        marginals = [posterior.marginals for posterior in posteriors(emissions, self._chain)]
        paths = self._chain.likely_paths(emissions, marginals, self._outside)
        found = []
        for document, note, values, path in zip(documents, notes, marginals, paths, strict=True):
            spans = self._spans(TokenProbabilities(note.tokens, self.weights.tags, values), path.tolist())
            found.append(agree(document, spans) if self.config.agreement else tuple(spans))
        return found

    def token_probabilities(self, documents: Sequence[Document]) -> list[TokenProbabilities]:
        """The marginal probabilities of every word, without line breaks, which are tokens only here."""
        notes, emissions = self._read(documents)
        found = []
        for note, posterior in zip(notes, posteriors(emissions, self._chain), strict=True):
            words = [i for i, word in enumerate(note.words) if word != NEWLINE]
            tokens = [note.tokens[i] for i in words]
            found.append(TokenProbabilities(tokens, self.weights.tags, posterior.marginals[words]).in_bio())
        return found

    def _read(self, documents: Sequence[Document]) -> tuple[list[TokenSequence], list[Floats]]:
        """The documents as sequences, and their emissions, in which the bias lowers the score of `O` for every word."""
        notes = [TokenSequence.of(document.text) for document in documents]
        parts = parts_of_speech(notes, self._tagger) if self._tagger else [()] * len(notes)
        read = []
        for note, document, tags in zip(notes, documents, parts, strict=True):
            context = context_features(note, self._lexicon, marks(document, self.rules, self._hints), tags)
            emissions = self._emissions.of_words(note.words) + self._emissions.of_features(context)
            emissions[[word != NEWLINE for word in note.words], self._outside] -= self._bias
            read.append(emissions)
        return notes, read

    def _spans(self, probabilities: TokenProbabilities, path: Sequence[int]) -> list[Span]:
        tokens = probabilities.tokens
        return [
            Span(
                tokens[chunk.first].start,
                tokens[chunk.stop - 1].end,
                chunk.label,
                probabilities.confidence(chunk),
                self.name,
            )
            for chunk in decode([self.weights.tags[tag] for tag in path])
        ]

    @classmethod
    def train(cls, run: TrainingRun, options: Mapping[str, Any]) -> Self:
        from nadie.papers.recrf.fitting import fit

        parsed = parse_config(ReCRFConfig, options)
        rules, weights = fit(run, parsed)
        return cls(parsed, rules, weights)

    @classmethod
    def load(cls, folder: ModelFolder) -> Self:
        weights = Weights.parse(folder.file("weights.npz").read_bytes())
        rules = RuleSet.parse(folder.file("rules.json").read_bytes())
        return cls(parse_config(ReCRFConfig, folder.config), rules, weights, folder.name)

    def save(self, path: Path, card: Mapping[str, Any]) -> None:
        files = {"weights.npz": self.weights.dump(), "rules.json": self.rules.dump()}
        features = ["words", "recrf", *["tagger"] * self.config.tagger]
        features += [name for name in self.config.hints.split(",") if name in fingerprints()]
        config = flat_config(self.config)
        write_model(path, system=self.system, config=config, card=card, files=files, features=features)


def hint_detectors(config: ReCRFConfig) -> list[Detector]:
    """The detectors whose spans are features. They come from the registry, so that ReCRF does not import them."""
    return [DETECTORS.get(name)() for name in config.hints.split(",") if name]


def marks(document: Document, rules: RuleSet, hints: Sequence[Detector]) -> list[tuple[str, Span]]:
    """The matches of rules and hints, with the name of each rule or detector."""
    found = [("rule", span) for span in best_of(rules.find(document.text))]
    for detector in hints:
        (spans,) = detector.detect([document])
        found += [(detector.name, span) for span in spans]
    return found

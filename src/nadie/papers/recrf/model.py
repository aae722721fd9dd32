"""ReCRF: learned rules and a conditional random field.

F. Hassan, M. Jabreel, N. Maaroof, D. Sánchez, J. Domingo-Ferrer, A. Moreno: "ReCRF: Spanish Medical Document
Anonymization using Automatically-crafted Rules and CRF", IberLEF 2019.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

import numpy as np

from nadie.config import flat_config, parse_config, setting
from nadie.crf.emissions import Emissions
from nadie.crf.forward_backward import posteriors
from nadie.crf.viterbi import Chain
from nadie.crf.weights import Floats, Weights
from nadie.detector import DETECTORS, Detector, TrainingRun
from nadie.document import Document, Span
from nadie.papers.recrf.context_features import context_features, parts_of_speech
from nadie.papers.recrf.paper_features import PaperFeatures
from nadie.papers.recrf.rules import RuleSet, best_of
from nadie.papers.recrf.sequence import TokenSequence
from nadie.papers.recrf.word_features import NEWLINE, window_features
from nadie.resolve.agreement import agree
from nadie.spanish.lexicon import Lexicon
from nadie.storage import ModelFolder, fingerprints, write_model
from nadie.tokens.codec import OUTSIDE, decode
from nadie.tokens.probabilities import TokenProbabilities
from nadie.tokens.tagger import Tagger
from nadie.tokens.tokenizer import Token


@dataclass(frozen=True)
class ReCRFConfig:
    """The tagging scheme is the paper's; features were added, the window is three words on each side instead of two,
    and the other values were chosen on the development set.
    """

    scheme: Literal["BIO", "BIOES"] = setting("BIO", "the tags of a span's tokens: BIO or BIOES")
    unit: Literal["note", "line"] = setting("note", "what is one sequence of the CRF: a note or a line")
    groups: str = setting("", "the paper's feature groups, separated by commas; empty: the extended features")
    reach: int = setting(2, "words on each side whose features a token has, with `groups`")
    c1: float = setting(0.02, "L1 regularisation: most weights become zero, which makes the model small")
    c2: float = setting(0.02, "L2 regularisation")
    iterations: int = setting(120, "iterations of L-BFGS")
    rules: bool = setting(True, "learn rules, whose matches are features")
    rule_folds: int = setting(5, "rules for a training note are learned from the other folds; 1: from all notes")
    decision: Literal["crf", "rules"] = setting("crf", "what decides: the CRF, or the matches of the rules alone")
    tagger: bool = setting(True, "parts of speech as features")
    hints: str = setting("", "names of detectors, separated by commas, whose spans become features")
    copies: int = setting(0, "augmented copies of each training note")
    kept_share: float = setting(0.2, "share of the long sentences without identifiers that copies keep")
    agreement: bool = setting(True, "search a name found with high confidence in the whole note")
    bias: float = setting(0.0, "added to the log-odds of a word being PHI")


class ReCRF:
    """A descendant of Hassan et al. (2019): rules learned from the data are matched, and a CRF with the matches as
    features decides.

    Deviations: a note is one sequence with its line breaks as tokens, not one sequence per line; the window is seven
    words instead of five; word clusters, the field label and the previous line are additional features; rule matches in
    training come from rules that were not learned from the same note. docs/en/understand/systems/recrf.md measures some
    of them together.
    """

    system: ClassVar[str] = "recrf"
    config_type = ReCRFConfig

    def __init__(self, config: ReCRFConfig, rules: RuleSet, weights: Weights, name: str = "recrf") -> None:
        self.name = name
        self.config = config
        self.rules = rules
        self.weights = weights
        self._features = features_of(config)
        self._tagger = Tagger.shared() if config.tagger else None
        self._emissions = Emissions(weights, self._features.window)
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
        if self.config.decision == "rules":
            return [tuple(self._matches(document)) for document in documents]
        read = self._read(documents)
        flat = [values for of_document in read for _, values in of_document]
        marginals = [posterior.marginals for posterior in posteriors(flat, self._chain)]
        paths = iter(zip(marginals, self._chain.likely_paths(flat, marginals, self._outside), strict=True))
        found = []
        for document, of_document in zip(documents, read, strict=True):
            spans: list[Span] = []
            for sequence, _ in of_document:
                values, path = next(paths)
                spans += self._spans(TokenProbabilities(sequence.tokens, self.weights.tags, values), path.tolist())
            found.append(agree(document, spans) if self.config.agreement else tuple(spans))
        return found

    def _matches(self, document: Document) -> list[Span]:
        return [replace(span, source=self.name) for span in best_of(self.rules.find(document.text))]

    def token_probabilities(self, documents: Sequence[Document]) -> list[TokenProbabilities]:
        """The marginal probabilities of every word, without line breaks, which are tokens only here."""
        found = []
        for of_document in self._read(documents):
            known = posteriors([values for _, values in of_document], self._chain)
            tokens: list[Token] = []
            rows = [np.zeros((0, len(self.weights.tags)), dtype=np.float32)]
            for (sequence, _), posterior in zip(of_document, known, strict=True):
                words = [i for i, word in enumerate(sequence.words) if word != NEWLINE]
                tokens += [sequence.tokens[i] for i in words]
                rows.append(posterior.marginals[words])
            found.append(TokenProbabilities(tokens, self.weights.tags, np.concatenate(rows)).in_bio())
        return found

    def _read(self, documents: Sequence[Document]) -> list[list[tuple[TokenSequence, Floats]]]:
        """The sequences of each document with their emissions, in which the bias lowers the score of `O` for every
        word.
        """
        notes = [sequences_of(document.text, self.config) for document in documents]
        flat = [sequence for of_document in notes for sequence in of_document]
        parts = iter(parts_of_speech(flat, self._tagger) if self._tagger else [[]] * len(flat))
        read = []
        for document, of_document in zip(documents, notes, strict=True):
            found = marks(document, self.rules, self._hints)
            read.append([(each, self._emitted(each, found, next(parts))) for each in of_document])
        return read

    def _emitted(self, sequence: TokenSequence, found: Sequence[tuple[str, Span]], parts: Sequence[str]) -> Floats:
        context = self._features.context(sequence, found, parts)
        emissions = self._emissions.of_words(sequence.words) + self._emissions.of_features(context)
        emissions[[word != NEWLINE for word in sequence.words], self._outside] -= self._bias
        return emissions

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
        own = "recrf_paper" if self.config.groups else "recrf"
        features = ["words", own, *["tagger"] * self.config.tagger]
        features += [name for name in self.config.hints.split(",") if name in fingerprints()]
        config = flat_config(self.config)
        write_model(path, system=self.system, config=config, card=card, files=files, features=features)


class ExtendedFeatures:
    """The features of the shipped model: a window of seven words, and the layout of the note."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self.window = partial(window_features, lexicon=lexicon)

    def context(self, note: TokenSequence, marks: Iterable[tuple[str, Span]], parts: Sequence[str]) -> list[list[str]]:
        return context_features(note, self._lexicon, marks, parts)


def features_of(config: ReCRFConfig) -> PaperFeatures | ExtendedFeatures:
    lexicon = Lexicon.shared()
    return PaperFeatures(config.groups, config.reach, lexicon) if config.groups else ExtendedFeatures(lexicon)


def sequences_of(text: str, config: ReCRFConfig) -> list[TokenSequence]:
    """The sequences of a text that the CRF labels, one by one."""
    note = TokenSequence.of(text)
    return [note] if config.unit == "note" else note.split()


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

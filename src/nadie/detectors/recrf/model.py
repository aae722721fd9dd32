"""ReCRF: learned rules and a conditional random field.

F. Hassan, M. Jabreel, N. Maaroof, D. Sánchez, J. Domingo-Ferrer, A. Moreno: "ReCRF: Spanish Medical Document
Anonymization using Automatically-crafted Rules and CRF", IberLEF 2019.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

import numpy as np

from nadie import registry
from nadie.detectors.base import Belief, Detector, Progress
from nadie.detectors.recrf.context_features import context_features, parts_of_speech
from nadie.detectors.recrf.emissions import Emissions, Weights
from nadie.detectors.recrf.marginals import Floats, marginals
from nadie.detectors.recrf.rules import RuleSet, best_of
from nadie.detectors.recrf.sequence import Sequence as NoteSequence
from nadie.detectors.recrf.word_features import NEWLINE
from nadie.document import Document, Span
from nadie.errors import ConfigError
from nadie.fingerprint import PARTS
from nadie.resolve.agreement import agree
from nadie.spanish.lexicon import Lexicon
from nadie.storage import ModelFolder, write_model
from nadie.tokens.chain import Chain
from nadie.tokens.codec import OUTSIDE, Chunk, decode
from nadie.tokens.tagger import Tagger

_LARGEST_BATCH = 60_000  # tokens decoded together


@dataclass(frozen=True)
class ReCRFSettings:
    """The paper gives the tagging scheme, the features and the window; the rest was chosen on the development set."""

    scheme: Literal["BIO", "BIOES"] = "BIO"
    c1: float = 0.02  # L1 regularisation: most weights become zero, and the model small
    c2: float = 0.02  # L2 regularisation
    iterations: int = 120
    rules: bool = True
    tagger: bool = True  # parts of speech as features
    hints: str = ""  # names of detectors, separated by commas, whose spans become features
    copies: int = 0  # varied copies of each training note to learn from as well
    kept_share: float = 0.2  # of the copies' long sentences without identifiers
    agreement: bool = True
    lean: float = 0.0  # by how much the odds of a word being protected are raised, as a logarithm

    @classmethod
    def parse(cls, given: Mapping[str, Any]) -> ReCRFSettings:
        known = {field.name for field in fields(cls)}
        if unknown := sorted(set(given) - known):
            raise ConfigError(f"recrf has no setting {unknown[0][:40]!r}; it has: {', '.join(sorted(known))}")
        return cls(**given)


class ReCRF:
    """The paper's system: rules learned from the data mark the text, and a CRF that sees the marks decides.

    Deviations: a note is one sequence with its line breaks as tokens, not a sequence a line; word clusters, the field
    label of a place and the line above are further features; rule marks in training come from rules that did not see
    the note. docs/systems/recrf.md gives what each is worth.
    """

    system: ClassVar[str] = "recrf"

    def __init__(self, settings: ReCRFSettings, rules: RuleSet, weights: Weights, name: str = "recrf") -> None:
        self.name = name
        self.settings = settings
        self.rules = rules
        self.weights = weights
        self._lexicon = Lexicon.shared()
        self._emissions = Emissions(weights, self._lexicon)
        self._chain = Chain(weights.transitions)
        self._outside = weights.tags.index(OUTSIDE)
        self._hints = hint_detectors(settings)
        self._lean = settings.lean

    def leaning(self, towards: float) -> Self:
        other = copy(self)
        other._lean = self._lean + towards
        return other

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        notes, emissions = self._read(documents)
        found: list[tuple[Span, ...]] = [()] * len(documents)
        for batch in _batches(emissions):
            chosen = [emissions[i] for i in batch]
            beliefs = marginals(chosen, self.weights.transitions)
            paths = self._chain.likely_paths(chosen, beliefs, self._outside)
            for i, path, belief in zip(batch, paths, beliefs, strict=True):
                chunks = decode([self.weights.tags[tag] for tag in path.tolist()])
                spans = [self._span(notes[i], chunk, belief) for chunk in chunks]
                found[i] = agree(documents[i], spans) if self.settings.agreement else tuple(spans)
        return found

    def beliefs(self, documents: Sequence[Document]) -> list[Belief]:
        """The marginals of every word; line breaks, which are tokens only here, are left out."""
        if self.settings.scheme != "BIO":
            raise ConfigError("only a model trained on BIO can tell its beliefs")
        notes, emissions = self._read(documents)
        known: list[Floats] = [np.zeros((0, len(self.weights.tags)), dtype=np.float32)] * len(documents)
        for batch in _batches(emissions):
            chosen = [emissions[i] for i in batch]
            for i, belief in zip(batch, marginals(chosen, self.weights.transitions), strict=True):
                known[i] = belief[[word != NEWLINE for word in notes[i].words]]
        return [
            Belief([token for token in note.tokens if token.text != NEWLINE], self.weights.tags, belief)
            for note, belief in zip(notes, known, strict=True)
        ]

    def _read(self, documents: Sequence[Document]) -> tuple[list[NoteSequence], list[Floats]]:
        """The notes as sequences, and their emissions."""
        notes = [NoteSequence.of(document.text) for document in documents]
        parts = parts_of_speech(notes, Tagger.shared()) if self.settings.tagger else [()] * len(notes)
        features = [
            context_features(note, self._lexicon, marks(document, self.rules, self._hints), tags)
            for note, document, tags in zip(notes, documents, parts, strict=True)
        ]
        return notes, [self._leaned(note, context) for note, context in zip(notes, features, strict=True)]

    def _leaned(self, note: NoteSequence, context: Sequence[Sequence[str]]) -> Floats:
        """The emissions of a note, with `O` made less likely for every word; line breaks are as they were."""
        emissions = self._emissions.of(note, context)
        words = [word != NEWLINE for word in note.words]
        emissions[words, self._outside] -= self._lean
        return emissions

    def _span(self, note: NoteSequence, chunk: Chunk, belief: Floats) -> Span:
        """The chunk as a span; its score is the least sure token's probability of being of that type."""
        columns = [i for i, tag in enumerate(self.weights.tags) if tag[2:] == chunk.label]
        score = float(belief[chunk.first : chunk.stop][:, columns].sum(axis=1).min())
        start, end = note.tokens[chunk.first].start, note.tokens[chunk.stop - 1].end
        return Span(start, end, chunk.label, min(max(score, 0.0), 1.0), self.name)

    @classmethod
    def train(
        cls,
        train: Sequence[Document],
        dev: Sequence[Document],
        *,
        settings: Mapping[str, Any],
        seed: int,
        work: Path,
        progress: Progress,
    ) -> Self:
        from nadie.detectors.recrf.fitting import fit

        parsed = ReCRFSettings.parse(settings)
        rules, weights = fit(train, parsed, seed=seed, work=work, progress=progress)
        return cls(parsed, rules, weights)

    @classmethod
    def load(cls, folder: ModelFolder) -> Self:
        config = dict(folder.config)
        tags = config.pop("tags")
        names, arrays = (folder.file(name).read_bytes() for name in ("features.txt.gz", "weights.npz"))
        weights = Weights.parse(tags, names, arrays)
        rules = RuleSet.parse(folder.file("rules.json").read_bytes())
        return cls(ReCRFSettings.parse(config), rules, weights, folder.name)

    def save(self, path: Path, card: Mapping[str, Any]) -> None:
        settings = {**asdict(self.settings), "tags": list(self.weights.tags)}
        files = {**self.weights.dump(), "rules.json": self.rules.dump()}
        features = ["words", "recrf", *["tagger"] * self.settings.tagger]
        features += [name for name in self.settings.hints.split(",") if name in PARTS]
        write_model(path, system=self.system, settings=settings, card=card, files=files, features=features)


def hint_detectors(settings: ReCRFSettings) -> list[Detector]:
    """The detectors whose spans are features, by the registry: ReCRF knows none of them."""
    return [registry.detectors.get(name)() for name in settings.hints.split(",") if name]


def marks(document: Document, rules: RuleSet, hints: Sequence[Detector]) -> list[tuple[str, Span]]:
    """Where rules and hints match, by the name of what matched."""
    found = [("rule", span) for span in best_of(rules.find(document.text))]
    for detector in hints:
        (spans,) = detector.detect([document])
        found += [(detector.name, span) for span in spans]
    return found


def _batches(emissions: Sequence[Floats]) -> list[list[int]]:
    """Notes of like length together, so that a long one does not make room for itself in every other."""
    batches: list[list[int]] = []
    room = 0
    for i in np.argsort([-len(e) for e in emissions], kind="stable"):
        size = len(emissions[i])
        if not size:
            continue
        if not batches or room < size:
            batches.append([])
            room = max(_LARGEST_BATCH, size)
        batches[-1].append(int(i))
        room -= len(emissions[batches[-1][0]])
    return batches

"""The detector Adapted: the token probabilities of its base, through a layer of its own, and terms of its centre."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar, Self, cast

from nadie.detector import Biased, Model, Teacher
from nadie.detectors.adapted.layer import Layer
from nadie.detectors.adapted.terms import HashedTerms
from nadie.document import Document, Span
from nadie.errors import ConfigError, ModelError
from nadie.neural.model import Calibration
from nadie.resolve.agreement import agree
from nadie.storage import ModelFolder, checksum_of, write_model
from nadie.tokens.codec import ProbabilityDecoder
from nadie.tokens.probabilities import TokenProbabilities

LAYER, TERMS, CALIBRATION = "layer.npz", "terms.json", "calibration.json"
_LISTED = 0.9


def probabilistic(base: Model) -> tuple[Teacher, float]:
    """The detector of a model without its bias, and the bias. It is put on again after the layer.

    The bias is a decision to miss less. A layer that is fitted to what is right would take it away.
    """
    detector = base.detector()
    if not isinstance(detector, Teacher) or not isinstance(detector, Biased) or base.folder is None:
        raise ConfigError(f"the model {base.name!r} gives no token probabilities, so it cannot be adapted")
    return detector.unbiased(), float(getattr(detector, "bias", 0.0))


class Adapted:
    """A base model by name or folder, a layer over its tags, hashed terms, and the calibration of its scores."""

    system: ClassVar[str] = "adapted"

    def __init__(
        self, base: Model, layer: Layer, terms: HashedTerms, calibration: Calibration, name: str = "adapted"
    ) -> None:
        self.name = name
        self._model = base
        self._base, self._base_bias = probabilistic(base)
        self.bias = self._base_bias
        self._layer = layer
        self._terms = terms
        self._calibration = calibration
        self._decoder = ProbabilityDecoder(layer.tags)

    def with_bias(self, bias: float) -> Self:
        other = copy(self)
        other.bias = self.bias + bias
        return other

    def unbiased(self) -> Self:
        return self.with_bias(-self.bias)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        pairs = zip(documents, self.token_probabilities(documents), strict=True)
        return [self._spans(document, tokens) for document, tokens in pairs]

    def _spans(self, document: Document, known: TokenProbabilities) -> tuple[Span, ...]:
        tokens = known.tokens
        found = [
            Span(tokens[c.first].start, tokens[c.stop - 1].end, c.label, self._calibration(sure), self.name)
            for c, sure in self._decoder.chunks(known.values)
        ]
        if self._model.system == "committee":  # which does this with its own spans
            found = list(agree(document, found))
        listed = (Span(*match, _LISTED, self.name) for match in self._terms.find(document.text))
        return (*found, *(span for span in listed if not any(other.contains(span) for other in found)))

    def token_probabilities(self, documents: Sequence[Document]) -> list[TokenProbabilities]:
        found = self._base.token_probabilities(documents)
        if any(each.tags != self._layer.tags for each in found):
            raise ModelError(f"the model {self.name!r} was adapted from a model with other tags")
        return [TokenProbabilities(each.tokens, each.tags, self._layer.apply(each.values, self.bias)) for each in found]

    @classmethod
    def load(cls, folder: ModelFolder) -> Self:
        base = Model.of(str(folder.config.get("base", "")))
        if base.folder is None or checksum_of(base.folder.path) != folder.config.get("base_sha256"):
            raise ModelError(f"model {folder.name!r} was adapted from another version of {base.name!r}: adapt it again")
        try:
            calibration = Calibration(**json.loads(folder.file(CALIBRATION).read_bytes()))
        except (ValueError, TypeError) as error:
            raise ModelError(f"{CALIBRATION} of the model cannot be read") from error
        layer, terms = (folder.file(name).read_bytes() for name in (LAYER, TERMS))
        made = cls(base, Layer.from_bytes(layer), HashedTerms.from_bytes(terms), calibration, folder.name)
        return made.with_bias(float(folder.config.get("bias", 0.0)))

    def save(self, path: Path, card: Mapping[str, Any]) -> None:
        """Write the folder; it refers to its base by name or path and by the hash of its files."""
        folder = cast(ModelFolder, self._model.folder)
        files = {
            LAYER: self._layer.to_bytes(),
            TERMS: self._terms.to_bytes(),
            CALIBRATION: json.dumps(asdict(self._calibration)).encode(),
        }
        more = self.bias - self._base_bias
        config = {"base": self._model.reference, "base_sha256": checksum_of(folder.path), "bias": more}
        write_model(path, system=self.system, config=config, card=card, files=files)

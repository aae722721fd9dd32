"""The detector Exhaustive."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

from nadie.config import flat_config
from nadie.document import Document, Span
from nadie.errors import ModelError
from nadie.inference import processors
from nadie.neural.model import TRAINED, VOCABULARY, Fit, NetworkModel, read_files, read_results
from nadie.neural.tagger import onnx_network
from nadie.neural.vocabulary import Vocabulary
from nadie.papers.exhaustive.config import ExhaustiveConfig, variants_named
from nadie.papers.exhaustive.reading import SharedVectors, SpanReader, wide_enough
from nadie.storage import ModelFolder, find_model, read_model, write_model
from nadie.tokens.probabilities import TokenProbabilities

TABLE = "vectors.npz"
_Result = TypeVar("_Result")


class Exhaustive(NetworkModel[ExhaustiveConfig]):
    """Every span up to a given size is classified, without tags (Sohrab, Pham and Miwa, IberLEF 2019).

    A model folder has one of the paper's eight variants or several, which then vote. `config` and `files` are those of
    the model folder. `only` restricts the vote to some of its variants, by their names or the name of a submitted run.
    `nested` allows an entity within another; the default is the model's own config, which is flat.
    """

    system: ClassVar[str] = "exhaustive"
    config_type = ExhaustiveConfig

    def __init__(
        self,
        config: ExhaustiveConfig,
        files: Mapping[str, bytes],
        name: str = "",
        *,
        nested: bool | None = None,
        only: str = "",
    ) -> None:
        super().__init__(config, files, name)
        self.variants = _variants(config, only)
        reader = _reader(config, files, self.variants)
        self.reader = reader if nested is None else replace(reader, nested=nested)
        self.workers = processors(4)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Notes are scored one by one, so that none depends on the others; several run in parallel."""
        return self._for_each(documents, lambda document: self.reader.spans(document.text, self.name))

    def token_probabilities(self, documents: Sequence[Document]) -> list[TokenProbabilities]:
        """The tag probabilities of every token, from the probabilities of all spans before calibration."""
        return self._for_each(documents, lambda document: self.reader.token_probabilities(document.text))

    def with_bias(self, bias: float) -> Self:
        other = copy(self)
        other.reader = replace(self.reader, bias=self.reader.bias + bias)
        return other

    def unbiased(self) -> Self:
        return self.with_bias(-self.reader.bias)

    def _for_each(self, documents: Sequence[Document], work: Callable[[Document], _Result]) -> list[_Result]:
        if self.workers < 2 or len(documents) < 2:
            return [work(document) for document in documents]
        with ThreadPoolExecutor(self.workers) as pool:
            return list(pool.map(work, documents))

    @classmethod
    def _fit(cls) -> Fit[ExhaustiveConfig]:
        from nadie.papers.exhaustive.fitting import train_variants

        return train_variants

    @classmethod
    def load(cls, folder: ModelFolder, *, nested: bool | None = None, only: str = "") -> Self:
        """Load a folder. If it names another folder in `within`, it is a subset of the variants of that folder."""
        stored, place = dict(folder.config), folder
        if "within" in stored:
            place = read_model(find_model(str(stored.pop("within"))))
            only = only or str(stored.pop("only", ""))
            stored = {**place.config, **stored}
        config = cls._stored_config(stored)
        names = _variants(config, only)
        shared = () if config.architecture.tune_vectors else (TABLE,)
        required = (VOCABULARY, *shared, TRAINED, *map(network_file, names))
        files = read_files(place, required, [part(name) for name in names for part in (log_file, curve_file)])
        if place is not folder and (folder.path / TRAINED).is_file():
            own = json.loads(folder.file(TRAINED).read_bytes())
            files[TRAINED] = json.dumps(json.loads(files[TRAINED]) | own).encode()
        return cls(config, files, folder.name, nested=nested, only=only)

    def save(self, path: Path, card: Mapping[str, Any]) -> None:
        """Write a folder with the variants of this detector."""
        parts = (part(variant) for variant in self.variants for part in (network_file, log_file, curve_file))
        files = {name: self._files[name] for name in (VOCABULARY, TABLE, TRAINED, *parts) if name in self._files}
        spans = replace(self.config.spans, nested=self.reader.nested)
        config = flat_config(replace(self.config, variants=",".join(self.variants), spans=spans))
        write_model(path, system=self.system, config=config, card=card, files=files, features=["words"])


def network_file(variant: str) -> str:
    return f"{variant}.onnx"


def log_file(variant: str) -> str:
    return f"{variant}.jsonl"


def curve_file(variant: str) -> str:
    return f"{variant}.png"


def _variants(config: ExhaustiveConfig, only: str) -> tuple[str, ...]:
    """The names of the config's variants, or those in `only`, which must all exist."""
    there = [variant.name for variant in config.chosen()]
    wanted = [variant.name for variant in variants_named(only)] or there
    if missing := [name for name in wanted if name not in there]:
        raise ModelError(f"the model has no variant {missing[0]!r}; it has: {', '.join(there)}")
    return tuple(wanted)


def _reader(config: ExhaustiveConfig, files: Mapping[str, bytes], variants: Sequence[str]) -> SpanReader:
    results = read_results(files[TRAINED])
    try:
        labels, sizes = tuple(map(str, results["labels"])), int(results["sizes"])
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"{TRAINED} of the model cannot be read") from error
    return SpanReader(
        tuple(onnx_network(files[network_file(variant)]) for variant in variants),
        Vocabulary.from_json(files[VOCABULARY]),
        None if config.architecture.tune_vectors else SharedVectors.from_bytes(files[TABLE]),
        labels,
        wide_enough(config.reading, sizes),
        results["calibration"],
        config.spans.nested,
        config.spans.bias,
    )

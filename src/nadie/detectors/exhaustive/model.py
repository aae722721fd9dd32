"""The detector Exhaustive."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

from nadie.detectors.base import Progress
from nadie.detectors.exhaustive.folder import TABLE, VOCABULARY, curve_file, log_file, network_file
from nadie.detectors.exhaustive.reading import Reading, SpanReader
from nadie.detectors.exhaustive.variants import variants_named
from nadie.detectors.exhaustive.vectors import SharedVectors
from nadie.detectors.neural.confidence import Calibration
from nadie.detectors.neural.tagger import onnx_network
from nadie.detectors.neural.vocabulary import Vocabulary
from nadie.document import Document, Span
from nadie.errors import MissingExtraError, ModelError
from nadie.storage import ModelFolder, find_model, read_model, write_model
from nadie.tokens.probabilities import TokenProbabilities

_Result = TypeVar("_Result")


class Exhaustive:
    """Every span up to a size is judged by itself, and no tags are needed (Sohrab, Pham and Miwa, IberLEF 2019).

    A folder holds one of the paper's eight variants or several, which then vote. `settings` and `files` are those of
    the model folder. `only` restricts the vote to some of its variants, by their names or the name of a submitted run.
    `nested` lets an entity stand within another; without it the folder's own setting counts, which is flat.
    """

    system: ClassVar[str] = "exhaustive"

    def __init__(
        self,
        settings: Mapping[str, Any],
        files: Mapping[str, bytes],
        name: str = "",
        *,
        nested: bool | None = None,
        only: str = "",
    ) -> None:
        self.name = name or self.system
        self.settings = dict(settings)
        self._files = dict(files)
        self.variants = _variants(self.settings, only)
        reader = _reader(self.settings, self._files, self.variants)
        self.reader = reader if nested is None else replace(reader, nested=nested)
        self.workers = min(4, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """Notes are judged one by one, so that none depends on its company; several at a time."""
        return self._for_each(documents, lambda document: self.reader.spans(document.text, self.name))

    def token_probabilities(self, documents: Sequence[Document]) -> list[TokenProbabilities]:
        """What the probabilities of all spans together say of every token; they are those before calibration."""
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
        try:
            from nadie.detectors.exhaustive.config import ExhaustiveConfig
            from nadie.detectors.exhaustive.fitting import train_variants
            from nadie.training.config import configure
        except ModuleNotFoundError as error:
            raise MissingExtraError("training exhaustive", "train") from error
        config = configure(ExhaustiveConfig, settings)
        return cls(*train_variants(config, train, dev, seed=seed, work=work, progress=progress))

    @classmethod
    def load(cls, folder: ModelFolder, *, nested: bool | None = None, only: str = "") -> Self:
        """A folder that names another one in `within` is some of its variants, with its files and own settings."""
        settings, place = dict(folder.config), folder
        if "within" in settings:
            place = read_model(find_model(str(settings.pop("within"))))
            only = only or str(settings.pop("only", ""))
            settings = {**place.config, **settings}
        names = [VOCABULARY, TABLE]
        kept: list[str] = []
        for variant in _variants(settings, only):
            names.append(network_file(variant))
            kept += [log_file(variant), curve_file(variant)]
        files = {name: place.file(name).read_bytes() for name in names}
        files |= {name: (place.path / name).read_bytes() for name in kept if (place.path / name).is_file()}
        return cls(settings, files, folder.name, nested=nested, only=only)

    def save(self, path: Path, card: Mapping[str, Any]) -> None:
        """Write a folder with the variants that vote here."""
        parts = (part(variant) for variant in self.variants for part in (network_file, log_file, curve_file))
        files = {name: self._files[name] for name in (VOCABULARY, TABLE, *parts) if name in self._files}
        settings = self.settings | {"variants": ",".join(self.variants), "nested": self.reader.nested}
        write_model(path, system=self.system, settings=settings, card=card, files=files, features=["words"])


def _variants(settings: Mapping[str, Any], only: str) -> tuple[str, ...]:
    """The names of the folder's variants, or of those that are asked for and must then all be there."""
    there = [variant.name for variant in variants_named(str(settings.get("variants", "")))]
    if not there:
        raise ModelError("the model does not say which variants it holds")
    wanted = [variant.name for variant in variants_named(only)] or there
    if missing := [name for name in wanted if name not in there]:
        raise ModelError(f"the model has no variant {missing[0]!r}; it has: {', '.join(there)}")
    return tuple(wanted)


def _reader(settings: Mapping[str, Any], files: Mapping[str, bytes], variants: Sequence[str]) -> SpanReader:
    try:
        labels = tuple(map(str, settings["labels"]))
        reading = Reading(*(int(settings[name]) for name in ("sizes", "window", "margin")))
        calibration = Calibration(*(float(settings[f"calibration_{name}"]) for name in ("slope", "offset")))
        is_nested, bias = bool(settings.get("nested", False)), float(settings.get("bias", 0.0))
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError("the settings of the model cannot be read") from error
    return SpanReader(
        tuple(onnx_network(files[network_file(variant)]) for variant in variants),
        Vocabulary.from_json(files[VOCABULARY]),
        SharedVectors.from_bytes(files[TABLE]),
        labels,
        reading,
        calibration,
        is_nested,
        bias,
    )

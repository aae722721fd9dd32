"""Scans are searched by two networks together, other texts by one."""

from __future__ import annotations

import pytest

from nadie.document import Document
from nadie.files.container import SCAN
from nadie.run.documents import load
from nadie.run.two_readers import BIASES, TwoReaders

NOTE = "Viene Miren del taller de su primo. Trae el volante 4471; la monja del piso repartió té el lunes."


def covered(mode: str, meta: dict[str, str]) -> set[int]:
    done = load("fast", scan_mode=mode).annotate(Document("a", NOTE, (), meta))
    return {at for span in done.spans for at in range(span.start, span.end)}


def test_modes_of_scans_change_only_scans() -> None:
    assert covered("balanced", {}) == covered("recall", {})
    assert covered("balanced", SCAN) < covered("recall", SCAN)


@pytest.mark.parametrize("mode", list(BIASES))
def test_the_second_network_is_pooled_with_the_first(mode: str) -> None:
    detector = load("fast", scan_mode=mode).scan_detector
    assert isinstance(detector, TwoReaders)
    [both] = detector.token_probabilities([Document("a", NOTE)])
    [one] = detector.first.token_probabilities([Document("a", NOTE)])
    assert (both.values[:, 0] < one.values[:, 0]).mean() > 0.9


@pytest.mark.parametrize("model", ["convnet-lstm", "best"])
def test_other_models_search_scans_alone(model: str) -> None:
    assert not isinstance(load(model, scan_mode="balanced").scan_detector, TwoReaders)

"""Drift as a metric: how unlike the documents of a service are to the sample that it was measured by."""

from __future__ import annotations

import threading
from functools import partial
from pathlib import Path

from prometheus_client import Gauge

from nadie.document import Document
from nadie.errors import NadieError
from nadie.risk.drift import Profile, drifts
from nadie.risk.sample import Sample, is_sample
from nadie.service.monitoring import Metrics


class DriftWatch:
    """Adds the documents of a service to a profile and compares it with that of the sample. Thread-safe."""

    def __init__(self, validated: Profile, metrics: Metrics) -> None:
        self._validated = validated
        self._seen = Profile()
        self._lock = threading.Lock()
        gauge = Gauge(
            "nadie_drift_z",
            "Difference from the reviewed sample, in standard errors",
            ["figure"],
            registry=metrics.registry,
        )
        # The names of figures are fixed, so no text can become one.
        for name in validated.figures:
            gauge.labels(name).set_function(partial(self.figure, name))
        alarm = Gauge(
            "nadie_drift", "1 if the documents are unlike the reviewed sample: measure again", registry=metrics.registry
        )
        alarm.set_function(lambda: float(self.is_drift))

    def add(self, document: Document) -> None:
        """Add a document with the spans that were found in it."""
        with self._lock:
            self._seen.add(document)

    def figure(self, name: str) -> float:
        """The difference in one figure, in standard errors."""
        with self._lock:
            return next(each.z for each in drifts(self._validated, self._seen) if each.name == name)

    @property
    def is_drift(self) -> bool:
        with self._lock:
            return any(each.is_drift for each in drifts(self._validated, self._seen))


def drift_watch(folder: Path, metrics: Metrics) -> DriftWatch | None:
    """The watch of a project that is a sample; None for any other project."""
    if not is_sample(folder):
        return None
    try:
        validated = Profile.of(Sample.read(folder).profile)
    except NadieError:
        return None  # the page and `nadie risk` say what is wrong with it
    return DriftWatch(validated, metrics) if validated.figures else None

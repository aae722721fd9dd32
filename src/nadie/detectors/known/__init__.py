"""Known identities: the values that a hospital has on record, found in notes in any spelling, order and case."""

from __future__ import annotations

from nadie.detectors.known.detector import Known
from nadie.detectors.known.identities import Identity, column_names, read_identities

__all__ = ["Identity", "Known", "column_names", "read_identities"]

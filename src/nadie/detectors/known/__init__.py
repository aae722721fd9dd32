"""Known identities: what a hospital has on record of the patient, found in the note in any spelling, order and case."""

from __future__ import annotations

from nadie.detectors.known.detector import Known
from nadie.detectors.known.identities import Identity, read_identities

__all__ = ["Identity", "Known", "read_identities"]

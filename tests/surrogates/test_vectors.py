"""Surrogates under one key stay the same within a version that promises it."""

from __future__ import annotations

import json

from surrogates.vectors import VECTORS, vectors


def test_the_values_under_one_key_are_those_of_this_version() -> None:
    stored = json.loads(VECTORS.read_text(encoding="utf-8"))
    assert vectors() == stored, "see tests/surrogates/vectors.py"

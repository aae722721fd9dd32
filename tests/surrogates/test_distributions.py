"""Provinces and their capitals are drawn as people live in them."""

from __future__ import annotations

import random
from collections import Counter

from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import Key
from nadie.document import Document, Span
from nadie.spanish import tables


def test_inhabitants_are_known_for_every_province() -> None:
    assert tables.inhabitants().keys() == tables.provinces().keys()
    assert 47_000 < sum(tables.inhabitants().values()) < 48_000


def test_madrid_and_barcelona_are_as_common_as_they_are() -> None:
    draw, drawn = random.Random(7), Counter[str]()
    codes, weights = zip(*tables.inhabitants().items(), strict=True)
    for number, code in enumerate(draw.choices(codes, weights, k=1000)):
        capital = tables.provinces()[code].capital
        span = Span(8, 8 + len(capital), "TERRITORIO")
        engine = Engine(read_policy("research"), Key(number.to_bytes(32, "big")))
        drawn[engine.run(Document("n", f"Vive en {capital}.", (span,))).text[8:-1]] += 1
    assert 0.2 < (drawn["Madrid"] + drawn["Barcelona"]) / 1000 < 0.32

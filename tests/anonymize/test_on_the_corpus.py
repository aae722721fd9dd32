"""Figures that must be zero, on all annotated notes of the corpus."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from nadie.anonymize.engine import Anonymized, Engine
from nadie.anonymize.policy import read_policy
from nadie.anonymize.verification import survivors
from nadie.files.annotated.reading import read_documents
from nadie.labels import Label
from nadie.records.vault.entry import Entry
from nadie.resolve.overlaps import disjoint
from nadie.resolve.values import CLOSED, identifying_values, values_of
from nadie.spanish import tables
from nadie.spanish.check_digits import social_security
from nadie.spanish.dates.reading import read
from nadie.spanish.folding import key_of
from nadie.spanish.squashing import squash

from .marked import KEY, anonymized

pytestmark = pytest.mark.corpus


_MONTH_FIRST = re.compile(r"\d\d/(?:1[3-9]|2\d|3[01])/\d{4}")


@pytest.fixture(scope="module")
def done(meddocan: Path) -> list[Anonymized]:
    documents = [
        document.with_spans(disjoint(document.spans))
        for part in ("train", "dev")
        for document in read_documents(meddocan / part / "brat", "brat")
    ]
    engine = Engine(read_policy("research"), KEY)
    return [anonymized(engine, document) for document in documents]


def test_no_detected_value_survives(done: list[Anonymized]) -> None:
    for item in done:
        told = identifying_values(item.document)
        kept = {told[r.span] for r in item.replaced if r.kept and r.span in told}
        assert survivors(item.text, set(told.values()) - kept, ()) == []


def test_no_interval_changes(done: list[Anonymized]) -> None:
    checked = 0
    for item in done:
        replaced = [r for r in item.replaced if r.span.label == Label.FECHAS and not r.refused]
        # What is no date, such as a feast, is replaced by words that are none either.
        dates = [(r, date) for r in replaced if (date := read(item.document.text_of(r.span))) is not None]
        if any(_MONTH_FIRST.fullmatch(item.document.text_of(r.span)) for r, _ in dates):
            continue  # the new dates have the month first as well, which one of them alone does not show
        old = [day for _, date in dates for day in date.days()]
        new = [day for r, _ in dates for day in read(item.text[r.start : r.end]).days()]  # type: ignore[union-attr]
        assert [b - a for a, b in pairwise(old)] == [b - a for a, b in pairwise(new)]
        checked += len(old)
    assert checked > 1000


def test_social_security_numbers_are_valid(done: list[Anonymized]) -> None:
    checked = 0
    for item in done:
        for r in item.replaced:
            number = squash(item.text[r.start : r.end])
            if r.span.label == Label.ID_ASEGURAMIENTO and len(number) == 12:
                assert social_security(number[:2], number[2:10]) == number[10:]
                checked += 1
    assert checked > 300


def test_everything_comes_back(done: list[Anonymized]) -> None:
    for item in done:
        entry = Entry.from_bytes(Entry.of(item).to_bytes())
        assert entry.restore(item.text) == item.document.text


def test_no_surrogate_is_an_original_of_its_document(done: list[Anonymized]) -> None:
    for item in done:
        originals = values_of(identifying_values(item.document))
        invented = [r for r in item.replaced if r.operator == "surrogate" and not r.kept and r.span.label not in CLOSED]
        same = {key_of(item.text[r.start : r.end]) for r in invented if squash(item.text[r.start : r.end]) in originals}
        assert same <= tables.province_codes().keys() | tables.regions().keys()


def test_little_is_refused(done: list[Anonymized]) -> None:
    refused = Counter(r.span.label for item in done for r in item.replaced if r.refused)
    total = sum(len(item.replaced) for item in done)
    assert sum(refused.values()) < total / 100
    assert refused[Label.NOMBRE_SUJETO_ASISTENCIA] + refused[Label.NOMBRE_PERSONAL_SANITARIO] == 0

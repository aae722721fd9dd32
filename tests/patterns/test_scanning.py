"""What is left out of a scan is only what would find nothing."""

from __future__ import annotations

import pytest

from nadie.detectors.patterns.plain_text import Scanner
from nadie.spanish.folding import plain

EXPRESSIONS = (r"\bDNI (\d+)", r"(?i)\bn[º°] (\d+)", r"(?m)^Edad", r"\z")
TEXTS = ("DNI 123\nEdad 5", "Nº 7", "nothing", "", "edad\nDNI 1 DNI 2")


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_absent_matches_nowhere(text: str) -> None:
    scanner = Scanner()
    raw = plain(text).encode("ascii")
    assert scanner.absent(raw) == frozenset()
    found = {expression for expression in EXPRESSIONS if list(scanner.scan(expression, raw))}
    assert scanner.absent(raw) == set(EXPRESSIONS) - found


def test_an_expression_met_later_is_known_to_the_next_note() -> None:
    scanner = Scanner()
    list(scanner.scan("a", b"b"))
    assert scanner.absent(b"b") == {"a"}
    list(scanner.scan("c", b"b"))
    assert scanner.absent(b"b") == {"a", "c"}
    assert scanner.absent(b"a") == {"c"}

"""Names and numbers of a scan that stand once more with an error of reading."""

from __future__ import annotations

import pytest

from nadie.document import Document, Span
from nadie.labels import Label
from nadie.resolve.completing import complete

SCAN = {"scan": "yes"}


def completed(value: str, label: Label, rest: str, *, is_scan: bool = True) -> list[str]:
    text = f"{value}\n{rest}"
    document = Document("a", text, (Span(0, len(value), label),), SCAN if is_scan else {})
    done = complete(document)
    return [done.text_of(span) for span in done.spans if span.source == "complete:misread"]


@pytest.mark.parametrize(
    ("name", "rest", "expected"),
    [
        ("Remedios Iturralde", "Se avisa a la Sra. Iturra1de.", ["Iturra1de"]),
        ("Remedios Iturralde", "Se avisa a la Sra. lturralde.", []),  # in lower case: no capital and no digit
        ("Remedios Iturralde", "Se avisa a la Sra. Ituralde y ITURRALOE.", ["Ituralde", "ITURRALOE"]),
        ("Tomás Fernández", "Dr. Femández", ["Femández"]),
        ("Luisa Cordero", "0tra vez C0rder0", ["C0rder0"]),
        ("Ana Quiroga", "Quirófano 3, Quiroga", []),  # the second is `complete:values`
        ("Jorge Marín", "Marzo, Mareo", []),
        ("Pilar Torres", "Enfermedad de Forrestier", []),
        ("Ana Parra", "Plan: Para casa", []),
        ("Ana Sala", "Sola, Salo", []),  # too short
    ],
)
def test_names(name: str, rest: str, expected: list[str]) -> None:
    assert completed(name, Label.NOMBRE_SUJETO_ASISTENCIA, rest) == expected


@pytest.mark.parametrize(
    ("number", "rest", "expected"),
    [
        ("4471903", "NHC 447190B", ["447190B"]),
        ("4471903", "NHC 4471908", ["4471908"]),
        ("4471903", "NHC 447l9O3", ["447l9O3"]),
        ("611 204 877", "tel 611 204 817", ["611 204 817"]),
        ("AB-4471903", "NHC 447l903 611204877", ["447l903"]),
        ("4471903", "leucocitos 4471, plaquetas 471900", []),
        ("4471903", "NHC 4481904", []),
    ],
)
def test_numbers(number: str, rest: str, expected: list[str]) -> None:
    assert completed(number, Label.ID_SUJETO_ASISTENCIA, rest) == expected


def test_only_in_scans() -> None:
    assert not completed("Remedios Iturralde", Label.NOMBRE_SUJETO_ASISTENCIA, "Iturra1de", is_scan=False)


def test_long_documents_take_linear_time() -> None:
    names = "\n".join(f"Apellido{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{chr(97 + n // 676)}" for n in range(3000))
    spans, at = [], 0
    for name in names.split("\n"):
        spans.append(Span(at, at + len(name), Label.NOMBRE_SUJETO_ASISTENCIA))
        at += len(name) + 1
    text = names + "\n" + "Se avisa a la Sra. Iturra1de. " * 20_000
    assert complete(Document("a", text, tuple(spans), SCAN)).text == text

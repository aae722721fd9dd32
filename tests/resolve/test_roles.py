"""The mentions of one name in a document have one label."""

from __future__ import annotations

import pytest

from nadie.document import Document, Span
from nadie.labels import Label
from nadie.resolve.roles import with_one_role

P, S, F = Label.NOMBRE_SUJETO_ASISTENCIA, Label.NOMBRE_PERSONAL_SANITARIO, Label.FAMILIARES_SUJETO_ASISTENCIA


def labels(*mentions: tuple[str, str, float]) -> list[str]:
    text = " ".join(name for name, _, _ in mentions)
    spans, at = [], 0
    for name, label, score in mentions:
        spans.append(Span(at, at + len(name), label, score))
        at += len(name) + 1
    return [span.label for span in with_one_role(Document("nota", text, tuple(spans))).spans]


@pytest.mark.parametrize(
    ("mentions", "expected"),
    [
        ([("Vela", P, 0.5), ("VELA", S, 0.8)], [S, S]),
        ([("Vela", P, 0.5), ("Vela", P, 0.4), ("Vela", S, 0.8)], [P, P, P]),
        ([("Núñez", F, 0.3), ("Nuñez", P, 0.9), ("Núñez", S, 0.2)], [P, P, P]),
        ([("Vela", S, 1.0), ("Vela", P, 0.9), ("Vela", P, 0.9)], [S, S, S]),
        ([("Vela", S, 1.0), ("Vela", P, 1.0)], [S, P]),
        ([("Vela", P, 0.5), ("Vela Gil", S, 0.9)], [P, S]),  # a relative may share the surname
        ([("Vela", P, 0.5), ("Vela", Label.TERRITORIO, 0.9)], [P, Label.TERRITORIO]),
        ([("Toledo", Label.TERRITORIO, 0.5), ("Toledo", Label.HOSPITAL, 0.9)], [Label.TERRITORIO, Label.HOSPITAL]),
    ],
)
def test_the_label_with_the_highest_total_score_is_that_of_all(
    mentions: list[tuple[str, str, float]], expected: list[str]
) -> None:
    assert labels(*mentions) == expected


def test_a_document_without_a_contradiction_is_returned_as_it_is() -> None:
    document = Document("nota", "Vela Vela", (Span(0, 4, P, 0.5), Span(5, 9, P, 0.6)))
    assert with_one_role(document) is document

"""Small documents for the tests: spans are given by the words they cover."""

from __future__ import annotations

from hypothesis import strategies as st

from nadie.document import Document, Span
from nadie.evaluation.pairing import Pair
from nadie.labels import Label

NAME = Label.NOMBRE_SUJETO_ASISTENCIA
DOCTOR = Label.NOMBRE_PERSONAL_SANITARIO
TOWN = Label.TERRITORIO
DATE = Label.FECHAS
AGE = Label.EDAD_SUJETO_ASISTENCIA


def document(text: str, *spans: tuple[str, str] | tuple[str, str, float], name: str = "d") -> Document:
    """`("Ana", NAME)` or `("Ana", NAME, 0.7)` marks the first place where those words stand."""
    return Document(name, text, tuple(_span(text, *span) for span in spans))


def pair_of(gold: Document, *spans: tuple[str, str] | tuple[str, str, float]) -> Pair:
    return Pair(gold, gold.with_spans(_span(gold.text, *span) for span in spans))


def _span(text: str, words: str, label: str, score: float = 1.0) -> Span:
    start = text.index(words)
    return Span(start, start + len(words), label, score)


def span_lists(length: int, longest: int) -> st.SearchStrategy[list[Span]]:
    """Up to eight spans of a text of that length."""
    return st.lists(
        st.builds(
            lambda start, size, label: Span(start, min(start + size, length), label),
            st.integers(0, length - 2),
            st.integers(1, longest),
            st.sampled_from([NAME, TOWN, DATE]),
        ),
        max_size=8,
    )

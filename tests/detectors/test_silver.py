"""Silver documents: uncertain passages are left out, and the rest keeps its spans."""

from __future__ import annotations

import numpy as np
import pytest

from nadie.detectors.committee.silver import Sifting, sifted
from nadie.document import Document, Span
from nadie.tokens.probabilities import TokenProbabilities
from nadie.tokens.tokenizer import tokenize

LONG = "El estudio se completa con una resonancia sin contraste que no muestra ninguna otra lesión visible. "
TEXT = f"Nombre: Ana.\n{LONG}Vive en Lugo. Sin fiebre."


TAGS = ("O", "B-NOMBRE_SUJETO_ASISTENCIA", "B-TERRITORIO")


def probabilities(text: str, doubted: dict[str, float]) -> TokenProbabilities:
    """Sure of everything to 0.95, but of some words less: `Ana` is a name, `Lugo` a place, all else nothing."""
    tokens = tokenize(text)
    values = np.zeros((len(tokens), len(TAGS)), dtype=np.float32)
    for row, token in zip(values, tokens, strict=True):
        said = {"Ana": 1, "Lugo": 2}.get(token.text, 0)
        row[said] = doubted.get(token.text, 0.95)
        row[said - 1] = 1 - row[said]
    return TokenProbabilities(tokens, TAGS, values)


@pytest.mark.parametrize(
    ("doubted", "sure", "known", "left"),
    [
        ({}, 0.6, 0.96, TEXT),
        ({"Lugo": 0.55}, 0.6, 0.96, f"Nombre: Ana.\n{LONG}Sin fiebre."),
        ({"Lugo": 0.65}, 0.6, 0.96, TEXT),
        ({"Ana": 0.51, "fiebre": 0.59, "contraste": 0.5}, 0.6, 0.96, "Vive en Lugo. "),
        ({"Ana": 0.51, "fiebre": 0.59}, 0.0, 0.96, TEXT),
        ({}, 0.99, 1.0, ""),
        ({}, 0.6, 0.9, ""),
        ({"Lugo": 0.65}, 0.6, 0.9, "Vive en Lugo. "),
    ],
)
def test_what_is_doubted_goes_and_what_is_known(
    doubted: dict[str, float], sure: float, known: float, left: str
) -> None:
    document = Document("d", TEXT, (Span(8, 11, "NOMBRE_SUJETO_ASISTENCIA"), Span(121, 125, "TERRITORIO")), {"a": "b"})
    assert document.text_of(document.spans[1]) == "Lugo"
    silver = sifted(document, probabilities(TEXT, doubted), Sifting(sure, known, kept_share=0.0))
    assert silver.text == left
    assert [silver.text_of(span) for span in silver.spans] == [word for word in ("Ana", "Lugo") if word in left]
    assert silver.meta == {"a": "b", "silver": "true"}


def test_what_was_said_against_the_probabilities_goes() -> None:
    """The rest of the note may change a tag in spite of the probabilities of its token."""
    document = Document("d", TEXT, (Span(121, 125, "TERRITORIO"),))
    assert sifted(document, probabilities(TEXT, {}), Sifting(known=0.96)).text == f"{LONG}Vive en Lugo. Sin fiebre."
    unheard = Document("d", TEXT, (Span(8, 11, "NOMBRE_SUJETO_ASISTENCIA"), Span(121, 125, "PAIS")))
    assert sifted(unheard, probabilities(TEXT, {}), Sifting(known=0.96)).text == f"Nombre: Ana.\n{LONG}Sin fiebre."


def test_what_is_known_stays_by_its_share_and_the_seed() -> None:
    document = Document("d", LONG * 200)
    sure = probabilities(document.text, {})
    half = sifted(document, sure, Sifting(known=0.9, kept_share=0.5))
    assert 60 < half.text.count("resonancia") < 140
    assert sifted(document, sure, Sifting(known=0.9, kept_share=0.5)) == half
    assert sifted(document, sure, Sifting(known=0.9, kept_share=0.5, seed=2)) != half
    assert sifted(document, sure, Sifting(known=0.9, kept_share=1.0)).text == document.text


def test_an_empty_document() -> None:
    assert sifted(Document("d", ""), probabilities("", {}), Sifting(kept_share=1.0)).text == ""

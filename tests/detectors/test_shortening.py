"""A shortened copy keeps every identifier and loses only long sentences that hold none."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from nadie.detectors.recrf.fitting import shortened
from nadie.document import Document, Span

LONG = "El estudio se completa con una resonancia sin contraste que no muestra ninguna otra lesión visible. "


def test_long_sentences_without_identifiers_go() -> None:
    document = Document("d", f"Nombre: Ana.\n{LONG}{LONG}Vive en Lugo.", (Span(8, 11, "NOMBRE_SUJETO_ASISTENCIA"),))
    short = shortened(document, random.Random(1), 0.0)
    assert short.text == "Nombre: Ana.\nVive en Lugo."
    assert [short.text_of(span) for span in short.spans] == ["Ana"]
    assert shortened(document, random.Random(1), 1.0) == document


@given(st.data())
def test_every_span_keeps_its_text(data: st.DataObject) -> None:
    pieces = data.draw(st.lists(st.sampled_from([LONG, "Vive en Lugo.\n", "NHC: 12. ", "\n", "Dr. Gil "]), max_size=8))
    text = "".join(pieces)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=8)))
    spans = [Span(a, b, "FECHAS") for a, b in zip(cuts[::2], cuts[1::2], strict=False)]
    document = Document("d", text, tuple(spans))
    short = shortened(document, random.Random(data.draw(st.integers(0, 9))), 0.3)
    assert [short.text_of(span) for span in short.spans] == [document.text_of(span) for span in document.spans]

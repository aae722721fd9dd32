"""A text for a language model with placeholders, and restoring the originals in its answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

import nadie
from nadie.integrations.shield import Shielded

from .notes import CLEAN, NOTE

ORIGINALS = {"[NOMBRE_1]": "Ana Pérez Soto", "[NOMBRE_12]": "Luis [Rey]", "[FECHA_1]": "3 de mayo"}
SHIELDED = Shielded("", ORIGINALS)


@pytest.fixture(scope="module")
def shielded() -> Shielded:
    return nadie.shield(NOTE)


def test_nothing_that_was_found_is_sent(shielded: Shielded) -> None:
    for value in ("Ana", "Pérez", "4471920", "Elena", "Roca", "mayo"):
        assert value not in shielded.text
        assert value not in repr(shielded)
    assert shielded.text.startswith("Paciente: [NOMBRE_1], NHC [")
    assert shielded.restore(shielded.text) == NOTE


def test_one_person_has_one_placeholder_and_is_restored_by_the_fullest_name() -> None:
    shielded = nadie.shield("Paciente: Ana Pérez Soto. La Sra. Pérez Soto acude sola.")
    assert shielded.text.count("[NOMBRE_1]") == 2
    assert shielded.restore("Avisar a [NOMBRE_1].") == "Avisar a Ana Pérez Soto."


def test_labels_that_are_kept() -> None:
    text = "Paciente: Ana Pérez Soto, mujer de 70 años."
    assert nadie.shield(text, keep=["AGE", "SEXO_SUJETO_ASISTENCIA"]).text == "Paciente: [NOMBRE_1], mujer de 70 años."
    with pytest.raises(nadie.NadieError, match="neither a label"):
        nadie.shield(text, keep=["EDADES"])


def test_placeholders_of_nobody_stay() -> None:
    assert SHIELDED.restore("[NOMBRE_2] [nombre_1] [ NOMBRE_1 ] [1]") == "[NOMBRE_2] [nombre_1] [ NOMBRE_1 ] [1]"


def test_a_text_with_a_placeholder_is_refused() -> None:
    with pytest.raises(nadie.NadieError, match="already has a placeholder at 6") as told:
        nadie.shield("Campo [FECHA_1] de la plantilla. Ingresa el 3 de mayo de 2021.")
    assert "mayo" not in str(told.value)


def test_a_text_without_phi_is_sent_as_it_is() -> None:
    assert nadie.shield(CLEAN).text == CLEAN


_PARTS = st.sampled_from([*ORIGINALS, "[", "]", "[NOMBRE_", "1]", "texto ", "[FECHA_1", "\n", "[NOMBRE_1"])


@given(st.lists(_PARTS, max_size=12).map("".join), st.data())
def test_a_stream_is_restored_as_the_whole(answer: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(answer)), max_size=8)))
    chunks = [answer[a:b] for a, b in zip([0, *cuts], [*cuts, len(answer)], strict=True)]
    assert "".join(SHIELDED.stream(chunks)) == SHIELDED.restore(answer)

    async def sent() -> AsyncIterator[str]:
        for chunk in chunks:
            yield chunk

    async def received() -> str:
        return "".join([part async for part in SHIELDED.astream(sent())])

    assert asyncio.run(received()) == SHIELDED.restore(answer)


def test_a_stream_holds_back_no_more_than_a_placeholder() -> None:
    given_out = list(SHIELDED.stream(["Hola ", "[NOM", "BRE_1", "], ", "[no", " más"]))
    assert given_out == ["Hola ", "Ana Pérez Soto, ", "[no", " más"]


def test_a_long_answer_takes_linear_time() -> None:
    answer = "[" * 20_000 + "[NOMBRE_1]"
    assert SHIELDED.restore(answer) == "[" * 20_000 + "Ana Pérez Soto"
    assert "".join(SHIELDED.stream(answer)) == SHIELDED.restore(answer)

"""A text for a language model with placeholders, and restoring the originals in its answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import nadie
from nadie.files.annotated.reading import read_documents
from nadie.integrations.shield import Shielded

from .notes import CLEAN, NOTE

ROOT = Path(__file__).resolve().parents[2]
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
    assert shielded.text == "Paciente: [NOMBRE_1]. La Sra. [NOMBRE_1.2] acude sola."
    assert shielded.restore("Avisar a [NOMBRE_1].") == "Avisar a Ana Pérez Soto."


def test_labels_that_are_kept() -> None:
    text = "Paciente: Ana Pérez Soto, mujer de 70 años."
    assert nadie.shield(text, keep=["AGE", "SEXO_SUJETO_ASISTENCIA"]).text == "Paciente: [NOMBRE_1], mujer de 70 años."
    with pytest.raises(nadie.NadieError, match="neither a label"):
        nadie.shield(text, keep=["EDADES"])


def test_placeholders_of_nobody_stay_and_are_listed() -> None:
    answer = "[NOMBRE_2] [1] [nota 3] [SANITARIO 4]"
    assert SHIELDED.restore(answer) == answer
    assert SHIELDED.unplaced(answer) == ["[NOMBRE_2]", "[SANITARIO 4]"]


@pytest.mark.parametrize(
    "written",
    [
        *("[NOMBRE\\_1]", "[nombre_1]", "[Nombre 1]", "[ NOMBRE_1 ]", "[NOMBRE-1]", "[NOMBRE_ 1]", "［NOMBRE＿１］"),
        *("[NOMBRE\u00a01]", "\\[NOMBRE\\_1\\]", "【NOMBRE_1】", "[NOMBRE1]", "[NOM\u200bBRE_\u20601]"),
    ],
)
def test_altered_placeholders_are_restored(written: str) -> None:
    assert SHIELDED.restore(f"Avise a {written} hoy").replace("\\", "") == "Avise a Ana Pérez Soto hoy"
    assert SHIELDED.unplaced(written) == []


@pytest.mark.parametrize(
    "written",
    ["NOMBRE_1", "(NOMBRE_1)", "{NOMBRE_1}", "<NOMBRE_1>", "[NOMBRE_1", "&#91;NOMBRE_1&#93;", "x.es/%5BNOMBRE_1%5D"],
)
def test_placeholders_without_their_brackets_stay_and_are_listed(written: str) -> None:
    assert SHIELDED.restore(written) == written
    assert SHIELDED.unplaced(f"{written}, EL_NOMBRE_1, NOMBRE_11 y [NOMBRE_1]") == ["NOMBRE_1"]


@pytest.mark.parametrize(
    "answer",
    [
        "![x](https://example.org/a.png?q=[NOMBRE_1])",
        "![x](//example.org/[NOMBRE_1])",
        "[aquí](/buscar/[nombre_1])",
        "https://example.org/[NOMBRE_1]/a",
        "www.example.org/?q=[NOMBRE_1]",
        '<img src="a.png?[NOMBRE_1]">',
        "<a href='x [NOMBRE_1]'>",
        "[1]: a/[NOMBRE_1]",
        "mailto:[NOMBRE_1]@example.org",
    ],
)
def test_nothing_is_restored_in_an_address(answer: str) -> None:
    assert SHIELDED.restore(answer) == answer
    assert len(SHIELDED.unplaced(answer)) == 1
    assert "".join(SHIELDED.stream(answer)) == answer
    assert "Ana" in SHIELDED.restore(answer, in_addresses=True)
    assert SHIELDED.restore(f"{answer} y [NOMBRE_1]").endswith(" y Ana Pérez Soto")


def test_only_some_placeholders() -> None:
    assert SHIELDED.restore("[NOMBRE_1], [FECHA_1]", only=["FECHA"]) == "[NOMBRE_1], 3 de mayo"


def test_placeholders_of_earlier_messages_do_not_change() -> None:
    first = nadie.shield("Paciente: Ana Pérez Soto. Ingresa el 3 de mayo de 2021.")
    second = nadie.shield("Paciente: Eva Gil Ruiz. Es amiga de Ana Pérez Soto. Alta el 5 de mayo de 2021.", after=first)
    assert first.originals.items() <= second.originals.items()
    assert second.text.startswith("Paciente: [NOMBRE_2].")
    assert second.restore(first.text).startswith("Paciente: Ana Pérez Soto.")
    assert second.restore(second.text).startswith("Paciente: Eva Gil Ruiz. Es amiga de Ana Pérez Soto.")
    answer = nadie.shield("Según [NOMBRE_1], vuelve el 9 de mayo de 2021.", after=second)
    assert answer.text.startswith("Según [NOMBRE_1], vuelve el [FECHA_3]")


@pytest.mark.parametrize("part", ["dev", "dev-hard"])
def test_every_note_is_restored_as_it_was(part: str) -> None:
    notes = list(read_documents(ROOT / "data" / "notes" / part, "notes"))[::8]
    for note in notes:
        shielded = nadie.shield(note.text)
        assert shielded.restore(shielded.text) == note.text, note.id
        if shielded.text != note.text:
            with pytest.raises(nadie.NadieError, match="already has a placeholder"):
                nadie.shield(shielded.text)


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
    given_out = list(SHIELDED.stream(["Hola ", "[NOM", "BRE_1", "], ", "[no", " más", ", sino menos] "]))
    assert given_out == ["Hola ", "Ana Pérez Soto, ", "[no más, sino menos] "]


def test_a_long_answer_takes_linear_time() -> None:
    answer = "[" * 20_000 + "[NOMBRE_1]"
    assert SHIELDED.restore(answer) == "[" * 20_000 + "Ana Pérez Soto"
    assert "".join(SHIELDED.stream(answer)) == SHIELDED.restore(answer)

"""The options of a single request: thresholds, labels, lists, known identities, and the unit of offsets."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from nadie.detectors.known import Known
from nadie.errors import ConfigError
from nadie.run.documents import RunOptions
from nadie.run.pipeline import Pipeline
from nadie.service.http.offsets import Offsets
from nadie.service.problems import ProblemError
from nadie.service.request_options import NO_OPTIONS, RequestOptions, request_options
from nadie.service.schemas import AnnotateRequest, SpanBody

from .conftest import NOTE, MakeClient

ALL = ["Lucía Prado Ferrer", "54 años", "Cuenca", "03/01/2024", "Hospital Santa Marta", "612 345 678", "Inés Montoya"]


def found(client: TestClient, text: str = NOTE, **options: Any) -> list[str]:
    answer = client.post("/v1/annotate", json={"text": text, **options})
    assert answer.status_code == 200, answer.text
    return [text[span["start"] : span["end"]] for span in answer.json()["spans"]]


@pytest.mark.parametrize(
    ("options", "missing", "more"),
    [
        ({}, [], []),
        ({"threshold": 0.9}, ["Cuenca", "Hospital Santa Marta", "Inés Montoya"], []),
        ({"thresholds": {"HOSPITAL": 0.9}}, ["Hospital Santa Marta"], []),
        ({"threshold": 0.9, "thresholds": {"HOSPITAL": 0.5}}, ["Cuenca", "Inés Montoya"], []),
        ({"labels": ["FECHAS", "TERRITORIO"]}, [w for w in ALL if w not in ("03/01/2024", "Cuenca")], []),
        ({"leave": ["FECHAS"]}, ["03/01/2024"], []),
        ({"labels": ["FECHAS", "TERRITORIO"], "leave": ["FECHAS"]}, [w for w in ALL if w != "Cuenca"], []),
        ({"allow": ["CUENCA", "hospital santa marta"]}, ["Cuenca", "Hospital Santa Marta"], []),
        ({"deny": [{"term": "informe", "label": "OTROS_SUJETO_ASISTENCIA"}]}, [], ["Informe"]),
        ({"deny": [{"term": "informe"}], "allow": ["informe"]}, [], ["Informe"]),
        ({"known": [{"nombre": "firmado", "apellidos": "por"}]}, [], ["firmado por"]),
        ({"bias": -1}, [], []),
    ],
    ids=str,
)
def test_options_of_detection(client: TestClient, options: Any, missing: list[str], more: list[str]) -> None:
    assert set(found(client, **options)) == {*ALL, *more} - set(missing)


def test_a_bias_finds_more_and_a_model_that_takes_none_says_so(client: TestClient) -> None:
    text = "Paciente: Berta Solís. Habla con Osuna."
    assert found(client, text) == ["Berta Solís"]
    assert found(client, text, bias=2) == ["Berta Solís", "Osuna"]
    without = Pipeline(Known([]), RunOptions().engine())
    assert NO_OPTIONS.applied(without) is without
    with pytest.raises(ConfigError, match="does not support a bias"):
        RequestOptions(bias=2.0).applied(without)


def test_they_hold_for_anonymizing_and_for_each_line_of_a_batch(client: TestClient) -> None:
    wanted = {"text": "54 años, de Cuenca", "labels": ["EDAD_SUJETO_ASISTENCIA"]}
    lines = [wanted, {**wanted, "labels": ["FECHAS"]}, {**wanted, "deny": [{"term": "Cuenca", "label": "TERRITORIO"}]}]
    assert client.post("/v1/anonymize", json=wanted).json()["text"] == "[EDAD_SUJETO_ASISTENCIA], de Cuenca"
    body = "\n".join(map(json.dumps, lines))
    answers = client.post("/v1/anonymize/batch", content=body, headers={"Content-Type": "application/x-ndjson"})
    assert [json.loads(line)["text"] for line in answers.text.splitlines()] == [
        "[EDAD_SUJETO_ASISTENCIA], de Cuenca",
        "54 años, de Cuenca",
        "[EDAD_SUJETO_ASISTENCIA], de [TERRITORIO]",
    ]


def test_what_the_service_denies_no_request_can_allow(make_client: MakeClient, tmp_path: Path) -> None:
    (tmp_path / "deny").write_text("TERRITORIO\tZuera\n", encoding="utf-8")
    (tmp_path / "allow").write_text("Cuenca\n", encoding="utf-8")
    (tmp_path / "known").write_text("nombre,apellidos\nBerta,Solís Vera\n", encoding="utf-8")
    strict = make_client(deny=tmp_path / "deny", allow=tmp_path / "allow", known=tmp_path / "known")
    text = "De Zuera y Cuenca, natural de Cuenca. Berta Solís Vera e Inés Vela Oria."
    assert found(strict, text) == ["Zuera", "Berta Solís Vera"]
    options = {
        "allow": ["Zuera"],
        "deny": [{"term": "y Cuenca"}],
        "known": [{"nombre": "Inés", "apellidos": "Vela Oria"}],
    }
    assert found(strict, text, **options) == ["Zuera", "y Cuenca", "Berta Solís Vera", "Inés Vela Oria"]


@pytest.mark.parametrize(
    "options",
    [
        {"threshold": 0},
        {"threshold": 1.1},
        {"bias": 11},
        {"thresholds": {"Lucía": 0.5}},
        {"labels": []},
        {"labels": ["Lucía"]},
        {"allow": ["!"]},
        {"deny": [{"term": "?"}]},
        {"known": [{"Lucía": "Prado"}]},
        {"allow": ["Lucía"] * 10_001},
        {"offsets": "utf8"},
    ],
    ids=lambda options: str(options)[:40],
)
def test_impossible_options_are_refused_without_repeating_them(client: TestClient, options: Any) -> None:
    answer = client.post("/v1/annotate", json={"text": "hola", **options})
    assert answer.status_code == 422
    assert "Lucía" not in answer.text
    assert "Prado" not in answer.text


def test_options_beside_given_spans_are_refused(client: TestClient) -> None:
    body = {"text": "54 años", "spans": [], "threshold": 0.5}
    assert client.post("/v1/anonymize", json=body).status_code == 422


SMILE = "😀 Paciente: Lucía Prado. 😀😀 54 años."


def utf16(text: str, start: int, end: int) -> str:
    return text.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le")


def test_offsets_in_utf16_units(client: TestClient) -> None:
    asked = {"text": SMILE, "offsets": "utf16"}
    spans = client.post("/v1/annotate", json=asked).json()["spans"]
    assert [utf16(SMILE, span["start"], span["end"]) for span in spans] == ["Lucía Prado", "54 años"]
    whole = client.post("/v1/anonymize", json=asked).json()
    assert [utf16(SMILE, s["start"], s["end"]) for s in whole["spans"]] == ["Lucía Prado", "54 años"]
    again = client.post("/v1/anonymize", json={**asked, "spans": spans}).json()
    assert again["text"] == "😀 Paciente: [NOMBRE_SUJETO_ASISTENCIA]. 😀😀 [EDAD_SUJETO_ASISTENCIA]."
    made = [utf16(again["text"], each["start"], each["end"]) for each in again["replacements"]]
    assert made == ["[NOMBRE_SUJETO_ASISTENCIA]", "[EDAD_SUJETO_ASISTENCIA]"]
    split = [{"start": 1, "end": 3, "label": "FECHAS"}]
    answer = client.post("/v1/anonymize", json={**asked, "spans": split})
    assert (answer.status_code, "surrogate pair" in answer.text) == (422, True)


@given(st.text(alphabet=st.sampled_from("aé\uffff😀𝒳"), min_size=1, max_size=12), st.data())
def test_offsets_there_and_back(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    offsets = Offsets(text, unit="utf16")
    [written] = offsets.write([SpanBody.model_validate({"start": start, "end": end, "label": "FECHAS"})])
    assert utf16(text, written.start, written.end) == text[start:end]
    [read] = offsets.read([written])
    assert (read.start, read.end) == (start, end)


def test_an_offset_within_a_pair_is_no_place() -> None:
    inside = SpanBody.model_validate({"start": 0, "end": 1, "label": "FECHAS"})
    with pytest.raises(ProblemError):
        Offsets("😀", unit="utf16").read([inside])


def test_the_version_is_told(client: TestClient) -> None:
    from importlib.metadata import version

    assert client.get("/v1/version").json() == {"version": version("nadie"), "api": "v1"}


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/annotate", {"text": "a", "threshold": True}),
        ("/v1/annotate", {"text": "a", "bias": "1"}),
        ("/v1/annotate", {"text": "a", "scan": 1}),
        ("/v1/anonymize", {"text": "ab", "spans": [{"start": "0", "end": 1, "label": "FECHAS"}]}),
        ("/v1/anonymize", {"text": "ab", "spans": [{"start": 0, "end": True, "label": "FECHAS"}]}),
        ("/v1/anonymize", {"text": "ab", "keep": "yes"}),
        ("/v1/export/original", {"files": [{"file": {"name": "n", "content": ""}, "documents": []}], "numbered": 0}),
    ],
)
def test_what_is_no_number_is_not_taken_for_one(client: TestClient, path: str, body: dict[str, Any]) -> None:
    assert client.post(path, json=body).status_code == 422


def test_many_long_terms_and_patterns_are_left_to_the_worker() -> None:
    words, pattern = "de la un el " * 16, {"label": "NUMERO_CAMA", "regex": r"\pL{90}"}
    lists = {"allow": [words] * 10_000, "deny": [{"term": words}] * 10_000, "patterns": [pattern] * 100}
    body = AnnotateRequest.model_validate({"text": "", **lists})
    began = time.process_time()
    assert len(request_options(body).patterns) == 100
    assert time.process_time() - began < 2

"""Labels and patterns of a caller's own over HTTP, and on the page."""

from __future__ import annotations

import json
from pathlib import Path

from starlette.testclient import TestClient

from .browsing import Tab
from .conftest import MakeClient

TEXT = "Lucía Prado, en la cama 12-B. Compra una cama 99-Z de matrimonio. Episodio EP-123455."
PATTERNS = [
    {"label": "NUMERO_CAMA", "regex": r"cama (\d+-[A-Z])", "unless": ["matrimonio"]},
    {"label": "ID_CONTACTO_ASISTENCIAL", "regex": r"EP-\d+", "context": ["episodio"], "name": "episode"},
    {"label": "SALA_PROPIA", "list": ["Torre Norte"]},
]


def test_several_patterns_and_labels_in_one_request(client: TestClient) -> None:
    text = TEXT.replace("en la cama", f"{'x' * 60} la cama").replace("Compra", f"{'x' * 60} Compra")
    body = {"text": text, "patterns": PATTERNS, "labels": ["FECHAS"]}
    spans = client.post("/v1/annotate", json=body).json()["spans"]
    found = [(text[span["start"] : span["end"]], span["label"], span["source"]) for span in spans]
    assert found == [
        ("12-B", "NUMERO_CAMA", "own:NUMERO_CAMA"),
        ("EP-123455", "ID_CONTACTO_ASISTENCIAL", "own:episode"),
    ]
    copy = client.post("/v1/anonymize", json={**body, "text": text, "policy": "default"}).json()["text"]
    assert "cama [NUMERO_CAMA]." in copy
    assert "99-Z" in copy


def test_wrong_patterns_are_refused_without_reading_files(client: TestClient, tmp_path: Path) -> None:
    file = tmp_path / "terms"
    file.write_text("Prado", "utf-8")
    for wrong in (
        {"label": "cama", "regex": "a"},
        {"label": "NUMERO_CAMA", "list": str(file)},
        {"label": "NUMERO_CAMA"},
        {"label": "NUMERO_CAMA", "regex": "a*"},
        {"label": "NUMERO_CAMA", "regex": "(?=Prado)a"},
        {"label": "NUMERO_CAMA", "regex": r"Prado\pL{1000}"},
        {"label": "NUMERO_CAMA", "regex": "a", "checksum": "Prado"},
    ):
        answer = client.post("/v1/annotate", json={"text": TEXT, "patterns": [wrong]})
        assert answer.status_code == 422, wrong
        assert "Prado" not in answer.text


def test_a_wrong_pattern_in_a_batch_is_an_error_of_its_line(client: TestClient) -> None:
    patterns = ([{"label": "NUMERO_CAMA", "regex": "(?=a)a"}], PATTERNS, None)
    lines = [json.dumps({"id": str(n), "text": TEXT, "patterns": each or []}) for n, each in enumerate(patterns)]
    headers = {"Content-Type": "application/x-ndjson"}
    answer = client.post("/v1/annotate/batch", content="\n".join(lines), headers=headers)
    wrong, *right = map(json.loads, answer.text.splitlines())
    assert wrong["problem"]["status"] == 422
    assert [line["id"] for line in right] == ["1", "2"]


def test_own_labels_are_not_in_the_metrics(client: TestClient) -> None:
    spans = [{"start": 0, "end": 11, "label": "LUCIA_PRADO"}]
    assert client.post("/v1/anonymize", json={"text": TEXT, "spans": spans}).status_code == 200
    metrics = client.get("/metrics").text
    assert 'nadie_spans_total{label="own"}' in metrics
    assert "LUCIA" not in metrics


def test_the_service_has_patterns_of_its_own(make_client: MakeClient, tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text('[[pattern]]\nlabel = "SALA_PROPIA"\nlist = ["Episodio"]\n', "utf-8")
    own = make_client(patterns=file)
    spans = own.post("/v1/annotate", json={"text": TEXT, "labels": ["FECHAS"], "patterns": PATTERNS[1:2]}).json()[
        "spans"
    ]
    assert [span["label"] for span in spans] == ["SALA_PROPIA", "ID_CONTACTO_ASISTENCIAL"]


def test_the_page_shows_and_gives_a_label_of_ones_own(empty: Tab) -> None:
    files = [
        {"name": "a.txt", "mimeType": "text/plain", "buffer": b"Ingresa en la cama 12-B, sala 7."},
        {"name": "a.ann", "mimeType": "text/plain", "buffer": b"T1\tNUMERO_CAMA 19 23\t12-B\n"},
    ]
    empty.page.set_input_files("#file-input", files)
    empty.page.wait_for_selector("#text .mark")
    assert empty.marks() == [("12-B", "NUMERO_CAMA")]
    empty.drag_over("sala 7")
    empty.pick("sala_propia")
    empty.press("Enter")
    empty.page.wait_for_function("() => document.querySelectorAll('#text .mark').length === 2")
    assert empty.marks()[1] == ("sala 7", "SALA_PROPIA ✓")

"""The routes that store nothing: annotate, anonymize, their batches, the lists, opening and exporting."""

from __future__ import annotations

import base64
import importlib
import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont
from starlette.testclient import TestClient

from nadie.anonymize.operators.base import OPERATORS
from nadie.document import Document
from nadie.errors import ConfigError
from nadie.files.container import SCAN
from nadie.labels import Label
from nadie.run.documents import RunOptions
from nadie.service.http.export import safe_name
from nadie.service.options import Limits

from .conftest import NOTE, MakeClient


def post(client: TestClient, path: str, **body: Any) -> Any:
    return client.post(path, json=body)


def test_annotate_gives_spans_in_code_points(client: TestClient) -> None:
    text = "😀😀 Paciente: Lucía Prado, 54 años"
    answer = post(client, "/v1/annotate", text=text, id="n1").json()
    assert answer["id"] == "n1"
    assert answer["model"] == "probe"
    found = [(text[s["start"] : s["end"]], s["label"]) for s in answer["spans"]]
    assert found == [("Lucía Prado", "NOMBRE_SUJETO_ASISTENCIA"), ("54 años", "EDAD_SUJETO_ASISTENCIA")]
    assert answer["spans"][0]["score"] == 0.99


def test_thresholds_hold_for_the_service(make_client: MakeClient, tmp_path: Path) -> None:
    file = tmp_path / "thresholds.toml"
    file.write_text("default = 0.7\n[labels]\nTERRITORIO = 0.6\n", encoding="utf-8")
    answer = post(make_client(thresholds=file), "/v1/annotate", text=NOTE).json()
    found = {span["label"] for span in answer["spans"]}
    assert {"HOSPITAL", "TERRITORIO"} <= found
    assert "NOMBRE_PERSONAL_SANITARIO" not in found
    file.write_text("default = 7\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="at most 1"):
        make_client(thresholds=file)


@pytest.mark.parametrize("text", ["", "\x00", "\r\n\r\n", "a" * 50_000, "e\u0301" * 100, "\ufeffhola", "👩‍⚕️" * 50])
def test_annotate_takes_any_text(client: TestClient, text: str) -> None:
    assert post(client, "/v1/annotate", text=text).status_code == 200


def test_anonymize_says_where_each_replacement_stands(client: TestClient) -> None:
    answer = post(client, "/v1/anonymize", text=NOTE).json()
    assert "Lucía" not in answer["text"]
    assert len(answer["spans"]) == len(answer["replacements"]) > 4
    for place in answer["replacements"]:
        assert answer["text"][place["start"] : place["end"]].startswith("[")


def test_anonymize_with_given_spans_asks_no_model(client: TestClient) -> None:
    span = {"start": 0, "end": 8, "label": "OTROS_SUJETO_ASISTENCIA"}
    answer = post(client, "/v1/anonymize", text=NOTE, spans=[span]).json()
    assert answer["text"] == "[OTROS_SUJETO_ASISTENCIA]" + NOTE[8:]
    assert post(client, "/v1/anonymize", text=NOTE, spans=[]).json()["text"] == NOTE


@pytest.mark.parametrize(
    "spans",
    [
        [{"start": 0, "end": 8, "label": "NADA"}],
        [{"start": 8, "end": 8, "label": "FECHAS"}],
        [{"start": -1, "end": 8, "label": "FECHAS"}],
        [{"start": 0, "end": 10**6, "label": "FECHAS"}],
        [{"start": 0, "end": 8, "label": "FECHAS", "score": 2}],
        [{"start": 0, "end": 8, "label": "FECHAS"}, {"start": 4, "end": 9, "label": "CALLE"}],
        [{"start": 0, "end": 8, "label": "FECHAS", "text": "Paciente"}],
        "0-8",
    ],
)
def test_impossible_spans_are_refused(client: TestClient, spans: Any) -> None:
    answer = post(client, "/v1/anonymize", text=NOTE, spans=spans)
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"


def lines_of(answer: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in answer.text.splitlines()]


def batch(client: TestClient, path: str, lines: list[Any]) -> Any:
    body = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    return client.post(path, content=body.encode(), headers={"Content-Type": "application/x-ndjson"})


def test_a_batch_answers_line_by_line_in_order(client: TestClient) -> None:
    lines = [{"id": str(number), "text": f"Ingresa el 0{number % 9 + 1}/01/2024"} for number in range(40)]
    answers = lines_of(batch(client, "/v1/annotate/batch", lines))
    assert [answer["id"] for answer in answers] == [line["id"] for line in lines]
    assert all([span["label"] for span in answer["spans"]] == ["FECHAS"] for answer in answers)


def test_a_bad_line_costs_its_neighbours_nothing(client: TestClient) -> None:
    lines: list[Any] = [
        {"id": "a", "text": "54 años"},
        "{not json",
        {"id": "c", "text": "PROBE-RAISE Lucía"},
        "",
        {"id": "e", "text": "x" * 60_000},
        {"id": "f", "text": "y", "model": "none"},
        {"id": "g", "text": "60 años"},
    ]
    answers = lines_of(batch(client, "/v1/anonymize/batch", lines))
    assert [answer.get("id") for answer in answers] == ["a", None, "c", "e", "f", "g"]
    assert [answer["problem"]["type"].rpartition(":")[2] for answer in answers if "problem" in answer] == [
        "invalid",
        "unprocessable",
        "too-large",
        "invalid",
    ]
    assert answers[1]["line"] == 2
    assert answers[5]["text"] == "[EDAD_SUJETO_ASISTENCIA]"
    assert "Lucía" not in json.dumps(answers, ensure_ascii=False)


def test_a_document_that_kills_its_worker_is_the_only_one_lost(client: TestClient) -> None:
    lines = [{"id": "a", "text": "54 años"}, {"id": "b", "text": "PROBE-CRASH"}, {"id": "c", "text": "60 años"}]
    answers = lines_of(batch(client, "/v1/annotate/batch", lines))
    assert answers[1]["problem"]["type"] == "urn:nadie:problem:worker-died"
    assert [len(answers[place]["spans"]) for place in (0, 2)] == [1, 1]


def test_a_batch_has_a_media_type_of_its_own(client: TestClient) -> None:
    assert client.post("/v1/annotate/batch", json={"text": "hola"}).status_code == 415


def test_lists(client: TestClient) -> None:
    models = client.get("/v1/models").json()
    assert [(model["name"], model["system"], model["default"]) for model in models] == [("probe", "probe", True)]
    labels = client.get("/v1/labels").json()
    assert {label["label"] for label in labels} == set(Label)
    assert {label["hipaa"] for label in labels if label["label"] == "NUMERO_FAX"} == {"E"}
    assert client.get("/v1/policies").json()[0]["default"] is True


def opened(client: TestClient, name: str, content: bytes, **more: Any) -> Any:
    return post(client, "/v1/open", name=name, content=base64.b64encode(content).decode(), **more)


def test_open_keeps_every_character_of_a_text(client: TestClient) -> None:
    text = "\ufeffuno\r\ndos\u00a0tres e\u0301\n"
    (document,) = opened(client, "nota.txt", text.encode()).json()
    nothing: dict[str, Any] = {"spans": None, "fields": [], "scan": False, "format": "", "patient": ""}
    assert document == {"name": "nota.txt", "text": text, **nothing}


def test_open_reads_brat_jsonl_and_another_encoding(client: TestClient) -> None:
    annotations = base64.b64encode(b"T1\tFECHAS 0 4\t2024\n").decode()
    brat = opened(client, "n.txt", b"2024", annotations=annotations).json()
    assert brat[0]["spans"][0]["label"] == "FECHAS"
    line = json.dumps({"id": "x", "text": "2024", "spans": [{"start": 0, "end": 4, "label": "FECHAS"}]})
    jsonl = opened(client, "n.jsonl", (line + "\n" + line.replace('"x"', '"y"')).encode()).json()
    assert [document["name"] for document in jsonl] == ["x", "y"]
    assert opened(client, "n.txt", "año".encode("cp1252")).status_code == 422
    assert opened(client, "n.txt", "año".encode("cp1252"), encoding="windows-1252").json()[0]["text"] == "año"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("n.xml", b"<not xml"),
        ("n.xml", b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><MEDDOCAN><TEXT>&b;</TEXT></MEDDOCAN>'),
        ("n.jsonl", b"{"),
        ("n.pdf", b"\xff\xfe\x00"),
        ("../../etc/passwd", b"\xff"),
        ("n." + "x" * 100, b"\xff"),
    ],
)
def test_open_refuses_what_it_cannot_read(client: TestClient, name: str, content: bytes) -> None:
    answer = opened(client, name, content)
    assert answer.status_code == 422
    assert name not in answer.text


DOCUMENTS = [
    {
        "name": "Lucía Prado.txt",
        "text": "54 años",
        "spans": [{"start": 0, "end": 7, "label": "EDAD_SUJETO_ASISTENCIA"}],
    },
    {"name": "../x", "text": "nada", "spans": []},
    {"name": "../x", "text": "nada más", "spans": []},
]


def export(client: TestClient, documents: list[Any] = DOCUMENTS, **plan: Any) -> Any:
    answer = post(client, "/v1/export", documents=documents, plan=plan)
    assert answer.status_code == 200
    return answer


def test_an_anonymized_export_has_no_original_in_it_not_even_a_file_name(client: TestClient) -> None:
    archive = zipfile.ZipFile(io.BytesIO(export(client).content))
    assert archive.namelist() == ["anonimizado/0001.txt", "anonimizado/0002.txt", "anonimizado/0003.txt"]
    assert archive.read("anonimizado/0001.txt").decode() == "[EDAD_SUJETO_ASISTENCIA]"


def test_an_export_of_originals_keeps_them_apart_under_safe_names(client: TestClient) -> None:
    answer = export(client, parts=["anonymized", "brat", "jsonl"], names="original")
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    assert archive.namelist() == [
        *(f"anonimizado/{name}.txt" for name in ("Lucía Prado", "_x", "_x (2)")),
        *(f"con-datos-personales/brat/{n}.{s}" for n in ("Lucía Prado", "_x", "_x (2)") for s in ("txt", "ann")),
        "con-datos-personales/documents.jsonl",
    ]
    assert (
        archive.read("con-datos-personales/brat/Lucía Prado.ann").decode().startswith("T1\tEDAD_SUJETO_ASISTENCIA 0 7")
    )


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("CON", "_CON"), ("nul.2024", "_nul.2024"), ("consulta", "consulta"), ("../../etc/passwd", "_.._etc_passwd"),
        ("informe\u202etxt.exe", "informe_txt.exe"), ("ñ" * 180, "ñ" * 100), ("...", "documento"),
    ],
)  # fmt: skip
def test_a_name_in_an_archive_is_one_on_every_system(name: str, written: str) -> None:
    assert safe_name(name) == written


def test_a_document_that_kills_its_worker_is_left_out_of_an_export(
    make_client: MakeClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    probe = importlib.import_module("nadie_probe")  # on the path since the first test of the service
    monkeypatch.setitem(OPERATORS._added, "harmful", probe.Harmful)  # here; the workers read it from the metadata
    policy = tmp_path / "policy.toml"
    policy.write_text('name = "harmful"\ndefault = "harmful"\n', encoding="utf-8")
    texts = ("54 años", "PROBE-CRASH", "60 años")
    spans = [[{"start": 0, "end": len(text), "label": "FECHAS"}] for text in texts]
    documents = [{"name": f"n{n}", "text": text, "spans": spans[n]} for n, text in enumerate(texts)]
    answer = export(make_client(policy=str(policy)), documents)
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    assert archive.namelist() == ["anonimizado/0001.txt", "anonimizado/0003.txt", "NO-ANONIMIZADOS.txt"]
    assert (archive.read("NO-ANONIMIZADOS.txt"), answer.headers["X-Nadie-Failed"]) == (b"0002\n", "1")


def test_one_file_is_not_wrapped(client: TestClient) -> None:
    answer = export(client, DOCUMENTS[:1])
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.text == "[EDAD_SUJETO_ASISTENCIA]"
    assert json.loads(export(client, parts=["jsonl"], documents=DOCUMENTS[:1]).text)["text"] == "54 años"


@pytest.mark.parametrize("field", ["content", "annotations"])
def test_an_upload_that_cannot_be_encoded_is_refused(client: TestClient, field: str) -> None:
    body = json.dumps({"name": "a.txt", "content": "", field: "\ud800"})
    answer = client.post("/v1/open", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert answer.json()["errors"] == [{"pointer": f"#/body/{field}", "fault": "lone_surrogate"}]
    assert post(client, "/v1/open", name="a.txt", content="").status_code == 200


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("asked", ["utf-8", "windows-1252"])
def test_utf16_is_read_as_utf16_whatever_is_asked(client: TestClient, encoding: str, asked: str) -> None:
    content = base64.b64encode(NOTE.encode(encoding)).decode()
    answer = post(client, "/v1/open", name="nota.txt", content=content, encoding=asked)
    assert [each["text"] for each in answer.json()] == [NOTE]


@pytest.mark.parametrize(
    "text", ['{"nota": "Ingresa Ana Ruiz"}', "<p>Ana</p>", "a;b\n1;2\n", '{"resourceType": "Patient"}']
)
def test_what_looks_like_data_can_be_opened_as_text(client: TestClient, text: str) -> None:
    content = base64.b64encode(text.encode()).decode()
    answer = post(client, "/v1/open", name="nota.json", content=content, as_text=True)
    assert [(each["text"], each["format"]) for each in answer.json()] == [(text, "")]
    zipped = base64.b64encode(b"PK\x03\x04" + bytes(40)).decode()
    assert post(client, "/v1/open", name="nota.txt", content=zipped, as_text=True).status_code == 422


@pytest.mark.parametrize(
    ("written", "status"),
    [
        ("Sra. Iturbe", 422), ("Cantero", 422), ("Rosalía", 422), ("R. Iturbe", 422), ("rosalia iturbe", 422),
        ("Sra. Gómez", 200), ("la paciente", 200), ("[NOMBRE]", 200),
    ],
)  # fmt: skip
def test_a_replacement_with_a_part_of_the_name_is_refused(client: TestClient, written: str, status: int) -> None:
    text = "Paciente: Rosalía Iturbe Cantero, acude a consulta."
    span = {"start": 10, "end": 32, "label": "NOMBRE_SUJETO_ASISTENCIA"}
    chosen = [{"start": 10, "end": 32, "text": written}]
    answer = post(client, "/v1/anonymize", text=text, spans=[span], replacements=chosen)
    assert answer.status_code == status, answer.text


def test_an_archive_that_unpacks_to_too_much_is_refused_before_a_worker_gets_it(make_client: MakeClient) -> None:
    small = make_client(limits=Limits(unpacked=100_000))
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("nota.txt", "a" * 200_000)
    answer = opened(small, "notas.zip", file.getvalue())
    assert (answer.status_code, answer.json()["limit"]) == (413, 100_000)


def scanned(lines: int) -> bytes:
    image = io.BytesIO()
    page = Image.new("L", (1000, 100 + 100 * lines), 255)
    for number in range(lines):
        place = 60, 60 + 100 * number
        ImageDraw.Draw(page).text(place, "Habla con Osuna y con Lucas Gil", fill=0, font=ImageFont.load_default(30))
    page.save(image, "PNG")
    return image.getvalue()


def test_a_file_that_takes_too_long_is_stopped_and_refused(make_client: MakeClient) -> None:
    client = make_client(limits=Limits(seconds=0.5))
    answer = opened(client, "hoja.png", scanned(40))
    assert (answer.status_code, answer.json()["type"], answer.json()["limit"]) == (
        422,
        "urn:nadie:problem:timeout",
        0.5,
    )
    assert opened(client, "nota.txt", b"Habla con Osuna").status_code == 200, "by the worker in its place"


def test_the_text_of_a_scan_is_searched_for_more(make_client: MakeClient, tmp_path: Path) -> None:
    client = make_client(models=("fast",), project=tmp_path / "review")
    assert [each["scan"] for each in opened(client, "hoja.png", scanned(1)).json()] == [True]
    assert [each["scan"] for each in opened(client, "nota.txt", b"Habla con Osuna").json()] == [False]
    note = Document("a", "Control por Pilar en el Encinar; llama Toñi.")
    pipeline = RunOptions("fast").pipeline()
    found = []
    for scan, meta in ((False, {}), (True, SCAN)):
        spans = post(client, "/v1/annotate", text=note.text, scan=scan).json()["spans"]
        added = post(client, "/v1/project/documents", name="a", text=note.text, scan=scan)
        assert added.json()["spans"] == spans
        found.append([(span["start"], span["end"]) for span in spans])
        [expected] = pipeline.annotate_all([replace(note, meta=meta)])
        assert found[-1] == [(span.start, span.end) for span in expected.spans]
    assert found[0] != found[1], "recall mode finds more in this text"


def test_a_replacement_belongs_to_one_of_two_documents_of_equal_names(client: TestClient) -> None:
    spans = [{"start": 10, "end": 18, "label": "NOMBRE_SUJETO_ASISTENCIA"}]
    first: dict[str, Any] = {"name": "n", "text": "Paciente: Ana Ruiz.", "spans": spans}
    second = {**first, "replacements": [{"start": 10, "end": 18, "text": "la madre"}]}
    with zipfile.ZipFile(io.BytesIO(post(client, "/v1/export", documents=[first, second]).content)) as archive:
        texts = [archive.read(name).decode() for name in archive.namelist()]
    assert texts == ["Paciente: [NOMBRE_SUJETO_ASISTENCIA].", "Paciente: la madre."]

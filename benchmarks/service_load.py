"""`nadie serve` under load: notes over HTTP compared with the same notes in this process, and 50,000 mixed requests.

    python benchmarks/service_load.py --model fast
    python benchmarks/service_load.py --model fast --requests 50000

The first part takes texts of some 2,500 characters from data/notes: in this process, then as requests of one client and
of eight, and as one batch. No note is used twice, and every measurement begins with a process that has seen none of
them. The second part mixes invented notes with malformed, oversized and hostile bodies. It prints requests per second,
the median and the 99th percentile of the time, the memory of the service and its workers over time, every status
received, and whether a planted name is in any line of the log. It makes no assertions about time: it is not a test.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from nadie.files.annotated.reading import read_documents
from nadie.run.documents import load

NOTES = Path(__file__).resolve().parent.parent / "data" / "notes"
SHORTEST, LONGEST = 2_200, 2_800
WARM_UP = "Paciente: Ana Pérez Soto, de 70 años, natural de Cuenca. Firma la Dra. Inés Gil, Hospital Central."

NAMES = ("Eulalia", "Fermín", "Graciela", "Hilario", "Indalecio", "Jacinta", "Leocadia", "Macario")
SURNAMES = ("Zubizarreta", "Yáñez", "Villalobos", "Quintanilla", "Portocarrero", "Olavide", "Iturbe", "Goyeneche")
TOWNS = ("Cuenca", "Teruel", "Soria", "Zamora", "Huesca", "Lugo")
SENTENCES = (
    "Acude por dolor abdominal de tres días de evolución, sin fiebre.",
    "Exploración: buen estado general, auscultación normal, abdomen blando.",
    "Se solicita analítica y radiografía de tórax, ambas sin hallazgos.",
    "Tratamiento con omeprazol 20 mg cada 24 horas y dieta blanda.",
    "Se cita a revisión en consulta y se explica el plan a la familia.",
)


def note(chance: random.Random, sentences: int) -> str:
    """An invented note."""
    name = f"{chance.choice(NAMES)} {chance.choice(SURNAMES)} {chance.choice(SURNAMES)}"
    head = (
        f"Nombre: {name}. NHC: {chance.randrange(10**6, 10**7)}. "
        f"Fecha de ingreso: {chance.randrange(1, 29):02d}/{chance.randrange(1, 13):02d}/2023.\n"
        f"Paciente de {chance.randrange(18, 95)} años, natural de {chance.choice(TOWNS)}. "
    )
    tail = f"\nFirmado: Dra. {chance.choice(NAMES)} {chance.choice(SURNAMES)}.\n"
    return head + " ".join(chance.choice(SENTENCES) for _ in range(sentences)) + tail


def bodies(chance: random.Random) -> tuple[str, bytes, dict[str, str]]:
    """One request: path, body, headers. Four in five are notes, the others are invalid requests."""
    path = chance.choice(("/v1/annotate", "/v1/anonymize"))
    kind = {"Content-Type": "application/json"}
    text = note(chance, 2)
    dice = chance.random()
    if dice < 0.80:
        return path, json.dumps({"text": text}).encode(), kind
    hostile: list[tuple[str, bytes, dict[str, str]]] = [
        (path, json.dumps({"text": text})[:-9].encode(), kind),
        (path, json.dumps({"text": text, SURNAMES[0]: text}).encode(), kind),
        (path, json.dumps({"text": "\ud800" + text}).encode(), kind),
        (path, json.dumps({"text": text, "model": text}).encode(), kind),
        (path, json.dumps({"text": text, "spans": [{"start": 5, "end": 1, "label": text}]}).encode(), kind),
        (path, b"[" * 50_000, kind),
        (path, text.encode("utf-16"), kind),
        (path, text.encode(), {"Content-Type": "text/plain"}),
        (path, b" " * 4_100_000 if chance.random() < 0.05 else b"null", kind),
        (path, json.dumps({"text": "\u202e" + "\x00" * 50 + "A\u0301" * 200 + text}).encode(), kind),
        (path, json.dumps({"text": "9" * 3000 + " " + "a" * 3000 + "@" * 500}).encode(), kind),
        ("/v1/open", json.dumps({"name": text[:99], "content": "%%%"}).encode(), kind),
        (f"/{SURNAMES[1]}/../v1/annotate", b"", {}),
        (path, json.dumps({"text": text}).encode(), {**kind, "Host": "evil.example"}),
        (path, json.dumps({"text": text}).encode(), {**kind, "Origin": "https://evil.example"}),
        (
            "/v1/annotate/batch",
            (json.dumps({"text": text}) + "\n{\n").encode(),
            {"Content-Type": "application/x-ndjson"},
        ),
    ]
    return chance.choice(hostile)


class Connection:
    """A minimal HTTP/1.1 client, so that little processor time goes into the requests."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, bytes]:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port, limit=2**24)
        reader, writer = self._streams
        fields = {"Host": "127.0.0.1", "Content-Length": str(len(body)), **headers}
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        try:
            writer.write(f"POST {path} HTTP/1.1\r\n{head}\r\n".encode() + body)
            await writer.drain()
            return await self._answer(reader)
        except (ConnectionError, asyncio.IncompleteReadError):
            self.close()
            return 0, b""

    async def _answer(self, reader: asyncio.StreamReader) -> tuple[int, bytes]:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        status = int(head.split()[1])
        if "content-length:" in head:
            body = await reader.readexactly(int(head.split("content-length:")[1].split("\r\n")[0]))
        elif "transfer-encoding: chunked" not in head:
            body = await reader.read()
        else:
            pieces = []
            while size := int(await reader.readline(), 16):
                pieces.append((await reader.readexactly(size + 2))[:-2])
            await reader.readline()
            body = b"".join(pieces)
        if "connection: close" in head:
            self.close()
        return status, body

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
        self._streams = None


class Server:
    """`nadie serve` in its own process."""

    def __init__(self, model: str, workers: int) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self._folder = tempfile.TemporaryDirectory()
        self.log = Path(self._folder.name) / "log"
        config = Path(self._folder.name) / "serve.toml"
        config.write_text(f"workers = {workers}\n")
        command = "import typer; from nadie.cli.serve import serve; typer.run(serve)"
        options = ["--model", model, "--port", str(self.port), "--config", str(config)]
        with self.log.open("w") as output:
            self.process = subprocess.Popen([sys.executable, "-c", command, *options], stdout=output, stderr=output)

    def wait(self) -> None:
        while True:
            if self.process.poll() is not None:
                sys.exit(self.log.read_text())
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                time.sleep(0.1)

    def memory(self) -> str:
        """The memory of the service and each of its workers in megabytes."""
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        pages = [int(Path(f"/proc/{one}/statm").read_text().split()[1]) for one in (str(pid), *children)]
        own, *workers = (f"{count * os.sysconf('SC_PAGE_SIZE') / 1e6:.0f}" for count in pages)
        return f"{own} MB, its workers {' and '.join(workers)} MB"

    def stop(self) -> str:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        return self.log.read_text()


async def mixed(server: Server, requests: int, at_once: int) -> None:
    chance = random.Random(3)
    statuses: Counter[str] = Counter()
    times: list[float] = []
    left = iter(range(requests))

    async def caller() -> None:
        connection = Connection(server.port)
        for number in left:
            path, body, headers = bodies(chance)
            began = time.perf_counter()
            status, answer = await connection.post(path, body, headers)
            if not path.endswith("/batch"):
                times.append(time.perf_counter() - began)
            statuses[kind_of(status, answer)] += 1
            if number and number % max(1, requests // 10) == 0:
                print(f"  after {number:6d} requests: {server.memory()}", flush=True)
        connection.close()

    print(f"memory of the service before: {server.memory()}")
    began = time.perf_counter()
    await asyncio.gather(*(caller() for _ in range(at_once)))
    seconds = time.perf_counter() - began
    times.sort()
    print(f"requests a second: {requests / seconds:.0f} ({at_once} at once)")
    print(
        f"single requests: p50 {times[len(times) // 2] * 1e3:.1f} ms, p99 {times[len(times) * 99 // 100] * 1e3:.1f} ms"
    )
    print("answers: " + ", ".join(f"{count} {kind}" for kind, count in sorted(statuses.items())))
    print(f"memory after: {server.memory()}; service alive: {server.process.poll() is None}")


def kind_of(status: int, answer: bytes) -> str:
    if status == 0:
        return "cut off by the service"
    if status < 400:
        return str(status)
    # Requests that are not HTTP are answered by the server below the application, in plain text.
    return f"{status} {json.loads(answer)['type'].rpartition(':')[2] if answer[:1] == b'{' else 'not HTTP'}"


def real_notes(count: int) -> list[str]:
    """Texts of about 2,500 characters: concatenated notes of the corpus, each note in one text only."""
    found = {document.text for document in read_documents(NOTES, "notes")}
    texts: list[str] = []
    parts: list[str] = []
    for note in sorted(found, key=lambda text: hashlib.sha256(text.encode()).digest()):
        if len(note) <= LONGEST - sum(map(len, parts)):
            parts.append(note)
        if sum(map(len, parts)) >= SHORTEST:
            texts.append("\n".join(parts))
            parts = []
        if len(texts) == count:
            return texts
    sys.exit(f"{NOTES} has enough for {len(texts)} texts only")


class Times:
    """The time of each note, and of all together."""

    def __init__(self) -> None:
        self.each: list[float] = []
        self._began = time.perf_counter()

    def row(self, name: str) -> str:
        rate = len(self.each) / (time.perf_counter() - self._began)
        ordered = sorted(self.each)
        p50, p99 = (ordered[len(ordered) * share // 100] * 1e3 for share in (50, 99))
        return f"| {name} | {rate:.1f} | {p50:.0f} ms | {p99:.0f} ms |"


def in_process(model: str, notes: list[str]) -> str:
    pipeline = load(model)
    pipeline.annotate(WARM_UP)
    times = Times()
    for text in notes:
        began = time.perf_counter()
        pipeline.annotate(text)
        times.each.append(time.perf_counter() - began)
    return times.row("in one process, no HTTP")


async def over_http(server: Server, notes: list[str], clients: int) -> str:
    """The row for this number of clients, each of which sends a request as soon as it has its response."""
    left = iter(notes)
    kind = {"Content-Type": "application/json"}

    async def client() -> None:
        connection = Connection(server.port)
        for text in left:
            began = time.perf_counter()
            status, _ = await connection.post("/v1/annotate", json.dumps({"text": text}).encode(), kind)
            if status != 200:
                sys.exit(f"a note was answered with {status}")
            times.each.append(time.perf_counter() - began)
        connection.close()

    await Connection(server.port).post("/v1/annotate", json.dumps({"text": WARM_UP}).encode(), kind)
    times = Times()
    await asyncio.gather(*(client() for _ in range(clients)))
    return times.row(f"over HTTP, {clients} client{'s' if clients > 1 else ''}")


async def as_batch(server: Server, notes: list[str]) -> str:
    lines = "".join(json.dumps({"id": str(n), "text": text}) + "\n" for n, text in enumerate(notes)).encode()
    kind = {"Content-Type": "application/x-ndjson"}
    began = time.perf_counter()
    _, body = await Connection(server.port).post("/v1/annotate/batch", lines, kind)
    seconds = time.perf_counter() - began
    if body.count(b"\n") != len(notes) or b'"problem"' in body:
        sys.exit("the batch did not go through")
    return f"| over HTTP, one batch | {len(notes) / seconds:.1f} | | |"


def compare(model: str, notes: list[str], workers: int) -> None:
    cores = len(os.sched_getaffinity(0))
    print(
        f"{len(notes)} notes of {sum(map(len, notes)) // len(notes)} characters, {workers} worker(s), {cores} core(s)"
    )
    print("\n| | texts a second | p50 | p99 |\n| --- | ---: | ---: | ---: |")
    print(in_process(model, notes), flush=True)
    measures: list[Callable[[Server], Coroutine[Any, Any, str]]] = [
        lambda server: over_http(server, notes, 1),
        lambda server: over_http(server, notes, 8),
        lambda server: as_batch(server, notes),
    ]
    for measure in measures:
        server = Server(model, workers)
        server.wait()
        print(asyncio.run(measure(server)), flush=True)
        server.stop()
    print()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="fast")
    parser.add_argument("--notes", type=int, default=300, help="notes of the comparison")
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--requests", type=int, default=5_000, help="mixed requests; 0 for none")
    parser.add_argument("--at-once", type=int, default=16)
    arguments = parser.parse_args()
    compare(arguments.model, real_notes(arguments.notes), arguments.workers)
    if not arguments.requests:
        return
    server = Server(arguments.model, arguments.workers)
    server.wait()
    asyncio.run(mixed(server, arguments.requests, arguments.at_once))
    log = server.stop()
    found = [name for name in (*NAMES, *SURNAMES) if name.lower() in log.lower()]
    print(f"lines of log: {log.count(chr(10))}, planted names in them: {found or 'none'}")


if __name__ == "__main__":
    main()

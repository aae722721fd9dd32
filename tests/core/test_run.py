"""The run: one code path for the command line, the service and Python; a bad document does not affect others."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from nadie.anonymize.engine import Anonymized, Engine
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import Key, Secret
from nadie.document import Document, Span
from nadie.errors import Failure, FormatError, SpanError
from nadie.options import DetectionOptions
from nadie.records.vault.reading import Vault
from nadie.run.documents import Run, RunOptions, handled, load

KEY = "una clave bastante larga"
NOTE = (
    "Paciente: Ana Pérez Soto, de 70 años, natural de Lugo. Ingresa el 12/03/2019. Dra. Elena Roca. Tel. 600 123 123."
)


def test_python_command_line_and_service_give_the_same_text(tmp_path: Path) -> None:
    pytest.importorskip("fastapi")
    from nadie.service.workers.jobs import AnonymizeJob, Setup
    from nadie.service.workers.worker import Worker

    in_python = load("fast", policy="research", key=Secret(KEY.encode())).anonymize(Document("nota", NOTE))

    (tmp_path / "nota.txt").write_text(NOTE, encoding="utf-8")
    command = [sys.executable, "-m", "nadie", "anonymize", str(tmp_path / "nota.txt"), "--policy", "research"]
    done = subprocess.run(command, capture_output=True, check=True, env={**os.environ, "NADIE_KEY": KEY})

    worker = Worker(Setup({"fast": "fast"}, DetectionOptions(), KEY.encode().hex()))
    (over_http,) = worker.do(AnonymizeJob((Document("nota", NOTE),), "fast", "research"))
    assert isinstance(over_http, Anonymized)

    assert done.stdout.decode() == in_python == over_http.text
    assert "Pérez" not in in_python


def test_processes_give_what_one_process_gives() -> None:
    documents = [Document(f"n{n}", f"{NOTE} Volante {n}.") for n in range(40)]
    options = RunOptions(policy=read_policy("research"), key=Secret(KEY.encode()).key())
    with Run(options) as alone, Run(options, workers=2) as together:
        one, two = list(alone.anonymize(documents)), list(together.anonymize(documents))
    assert all(isinstance(item, Anonymized) for item in one)
    assert one == two


def test_an_unreadable_file_costs_no_other_in_processes() -> None:
    unreadable = Failure.of(FormatError("is not UTF-8", where="bad.txt", line=2))
    documents = [Document(f"n{n}", NOTE) for n in range(20)]
    with Run(RunOptions(), workers=2) as run:
        results = list(run.anonymize([*documents[:5], unreadable, *documents[5:]]))
    assert results[5] is unreadable
    assert str(unreadable) == "bad.txt, line 2: is not UTF-8"
    assert (unreadable.where, unreadable.reason, unreadable.cause.line) == ("bad.txt, line 2", "is not UTF-8", 2)
    assert sum(isinstance(item, Anonymized) for item in results) == 20


def test_without_a_key_all_processes_share_a_random_one() -> None:
    documents = [Document("same", NOTE)] * 40
    with Run(RunOptions(policy=read_policy("research")), workers=2) as run:
        texts = {item.text for item in run.anonymize(documents) if isinstance(item, Anonymized)}
    assert len(texts) == 1


def test_a_run_without_a_key_has_one_random_key(tmp_path: Path) -> None:
    """The vault keeps it: it gives the text, the name of the file and the fingerprints of the audit."""
    (tmp_path / "nota.txt").write_text(NOTE, encoding="utf-8")
    options = ["--policy", "research", "--rename", "hash", "--audit", "a.jsonl", "--vault", "v", "--out", "out"]
    command = [sys.executable, "-m", "nadie", "anonymize", "nota.txt", *options]
    environment = {**os.environ, "NADIE_VAULT_KEY": KEY}
    subprocess.run(command, capture_output=True, check=True, cwd=tmp_path, env=environment)
    with Vault(tmp_path / "v", Secret(KEY.encode())) as vault:
        [note] = vault.notes("audit-key")
    key = Key(bytes.fromhex(note["key"]))
    [written] = (tmp_path / "out").glob("[!.]*")
    assert written.stem == key.digest("name of a file", "nota").hex()[:16]
    pipeline = RunOptions(policy=read_policy("research"), key=key).pipeline()
    assert written.read_text(encoding="utf-8") == pipeline.anonymize(Document("nota", NOTE))
    head, line, _ = map(json.loads, (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines())
    assert head["run"]["key"] == {"name": key.name, "random": True, "release": ""}
    assert line["input_fingerprint"] == key.fingerprint(NOTE)


def upper(documents: Sequence[Document]) -> Iterable[str]:
    for document in documents:
        if "raise" in document.text:
            raise RuntimeError(document.text)
        if "refuse" in document.text:
            raise SpanError("spans overlap at 3")
        yield document.text.upper()


def test_one_bad_document_costs_no_other() -> None:
    unreadable = Failure.of(FormatError("is not UTF-8", where="c.txt", line=2))
    batch: list[Document | Failure] = [
        Document("a", "uno"),
        Document("b", "raise Ana Pérez"),
        unreadable,
        Document("d", "refuse"),
        Document("e", "dos"),
    ]
    results = handled(batch, upper)
    assert [results[0], results[4]] == ["UNO", "DOS"]
    failures = [item for item in results if isinstance(item, Failure)]
    assert [(item.where, item.reason, item.cause.kind) for item in failures] == [
        ("b", "RuntimeError while it was being processed", "RuntimeError"),
        ("c.txt, line 2", "is not UTF-8", "FormatError"),
        ("d", "spans overlap at 3", "SpanError"),
    ]
    assert "Pérez" not in repr(pickle.loads(pickle.dumps(failures)))


def test_documents_can_be_pickled_between_processes() -> None:
    import copy

    document = Document("a", "Ana", (Span(0, 3, "NOMBRE_SUJETO_ASISTENCIA", 0.5),), {"patient": "p"})
    again = copy.deepcopy(document)
    assert again == document
    assert dict(again.meta) == {"patient": "p"}
    assert again.spans[0].score == 0.5


def test_the_audit_says_how_spans_were_detected(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "nota.txt").write_text(NOTE, encoding="utf-8")
    (tmp_path / "known.csv").write_text("nombre,apellidos\nAna,Pérez Soto\nEva,Gil\n", encoding="utf-8")
    (tmp_path / "allow.txt").write_text("Lugo\nVigo\nCuenca\n", encoding="utf-8")
    (tmp_path / "thresholds.toml").write_text("default = 0.4\n[labels]\nFECHAS = 0.25\n", encoding="utf-8")
    options = ["--known", "known.csv", "--allow", "allow.txt", "--thresholds", "thresholds.toml", "--mode", "recall"]
    command = [sys.executable, "-m", "nadie", "anonymize", "in", "--out", "out", "--audit", "audit.jsonl", *options]
    subprocess.run(command, capture_output=True, check=True, cwd=tmp_path)
    head, _, _ = map(json.loads, (tmp_path / "audit.jsonl").read_text(encoding="utf-8").splitlines())
    assert head["run"]["model"]["name"] == "fast"
    assert {name: value for name, value in head["run"]["detection"].items() if not name.endswith("_file")} == {
        "mode": "recall",
        "scan_mode": "recall",
        "second_model": "",
        "strict": False,
        "thresholds": {"default": 0.4, "FECHAS": 0.25},
        "known_identities": 2,
        "allowed_terms": 3,
        "denied_terms": 0,
        "own_patterns": 0,
        "country": "",
    }
    assert head["run"]["detection"]["known_file"]
    assert head["run"]["detection"]["allow_file"]
    assert head["run"]["detection"]["deny_file"] == ""


@pytest.mark.parametrize(("source", "out"), [("notes", "notes"), ("notes", "notes/out"), ("notes/a.txt", "notes")])
def test_no_output_among_the_input(tmp_path: Path, source: str, out: str) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text(NOTE, encoding="utf-8")
    command = [sys.executable, "-m", "nadie", "anonymize", source, "--out", out]
    done = subprocess.run(command, capture_output=True, check=False, cwd=tmp_path)
    assert done.returncode == 2
    assert b"choose" in done.stderr
    assert (tmp_path / "notes" / "a.txt").read_text(encoding="utf-8") == NOTE
    assert [path.name for path in (tmp_path / "notes").iterdir()] == ["a.txt"]


@pytest.mark.parametrize("system", ["patterns", "known", "committee"])
def test_what_cannot_be_trained_says_so(tmp_path: Path, system: str) -> None:
    command = [sys.executable, "-m", "nadie", "train", system, "--train", str(tmp_path), "--out", str(tmp_path / "m")]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    assert (done.returncode, done.stderr) == (2, f"nadie: the system '{system}' cannot be trained\n")


def test_an_engine_of_its_own_policy() -> None:
    assert Engine(read_policy("default"), Key.random()).run(Document("", "")).text == ""

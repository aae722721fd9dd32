"""Contacts in an output that nadie has not written."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import run_command
from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import Key
from nadie.document import Document, Span
from nadie.risk.released import not_ours


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tel. 915 551 234 y 612 34 56 78.", ["915 551 234", "612 34 56 78"]),
        ("Tel. 762 34 56 78, fijo 929 11 22 33, +1 212 555 0143", []),
        ("Escribir a ana.perez@gmail.com o a mrios@hospital.example", ["ana.perez@gmail.com"]),
        ("Ver https://www.hospital-x.es/citas y www.salud-guia.example/a", ["https://www.hospital-x.es/citas"]),
        ("Equipo 10.4.2.17, otro 192.0.2.44, versión 4.10.300.2", ["10.4.2.17"]),
        ("TA 120/80, glucosa 111, HbA1c 7.2, Barthel 85", []),
    ],
)
def test_contacts_that_are_not_invented(text: str, expected: list[str]) -> None:
    assert [text[span.start : span.end] for span in not_ours(text)] == expected


def test_invented_contacts_are_not_reported() -> None:
    values = {
        "612 345 678": "NUMERO_TELEFONO",
        "915551234": "NUMERO_TELEFONO",
        "+34 986 123 456": "NUMERO_TELEFONO",
        "ana.perez@gmail.com": "CORREO_ELECTRONICO",
        "www.hospital-x.es": "URL_WEB",
        "10.4.2.17": "DIREC_PROT_INTERNET",
    }
    text = " ; ".join(values)
    spans = tuple(Span(text.index(value), text.index(value) + len(value), label) for value, label in values.items())
    for number in range(30):
        done = Engine(read_policy("research"), Key(number.to_bytes(32, "big"))).run(Document("n", text, spans))
        assert list(not_ours(done.text)) == []


def test_the_command_prints_where_and_never_what(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Ana Pérez Soto.\nMóvil 612 34 56 78, mail x@salud.example\n", encoding="utf-8")
    done = run_command("check", tmp_path, "--released")
    assert done.returncode == 1
    assert done.stdout.strip().endswith(b"a.txt:2:7: NUMERO_TELEFONO 1.00")
    assert b"612" not in done.stdout + done.stderr

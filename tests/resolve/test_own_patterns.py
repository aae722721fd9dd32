"""Custom patterns: what they find, what they refuse, and the command that checks them."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest

from command_line import run_command
from nadie.document import Document
from nadie.errors import ConfigError
from nadie.resolve.own_patterns import OwnPatterns
from nadie.run.documents import load

FILE = """
[[pattern]]
name = "episode"
label = "ID_CONTACTO_ASISTENCIAL"
regex = 'ep-(\\d{6})'
ignore_case = true
context = ["Episodio", "contacto"]
finds = ["Niño. Episodio: EP-123455"]
ignores = ["EP-12", "la cepa EP-123456"]

[[pattern]]
name = "card"
label = "OTRO_NUMERO_IDENTIF"
regex = '\\b\\d{4}[ -]?\\d{4}[ -]?\\d{4}[ -]?\\d{4}\\b'
checksum = "luhn"
finds = ["4111 1111 1111 1111"]
ignores = ["4111 1111 1111 1112"]

[[pattern]]
name = "wards"
label = "HOSPITAL"
list = "wards.txt"
finds = ["ingresa en TORRE NORTE"]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "wards.txt").write_text("# ours\nTorre Norte\nPabellón B\n", encoding="utf-8")
    path = tmp_path / "ours.toml"
    path.write_text(FILE, encoding="utf-8")
    return path


def check(*arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    return run_command("patterns", "check", *arguments)


def test_what_they_find(file: Path) -> None:
    text = "Ñandú. Contacto EP-998877 y EP-12 en la torre norte; tarjeta 4111111111111111, 4111111111111112, pabellon b"
    spans = OwnPatterns.read(file).find(Document("", text))
    assert [(text[s.start : s.end], s.label) for s in spans] == [
        ("998877", "ID_CONTACTO_ASISTENCIAL"),
        ("torre norte", "HOSPITAL"),
        ("4111111111111111", "OTRO_NUMERO_IDENTIF"),
        ("pabellon b", "HOSPITAL"),
    ]


def test_in_a_run(file: Path) -> None:
    pipeline = load("fast", patterns=file)
    assert "torre norte" not in pipeline.anonymize("Sube a la torre norte por tos.")
    assert pipeline.about["detection"]["own_patterns"] == 3


def test_the_command(file: Path, tmp_path: Path) -> None:
    note = tmp_path / "nota.txt"
    note.write_text("episodio EP-111111, Torre Norte", encoding="utf-8")
    good = check(file, "--on", note)
    assert good.returncode == 0
    assert b"episode\tID_CONTACTO_ASISTENCIAL\t3 examples right\t1 matches" in good.stdout
    file.write_text(FILE.replace('"4111 1111 1111 1111"', '"4111 1111 1111 1112"'), encoding="utf-8")
    bad = check(file)
    assert bad.returncode == 1
    assert b"finds nothing in example 1" in bad.stdout
    assert b"4111" not in bad.stdout + bad.stderr


@pytest.mark.parametrize(
    "content",
    ["", "x = 1", "[[pattern]]\nlabel = 'HOSPITAL'", "[[pattern]]\nlabel = 'NOPE'\nregex = 'a'",
     "[[pattern]]\nlabel = 'HOSPITAL'\nregex = '('", "[[pattern]]\nlabel = 'HOSPITAL'\nregex = '(?=a)b'",
     "[[pattern]]\nlabel = 'HOSPITAL'\nregex = 'a*'", "[[pattern]]\nlabel = 'HOSPITAL'\nregex = 'a'\nchecksum = 'x'",
     "[[pattern]]\nlabel = 'HOSPITAL'\nlist = []", "[[pattern]]\nlabel = 'HOSPITAL'\nlist = 'nowhere.txt'",
     "[[pattern]]\nlabel = 'HOSPITAL'\nregex = 'a'\nfind = ['a']"],
)  # fmt: skip
def test_files_that_are_refused(file: Path, content: str) -> None:
    file.write_text(content, encoding="utf-8")
    with pytest.raises(ConfigError):
        OwnPatterns.read(file)


def test_an_expression_that_would_take_seconds_is_refused() -> None:
    began = time.process_time()
    with pytest.raises(ConfigError, match="too large"):
        OwnPatterns.of([{"label": "FECHAS", "regex": r"\pL{1000}"}])
    assert time.process_time() - began < 0.5
    assert len(OwnPatterns.of([{"label": "FECHAS", "regex": r"\pL{1,50}-\d+"}])) == 1

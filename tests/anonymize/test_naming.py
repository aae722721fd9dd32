"""Names of files, folders and documents: they reveal nobody's name in the output, the audit or the report."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import read_policy
from nadie.options import Rename
from nadie.records.naming import Naming

from .marked import KEY, marked
from .test_commands import run

SECRET = "una clave bastante larga"


def never(text: str) -> bool:
    return False


def named(rule: Rename, name: str) -> str:
    done = Engine(read_policy("default"), KEY).run(marked("{Lucía Fernández Ortiz|P}, NHC {7654735|ID}.", name))
    return Naming(rule, KEY, never).named(done).output().id


@pytest.mark.parametrize(
    ("name", "is_kept"),
    [
        ("ingreso", True),
        ("LUCIAFERNANDEZORTIZ_TC", False),
        ("tc-fernandez", False),
        ("nhc7654735", False),
        ("nota.Fernández", False),
        ("2019/nota-12", True),
    ],
)
def test_only_names_with_phi_change(name: str, is_kept: bool) -> None:
    assert (named(Rename.AUTO, name) == name) == is_kept
    assert named(Rename.KEEP, name) == name


def test_a_name_of_one_character_is_kept() -> None:
    naming = Naming(Rename.AUTO, KEY, lambda _: True)
    assert naming.path("c.txt") == "c.txt"
    assert naming.path("AB.txt") != "AB.txt"


def test_folders_and_suffixes() -> None:
    naming = Naming(Rename.NUMBER, KEY, never)
    paths = ["ana/a.csv", "ana/b.csv", "eva/a.csv", "ana/a.csv", "Dr.Perez"]
    assert [naming.path(path) for path in paths] == ["1/1.csv", "1/2.csv", "2/1.csv", "1/1.csv", "3"]
    hashed = Naming(Rename.HASH, KEY, never)
    assert hashed.path("ana/a.csv").partition("/")[0] == hashed.path("ana/b.csv").partition("/")[0]
    assert hashed.path("ana/a.csv").endswith(".csv")
    assert "Perez" not in hashed.path("Dr.Perez")
    assert hashed.path("ana/a.csv") == Naming(Rename.HASH, KEY, never).path("ana/a.csv")


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    (folder / "Lucía Fernández Ortiz").mkdir(parents=True)
    text = "Paciente: Lucía Fernández Ortiz. NHC: 7654735.\n"
    (folder / "Lucía Fernández Ortiz" / "ingreso.txt").write_text(text, encoding="utf-8")
    (folder / "LUCIAFERNANDEZORTIZ_TC.csv").write_text(f"nota\n{text}", encoding="utf-8")
    (folder / "malo_fernandez.txt").write_bytes(b"Gumersindo \xff\xfe\xfd")
    return folder


def test_on_the_command_line(notes: Path, tmp_path: Path) -> None:
    out, audit, report, vault = (tmp_path / name for name in ("out", "a.jsonl", "r.html", "v"))
    result = run(
        "anonymize", notes, "--out", out, "--audit", audit, "--report", report, "--vault", vault, key=SECRET
    )  # fmt: skip
    assert b"2 handled, 1 failed" in result.stderr, result.stderr
    written = [file.relative_to(out).as_posix() for file in out.rglob("[!.]*") if file.is_file()]
    assert len(written) == 2
    for content in (*written, audit.read_text(encoding="utf-8"), report.read_text(encoding="utf-8")):
        for word in ("fernandez", "fernández", "lucia", "lucía"):
            assert word not in content.lower()
    assert any(json.loads(line).get("failed") for line in audit.read_text(encoding="utf-8").splitlines())
    names = run("vault", "names", vault, NADIE_VAULT_KEY=SECRET).stdout.decode()
    originals = {row["output"]: row["original"] for row in csv.DictReader(io.StringIO(names))}
    table = next(name for name in written if name.endswith(".csv"))
    assert originals[table] == "LUCIAFERNANDEZORTIZ_TC.csv"
    (out / table).unlink()
    back = tmp_path / "back"
    assert run("restore", out, "--vault", vault, "--out", back, NADIE_VAULT_KEY=SECRET).returncode == 0
    original = "Lucía Fernández Ortiz/ingreso.txt"
    assert (back / original).read_bytes() == (notes / original).read_bytes()

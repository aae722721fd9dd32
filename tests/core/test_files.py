"""A run over files in Python: copies, report, records, and what it lists and recognises."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

import nadie
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import Secret
from nadie.document import Document
from nadie.errors import ConfigError
from nadie.files import recognition, source
from nadie.files.source import FileList
from nadie.options import Form, Rename
from nadie.run.documents import RunOptions
from nadie.run.files import FileOptions, RecordOptions
from nadie.run.rewriting import InPlace, ReadOptions

NOTE = "Paciente: Ana Belén Pérez Soto, natural de Cádiz. NHC: 7654735.\n"
KEY = Secret(b"una clave bastante larga").key()
RESEARCH = FileOptions(RunOptions(policy=read_policy("research"), key=KEY), rename=Rename.KEEP)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    (folder / "sub").mkdir(parents=True)
    (folder / "nota.txt").write_text(NOTE, encoding="utf-8")
    (folder / "sub" / "tabla.csv").write_text(f'nota\n"{NOTE}"\n', encoding="utf-8")
    (folder / "sub" / "falso.docx").write_text("Ana", encoding="utf-8")
    (folder / ".oculta").write_text("Ana", encoding="utf-8")
    return folder


def test_a_folder_with_everything_it_writes(folder: Path, tmp_path: Path) -> None:
    records = RecordOptions(audit=tmp_path / "a.jsonl", report=tmp_path / "r.html", failures=tmp_path / "f.txt")
    options = FileOptions(RESEARCH.run, records=records, rename=Rename.KEEP)
    report = nadie.anonymize_files([folder], tmp_path / "out", options)
    assert (report.handled, report.failed) == (2, 1)
    [failure] = report.failures.first
    assert (failure.where, failure.cause.kind) == (str(folder / "sub" / "falso.docx"), "FormatError")
    assert [(file.name, file.title, file.texts) for file in report.files.first] == [("sub/tabla.csv", "a CSV table", 1)]
    assert ["hidden" in note for note in report.notes.first if ".oculta" in note] == [True]
    text = (tmp_path / "out" / "nota.txt").read_text(encoding="utf-8")
    assert text == RESEARCH.run.pipeline().anonymize(Document("nota", NOTE))
    assert "Pérez" not in text + (tmp_path / "out" / "sub" / "tabla.csv").read_text(encoding="utf-8")
    assert (tmp_path / "f.txt").read_text(encoding="utf-8") == f"{failure}\n"
    assert len((tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()) == 5


def test_to_a_function_and_to_json_lines(folder: Path, tmp_path: Path) -> None:
    found: list[Document] = []
    report = nadie.anonymize_files([folder], found.append, RESEARCH)
    assert [document.id for document in found] == ["nota", "sub/tabla.csv#2"]
    assert report.handled == 2
    nadie.anonymize_files([str(folder)], str(tmp_path / "out"), FileOptions(RESEARCH.run, to=Form.JSONL))
    [written] = (tmp_path / "out").glob("*.jsonl")
    assert written.read_text(encoding="utf-8").count("\n") == 2


def test_what_would_lose_originals_is_refused(folder: Path, tmp_path: Path) -> None:
    before = (folder / "nota.txt").read_bytes()
    in_place = FileOptions(reading=ReadOptions(in_place=InPlace(None)))
    for out, options in ((folder, None), (folder / "sub", None), (None, None), (None, in_place)):
        with pytest.raises(ConfigError):
            nadie.anonymize_files([folder], out, options)
    with pytest.raises(ConfigError, match="passphrase"):
        nadie.anonymize_files([folder], tmp_path / "o", FileOptions(records=RecordOptions(vault=tmp_path / "v")))
    assert (folder / "nota.txt").read_bytes() == before


def test_files_are_listed_and_recognised_once(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also with a progress bar, which needs the size of all files, and for the question whether there is only one."""
    listed: Counter[str] = Counter()
    recognised: Counter[str] = Counter()
    scandir, kind_of = os.scandir, recognition.recognise

    def counted(path: Path) -> object:
        listed[Path(path).name] += Path(path).is_relative_to(folder)
        return scandir(path)

    def recognise(given: source.Source) -> str:
        recognised[given.name] += 1
        return kind_of(given)

    monkeypatch.setattr("nadie.files.disk.os.scandir", counted)
    monkeypatch.setattr("nadie.run.rewriting.recognise", recognise)
    reached: list[tuple[int, int | None]] = []
    found = FileList([folder])
    assert not found.is_one_document()
    nadie.anonymize_files(found, tmp_path / "out", RESEARCH, lambda position, total: reached.append((position, total)))
    assert +listed == {"in": 1, "sub": 1}
    assert recognised == {"nota.txt": 1, "sub/tabla.csv": 1, "sub/falso.docx": 1}
    total = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file() and file.name != ".oculta")
    assert [each[1] for each in reached] == [total] * 3
    assert [each[0] for each in reached] == sorted(each[0] for each in reached)


@pytest.mark.parametrize(("names", "is_one"), [(["a.txt"], True), (["a.jsonl"], False), (["a.txt", "b.txt"], False)])
def test_one_document(tmp_path: Path, names: list[str], is_one: bool) -> None:
    for name in names:
        (tmp_path / name).write_text("x", encoding="utf-8")
    found = FileList([tmp_path])
    assert found.is_one_document() == is_one
    assert [each.name for each in found if isinstance(each, source.Source)] == names

"""Malicious archives, and archives that are only packed differently."""

from __future__ import annotations

import io
import stat
import struct
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile, ZipInfo

import pytest

from nadie.corpus.archive import unpack
from nadie.errors import CorpusError

from .archives import FILES, archive


def unpacked(tmp_path: Path, content: bytes, limit: int = 10_000) -> dict[str, bytes]:
    (tmp_path / "a.zip").write_bytes(content)
    folder = tmp_path / "deep" / "out"
    folder.mkdir(parents=True)
    unpack(tmp_path / "a.zip", folder, limit)
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def one(name: str, content: str = "x", *, mode: int = 0, kind: int = ZIP_DEFLATED) -> bytes:
    """The corpus and one file more."""
    memory = io.BytesIO(archive())
    with ZipFile(memory, "a") as target:
        entry = ZipInfo("placeholder")
        entry.filename = name
        entry.external_attr = mode << 16
        target.writestr(entry, content, kind)
    return memory.getvalue()


@pytest.mark.parametrize("root", ["", "meddocan/", "SPACCC_MEDDOCAN-master/corpus/"])
def test_the_corpus_is_found_wherever_it_lies_in_the_archive(tmp_path: Path, root: str) -> None:
    expected = {name: text.encode() for name, text in FILES.items()}
    assert unpacked(tmp_path, archive(root=root)) == expected


def test_what_lies_around_the_corpus_is_left_out(tmp_path: Path) -> None:
    around = {"__MACOSX/meddocan/train/brat/._a.txt": "x", "README.md": "x", "meddocan/.DS_Store": "x"}
    around |= {"meddocan/train/brat/.~a.txt": "x", "meddocan/x/train/brat/z.txt": "z"}
    whole = archive({**around, **{f"meddocan/{name}": text for name, text in FILES.items()}}, root="")
    assert set(unpacked(tmp_path, whole)) == {*FILES, "x/train/brat/z.txt"}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (one("../evil.txt"), "leads out"),
        (one("meddocan/train/brat/../../../../evil.txt"), "leads out"),
        (one("/evil.txt"), "leads out"),
        (one("meddocan/..\\..\\evil.txt"), "leads out"),
        (one("C:/evil.txt"), "leads out"),
        (one("meddocan//evil.txt"), "leads out"),
        (one("meddocan/evil.txt", "/etc/passwd", mode=stat.S_IFLNK | 0o777), "not a regular file"),
        (one("meddocan/evil.txt", mode=stat.S_IFIFO | 0o777), "not a regular file"),
        (one("meddocan/evil.txt", kind=ZIP_BZIP2), "not supported"),
        (archive({"train/brat/a.txt/b": "x", "train/brat/a.txt": "y"}), "two files with the same name"),
        (archive({"train/brat/a.txt": "x", "train/brat/a.txt/b": "y"}), "cannot be unpacked"),
        (archive({"dev/brat/a.txt": "x"}), "not the corpus"),
        (archive({"xtrain/brat/a.txt": "x"}, root=""), "not the corpus"),
        (archive({}), "not the corpus"),
        (archive()[:-30], "damaged"),
        (b"", "damaged"),
        (b"<html>", "damaged"),
        (archive({"train/brat/a.txt": "0" * 10_001}), "more than the limit"),
        (archive({"train/brat/a.txt": "0" * 6_000, "train/brat/b.txt": "0" * 6_000}), "more than the limit"),
    ],
)
def test_what_is_refused_writes_nothing_outside(tmp_path: Path, content: bytes, problem: str) -> None:
    with pytest.raises(CorpusError, match=problem):
        unpacked(tmp_path, content)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.zip", "deep"]
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["out"]


def test_a_size_that_lies_is_counted(tmp_path: Path) -> None:
    honest = archive({"train/brat/a.txt": "0" * 50_000})
    at = honest.index(b"PK\x01\x02")
    lying = honest[: at + 24] + struct.pack("<L", 10) + honest[at + 28 :]
    with pytest.raises(CorpusError):
        unpacked(tmp_path, lying)


def test_contents_that_do_not_have_their_crc_are_damaged(tmp_path: Path) -> None:
    honest = archive({"train/brat/a.txt": "0123456789"})
    at = honest.index(b"PK\x01\x02")
    with pytest.raises(CorpusError, match="damaged"):
        unpacked(tmp_path, honest[: at + 16] + b"\0\0\0\0" + honest[at + 20 :])


def test_too_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nadie.corpus.archive.MAX_FILES", len(FILES) - 1)
    with pytest.raises(CorpusError, match="more than 4 files"):
        unpacked(tmp_path, archive())


def test_an_encrypted_file_is_refused(tmp_path: Path) -> None:
    plain = archive({"train/brat/a.txt": "x"})
    at = plain.index(b"PK\x01\x02")
    with pytest.raises(CorpusError, match="encrypted"):
        unpacked(tmp_path, plain[: at + 8] + b"\x01\0" + plain[at + 10 :])

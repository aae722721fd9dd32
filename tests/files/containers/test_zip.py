"""Archives: mirrored, with what cannot be covered left out and listed, and bombs refused."""

from __future__ import annotations

import io
import zipfile
import zlib

import pytest

from nadie.errors import FormatError
from nadie.files import source
from nadie.files.containers import package

from .helpers import anonymized, opened, texts_of

NAME = {"Ana Muñoz": "[NOMBRE]"}


def zipped(parts: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name, (2020, 1, 2, 3, 4, 6)), content, compression)
    return file.getvalue()


def parts_of(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def test_every_file_is_opened_as_what_it_is() -> None:
    inner = zipped({"c.txt": "Ana Muñoz\r\n".encode()})
    parts = {
        "a/": b"",
        "a/nota.txt": "\ufeffAna Muñoz".encode(),
        "b.html": b"<p>A<b>na</b> Mu&ntilde;oz",
        "t.csv": "x,nota\n1,Ana Muñoz\n".encode(),
        "z.zip": inner,
        "empty.txt": b"",
    }
    copy, account = anonymized(zipped(parts), "a.zip", NAME)
    again = parts_of(copy)
    assert list(again) == list(parts)
    assert again["a/nota.txt"].decode() == "\ufeff[NOMBRE]"
    assert again["b.html"] == b"<p>[NOMBRE]<b></b>"
    assert again["t.csv"] == b"x,nota\n1,[NOMBRE]\n"
    assert parts_of(again["z.zip"]) == {"c.txt": b"[NOMBRE]\r\n"}
    assert account.failures == []
    assert [text.name for text in opened(zipped(parts), "a.zip").texts()] == [
        "names of files", "a/nota.txt", "b.html", "t.csv#2", "z.zip#names of files", "z.zip#c.txt",
        "empty.txt",
    ]  # fmt: skip
    with zipfile.ZipFile(io.BytesIO(copy)) as archive:
        assert archive.getinfo("b.html").date_time == (2020, 1, 2, 3, 4, 6)


def test_names_of_files_are_searched() -> None:
    parts = {"Ana_Muñoz/": b"", "Ana_Muñoz/a.txt": b"x", "alta-Ana.Muñoz.txt": b"y", "alta-Ana Muñoz.txt": b"z"}
    parts |= {"Ana/Muñoz.txt": b"v", "nota 7.txt": b"w"}
    copy, _ = anonymized(zipped(parts), "a.zip", {"Ana Muñoz": "[N/OMBRE]"})
    assert parts_of(copy) == {
        "[N-OMBRE]_/": b"", "[N-OMBRE]_/a.txt": b"x", "alta-[N-OMBRE]..txt": b"y", "alta-[N-OMBRE] .txt": b"z",
        "Ana/Muñoz.txt": b"v", "nota 7.txt": b"w",
    }  # fmt: skip
    same = zipped({"Ana.txt": b"x", "Eva.txt": b"y", "Sol.txt": b"z"})
    assert list(parts_of(anonymized(same, "a.zip", dict.fromkeys(("Ana", "Eva", "Sol"), "[N]"))[0])) == [
        "[N].txt", "[N] (2).txt", "[N] (3).txt",
    ]  # fmt: skip


def test_what_cannot_be_covered_is_left_out_and_told() -> None:
    copy, account = anonymized(zipped({"a.txt": b"Ana", "b.rar": b"Rar!\x1a\x07\0", "c.txt": b"\xff"}), "a.zip", {})
    assert list(parts_of(copy)) == ["a.txt"]
    assert [str(failure).split(";")[0] for failure in account.failures] == [
        "a.zip!b.rar: is a RAR archive, which is not supported", "a.zip!c.txt, line 1: is not UTF-8",
    ]  # fmt: skip


def test_bombs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "MAX_BYTES", 1000)
    with pytest.raises(FormatError, match="larger than 1000 bytes"):
        opened(zipped({"a.txt": b"a" * 1001}), "a.zip")
    lying = zipped({"a.txt": b"a" * 5000}).replace((5000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    with pytest.raises(FormatError, match="damaged"):
        opened(lying, "a.zip")
    monkeypatch.setattr(package, "MAX_BYTES", 10**9)
    monkeypatch.setattr(source.Budget, "__init__", lambda self: setattr(self, "left", 3000))
    with pytest.raises(FormatError, match="unpacks to more than"):
        opened(zipped({f"{n}.txt": b"a" * 900 for n in range(4)}), "a.zip")
    monkeypatch.setattr(package, "MAX_PARTS", 3)
    with pytest.raises(FormatError, match="more than 3 parts"):
        opened(zipped({f"{n}.txt": b"" for n in range(4)}), "a.zip")


def test_archives_in_archives_end_somewhere() -> None:
    content = b"Ana"
    for n in range(source.MAX_DEPTH + 2):
        content = zipped({f"{n}.zip" if n else "a.txt": content})
    _, account = anonymized(content, "a.zip", {})
    assert any(f"more than {source.MAX_DEPTH} deep" in each.reason for each in account.failures)
    assert "Ana" not in "".join(texts_of(content, "a.zip"))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (zipped({"a.txt": b"Ana" * 50})[:-30], "damaged or truncated"),
        (b"PK\x03\x04" + bytes(60), "damaged or truncated"),
        (
            zipped({"a.txt": b"Ana" * 50}).replace(zlib.compress(b"Ana" * 50, 6)[2:-4], b"\xff" * 7),
            "damaged or truncated",
        ),
    ],
)
def test_damaged_archives(content: bytes, told: str) -> None:
    with pytest.raises(FormatError, match=told):
        opened(content, "a.zip")


def test_an_encrypted_archive() -> None:
    content = bytearray(zipped({"a.txt": b"Ana"}))
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(FormatError, match="encrypted"):
        opened(bytes(content), "a.zip")

"""brat: the lines that are read, skipped, and refused with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from nadie.document import Document, Span
from nadie.errors import FormatError
from nadie.files.annotated.brat import Brat, parse_annotations

TEXT = "Paciente: Zoraida Pérez\r\nde Ávila, 41 años"
NAME = "T1\tNOMBRE_SUJETO_ASISTENCIA 10 23\tZoraida Pérez"
PLACE = "T2\tTERRITORIO 28 33\tÁvila"


def write(folder: Path, annotations: str | bytes, text: str | bytes = TEXT) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "nota.txt").write_bytes(text if isinstance(text, bytes) else text.encode())
    (folder / "nota.ann").write_bytes(annotations if isinstance(annotations, bytes) else annotations.encode())
    return folder


@pytest.mark.parametrize(
    ("annotations", "expected"),
    [
        ("", []),
        ("\n \n", []),
        (f"{NAME}\n{PLACE}\n", [(10, 23), (28, 33)]),
        (f"{NAME}\n{PLACE}", [(10, 23), (28, 33)]),
        (f"{PLACE}\r\n{NAME}\r\n", [(10, 23), (28, 33)]),
        ("R1\tDe Arg1:T1 Arg2:T2\nE1\tX:T1\nA1\tN T1\nM1\tN T1\nN1\tR T1 W:1\tx\n#1\tNote T1\tx\n*\tEquiv T1 T2\n", []),
        ("T1\tCALLE 18 27\tPérez  de\n", [(18, 27)]),  # the line break in the span shown as spaces, as brat does
        (f"{NAME}\nT2\tNOMBRE_SUJETO_ASISTENCIA 10 23\tZoraida Pérez\n", [(10, 23)]),  # a duplicate counts once
    ],
)
def test_what_is_read(tmp_path: Path, annotations: str, expected: list[tuple[int, int]]) -> None:
    [document] = Brat().read(write(tmp_path, annotations))
    assert [(span.start, span.end) for span in document.spans] == expected
    assert document.text == TEXT


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("T1\tTERRITORIO 28 50\tÁvila", "outside"),
        ("T1\tTERRITORIO 99999999 999999999\tÁvila", "outside"),
        ("T1\tTERRITORIO 33 28\tÁvila", "ends before"),
        ("T1\tTERRITORIO 28 28\t", "empty"),
        ("T1\tTERRITORIO -5 28\tÁvila", "whole number"),
        ("T1\tTERRITORIO 2_8 33\tÁvila", "whole number"),
        ("T1\tTERRITORIO ٢٨ 33\tÁvila", "whole number"),
        ("T1\tTERRITORIO 28.0 33\tÁvila", "whole number"),
        ("T1\tTERRITORIO 28 3" + "3" * 5000 + "\tÁvila", "whole number"),
        ("T1\tTERRITORIO 28  33\tÁvila", "label and two offsets"),
        ("T1\tTERRITORIO\tÁvila", "label and two offsets"),
        ("T1\tZoraida 28 33\tÁvila", "one of the 29"),
        ("T1\tterritorio 28 33\tÁvila", "one of the 29"),
        ("T1\tTERRITORIO 28 30;31 33\tÁvla", "discontinuous"),
        ("T1\tTERRITORIO 28 33\tAvila", "not the text at 28..33"),
        ("T1\tTERRITORIO 28 33\tA\u0301vila", "not the text at 28..33"),
        ("T1\tTERRITORIO 28 33\tÁvila ", "not the text at 28..33"),
        ("T1\tTERRITORIO 28 33", "tabs"),
        ("T1 TERRITORIO 28 33 Ávila", "tabs"),
        ("T\tTERRITORIO 28 33\tÁvila", "tabs"),
        ("TX\tTERRITORIO 28 33\tÁvila", "tabs"),
        ("Zoraida Pérez", "not a line of a brat file"),
        ("\ufeffT1\tTERRITORIO 28 33\tÁvila", "not a line of a brat file"),
        ("T7\tNOMBRE_SUJETO_ASISTENCIA 10 23\tZoraida Pérez", "used before"),
    ],
)
def test_what_is_refused_names_file_and_line_and_no_text(tmp_path: Path, line: str, problem: str) -> None:
    folder = write(tmp_path, f"T7\tTERRITORIO 28 33\tÁvila\n#1\tNote\n{line}\n")
    with pytest.raises(FormatError, match=problem) as caught:
        list(Brat().read(folder))
    assert caught.value.where == str(folder / "nota.ann")
    assert caught.value.line == 3
    shown = str(caught.value).removeprefix(caught.value.where)
    assert not any(word in shown for word in ("Zoraida", "Pérez", "vila"))


def test_offsets_made_with_translated_newlines_are_refused_not_shifted(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="not the text at"):
        list(Brat().read(write(tmp_path, "T1\tTERRITORIO 27 32\tÁvila\n")))


def test_a_byte_order_mark_counts_as_a_character(tmp_path: Path) -> None:
    [document] = Brat().read(write(tmp_path, "T1\tPAIS 1 5\tPerú\n", "\ufeffPerú"))
    assert document.text_of(document.spans[0]) == "Perú"


@pytest.mark.parametrize(
    ("missing", "named", "problem"),
    [("nota.txt", "nota.ann", "no .txt"), ("nota.ann", "nota.txt", "no .ann")],
)
def test_half_a_document_is_an_error(tmp_path: Path, missing: str, named: str, problem: str) -> None:
    write(tmp_path, "")
    (tmp_path / missing).unlink()
    [error] = Brat().scan(tmp_path)
    assert isinstance(error, FormatError)
    assert error.where == str(tmp_path / named)
    assert problem in str(error)


def test_a_suffix_in_capitals_is_an_error_and_not_left_unread(tmp_path: Path) -> None:
    write(tmp_path, "")
    (tmp_path / "otra.TXT").write_text("x")
    (tmp_path / "nota.TXT").write_text("x")
    assert sorted(type(item).__name__ for item in Brat().scan(tmp_path)) == ["Document", "FormatError", "FormatError"]


@pytest.mark.parametrize(("name", "line"), [("nota.txt", 2), ("nota.ann", 2)])
def test_bad_utf8_names_file_and_line(tmp_path: Path, name: str, line: int) -> None:
    write(tmp_path, "")
    (tmp_path / name).write_bytes(b"#1\tuno\n#2\tZoraida \xe9\n#3")
    [error] = Brat().scan(tmp_path)
    assert isinstance(error, FormatError)
    assert (error.where, error.line) == (str(tmp_path / name), line)
    assert "Zoraida" not in repr(error)
    assert error.__context__ is None  # the decoding error would carry the bytes along


def test_either_file_may_be_given(tmp_path: Path) -> None:
    write(tmp_path, f"{PLACE}\n")
    for name in ("nota.txt", "nota.ann"):
        [document] = Brat().read(tmp_path / name)
        assert (document.id, document.spans) == ("nota", (Span(28, 33, "TERRITORIO"),))


def test_annotations_over_a_text_that_is_elsewhere() -> None:
    assert parse_annotations(PLACE.encode(), TEXT, "x.ann") == (Span(28, 33, "TERRITORIO"),)
    with pytest.raises(FormatError, match=r"^x\.ann, line 1: "):
        parse_annotations(PLACE.encode(), TEXT[:30], "x.ann")


def test_what_is_written(tmp_path: Path) -> None:
    document = Document("a/nota", TEXT, (Span(28, 33, "TERRITORIO", 0.5, "x"), Span(18, 27, "CALLE")))
    Brat().write([document], tmp_path)
    assert (tmp_path / "a/nota.txt").read_bytes() == TEXT.encode()
    assert (tmp_path / "a/nota.ann").read_text() == "T1\tCALLE 18 27\tPérez  de\nT2\tTERRITORIO 28 33\tÁvila\n"
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == ["nota.ann", "nota.txt"]

"""Marked notes: exact offsets, and strict errors with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from nadie.document import Document
from nadie.errors import FormatError
from nadie.files.annotated.notes import CODES, Notes, parse_marks
from nadie.files.annotated.reading import iter_readable, read_documents
from nadie.files.format import guess
from nadie.labels import LABELS, Label


def write(folder: Path, content: str, name: str = "triage.txt") -> Path:
    (folder / name).write_bytes(content.encode())
    return folder


def test_marks_come_out_with_exact_offsets() -> None:
    marked = parse_marks("Dra. {SAN|Ibarra}: enf. de {!Wilson}, TA {!120/80}\n{FECHA|3/4/22}", file="n")
    assert marked.text == "Dra. Ibarra: enf. de Wilson, TA 120/80\n3/4/22"
    assert [(s.label, marked.text[s.start : s.end]) for s in marked.spans] == [
        (Label.NOMBRE_PERSONAL_SANITARIO, "Ibarra"),
        (Label.FECHAS, "3/4/22"),
    ]
    assert [marked.text[start:end] for start, end in marked.traps] == ["Wilson", "120/80"]


def test_escaped_braces_are_text() -> None:
    marked = parse_marks(r"\{x\} {PAC|Ana} \}", file="n")
    assert marked.text == "{x} Ana }"
    assert [marked.text[s.start : s.end] for s in marked.spans] == ["Ana"]


def test_each_label_has_one_code() -> None:
    assert sorted(CODES.values()) == sorted(LABELS)


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("uno\n{NADIE|Ana}", 2),
        ("{PAC|Ana", 1),
        ("Ana}", 1),
        ("{PAC|}", 1),
        ("{}", 1),
        ("{!}", 1),
        ("{PAC|Ana {EDAD|3}}", 1),
        ("{PAC|Ana\nPérez}", 1),
        ("{pac|Ana}", 1),
        ("a\nb {PAC| Ana}", 2),
        ("{PAC|Ana.}", 1),
        ("{TEL|+34 600}", 1),
        ("{! Wilson}", 1),
        ("{PAC|Ana}\n\n{PAC|(Eva)}", 3),
        ("{" * 5000, 1),
    ],
)
def test_a_wrong_mark_is_refused_with_its_line(source: str, line: int) -> None:
    with pytest.raises(FormatError) as refused:
        parse_marks(source, file="notes.txt")
    assert refused.value.line == line
    assert "Ana" not in str(refused.value)


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        ("", [1]),
        ("no header\n", [1]),
        ("=== a ES\n", [1]),
        ("=== a\ntext\n", [1]),
        ("=== a es\ntext\n", [1]),
        ("=== A ES\ntext\n", [1]),
        ("=== a ES key\ntext\n", [1]),
        ("=== a ES\ntext\n=== a ES\ntext\n", [3]),
        ("=== a ES\ntext\n===\ntext\n=== b ES\n{PAC|Ana\n", [3, 6]),
    ],
)
def test_each_note_that_is_not_sound_is_an_error_with_its_line(tmp_path: Path, content: str, lines: list[int]) -> None:
    errors = [item for item in Notes().scan(write(tmp_path, content)) if isinstance(item, FormatError)]
    assert [error.line for error in errors] == lines
    assert all(error.where == str(tmp_path / "triage.txt") for error in errors)


def test_an_id_may_not_be_used_in_two_files(tmp_path: Path) -> None:
    write(tmp_path, "=== a ES\nuno\n", "one.txt")
    write(tmp_path, "=== a ES\nuno\n", "two.txt")
    assert [type(item) for item in iter_readable(tmp_path)] == [Document, FormatError]


def test_the_header_becomes_meta_and_line_ends_are_kept(tmp_path: Path) -> None:
    write(tmp_path, "=== a-1 ES region=aragon\r\nuno\t{PAC|Ana} {!Wilson}\r\ndos\x0c=== x\n=== b-1 MX\ntres\n")
    first, second = read_documents(tmp_path)
    assert first.text == "uno\tAna Wilson\r\ndos\x0c=== x\n"
    assert dict(first.meta) == {"style": "triage", "country": "ES", "region": "aragon", "traps": "8-14"}
    assert (second.id, second.text, dict(second.meta)) == ("b-1", "tres\n", {"style": "triage", "country": "MX"})


def test_notes_are_recognised_by_their_first_line(tmp_path: Path) -> None:
    assert guess(write(tmp_path, "=== a ES type=triage\ntext\n")) == "notes"
    assert guess(tmp_path / "triage.txt") == "notes"


@pytest.mark.parametrize("first", ["=== INFORME DE ALTA ===", "===", "Informe", ""])
def test_other_texts_stay_plain_text(tmp_path: Path, first: str) -> None:
    assert guess(write(tmp_path, f"{first}\ntext\n")) == "text"


def test_a_text_without_a_header_among_notes_is_an_error(tmp_path: Path) -> None:
    write(tmp_path, "=== a ES\ntext\n")
    write(tmp_path, "text\n", "README.txt")
    error, document = iter_readable(tmp_path)
    assert isinstance(error, FormatError)
    assert isinstance(document, Document)


def test_notes_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="can be read but not written"):
        Notes().write([Document("a", "x")], tmp_path)

"""JSONL: everything is preserved, a bad line is reported with its number and the rest is read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nadie.document import Document, Span
from nadie.errors import FormatError
from nadie.files import disk as files
from nadie.files.annotated.jsonl import Jsonl

GOOD = {"id": "a", "text": "Zoraida de Ávila", "spans": [{"start": 0, "end": 7, "label": "NOMBRE_SUJETO_ASISTENCIA"}]}


def scan(folder: Path, content: bytes) -> list[Document | FormatError]:
    (folder / "x.jsonl").write_bytes(content)
    return list(Jsonl().scan(folder))


def changed(**fields: object) -> str:
    return json.dumps(GOOD | fields)


def span(**fields: object) -> str:
    return changed(spans=[{"start": 0, "end": 7, "label": "FECHAS"} | fields])


def test_what_is_written(tmp_path: Path) -> None:
    document = Document("a", "ñ\u2028\r\n", (Span(0, 1, "CALLE", 0.25, "recrf"),), {"ward": "3"})
    Jsonl().write([document], tmp_path)
    assert (tmp_path / "documents.jsonl").read_bytes().decode() == (
        '{"id": "a", "text": "ñ\\u2028\\r\\n", "spans": [{"start": 0, "end": 1, "label": "CALLE", "score": 0.25,'
        ' "source": "recrf"}], "meta": {"ward": "3"}}\n'
    )


@pytest.mark.parametrize(
    "content",
    [
        '{"id": "a", "text": "x"}',
        '\ufeff{"id": "a", "text": "x"}\r\n',
        '\n \n{"text": "x", "id": "a", "spans": [], "meta": {}}',
    ],
)
def test_spans_and_meta_may_be_left_out(tmp_path: Path, content: str) -> None:
    assert scan(tmp_path, content.encode()) == [Document("a", "x")]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('{"id": "b", "text": "Zoraida", "text": "Ávila"}', "not JSON"),
        ('{"id": "b", "text": "x", "spans": NaN}', "not JSON"),
        ("1" * 5000, "not JSON"),
        ('["Zoraida"]', "not an object"),
        ('"Zoraida"', "not an object"),
        ("null", "not an object"),
        (changed(Zoraida=1), "field other than"),
        ('{"text": "Zoraida"}', "needs an id"),
        (changed(id=7), "needs an id"),
        (changed(text=None), "needs an id and a text"),
        (changed(spans=None), "not a list"),
        (changed(spans={}), "not a list"),
        (changed(spans=[["Zoraida"]]), "a span is not an object"),
        (changed(meta=["Zoraida"]), "meta"),
        (changed(meta={"Zoraida": 1}), "meta"),
        (changed(text="Zoraida\ud800"), "surrogate"),
        (changed(id="\udfff"), "surrogate"),
        (changed(meta={"a": "\ud800"}), "surrogate"),
        (span(source="\ud800"), "surrogate"),
        (span(Zoraida=1), "field other than"),
        (span(end=17), "outside"),
        (span(start=-1), "outside"),
        (span(start=7), "empty"),
        (span(start=9), "ends before"),
        (span(start=0.0), "whole number"),
        (span(start=True), "whole number"),
        (span(start="0"), "whole number"),
        (span(start=None), "whole number"),
        (span(label="Zoraida"), "one of the 29"),
        (span(label=["FECHAS"]), "one of the 29"),
        (span(label=None), "one of the 29"),
        (span(score=1.5), "score"),
        (span(score=10**400), "score"),
        (span(score=True), "score"),
        (span(score="1"), "score"),
        (span(source=1), "source"),
    ],
)
def test_a_bad_line_is_named_and_the_rest_goes_on(tmp_path: Path, line: str, problem: str) -> None:
    items = scan(tmp_path, f"{json.dumps(GOOD)}\n\n{line}\n{changed(id='z')}\n".encode())
    assert [getattr(item, "id", None) for item in items] == ["a", None, "z"]
    error = items[1]
    assert isinstance(error, FormatError)
    assert problem in str(error)
    assert (error.where, error.line) == (str(tmp_path / "x.jsonl"), 3)
    assert not any(word in str(error) for word in ("Zoraida", "vila"))
    assert error.__context__ is None


def test_bad_utf8_spoils_its_line_only(tmp_path: Path) -> None:
    items = scan(tmp_path, b'{"id": "a", "text": "\xe9"}\n{"id": "b", "text": "x"}\n')
    assert isinstance(items[0], FormatError)
    assert items[0].line == 1
    assert items[1] == Document("b", "x")


def test_a_line_too_long_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_BYTES", 60)
    lines = [json.dumps({"id": name, "text": "x" * size}) for name, size in (("a", 1), ("b", 500), ("c", 1))]
    items = scan(tmp_path, "\n".join(lines).encode())
    assert [getattr(item, "id", None) for item in items] == ["a", None, "c"]
    assert getattr(items[1], "line", None) == 2


def test_an_id_twice_is_an_error_in_one_file_and_across_files(tmp_path: Path) -> None:
    (tmp_path / "w.jsonl").write_text(changed(id="w"))
    items = scan(tmp_path, f"{changed()}\n{changed()}\n{changed(id='w')}\n".encode())
    assert [getattr(item, "line", "document") for item in items] == ["document", "document", 2, 3]
    with pytest.raises(FormatError, match="used before"):
        Jsonl().write([Document("a", "x"), Document("a", "y")], tmp_path / "out")
    assert not (tmp_path / "out/documents.jsonl").exists()


def test_reading_holds_one_line_at_a_time(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text(f"{changed()}\nbroken\n")
    reading = Jsonl().read(tmp_path)
    assert next(reading).id == "a"
    with pytest.raises(FormatError, match="line 2"):
        next(reading)


def test_a_document_that_cannot_be_written_leaves_no_trace(tmp_path: Path) -> None:
    with Jsonl().writer(tmp_path) as add:
        add(Document("a", "x"))
        with pytest.raises(FormatError, match="surrogate"):
            add(Document("b", "\ud800"))
        add(Document("c", "y"))
    assert [document.id for document in Jsonl().read(tmp_path)] == ["a", "c"]

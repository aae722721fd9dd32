"""From a path to documents: guessing, ids, continuing after errors; and writing files only inside their folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nadie.document import Document, Span
from nadie.errors import FormatError, UnknownNameError
from nadie.files import disk as files
from nadie.files.annotated.reading import iter_readable, read_documents
from nadie.files.annotated.text import Text
from nadie.files.format import FORMATS, Format, guess

NAMES = ["text", "brat", "i2b2", "jsonl"]


def touch(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a.txt"], "text"),
        (["a.TXT"], "text"),
        (["a.txt", "b/a.ann"], "brat"),
        (["a.xml"], "i2b2"),
        (["x/y/a.jsonl", "readme.md"], "jsonl"),
        (["a.pdf"], "text"),
        ([], "text"),
        (["a.txt", ".hidden/a.xml", ".a.jsonl"], "text"),
    ],
)
def test_the_format_of_a_folder(tmp_path: Path, names: list[str], expected: str) -> None:
    touch(tmp_path, *names)
    assert guess(tmp_path) == expected


@pytest.mark.parametrize("names", [["a.txt", "b.xml"], ["a.ann", "a.txt", "a.xml"], ["a.jsonl", "b.txt"]])
def test_a_folder_of_several_formats_is_an_error(tmp_path: Path, names: list[str]) -> None:
    touch(tmp_path, *names)
    [error] = iter_readable(tmp_path)
    assert isinstance(error, FormatError)
    assert "several formats" in str(error)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a.txt", "text"), ("a.ann", "brat"), ("a.xml", "i2b2"), ("a.jsonl", "jsonl"), ("a.md", "text"), ("a", "text")],
)
def test_the_format_of_a_file(tmp_path: Path, name: str, expected: str) -> None:
    touch(tmp_path, name)
    assert guess(tmp_path / name) == expected


class Lines(Format):
    """A format as another package would bring it: a document in each line of a `.lines` file."""

    name = "lines"
    suffixes = (".lines", ".xml")
    one_document_per_file = False

    def recognises(self, file: Path) -> bool:
        return file.read_bytes().startswith(b"<lines>")

    def scan(self, path: Path) -> Iterator[Document | FormatError]:
        for name, file in files.walk(path, self.suffixes).files:
            for number, line in enumerate(file.read_text().splitlines()):
                yield Document(f"{name}-{number}", line)


class TestAThirdPartysFormat:
    @pytest.fixture(autouse=True)
    def _registered(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(FORMATS._added, "lines", Lines)

    def test_it_is_found_by_its_suffix(self, tmp_path: Path) -> None:
        (tmp_path / "a.lines").write_text("one\ntwo")
        assert guess(tmp_path / "a.lines") == guess(tmp_path) == "lines"
        assert [document.text for document in read_documents(tmp_path)] == ["one", "two"]

    def test_it_may_share_a_suffix_and_recognise_its_own_files(self, tmp_path: Path) -> None:
        (tmp_path / "a.xml").write_text("<lines>\none")
        assert guess(tmp_path) == "lines"
        (tmp_path / "b.xml").write_text("<MEDDOCAN>")
        assert guess(tmp_path / "b.xml") == "i2b2"

    def test_two_formats_of_one_suffix_must_be_told_apart(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(Lines, "suffixes", (".xml",))
        (tmp_path / "a.xml").write_text("<MEDDOCAN>")
        with pytest.raises(FormatError, match="several formats \\(i2b2, lines\\)"):
            guess(tmp_path / "a.xml")


def test_text_comes_as_it_is_stored(tmp_path: Path) -> None:
    content = "\ufeffa\r\nb\rc\td\xa0e\u0301\x85\u2028\n"
    (tmp_path / "a.txt").write_bytes(content.encode())
    assert [document.text for document in read_documents(tmp_path)] == [content]


def test_ids_are_paths_without_suffix_in_order(tmp_path: Path) -> None:
    touch(tmp_path, "b.txt", "a.b.txt", "c/d/e.txt", "c/b.txt", ".hidden.txt", ".git/x.txt", "c/.~lock.txt", "z.md")
    assert [document.id for document in read_documents(tmp_path)] == ["a.b", "b", "c/b", "c/d/e"]
    assert [document.id for document in read_documents(tmp_path / "c/d/e.txt")] == ["e"]
    assert [document.id for document in read_documents(tmp_path / ".hidden.txt")] == [".hidden"]
    assert [document.id for document in read_documents(tmp_path / "z.md")] == ["z"]


def test_two_files_of_one_id_do_not_both_count(tmp_path: Path) -> None:
    touch(tmp_path, "a.txt", "a.TXT")
    assert [type(item) for item in iter_readable(tmp_path)] == [Document, FormatError]


def test_a_batch_goes_on_after_what_cannot_be_read(tmp_path: Path) -> None:
    touch(tmp_path, "a.txt", "c.txt")
    (tmp_path / "b.txt").write_bytes(b"Zoraida\xff")
    items = list(iter_readable(tmp_path))
    assert [type(item) for item in items] == [Document, FormatError, Document]
    assert str(items[1]) == f"{tmp_path / 'b.txt'}, line 1: is not UTF-8"
    reading = read_documents(tmp_path)
    assert next(reading).id == "a"
    with pytest.raises(FormatError, match="not UTF-8"):
        next(reading)


@pytest.mark.parametrize("name", [*NAMES, None])
@pytest.mark.parametrize(
    ("path", "problem"),
    [("none", "no such file or folder"), ("x" * 300, "cannot be read"), ("empty", "nothing to read")],
)
def test_a_path_that_gives_nothing_is_one_error(tmp_path: Path, name: str | None, path: str, problem: str) -> None:
    (tmp_path / "empty").mkdir()
    [error] = iter_readable(tmp_path / path, name)
    assert isinstance(error, FormatError)
    assert problem in str(error)


def test_a_format_that_is_not_registered_is_raised(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError):
        list(iter_readable(tmp_path, "docx2"))


def test_what_is_no_regular_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.txt")
    (tmp_path / "b.txt").symlink_to("nowhere")
    touch(tmp_path, "c.txt")
    assert [getattr(item, "id", None) for item in iter_readable(tmp_path)] == ["c"]
    [error] = iter_readable(tmp_path / "a.txt")
    assert isinstance(error, FormatError)


def test_a_link_to_a_folder_is_not_followed(tmp_path: Path) -> None:
    touch(tmp_path, "in/a.txt", "out/b.txt")
    (tmp_path / "in/loop").symlink_to(tmp_path / "in")
    (tmp_path / "in/out").symlink_to(tmp_path / "out")
    assert [getattr(item, "id", None) for item in iter_readable(tmp_path / "in")] == ["a"]


def test_a_folder_that_cannot_be_listed_is_an_error_and_the_rest_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    touch(tmp_path, "a.txt", "locked/b.txt")
    real: Callable[..., object] = os.scandir

    def scandir(path: str) -> object:  # chmod would not stop the tests of a container that run as root
        if str(path).endswith("locked"):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    items = list(iter_readable(tmp_path))
    assert [type(item) for item in items] == [FormatError, Document]
    assert str(items[0]) == f"{tmp_path / 'locked'}: cannot be listed (Permission denied)"


@pytest.mark.parametrize("name", ["text", "brat", "i2b2"])
@pytest.mark.parametrize("bad", ["", "..", "../a", "a/../../b", "/etc/a", "a//b", "a/", "./a", "a/.", "a\0b", "/"])
def test_no_id_leads_out_of_the_folder(tmp_path: Path, name: str, bad: str) -> None:
    with pytest.raises(FormatError, match="does not name a file inside"):
        FORMATS.get(name)().write([Document(bad, "x")], tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "ids", "spans"),
    [
        ("text", ["../Prado"], ()),
        ("jsonl", ["Prado", "Prado"], ()),
        ("docbin", ["Prado", "Prado"], ()),
        ("conll", ["Prado"], (Span(0, 1, "FECHAS"),)),
        ("conll", ["Prado"], (Span(2, 4, "FECHAS"), Span(3, 5, "FECHAS"))),
    ],
)
def test_the_reason_of_an_error_does_not_name_the_document(
    tmp_path: Path, name: str, ids: list[str], spans: tuple[Span, ...]
) -> None:
    with pytest.raises(FormatError) as caught:
        FORMATS.get(name)().write([Document(each, " 1 2 3", spans) for each in ids], tmp_path / "out")
    assert "Prado" in caught.value.where
    assert "Prado" not in caught.value.reason


def test_no_link_leads_out_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/a").symlink_to(tmp_path)
    (tmp_path / "out/loop").symlink_to("loop")
    for bad in ("a/x", "loop/x"):
        with pytest.raises(FormatError):
            Text().write([Document(bad, "x")], tmp_path / "out")
    assert not (tmp_path / "x.txt").exists()


@pytest.mark.parametrize("name", ["text", "brat", "i2b2"])
def test_a_second_document_of_one_id_does_not_overwrite_the_first(tmp_path: Path, name: str) -> None:
    form = FORMATS.get(name)()
    with form.writer(tmp_path) as add:
        add(Document("a", "x"))
        with pytest.raises(FormatError, match="has the same name"):
            add(Document("a", "y"))
        add(Document("b", "z"))
    assert {document.id: document.text for document in form.read(tmp_path)} == {"a": "x", "b": "z"}


@pytest.mark.parametrize("name", NAMES)
def test_what_cannot_be_written_leaves_nothing_half_done(tmp_path: Path, name: str) -> None:
    document = Document("a", "Ávila", (Span(0, 5, "TERRITORIO"),))
    (tmp_path / "file").write_text("")
    with pytest.raises(FormatError, match="cannot be written"):
        FORMATS.get(name)().write([document], tmp_path / "file")
    blocked = tmp_path / "blocked"
    for taken in ("a.txt", "a.xml", "documents.jsonl"):
        (blocked / taken).mkdir(parents=True)
    with pytest.raises(FormatError, match="cannot be written"):
        FORMATS.get(name)().write([document], blocked)
    assert sorted(path.name for path in blocked.iterdir()) == ["a.txt", "a.xml", "documents.jsonl"]


def test_an_old_file_stands_until_the_new_one_is_complete(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.write_text("old")
    with pytest.raises(RuntimeError, match="mine"):
        _write_half(target)
    assert target.read_text() == "old"
    with files.writing(target) as write:
        write(b"new")
        assert target.read_text() == "old"
    assert target.read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def _write_half(target: Path) -> None:
    with files.writing(target) as write:
        write(b"half")
        raise RuntimeError("mine")


def test_a_callers_own_error_is_not_told_as_one_of_writing(tmp_path: Path) -> None:
    with pytest.raises(ConnectionError), files.writing(tmp_path / "a"):
        raise ConnectionError


@pytest.mark.parametrize("name", NAMES)
def test_every_format_says_what_it_is(name: str) -> None:
    form = FORMATS.get(name)()
    assert form.name == name
    assert all(suffix.startswith(".") for suffix in form.suffixes)

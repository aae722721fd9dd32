"""Downloads from a real server: whole, broken off, resumed, tampered with, too large, from the wrong place."""

from __future__ import annotations

from pathlib import Path

import pytest

from nadie.corpus.archive import fetch
from nadie.corpus.download import CorpusSource, Download, digest, download
from nadie.errors import CorpusError

from .archives import FILES, archive, source
from .server import Behaviour, serving


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nadie.corpus.archive._PAUSE", 0.0)
    monkeypatch.setenv("no_proxy", "127.0.0.1")


@pytest.fixture
def mini(tmp_path: Path) -> CorpusSource:
    return source(tmp_path / "original")


def ignore(_here: int, _total: int | None) -> None:
    pass


def bring(wanted: CorpusSource, behaviour: Behaviour, folder: Path) -> Download:
    with serving(behaviour) as address:
        return download(wanted, folder, ignore, address)


def contents(folder: Path) -> dict[str, str]:
    return {p.relative_to(folder).as_posix(): p.read_bytes().decode() for p in folder.rglob("*") if p.is_file()}


def beside(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.parent.iterdir() if path.name not in (folder.name, "original"))


def test_a_true_archive_comes_whole(mini: CorpusSource, tmp_path: Path) -> None:
    progress: list[tuple[int, int | None]] = []
    content = archive()
    with serving(Behaviour(content)) as address:
        arrival = download(mini, tmp_path / "x/corpus", lambda here, total: progress.append((here, total)), address)
    assert arrival.by_archive
    assert arrival.parts == ("dev/brat", "test/brat", "train/brat")
    assert (arrival.left_out, arrival.differing) == ((), ())
    assert contents(tmp_path / "x/corpus") == FILES
    assert progress[0] == (0, len(content))
    assert progress[-1] == (len(content), len(content))
    assert beside(tmp_path / "x/corpus") == []


def test_from_an_archive_packed_otherwise_only_what_is_vouched_for_is_kept(mini: CorpusSource, tmp_path: Path) -> None:
    extra = {**FILES, "train/brat/run.sh": "x", "background/d.txt": "x"}
    arrival = bring(mini, Behaviour(archive(extra, root="corpus/")), tmp_path / "corpus")
    assert not arrival.by_archive
    assert arrival.left_out == ("background", "test/brat")
    assert arrival.parts == ("dev/brat", "train/brat")
    assert contents(tmp_path / "corpus") == {k: v for k, v in FILES.items() if not k.startswith("test")}
    assert sorted(path.name for path in (tmp_path / "corpus").iterdir()) == ["dev", "train"]


@pytest.mark.parametrize(
    "changed",
    [
        {**FILES, "train/brat/a.ann": "T1\tTERRITORIO 8 12\tÁvil\n"},
        {**FILES, "train/brat/z.txt": ""},
        {k: v for k, v in FILES.items() if not k.startswith("dev")},
        {k: v.replace("\r\n", "\n") for k, v in FILES.items()},
    ],
)
def test_a_changed_corpus_is_refused_and_leaves_nothing(
    mini: CorpusSource, tmp_path: Path, changed: dict[str, str]
) -> None:
    with pytest.raises(CorpusError, match="not the corpus mini"):
        bring(mini, Behaviour(archive(changed)), tmp_path / "corpus")
    assert not (tmp_path / "corpus").exists()
    assert beside(tmp_path / "corpus") == []


def test_a_true_archive_whose_contents_the_manifest_does_not_know_is_kept_and_told(tmp_path: Path) -> None:
    other = archive({**FILES, "dev/brat/b.txt": "Otra"})
    arrival = bring(source(tmp_path / "original", other), Behaviour(other), tmp_path / "corpus")
    assert (arrival.by_archive, arrival.differing) == (True, ("dev/brat",))


@pytest.mark.parametrize("ranges", [True, False])
def test_a_connection_that_breaks_is_taken_up(mini: CorpusSource, tmp_path: Path, ranges: bool) -> None:
    behaviour = Behaviour(archive(), ranges=ranges, cuts=[100, 50, 0])
    assert bring(mini, behaviour, tmp_path / "corpus").by_archive
    assert len(behaviour.asked) == 4
    if ranges:
        assert behaviour.asked == [None, "bytes=100-", "bytes=150-", "bytes=150-"]


def test_the_next_call_takes_up_what_an_earlier_one_left(mini: CorpusSource, tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"could not download from 127\.0\.0\.1: the connection ended early"):
        bring(mini, Behaviour(archive(), cuts=[100, 10, 10, 10]), tmp_path / "corpus")
    assert beside(tmp_path / "corpus") == [".corpus.mini.zip.part"]
    behaviour = Behaviour(archive())
    assert bring(mini, behaviour, tmp_path / "corpus").by_archive
    assert behaviour.asked == ["bytes=130-"]
    assert beside(tmp_path / "corpus") == []


def test_an_archive_that_was_already_complete_is_not_asked_for_again(mini: CorpusSource, tmp_path: Path) -> None:
    (tmp_path / ".corpus.mini.zip.part").write_bytes(archive())
    behaviour = Behaviour(archive())
    assert bring(mini, behaviour, tmp_path / "corpus").by_archive
    assert len(behaviour.asked) == 1


@pytest.mark.parametrize("left_over", [b"x" * 100, b"x" * 10_000])
def test_a_left_over_of_another_file_is_thrown_away(mini: CorpusSource, tmp_path: Path, left_over: bytes) -> None:
    (tmp_path / ".corpus.mini.zip.part").write_bytes(left_over)
    behaviour = Behaviour(archive())
    assert bring(mini, behaviour, tmp_path / "corpus").by_archive
    assert behaviour.asked == [f"bytes={len(left_over)}-", None]


@pytest.mark.parametrize(("statuses", "requests"), [([503], 2), ([500, 502, 429], 4), ([408], 2)])
def test_a_passing_fault_is_tried_again(mini: CorpusSource, tmp_path: Path, statuses: list[int], requests: int) -> None:
    behaviour = Behaviour(archive(), statuses=statuses)
    assert bring(mini, behaviour, tmp_path / "corpus").by_archive
    assert len(behaviour.asked) == requests


@pytest.mark.parametrize(("statuses", "requests"), [([404], 1), ([403], 1), ([500] * 9, 4)])
def test_a_lasting_fault_is_told(mini: CorpusSource, tmp_path: Path, statuses: list[int], requests: int) -> None:
    behaviour = Behaviour(archive(), statuses=list(statuses))
    with pytest.raises(CorpusError, match=f"the server answered {statuses[0]}"):
        bring(mini, behaviour, tmp_path / "corpus")
    assert len(behaviour.asked) == requests
    assert not (tmp_path / "corpus").exists()


@pytest.mark.parametrize("length", [None, "9" * 5000, "no number"])
def test_more_than_the_limit_is_not_taken(tmp_path: Path, length: str | None) -> None:
    behaviour = Behaviour(b"0" * 300_000, length=length)
    with serving(behaviour) as address, pytest.raises(CorpusError, match="more than 100000 bytes"):
        fetch(address, tmp_path / "part", ignore, limit=100_000)
    assert not (tmp_path / "part").exists()


@pytest.mark.parametrize("redirect", ["file:///etc/passwd", "ftp://127.0.0.1/x", "data:text/plain,x"])
def test_a_redirection_to_something_else_is_not_followed(tmp_path: Path, redirect: str) -> None:
    with serving(Behaviour(b"", redirect=redirect)) as address, pytest.raises(CorpusError):
        fetch(address, tmp_path / "part", ignore)
    assert not (tmp_path / "part").exists()


def test_a_redirection_over_http_is_followed(mini: CorpusSource, tmp_path: Path) -> None:
    with serving(Behaviour(archive())) as real, serving(Behaviour(b"", redirect=real)) as first:
        assert download(mini, tmp_path / "corpus", ignore, first).by_archive


@pytest.mark.parametrize("address", ["file:///etc/passwd", "ftp://example.org/x", "corpus.zip", "https://", ""])
def test_only_http_addresses_are_taken(tmp_path: Path, address: str) -> None:
    with pytest.raises(CorpusError, match="must begin with https://"):
        fetch(address, tmp_path / "part", ignore)


def test_no_server_at_all_is_told_without_the_secrets_of_an_address(mini: CorpusSource, tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"could not download from 127\.0\.0\.1: ") as caught:
        download(mini, tmp_path / "corpus", ignore, "http://user:secret@127.0.0.1:9/x?token=secret")
    assert "secret" not in str(caught.value)


def test_a_corpus_that_is_there_is_not_fetched_again(mini: CorpusSource, tmp_path: Path) -> None:
    bring(mini, Behaviour(archive()), tmp_path / "corpus")
    behaviour = Behaviour(archive())
    assert bring(mini, behaviour, tmp_path / "corpus").was_here
    assert behaviour.asked == []


def test_a_folder_with_something_else_is_left_alone(mini: CorpusSource, tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    bring(mini, Behaviour(archive()), tmp_path / "corpus")  # an empty one is taken
    (tmp_path / "corpus/train/brat/a.txt").write_text("changed")
    (tmp_path / "file").write_text("mine")
    behaviour = Behaviour(archive())
    for taken in (tmp_path / "corpus", tmp_path / "file"):
        with pytest.raises(CorpusError):
            bring(mini, behaviour, taken)
    assert behaviour.asked == []
    assert (tmp_path / "corpus/train/brat/a.txt").read_text() == "changed"
    assert (tmp_path / "file").read_text() == "mine"


def test_a_place_that_cannot_be_written_is_told(mini: CorpusSource, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(CorpusError, match="cannot be written"):
        bring(mini, Behaviour(archive()), tmp_path / "file" / "corpus")


def test_the_digest_knows_names_contents_and_where_one_ends(tmp_path: Path) -> None:
    seen = set()
    for number, files in enumerate([{}, {"a.txt": "b"}, {"b.txt": "b"}, {"a.txt": "c"}, {"a.txt": "b", "b.txt": ""}]):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name, text in {**files, ".DS_Store": str(number), ".x.txt": "x", "notes.md": "x"}.items():
            (folder / name).write_text(text)
        seen.add(digest(folder))
    assert len(seen) == 5
    assert digest(tmp_path / "none") == digest(tmp_path / "0")

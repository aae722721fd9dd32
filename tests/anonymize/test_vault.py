"""The vault: it restores texts byte for byte, or reports why it cannot and changes nothing."""

from __future__ import annotations

import functools
import hashlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from nadie.anonymize.engine import Anonymized, Engine
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import Key, Secret
from nadie.document import Document
from nadie.errors import VaultError
from nadie.records.vault.frames import HEADER_BYTES, frames
from nadie.records.vault.reading import Vault, recover, rotate
from nadie.records.vault.writing import VaultWriter

from .marked import KEY, marked

SECRET = Secret(b"una clave bastante larga")
OTHER = Secret(b"otra clave bastante larga")


@pytest.fixture(autouse=True)
def _keys_derived_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """scrypt is slow on purpose. A test that opens copies of one file need not pay for the same key each time."""
    monkeypatch.setattr(hashlib, "scrypt", functools.cache(hashlib.scrypt))


def outputs(count: int, start: int = 0) -> list[Anonymized]:
    engine = Engine(read_policy("research"), KEY)
    texts = [
        f"\ufeffPaciente {{Ana Pérez Soto|P}}, NHC {{{7000000 + n}|ID}}, \r\n{{12/03/2019|D}}." for n in range(count)
    ]
    return [engine.run(marked(text, f"nota-{start + n}")) for n, text in enumerate(texts)]


def filled(path: Path, count: int = 5) -> list[Anonymized]:
    done = outputs(count)
    with VaultWriter(path, SECRET) as vault:
        vault.add(done)
    return done


def frame_places(path: Path) -> list[tuple[int, int]]:
    with path.open("rb") as file:
        return [(frame.at, frame.end) for frame in frames(file)]


def assert_untouched(path: Path, before: bytes) -> None:
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_it_gives_back(tmp_path: Path) -> None:
    path = tmp_path / "v"
    done = filled(path)
    with Vault(path, SECRET) as vault:
        assert len(vault) == 5
        for item in done:
            assert vault.restore(Document(item.document.id, item.text)).text == item.document.text
        assert vault.restore(Document("copied", done[2].text)).text == done[2].document.text


def test_nothing_of_a_document_can_be_read_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "v"
    filled(path)
    content = path.read_bytes()
    for word in (b"Ana", b"7000000", b"nota-0", b"2019"):
        assert word not in content
    assert path.stat().st_mode & 0o077 == 0


def test_runs_are_added(tmp_path: Path) -> None:
    path = tmp_path / "v"
    done = filled(path, 2)
    more = outputs(3, start=10)
    with VaultWriter(path, SECRET) as vault:
        vault.add(more[:1])
        vault.add(more[1:])
    with Vault(path, SECRET) as reading:
        assert len(reading) == 5
        for item in (*done, *more):
            assert reading.restore(Document(item.document.id, item.text)).text == item.document.text


def test_a_changed_text_is_not_restored(tmp_path: Path) -> None:
    path = tmp_path / "v"
    done = filled(path)
    with Vault(path, SECRET) as vault, pytest.raises(VaultError, match="no entry"):
        vault.restore(Document("nota-0", done[0].text + " "))


def test_two_originals_with_one_output_need_the_id(tmp_path: Path) -> None:
    engine = Engine(read_policy("default"), Key.random())
    first, second = engine.run(marked("{Ana|P}", "a")), engine.run(marked("{Eva|P}", "b"))
    assert first.text == second.text
    with VaultWriter(tmp_path / "v", SECRET) as vault:
        vault.add([first, second])
    with Vault(tmp_path / "v", SECRET) as reading:
        assert reading.restore(Document("a", first.text)).text == "Ana"
        assert reading.restore(Document("b", first.text)).text == "Eva"
        with pytest.raises(VaultError, match="several"):
            reading.restore(Document("c", first.text))


def test_a_wrong_key_is_told_and_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "v"
    filled(path)
    before = path.read_bytes()
    for attempt in (Vault, VaultWriter, recover):
        with pytest.raises(VaultError, match="key"):
            attempt(path, OTHER)
    with pytest.raises(VaultError, match="key"):
        rotate(path, OTHER, SECRET)
    assert_untouched(path, before)


def test_a_cut_file_is_told_wherever_it_was_cut(tmp_path: Path) -> None:
    path = tmp_path / "v"
    filled(path)
    whole = path.read_bytes()
    places = frame_places(path)
    cuts = {
        0,
        5,
        HEADER_BYTES - 1,
        HEADER_BYTES,
        len(whole) - 1,
        *(end for _, end in places[:-1]),
        *(a + 3 for a, _ in places),
    }
    for cut in sorted(cuts):
        path.write_bytes(whole[:cut])
        with pytest.raises(VaultError):
            Vault(path, SECRET)
        with pytest.raises(VaultError):
            VaultWriter(path, SECRET)
        assert_untouched(path, whole[:cut])


def test_a_changed_byte_is_told_wherever_it_is(tmp_path: Path) -> None:
    path = tmp_path / "v"
    filled(path, 3)
    whole = path.read_bytes()
    places = [
        0,
        8,
        12,
        15,
        HEADER_BYTES - 1,
        *(a + offset for a, _ in frame_places(path) for offset in (0, 2, 4, 7, 20, 40)),
    ]
    for place in places:
        changed = bytearray(whole)
        changed[place] ^= 1
        path.write_bytes(changed)
        with pytest.raises(VaultError):
            Vault(path, SECRET)
        assert_untouched(path, bytes(changed))


def test_frames_cannot_be_moved_dropped_or_brought_from_elsewhere(tmp_path: Path) -> None:
    path, other = tmp_path / "a" / "v", tmp_path / "b" / "v"
    for folder in (path.parent, other.parent):
        folder.mkdir()
    filled(path)
    filled(other)
    whole, strange = path.read_bytes(), other.read_bytes()
    places = frame_places(path)
    pieces = [whole[a:b] for a, b in places]
    foreign = [strange[a:b] for a, b in frame_places(other)]
    for attempt in (
        [pieces[1], pieces[0], *pieces[2:]],
        pieces[1:],
        [*pieces[:2], *pieces[3:]],
        [*pieces[:-1], pieces[0], pieces[-1]],
        [foreign[0], *pieces[1:]],
        [*pieces, pieces[-1]],
    ):
        path.write_bytes(whole[:HEADER_BYTES] + b"".join(attempt))
        with pytest.raises(VaultError):
            Vault(path, SECRET)


def test_a_costly_header_is_refused_before_it_costs(tmp_path: Path) -> None:
    path = tmp_path / "v"
    filled(path, 1)
    content = bytearray(path.read_bytes())
    content[9] = 60
    path.write_bytes(content)
    with pytest.raises(VaultError, match="beginning"):
        Vault(path, SECRET)


def test_rotation(tmp_path: Path) -> None:
    path = tmp_path / "v"
    done = filled(path)
    assert rotate(path, SECRET, OTHER) == 5
    with pytest.raises(VaultError):
        Vault(path, SECRET)
    with Vault(path, OTHER) as vault:
        assert vault.restore(Document("nota-3", done[3].text)).text == done[3].document.text
    assert [file.name for file in tmp_path.iterdir()] == ["v"]


def test_recovery_saves_what_is_whole_and_says_what_is_not(tmp_path: Path) -> None:
    path = tmp_path / "v"
    done = filled(path)
    whole = path.read_bytes()
    places = frame_places(path)
    path.write_bytes(whole[: places[3][0] + 9])
    saved = recover(path, SECRET)
    assert saved == (3, 0, 9)
    assert (tmp_path / "v.damaged").read_bytes() == whole[: places[3][0] + 9]
    with Vault(path, SECRET) as vault:
        assert vault.restore(Document("nota-2", done[2].text)).text == done[2].document.text
    changed = bytearray(whole)
    changed[places[1][0] + 30] ^= 1
    path.write_bytes(changed)
    assert recover(path, SECRET) == (4, 1, 0)


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    path = tmp_path / "v"
    with VaultWriter(path, SECRET) as vault:
        with pytest.raises(VaultError, match="another run"):
            VaultWriter(path, SECRET)
        vault.add(outputs(1))
    with Vault(path, SECRET) as reading:
        assert len(reading) == 1


def test_an_error_in_a_run_still_seals_the_vault(tmp_path: Path) -> None:
    path = tmp_path / "v"

    def run() -> None:
        with VaultWriter(path, SECRET) as vault:
            vault.add(outputs(2))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        run()
    with Vault(path, SECRET) as reading:
        assert len(reading) == 2


def test_a_killed_run_loses_no_entry_that_was_added(tmp_path: Path) -> None:
    path = tmp_path / "v"
    filled(path, 2)
    code = (
        "import sys, time\nfrom pathlib import Path\nsys.path.insert(0, sys.argv[2])\n"
        "from anonymize.test_vault import SECRET, outputs\nfrom nadie.records.vault.writing import VaultWriter\n"
        "vault = VaultWriter(Path(sys.argv[1]), SECRET)\nvault.add(outputs(3, start=20))\n"
        "vault._file.write(b'E half of an ent'); vault._file.flush()\nprint('added', flush=True)\ntime.sleep(60)\n"
    )
    tests = Path(__file__).resolve().parents[1]
    with subprocess.Popen([sys.executable, "-c", code, path, tests], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"added\n"
        os.kill(process.pid, signal.SIGKILL)
    with pytest.raises(VaultError, match="interrupted"):
        VaultWriter(path, SECRET)
    assert recover(path, SECRET) == (5, 0, 16)
    with Vault(path, SECRET) as vault:
        for item in (*outputs(2), *outputs(3, start=20)):
            assert vault.restore(Document(item.document.id, item.text)).text == item.document.text


@pytest.mark.parametrize(
    "content", [b"", b"not a vault at all, not a vault at all, not at all", b"NADIEVLT\x02" + bytes(80)]
)
def test_what_is_no_vault(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "v"
    path.write_bytes(content)
    with pytest.raises(VaultError):
        VaultWriter(path, SECRET)
    assert_untouched(path, content)
    with pytest.raises(VaultError):
        Vault(tmp_path / "none", SECRET)
    with pytest.raises(VaultError):
        recover(tmp_path / "none", SECRET)


def test_notes_stay_beside_the_entries(tmp_path: Path) -> None:
    file, done = tmp_path / "v", outputs(2)
    with VaultWriter(file, SECRET) as vault:
        vault.note("audit-key", {"key": "aa"})
        vault.add([done[0]])
        vault.note("name", {"output": "1", "original": "ana"})
        vault.add([done[1]])
    rotate(file, SECRET, OTHER)
    file.write_bytes(file.read_bytes()[:-5])
    assert recover(file, OTHER)[:2] == (2, 0)
    with Vault(file, OTHER) as opened:
        assert len(opened) == 2
        assert opened.notes("name") == [{"topic": "name", "output": "1", "original": "ana"}]
        assert opened.notes("audit-key")[0]["key"] == "aa"
        assert opened.restore(done[1].output()) == Document(done[1].document.id, done[1].document.text)


_FULL = """
import resource, sys
from pathlib import Path
from nadie.anonymize.secret import Secret
from nadie.records.vault.reading import recover
from nadie.errors import VaultError
path = Path(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size - 1,) * 2)
try:
    print(tuple(recover(path, Secret(b"una clave bastante larga"))))
except VaultError as error:
    print(error)
"""


@pytest.mark.parametrize("is_changed", [False, True])
def test_recovery_without_room_for_a_second_file(tmp_path: Path, is_changed: bool) -> None:
    """No file may grow to the size of the vault, as on a full disk: what was cut gives room for the seal."""
    path = tmp_path / "v"
    done = filled(path)
    places = frame_places(path)
    content = bytearray(path.read_bytes()[: places[4][1] - 1])
    content[places[1][0] + 30] ^= is_changed
    path.write_bytes(content)
    told = subprocess.run([sys.executable, "-c", _FULL, path], capture_output=True, text=True, check=True).stdout
    assert [file.name for file in tmp_path.iterdir()] == ["v"]
    if is_changed:
        assert "no space" in told
        assert path.read_bytes() == content
    else:
        assert told == f"(4, 0, {places[4][1] - 1 - places[4][0]})\n"
        with Vault(path, SECRET) as vault:
            assert vault.restore(Document("nota-3", done[3].text)).text == done[3].document.text


def test_only_some_labels_are_restored(tmp_path: Path) -> None:
    done = filled(tmp_path / "v", 1)[0]
    with Vault(tmp_path / "v", SECRET) as vault:
        text = vault.restore(done.output(), {"NOMBRE_SUJETO_ASISTENCIA"}).text
    assert "Ana Pérez Soto" in text
    assert "7000000" not in text
    assert "12/03/2019" not in text


def test_an_edited_text_gets_back_what_can_be_placed(tmp_path: Path) -> None:
    done = filled(tmp_path / "v", 1)[0]
    name, number, day = (done.text[r.start : r.end] for r in done.replaced)
    edited = Document(done.document.id, f"Resumen: {name} (historia {number}). Segunda vez: {name}.")
    with Vault(tmp_path / "v", SECRET) as vault:
        restored, unplaced = vault.restore_edited(edited)
        assert restored.text == "Resumen: Ana Pérez Soto (historia 7000000). Segunda vez: Ana Pérez Soto."
        assert unplaced == ("FECHAS",)
        assert day not in restored.text
        assert vault.restore_edited(done.output())[0].text == done.document.text
        with pytest.raises(VaultError, match="no entry of that name"):
            vault.restore_edited(Document("otra", "nada"))


def test_values_that_stand_for_several_originals_are_placed_only_if_all_are_there() -> None:
    from nadie.records.vault.entry import Entry, Piece

    pieces = (Piece(0, 4, "Ruiz", "A", "Soto"), Piece(5, 9, "Gil", "B", "Soto"), Piece(10, 12, "45", "C", "47"))
    entry = Entry("x", "", "", pieces)
    assert entry.restore_edited("Soto y Soto, 47") == ("Ruiz y Gil, 45", ())
    assert entry.restore_edited("Soto, 47 y 47").unplaced == ("A", "B", "C")
    assert entry.restore_edited("Sotomayor", {"A"}) == ("Sotomayor", ("A",))


def test_the_reason_of_an_error_does_not_name_the_document() -> None:
    from nadie.records.vault.entry import Entry

    with pytest.raises(VaultError, match="cannot be restored") as caught:
        Entry("Ruiz.txt", "", "", ()).restore("another text")
    assert (caught.value.where, "Ruiz" in caught.value.reason) == ("Ruiz.txt", False)

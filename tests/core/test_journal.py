"""The journal: a killed and resumed run gives the same output as an uninterrupted one."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from nadie.anonymize.engine import Anonymized
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import Secret
from nadie.document import Document, Span
from nadie.errors import ConfigError, Failure, FormatError
from nadie.run import journal as journals
from nadie.run.documents import Run, RunOptions
from nadie.run.journal import NAME, Journal

KEY = Secret(b"una clave bastante larga").key()
ABOUT = {"policy": "research"}
DOCUMENTS = [
    Document(f"n{n}", f"NHC: 76547{n:02}. Paciente: Ana Belén Pérez Soto. Ingresa el {n + 1}/03/2019 en Lugo.")
    for n in range(40)
]


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    with Run(RunOptions(policy=read_policy("research"), key=KEY)) as made:
        yield made


def results(
    run: Run, inputs: Iterable[Document | Failure], folder: Path, most: int | None = None, *, resume: bool = False
) -> tuple[list[Anonymized | Failure], int]:
    """The results, and how many of them came from the journal; with `most`, the run ends there without an end."""
    with Journal(folder, KEY, ABOUT, resume=resume) as journal:
        pairs = run.anonymize_owned(((None, item) for item in inputs), journal=journal)
        found = [result for _, result in islice(pairs, most)]
        if most is None:
            journal.finish(sum(isinstance(item, Failure) for item in found))
        return found, journal.replays


def test_a_run_goes_on_from_any_byte(run: Run, tmp_path: Path) -> None:
    whole = list(run.anonymize(DOCUMENTS))
    assert all(isinstance(item, Anonymized) and item.replaced for item in whole)
    results(run, DOCUMENTS, tmp_path, 32)
    content = (tmp_path / NAME).read_bytes()
    counts = []
    for length in (len(content), len(content) - 1, len(content) * 2 // 3, len(content) // 3):
        (tmp_path / NAME).write_bytes(content[:length])
        found, replays = results(run, DOCUMENTS, tmp_path, resume=True)
        assert found == whole
        assert [span for item in found for span in scored(item)] == [span for item in whole for span in scored(item)]
        counts.append(replays)
        assert list(tmp_path.iterdir()) == []
    assert counts == [32, 16, 16, 0]


def scored(item: Anonymized | Failure) -> list[tuple[Span, float, str]]:
    assert isinstance(item, Anonymized)
    return [(span, span.score, span.source) for span in item.document.spans]


def test_a_run_that_goes_on_may_be_killed_as_well(run: Run, tmp_path: Path) -> None:
    whole = list(run.anonymize(DOCUMENTS))
    results(run, DOCUMENTS, tmp_path, 32)
    results(run, DOCUMENTS, tmp_path, 16, resume=True)  # killed before it has come as far as the first
    found, replays = results(run, DOCUMENTS, tmp_path, resume=True)
    assert (found, replays) == (whole, 32)


def test_changed_and_new_documents_are_done_and_failures_tried_again(run: Run, tmp_path: Path) -> None:
    unreadable = Failure.of(FormatError("is not UTF-8", where="malo.txt"))
    first, _ = results(run, [*DOCUMENTS[:5], unreadable, *DOCUMENTS[5:]], tmp_path)
    assert isinstance(first[5], Failure)
    changed = Document("n7", "Paciente: Eva Gil Ruiz.")
    again = [*DOCUMENTS[:5], Document("malo", "Paciente: Eva Gil."), *DOCUMENTS[5:7], changed, *DOCUMENTS[8:]]
    found, replays = results(run, again, tmp_path, resume=True)
    assert found == list(run.anonymize(again))
    assert replays == 7  # what follows a document that is gone is done again


def test_it_is_refused_where_it_would_do_harm(run: Run, tmp_path: Path) -> None:
    results(run, DOCUMENTS, tmp_path, 16)
    with pytest.raises(ConfigError, match="--resume"):
        Journal(tmp_path, KEY, ABOUT, resume=False)
    with pytest.raises(ConfigError, match="another key"):
        Journal(tmp_path, KEY, {"policy": "default"}, resume=True)
    with pytest.raises(ConfigError, match="another key"):
        Journal(tmp_path, Secret(b"otra clave bastante larga").key(), ABOUT, resume=True)
    assert results(run, DOCUMENTS, tmp_path, resume=True)[1] == 16


def test_it_holds_nothing_of_the_originals(run: Run, tmp_path: Path) -> None:
    results(run, DOCUMENTS, tmp_path, 32)
    assert (tmp_path / NAME).stat().st_mode & 0o077 == 0
    told = str(list(journals._frames(tmp_path / NAME, AESGCM(KEY.derive("journal")))))
    assert "NOMBRE_SUJETO_ASISTENCIA" in told
    assert all(word not in told for word in ("Belén", "Pérez", "Soto", "76547", "/03/2019", "n31"))


def test_nobody_without_the_key_finds_a_surrogate_in_it(run: Run, tmp_path: Path) -> None:
    """The bytes as they are, and each stretch of them that zlib can unpack."""
    found, _ = results(run, DOCUMENTS, tmp_path, 32)
    surrogates = {
        item.text[r.start : r.end].encode() for item in found if isinstance(item, Anonymized) for r in item.replaced
    }
    content = (tmp_path / NAME).read_bytes()
    readable = [content]
    for at in range(len(content)):
        with suppress(zlib.error):
            readable.append(zlib.decompressobj().decompress(content[at:]))
    assert len(surrogates) > 60
    assert not [word for word in (*surrogates, b"FECHAS", b"NOMBRE") for text in readable if word in text]


def test_an_entry_that_was_moved_or_changed_is_not_used(run: Run, tmp_path: Path) -> None:
    results(run, DOCUMENTS, tmp_path, 32)
    content = bytearray((tmp_path / NAME).read_bytes())
    content[-40] ^= 1
    (tmp_path / NAME).write_bytes(content)
    found, replays = results(run, DOCUMENTS, tmp_path, resume=True)
    assert (found, replays) == (list(run.anonymize(DOCUMENTS)), 16)


def test_files_that_the_killed_run_was_writing_are_deleted(run: Run, tmp_path: Path) -> None:
    results(run, DOCUMENTS, tmp_path, 16)
    (tmp_path / "sub").mkdir()
    half, own = tmp_path / "sub" / ".0123456789abcdef.part", tmp_path / "sub" / ".nota.part"
    half.touch()
    own.touch()
    results(run, DOCUMENTS, tmp_path, resume=True)
    assert (half.exists(), own.exists()) == (False, True)

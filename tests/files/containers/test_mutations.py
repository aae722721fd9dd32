"""Damaged files of every container: one clear error or a whole copy, never a crash, a hang or half a file."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from nadie.document import Document
from nadie.errors import Failure
from nadie.files.container import CONTAINERS
from nadie.files.recognition import recognise
from nadie.files.source import Source
from nadie.run.rewriting import Rewritten

from .helpers import anonymized, run_files, texts_of
from .mutations import mutated
from .samples import SAMPLES

WITH_NEW_IDS = {"a.dcm", "a.hl7", "a.json", "a.ndjson", "a.xml"}


def test_every_container_has_a_sample() -> None:
    kinds = {recognise(Source(name, name, None, make())) for name, make in SAMPLES.items()}
    assert kinds == set(CONTAINERS.names())


@pytest.mark.parametrize("name", SAMPLES)
def test_a_whole_file_without_edits_comes_back_readable(name: str) -> None:
    content = SAMPLES[name]()
    copy, account = anonymized(content, name, {})
    assert account.failures == [] or name == "a.eml"  # it has an attachment that cannot be read
    again = anonymized(copy, name, {})[0]
    assert again == copy or name in WITH_NEW_IDS
    assert texts_of(again, name) == texts_of(copy, name)


@pytest.mark.parametrize("name", SAMPLES)
def test_damaged_files(name: str, tmp_path: Path) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    copies = list(mutated(SAMPLES[name](), 60))
    for number, copy in enumerate(copies):
        (folder / f"{number}{Path(name).suffix}").write_bytes(copy)
    start = time.process_time()
    done = list(run_files([folder], out))
    assert time.process_time() - start < 60
    assert len(done) >= len(copies)  # of documents in JSON lines each line may fail
    assert all(isinstance(item, (Rewritten, Failure, Document)) for item in done)
    assert not any("Ana" in str(item) or "Mu" in str(item) for item in done if isinstance(item, Failure))
    written = {file.name for file in out.rglob("[!.]*")} if out.exists() else set()
    assert written == {item.name for item in done if isinstance(item, Rewritten)}


@pytest.mark.parametrize("name", SAMPLES)
def test_every_cut_of_a_file(name: str) -> None:
    content = SAMPLES[name]()
    for end in range(0, len(content), max(1, len(content) // 50)):
        told = ""
        try:
            anonymized(content[:end], name, {})
        except Exception as error:
            told = str(error)
        assert "Ana" not in told

"""`nadie corpus download` as it is called."""

from __future__ import annotations

import io
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from typer.testing import CliRunner, Result

from nadie.cli.main import build
from nadie.corpus.download import source
from nadie.errors import CorpusError, UnknownNameError

from .archives import archive
from .server import Behaviour, serving


def run(*arguments: object, address: str = "") -> Result:
    environment = {"NADIE_CORPUS_URL": address, "no_proxy": "127.0.0.1"}
    return CliRunner(env=environment).invoke(build(["corpus"]), ["corpus", *map(str, arguments)])


def test_the_help_teaches() -> None:
    result = run("download", "--help")
    assert result.exit_code == 0
    assert "nadie corpus download meddocan --to meddocan" in result.stdout


def test_an_unknown_corpus_is_told() -> None:
    result = run("download", "i2b2", "--to", "x")
    assert isinstance(result.exception, UnknownNameError)
    assert "meddocan" in str(result.exception)


def test_what_is_not_the_corpus_is_refused(tmp_path: Path) -> None:
    with serving(Behaviour(archive())) as address:
        result = run("download", "meddocan", "--to", tmp_path / "corpus", "--url", address)
    assert isinstance(result.exception, CorpusError)
    assert "train/brat, dev/brat, dev/xml differ from it" in str(result.exception)
    assert list(tmp_path.iterdir()) == []


def test_the_home_of_the_corpus() -> None:
    meddocan = source("meddocan")
    assert meddocan.address.startswith("https://zenodo.org/records/4279323/files/meddocan.zip")
    assert set(meddocan.manifest) == {"train/brat", "dev/brat", "dev/xml"}
    assert all(len(bytes.fromhex(checksum)) == 32 for checksum in (meddocan.archive, *meddocan.manifest.values()))


@pytest.mark.corpus
def test_the_real_training_and_development_sets_pass_their_checksums(meddocan: Path, tmp_path: Path) -> None:
    memory = io.BytesIO()
    with ZipFile(memory, "w", ZIP_DEFLATED, compresslevel=1) as target:
        for part in ("train/brat", "dev/brat", "dev/xml"):
            for file in sorted((meddocan / part).iterdir()):
                target.write(file, f"meddocan/{part}/{file.name}")
        target.writestr("meddocan/other/x.txt", "unknown")
    with serving(Behaviour(memory.getvalue(), cuts=[500_000])) as address:
        result = run("download", "meddocan", "--to", tmp_path / "corpus", address=address)
    assert result.exit_code == 0, result.exception
    assert result.stdout.split() == [str(tmp_path / "corpus" / part) for part in ("dev/brat", "dev/xml", "train/brat")]
    assert "left out, because nadie has no checksum for them: other" in result.stderr
    assert "CC BY 4.0" in result.stderr
    assert len(list((tmp_path / "corpus/train/brat").iterdir())) == 1000
    assert "already downloaded" in run("download", "meddocan", "--to", tmp_path / "corpus").stderr

"""What `make release` is made of. The whole of it takes minutes, so only its parts run here."""

from __future__ import annotations

import json
import subprocess
import tarfile
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from release import locking, materials, site, smoke
from release.checksums import write_checksums
from release.version import ROOT, version_in_agreement

from nadie.errors import MissingExtraError


def test_all_files_state_the_same_version() -> None:
    assert version_in_agreement() == metadata.version("nadie")


def test_a_version_that_the_citation_does_not_have_is_refused(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "CITATION.cff", "CHANGELOG.md"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    text = (tmp_path / "pyproject.toml").read_text(encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(text.replace('version = "', 'version = "9', 1), encoding="utf-8")
    with pytest.raises(SystemExit, match="CITATION"):
        version_in_agreement(tmp_path)


def test_sha256sum_reads_the_checksums(tmp_path: Path) -> None:
    (tmp_path / "wheels").mkdir()
    (tmp_path / "wheels" / "a.whl").write_bytes(b"a")
    (tmp_path / "b.txt").write_bytes(b"b")
    write_checksums(tmp_path)
    check = ["sha256sum", "--check", "--quiet", "SHA256SUMS"]
    assert subprocess.run(check, cwd=tmp_path, check=False).returncode == 0
    (tmp_path / "b.txt").write_bytes(b"c")
    assert subprocess.run(check, cwd=tmp_path, check=False, capture_output=True).returncode == 1


def test_the_last_commit_is_exported_by_the_first_python_that_is_supported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python 3.11.2, that of Debian 12, has no `filter` in `tarfile`."""
    monkeypatch.delattr(tarfile.TarFile, "extractall")
    site.export(tmp_path / "source", "LICENSE", "scripts/release")
    assert (tmp_path / "source" / "LICENSE").read_bytes()
    assert (tmp_path / "source" / "scripts" / "release" / "site.py").stat().st_mode & 0o777 == 0o644


def test_the_site_is_in_one_archive_that_opens_from_a_disk(tmp_path: Path) -> None:
    site.write_site(tmp_path, "0.0.0")
    with tarfile.open(site.site_of(tmp_path, "0.0.0")) as archive:
        names = archive.getnames()
        assert len({member.mtime for member in archive.getmembers()}) == 1
    pages = {f"nadie-0.0.0-docs/{page}" for page in ("index.html", "en/start.html", "es/start.html")}
    assert pages <= set(names)
    assert site.site_of(tmp_path, "0.0.0").name in (tmp_path / "SHA256SUMS").read_text("utf-8")


def test_the_bill_names_packages_and_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        materials, "compiled", lambda: "numpy==2.4.6 ; python_version < '3.12' \\\n    --hash=sha256:0\n"
    )
    wheel = tmp_path / "nadie.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("nadie/models/fast/checksums.json", "{}")
        archive.writestr("nadie/models/fast/card.json", json.dumps({"version": "0.1.0", "purpose": "for notes"}))
    bill = json.loads(materials.bill_of_materials(wheel, "0.1.0"))
    assert [(part["type"], part["name"], part["version"]) for part in bill["components"]] == [
        ("library", "numpy", "2.4.6"),
        ("machine-learning-model", "fast", "0.1.0"),
    ]


def test_every_installation_has_extras_that_exist() -> None:
    known = set(metadata.metadata("nadie").get_all("Provides-Extra") or ())
    assert {extra for extras in locking.INSTALLATIONS.values() for extra in extras} <= known


def test_a_missing_extra_is_installed_from_where_nadie_came_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metadata, "distribution", lambda _: metadata.Distribution.at(tmp_path))
    assert str(MissingExtraError("PDF", "pdf")).endswith("pip install 'nadie[pdf]'")
    noted = {"url": "file:///opt/nadie-0.1.0-py3-none-any.whl", "archive_info": {}}
    (tmp_path / "direct_url.json").write_text(json.dumps(noted), encoding="utf-8")
    assert str(MissingExtraError("PDF", "pdf")).endswith("'nadie[pdf] @ file:///opt/nadie-0.1.0-py3-none-any.whl'")


def _program(folder: Path, name: str, script: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def test_a_launcher_without_interpreter_is_replaced_by_that_of_pyenv_or_uv_and_the_rest_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    launchers = tmp_path / "bin"
    for version in smoke.SUPPORTED:
        _program(launchers, f"python{version}", "echo no such version >&2; exit 127")
    of_pyenv = _program(tmp_path / "versions" / "bin", "python3.12", "echo 3.12")
    of_uv = _program(tmp_path / "uv", "python3.13", "echo 3.13")
    _program(launchers, "pyenv", f'test "$2" = 3.12 && echo {tmp_path}/versions')
    _program(launchers, "uv", f'test "$3" = 3.13 && echo {of_uv}')
    monkeypatch.setenv("PATH", str(launchers))
    assert smoke.interpreters() == [str(of_pyenv), str(of_uv)]
    assert "NOT TRIED: Python 3.11:" in capsys.readouterr().out
    of_uv.unlink()
    of_pyenv.unlink()
    with pytest.raises(SystemExit, match="none of the supported"):
        smoke.interpreters()

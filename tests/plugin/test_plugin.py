"""The plug-in of docs/en/contribute/plugins.md, installed and used from the command line, from Python and over HTTP."""

from __future__ import annotations

import base64
import os
import re
import socket
import struct
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = "Ingresa en Planta Norte."
ANONYMIZED = "Ingresa en [INSTITUCION]."


def recorded(*texts: str) -> bytes:
    """A file of the container `monitor`."""
    return b"MON\1" + b"".join(struct.pack(">H", len(text.encode())) + text.encode() for text in texts)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a file for the format and one for the container."""
    given = tmp_path / "in"
    given.mkdir()
    (given / "visita.rounds").write_text(f"uno\t{TEXT}\ndos\tSin datos.\n", encoding="utf-8")
    (given / "cama.mon").write_bytes(recorded("Tensión 120/80", TEXT))
    return given


def ran(plugin: Path, *command: str, ok: bool = True) -> str:
    """The output of a Python process with the plug-in on its path."""
    environment = {**os.environ, "PYTHONPATH": str(plugin)}
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode == 0) is ok, done.stderr
    return done.stdout + done.stderr


def test_the_page_shows_the_package() -> None:
    page = (ROOT / "docs" / "en" / "contribute" / "plugins.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    (metadata,) = re.findall(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    here = Path(__file__).parent
    assert code == (here / "nadie_ward.py").read_text(encoding="utf-8")
    whole = (here / "pyproject.toml").read_text(encoding="utf-8")  # with the detector of the service's tests, too
    assert metadata == whole.replace(', "nadie_probe"', "").replace('probe = "nadie_probe:Probe"\n', "").replace(
        'harmful = "nadie_probe:Harmful"\n', ""
    )


def test_the_command_line(plugin: Path, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    ran(plugin, "-m", "nadie", "anonymize", str(folder), "--model", "ward", "--out", str(out))
    assert (out / "uno.txt").read_text(encoding="utf-8") == ANONYMIZED
    assert (out / "dos.txt").read_text(encoding="utf-8") == "Sin datos."
    assert (out / "cama.mon").read_bytes() == recorded("Tensión 120/80", ANONYMIZED)


def test_the_operator_and_new_names_on_the_command_line(plugin: Path, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    options = ["--model", "ward", "--operator", "INSTITUCION=initial", "--rename", "number", "--out", str(out)]
    ran(plugin, "-m", "nadie", "anonymize", str(folder / "cama.mon"), *options)
    assert (out / "1.mon").read_bytes() == recorded("Tensión 120/80", "Ingresa en P..")


def test_the_format_is_converted_from_and_to(plugin: Path, folder: Path, tmp_path: Path) -> None:
    for number, name in enumerate(("jsonl", "rounds")):
        source = folder / "visita.rounds" if not number else tmp_path / "0"
        ran(plugin, "-m", "nadie", "convert", str(source), "--to", name, "--out", str(tmp_path / str(number)))
    assert (tmp_path / "1" / "documents.rounds").read_bytes() == (folder / "visita.rounds").read_bytes()


def test_a_file_in_an_archive(plugin: Path, folder: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "in.zip", "w") as archive:
        archive.write(folder / "cama.mon", "cama.mon")
    options = ["--model", "ward", "--out", str(tmp_path / "out")]
    ran(plugin, "-m", "nadie", "anonymize", str(tmp_path / "in.zip"), *options)
    with zipfile.ZipFile(tmp_path / "out" / "in.zip") as archive:
        assert archive.read("cama.mon") == recorded("Tensión 120/80", ANONYMIZED)


@pytest.mark.parametrize(("name", "content"), [("otra.mon", b"\0\1\2" + TEXT.encode()), ("otra.bin", recorded(TEXT))])
def test_a_file_without_its_first_bytes_or_its_suffix_is_refused(
    plugin: Path, tmp_path: Path, name: str, content: bytes
) -> None:
    (tmp_path / name).write_bytes(content)
    options = ["--model", "ward", "--out", str(tmp_path / "out")]
    said = ran(plugin, "-m", "nadie", "anonymize", str(tmp_path / name), *options, ok=False)
    assert "binary data in an unknown format" in said
    assert not list((tmp_path / "out").rglob("*.*"))


def test_python(plugin: Path) -> None:
    code = f"import nadie; print(nadie.load('ward', operator='initial').anonymize({TEXT!r}))"
    assert ran(plugin, "-c", code) == "Ingresa en P..\n"
    code = "import nadie; print(nadie.load('ward').about['model'])"
    assert "'version': '1.0'" in ran(plugin, "-c", code)


def test_a_mode_needs_a_model_folder(plugin: Path, tmp_path: Path) -> None:
    (tmp_path / "nota.txt").write_text(TEXT, encoding="utf-8")
    options = ["--model", "ward", "--mode", "recall"]
    said = ran(plugin, "-m", "nadie", "anonymize", str(tmp_path / "nota.txt"), *options, ok=False)
    assert "has no mode 'recall'" in said


@pytest.fixture(scope="module")
def url(plugin: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of `nadie serve` with the detector as its model and the operator as its policy."""
    policy = tmp_path_factory.mktemp("policy") / "iniciales.toml"
    policy.write_text('name = "iniciales"\ndefault = "initial"\n', encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    config = policy.with_name("serve.toml")
    config.write_text(f"policy = {str(policy)!r}\n", encoding="utf-8")
    command = [sys.executable, "-m", "nadie", "serve", "-m", "ward", "--config", str(config), "--port", str(port)]
    environment = {**os.environ, "PYTHONPATH": str(plugin)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        yield f"http://127.0.0.1:{port}"
        server.terminate()


def asked(url: str, path: str, **body: object) -> Any:
    """The answer of the service, which may still be starting."""
    httpx2 = pytest.importorskip("httpx2")
    for _ in range(300):
        try:
            if httpx2.get(f"{url}/ready", trust_env=False).status_code == 200:
                break
        except httpx2.TransportError:
            time.sleep(0.1)
    answer = httpx2.post(f"{url}{path}", json=body, trust_env=False)
    assert answer.status_code == 200, answer.text
    return answer


def test_http(url: str) -> None:
    answer = asked(url, "/v1/anonymize", text=TEXT).json()
    assert (answer["text"], answer["model"]) == ("Ingresa en P..", "ward")


def test_files_over_http(url: str, folder: Path) -> None:
    given = {path.suffix: path for path in folder.iterdir()}
    bodies = {
        suffix: {"name": path.name, "content": base64.b64encode(path.read_bytes()).decode()}
        for suffix, path in given.items()
    }
    assert [each["text"] for each in asked(url, "/v1/open", **bodies[".rounds"]).json()] == [TEXT, "Sin datos."]
    (opened,) = asked(url, "/v1/open", **bodies[".mon"]).json()
    spans = asked(url, "/v1/annotate", text=opened["text"]).json()["spans"]
    reviewed = {"name": opened["name"], "spans": spans}
    files = [{"file": bodies[".mon"], "documents": [reviewed]}]
    assert asked(url, "/v1/export/original", files=files).content == recorded("Tensión 120/80", "Ingresa en P..")


def test_a_class_that_cannot_be_imported_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "broken-1.0.dist-info"
    broken.mkdir()
    (broken / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (broken / "entry_points.txt").write_text("[nadie.detectors]\nlost = no_such_module:Lost\n")
    said = ran(tmp_path, "-c", "import nadie; nadie.load('lost')", ok=False)
    assert "the detector 'lost' (no_such_module:Lost) cannot be imported" in said


def test_two_packages_with_one_name_are_an_error(tmp_path: Path) -> None:
    other = tmp_path / "other-1.0.dist-info"
    other.mkdir()
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.0\n")
    (other / "entry_points.txt").write_text("[nadie.detectors]\npatterns = json:JSONDecoder\n")
    said = ran(tmp_path, "-c", "import nadie; nadie.load('patterns')", ok=False)
    assert "two packages register a detector called 'patterns'" in said

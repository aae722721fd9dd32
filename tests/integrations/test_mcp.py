"""The tools of `nadie mcp`, called by the protocol's own client over standard input and output."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from command_line import run_command

mcp = pytest.importorskip("mcp")
from mcp.client.stdio import StdioServerParameters, stdio_client  # noqa: E402

NAME = "Lucía Prado Ferrer"
NOTE = f"Paciente: {NAME}, 54 años. Ingresa el 03/01/2024.\n"


def call(folder: Path, *calls: tuple[str, dict[str, Any]], options: tuple[str, ...] = ()) -> tuple[list[Any], str]:
    """The results of the calls after the list of tools, and what the server wrote to stderr."""
    log = folder.parent / "log"

    async def run() -> list[Any]:
        command = ["-m", "nadie", "mcp", str(folder), *options]
        server = StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ), cwd=folder.parent)
        with log.open("w") as errors:
            async with mcp.Client(stdio_client(server, errors)) as client:
                tools = [tool.name for tool in (await client.list_tools()).tools]
                return [tools, *[await client.call_tool(name, arguments) for name, arguments in calls]]

    return asyncio.run(run()), log.read_text()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    (folder / "notes").mkdir(parents=True)
    (folder / "notes" / f"{NAME}.txt").write_text(NOTE, "utf-8")
    (folder / "notes" / "otra.pdf").write_bytes(b"%PDF-1.4 broken")
    assert run_command("key", "new", tmp_path / "key").returncode == 0
    return folder


def test_anonymized_annotated_and_restored_by_paths(folder: Path) -> None:
    given, hidden, marked, back = (str(folder / name) for name in ("notes", "hidden", "marked", "back"))
    (tools, first, second, third), log = call(
        folder,
        ("anonymize", {"paths": [given], "out": hidden}),
        ("annotate", {"paths": [given], "out": marked}),
        ("restore", {"paths": [hidden], "out": back}),
        options=("--vault", str(folder.parent / "vault"), "--key-file", str(folder.parent / "key")),
    )
    assert tools == ["anonymize", "annotate", "restore"]
    for result, out in ((first, hidden), (second, marked)):
        assert not result.is_error, result
        assert result.structured_content["out"] == out
        assert (result.structured_content["handled"], result.structured_content["failed"]) == (1, 1)
    (copy,) = Path(hidden).glob("*.txt")
    assert NAME not in copy.read_text("utf-8")
    assert [file.read_text("utf-8") for file in Path(back).rglob("*.txt")] == [NOTE]
    assert third.structured_content["handled"] == 1
    assert "NOMBRE_SUJETO_ASISTENCIA" in next(Path(marked).glob("*.ann")).read_text("utf-8")
    for word in ("Prado", "otra.pdf"):
        assert word not in f"{first}{second}{third}", "neither texts nor names of files are told"
    assert log == ""


def test_what_is_refused(folder: Path) -> None:
    (tools, outside, missing, wrong, into), log = call(
        folder,
        ("anonymize", {"paths": [str(folder / "notes" / ".." / ".." / "key")], "out": str(folder / "out")}),
        ("anonymize", {"paths": [str(folder / "Prado.txt")], "out": str(folder / "out")}),
        ("restore", {"paths": [str(folder)], "out": str(folder / "out")}),
        ("anonymize", {"paths": [str(folder / "notes")], "out": str(folder / "notes")}),
    )
    assert tools == ["anonymize", "annotate"]
    assert "outside the folders" in str(outside.content)
    for result in (outside, wrong, into):
        assert result.is_error
    assert missing.is_error or missing.structured_content["failed"] == 1
    assert "Paciente" not in f"{outside}{missing}{wrong}{into}"
    assert log == ""


@pytest.mark.parametrize("place", ["notes", "out"])
def test_links_that_lead_outside_are_refused(folder: Path, place: str) -> None:
    secret, out = folder.parent / "secret", folder / "out"
    for each in (secret, out):
        each.mkdir()
    (secret / "a.txt").write_text(NOTE, "utf-8")
    (folder / place / "link").symlink_to(secret if place == "out" else secret / "a.txt")
    calls = [(tool, {"paths": [str(folder / "notes")], "out": str(out)}) for tool in ("anonymize", "annotate")]
    (_, *results), _ = call(folder, *calls)
    assert all(result.is_error and "leads outside" in str(result.content) for result in results)
    assert [path.name for path in out.iterdir()] == (["link"] if place == "out" else [])
    assert [path.name for path in secret.iterdir()] == ["a.txt"]

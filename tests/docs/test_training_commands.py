"""Commands that train the shipped models: one root for paths, settings that exist and that the models have."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from nadie.config import Preset, parse_config
from nadie.detector import DETECTORS
from nadie.papers.exhaustive import RUNS
from nadie.storage import find_model, read_model

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
SHIPPED = ("recrf", "bilstm_crf", "e2ej", "tccnn", "exhaustive")
_NOT_COMPARED = {"vectors", "texts", "start", "sizes"}  # paths, and the size that a training chooses by `coverage`


def commands(page: Path) -> list[list[str]]:
    """The words of every `nadie train` command in the code blocks of a page."""
    blocks = re.findall(r"^```text\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    lines = "\n".join(blocks).replace("\\\n", " ").splitlines()
    return [shlex.split(line, comments=True) for line in lines if re.match(r"nadie train [a-z]", line)]


def options(command: list[str]) -> dict[str, str]:
    given = [command[i + 1] for i, word in enumerate(command) if word == "--set"]
    return dict(each.split("=", 1) for each in given)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_meddocan_is_in_one_folder_on_all_pages(page: Path) -> None:
    assert not re.findall(r"\bcorpus/(?:train|dev|background|test)\b", page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)], ids=lambda page: page.stem)
def test_commands_have_settings_of_the_system(page: Path) -> None:
    for command in commands(page):
        system = DETECTORS.get(command[2])
        preset = dict(Preset.beside(system).options) if "--preset" in command else {}
        parse_config(system.config_type, {**preset, **options(command)})


@pytest.mark.parametrize("name", SHIPPED)
def test_the_command_of_a_shipped_model_gives_its_settings(name: str) -> None:
    page = ROOT / "docs" / "en" / "understand" / "systems" / f"{name}.md"
    (command,) = [each for each in commands(page) if "meddocan/dev/brat" in each and "--dev" not in each]
    config_type = DETECTORS.get(name).config_type
    of_command = parse_config(config_type, _compared(options(command)))
    stored = read_model(find_model(name)).config
    of_model = parse_config(config_type, _compared({**stored}))
    assert of_command == of_model


@pytest.mark.parametrize("card", sorted((ROOT / "src/nadie/models").glob("*/card.json")), ids=lambda p: p.parent.name)
def test_a_card_names_pages_that_exist(card: Path) -> None:
    for page in re.findall(r"docs/[\w/.-]+\.md", json.dumps(json.loads(card.read_text(encoding="utf-8")))):
        assert (ROOT / page).is_file()


def _compared(given: dict[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in given.items() if key not in _NOT_COMPARED}
    runs = {frozenset(members): run for run, members in RUNS.items() if len(members) > 1}
    of_run = runs.get(frozenset(str(kept.get("variants", "")).split(",")))
    return {**kept, "variants": of_run} if of_run else kept

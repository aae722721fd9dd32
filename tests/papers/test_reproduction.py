"""`make papers` on a small corpus, its tables, and the stored models of the presets."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from pathlib import Path

import paper_tables
import pytest

import nadie
import papers
from invented_notes import invented
from nadie.config import Preset, parse_config
from nadie.detector import DETECTORS
from nadie.document import Document
from nadie.storage import find_model, read_model

ROOT = Path(__file__).resolve().parents[2]
STORED = sorted(path.name for path in (ROOT / "papers").iterdir() if path.is_dir())
PUBLISHED = json.loads((ROOT / "docs" / "results.json").read_text(encoding="utf-8"))["papers"]


def write_brat(folder: Path, documents: list[Document]) -> None:
    folder.mkdir(parents=True)
    for document in documents:
        (folder / f"{document.id}.txt").write_text(document.text, encoding="utf-8")
        lines = [
            f"T{i}\t{s.label} {s.start} {s.end}\t{document.text[s.start : s.end]}\n"
            for i, s in enumerate(document.spans, 1)
        ]
        (folder / f"{document.id}.ann").write_text("".join(lines), encoding="utf-8")


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of a run of one preset, and what it printed."""
    corpus, out = tmp_path_factory.mktemp("corpus"), tmp_path_factory.mktemp("out")
    write_brat(corpus / "train" / "brat", invented(40, 1))
    write_brat(corpus / "dev" / "brat", invented(10, 2))
    return out, run(out, corpus, "--only", "recrf-paper")


def run(out: Path, corpus: Path, *options: str) -> str:
    environment = {"NADIE_MEDDOCAN": str(corpus), "PATH": "/usr/bin:/bin"}
    command = [sys.executable, str(ROOT / "scripts" / "papers.py"), "--out", str(out), *options]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


def test_it_trains_evaluates_and_prints_every_table(done: tuple[Path, str]) -> None:
    out, printed = done
    (result,) = json.loads((out / "papers.json").read_text(encoding="utf-8"))["runs"]
    assert result["figures"][""]["subtask1"][2] > 80
    assert set(result["figures"]) == {"", "rules alone"}
    assert "| the preset |" in printed
    assert "96.33" in printed
    assert "Table 3 of Sohrab et al. 2019" in printed


def test_what_is_done_is_not_done_again(done: tuple[Path, str]) -> None:
    out, _ = done
    model = out / "models" / "recrf-paper-1" / "weights.npz"
    before = model.stat().st_mtime_ns
    printed = run(out, out, "--tables")
    assert "| the preset |" in printed
    assert model.stat().st_mtime_ns == before


@pytest.mark.parametrize("each", papers.planned(), ids=lambda each: each.name)
def test_every_planned_run_has_settings_of_its_system(each: papers.Run) -> None:
    system = DETECTORS.get(each.system)
    options = {**Preset.beside(system).options, **each.changes}
    for reading in each.readings.values():
        parse_config(system.config_type, {**options, **reading})


def test_several_seeds_have_an_interval_of_their_mean() -> None:
    seeds = [{"subtask1": [0.0, 0.0, value], "interval": None} for value in (90.0, 91.0, 92.0)]
    assert paper_tables.score(seeds, "subtask1") == "91.00 ± 2.48 (3 seeds)"
    both = {("e2ej-paper", ""): seeds, ("e2ej-paper-single", ""): [{**seeds[0], "strict": [0, 0, 1.0]}] * 3}
    for figures in seeds:
        figures["strict"] = [0.0, 0.0, 1.0]
    assert "gains 1.00 ± 2.48 points" in paper_tables.e2ej(PUBLISHED, both)


@pytest.mark.parametrize("name", STORED)
def test_a_stored_preset_loads_by_name(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        folder = read_model(find_model(name))
    assert folder.card["preset"] == "paper"
    assert folder.card["scores"]["dev"]["subtask1_f1"] > 0.8
    expected = Preset.beside(DETECTORS.get(folder.system)).options | folder.card["changed"]
    assert {key: folder.config[key] for key in expected if key not in ("texts", "vectors")} == {
        key: value for key, value in expected.items() if key not in ("texts", "vectors")
    }
    found = nadie.load(name).annotate("Nombre: Marta.\nApellidos: Soto Gil.\nFecha de nacimiento: 03/04/1961.").spans
    assert found

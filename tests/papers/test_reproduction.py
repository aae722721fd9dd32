"""`make papers` on a small corpus, its tables, and the stored models of the presets."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import warnings
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np
import paper_cells
import paper_tables
import pytest
from paper_candidates import candidate_figures

import nadie
import papers
from invented_notes import invented
from nadie.config import Preset, parse_config
from nadie.detector import DETECTORS
from nadie.document import Document
from nadie.evaluation.evaluate import evaluate
from nadie.papers.tccnn import TCCNN
from nadie.papers.tccnn.classify import Scores
from nadie.papers.tccnn.encoding import Channels
from nadie.storage import find_model, read_model

ROOT = Path(__file__).resolve().parents[2]
STORED = sorted(path.name for path in (ROOT / "papers").iterdir() if path.is_dir())
PUBLISHED = json.loads((ROOT / "docs" / "results.json").read_text(encoding="utf-8"))["papers"]


TABLES = {
    "Hassan et al.": {"1", "2", "3", "4"},
    "Suárez-Paniagua": {"1", "2"},
    "Jabreel et al.": {"1", "2"},
    "Porta-Zamorano": {"1", "2.1", "2.2"},
    "Sohrab et al.": {"1", "2", "3"},
}
"""The tables of the five papers, without figures and equations."""


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
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    write_brat(folder / "train" / "brat", invented(40, 1))
    write_brat(folder / "dev" / "brat", invented(10, 2))
    return folder


@pytest.fixture(scope="module")
def done(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of a run of one preset, and what it printed."""
    out = tmp_path_factory.mktemp("out")
    return out, run(out, corpus, "--only", "recrf-paper")


def run(out: Path, corpus: Path, *options: str) -> str:
    environment = {"NADIE_MEDDOCAN": str(corpus), "PATH": "/usr/bin:/bin"}
    command = [sys.executable, str(ROOT / "scripts" / "papers.py"), "--out", str(out), *options]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


def test_it_trains_evaluates_and_prints_every_table(done: tuple[Path, str]) -> None:
    out, printed = done
    result = json.loads((out / "papers.json").read_text(encoding="utf-8"))["runs"]["recrf-paper-1"]
    assert result["figures"][""]["subtask1"][2] > 80
    assert set(result["figures"]) == {"", "rules alone"}
    assert "| the preset |" in printed
    assert "96.33" in printed
    titles: dict[str, set[str]] = defaultdict(set)
    for numbers, authors in re.findall(r"^Tables? ([\d., and]+) of (.+?) 2019", printed, re.MULTILINE):
        titles[authors] |= set(re.findall(r"\d(?:\.\d)?", numbers))
    assert titles == TABLES


@pytest.mark.parametrize("name", paper_tables.PRINTED)
def test_a_printed_table_with_figures_stands_on_the_page(name: str) -> None:
    page = (ROOT / "docs" / "en" / "understand" / "papers.md").read_text(encoding="utf-8")
    made = json.loads((ROOT / "docs" / "results.json").read_text(encoding="utf-8"))["reproduced"].values()
    printed = paper_tables.PRINTED[name](PUBLISHED, paper_cells.reproduced(made))
    assert f"<!-- table: {name} -->" in page or not re.search(r"\d\d\.\d\d", printed)


def test_what_is_done_is_not_done_again(done: tuple[Path, str], corpus: Path) -> None:
    out, printed = done
    assert "nadie train recrf" in printed
    model, result = out / "models" / "recrf-paper-1" / "weights.npz", out / "results" / "recrf-paper-1.json"
    before, figures = model.stat().st_mtime_ns, result.read_bytes()
    result.unlink()  # as if it had been interrupted between training and evaluation
    again = run(out, corpus, "--only", "recrf-paper")
    assert "nadie train" not in again
    assert "| the preset |" in again
    assert model.stat().st_mtime_ns == before
    assert result.read_bytes() == figures


def test_a_published_result_with_the_same_settings_is_not_made_again(
    done: tuple[Path, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (result,) = [json.loads(path.read_text(encoding="utf-8")) for path in (done[0] / "results").iterdir()]
    each = next(run for run in papers.planned() if run.name == "recrf-paper")
    known = {"recrf-paper-1": {**result, "settings": each.fingerprint(papers.corpus_mark(tmp_path), None)}}
    papers.Workshop(tmp_path, tmp_path, known).make(each, 1)
    assert "docs/results.json" in capsys.readouterr().out
    assert not list((tmp_path / "models").iterdir())
    assert each.fingerprint("another corpus", None) != known["recrf-paper-1"]["settings"]


def test_a_shortened_training_is_shown_only_where_there_is_no_whole_one() -> None:
    figures = {"": {"subtask1": [0.0, 0.0, 90.0], "interval": None}}
    short = {"run": "e2ej-paper", "figures": figures, "epochs": 3}
    key = ("e2ej-paper", "")
    assert paper_cells.score(paper_cells.reproduced([short])[key], "subtask1") == "90.00 after 3 epochs"
    longer = {**short, "epochs": 5}
    assert paper_cells.score(paper_cells.reproduced([longer, short])[key], "subtask1") == "90.00 after 5 epochs"
    runs = paper_cells.reproduced([short, {"run": "e2ej-paper", "figures": figures}, longer])
    assert paper_cells.score(runs[key], "subtask1") == "90.00"
    assert paper_cells.score(runs["e2ej-paper@3", ""], "subtask1") == "90.00 after 3 epochs"


def test_joint_and_single_training_are_compared_after_equally_many_epochs() -> None:
    def of(run: str, epochs: int, f1: float) -> dict[str, object]:
        three = [0.0, 0.0, f1]
        return {"run": run, "epochs": epochs, "figures": {"": {"subtask1": three, "strict": three, "interval": None}}}

    runs = paper_cells.reproduced([of("e2ej-paper", 5, 90), of("e2ej-paper", 7, 91), of("e2ej-paper-single", 5, 89)])
    printed = paper_tables.e2ej(PUBLISHED, runs)
    of_paper = "95.98 / 95.69 / 95.83 | 96.76 / 96.45 / 96.61"
    assert f"| E2EJ | {of_paper} | 0.00 / 0.00 / 91.00 after 7 epochs | 0.00 / 0.00 / 91.00 |" in printed
    alike = "0.00 / 0.00 / 90.00 after 5 epochs | 0.00 / 0.00 / 90.00"
    assert f"| E2EJ, trained as long as E2E |  |  | {alike} |" in printed


def test_a_change_after_training_is_named_by_its_reading() -> None:
    def of(f1: float) -> list[dict[str, object]]:
        return [{"subtask1": [96.0, 94.0, f1], "merged": [97.0, 95.0, f1 + 1], "interval": None}]

    runs = {
        ("exhaustive-paper", ""): of(95),
        ("exhaustive-paper", "nested=true"): of(94),
        ("exhaustive-paper-lm-attn-none", ""): of(93),
        ("exhaustive-sizes=8", "nested=true"): of(92),
        ("exhaustive-sizes=8@2", "nested=true"): of(92),
    }
    assert paper_tables.exhaustive_differences(PUBLISHED, runs).splitlines()[2:] == [
        "| `exhaustive` | `nested=true` | 95.00 | 96.00 / 94.00 / 94.00 | 97.00 / 95.00 / 95.00 |",
        "| `exhaustive` | `sizes=8, nested=true` | 95.00 | 96.00 / 94.00 / 92.00 | 97.00 / 95.00 / 93.00 |",
    ]


def test_a_submitted_run_may_be_trained_alone() -> None:
    def of(f1: float) -> list[dict[str, object]]:
        three = [90.0, 90.0, f1]
        return [{**dict.fromkeys(paper_cells.TASKS, three), "interval": None, "leak": 0.05}]

    voted = {("exhaustive-paper-vote", "lm-attn-none"): of(80)}
    alone = {("exhaustive-paper-lm-attn-none", ""): of(85)}
    row = "| LM-Attn-None | subtask 1 | 93.25 / 88.61 / 90.87 | 93.29 / 88.85 / 90.81 | 90.00 / 90.00 / {} |"
    assert row.format("80.00") in paper_tables.exhaustive(PUBLISHED, voted)
    assert row.format("85.00") in paper_tables.exhaustive(PUBLISHED, {**voted, **alone})


def test_the_vote_is_compared_with_its_members_and_shown_by_label_only_if_trained_whole() -> None:
    def of(f1: float, **more: object) -> list[dict[str, object]]:
        labels = {"CALLE": [f1, f1, f1, 4]}
        return [{**{task: [90.0, 90.0, f1] for task in paper_cells.TASKS}, "interval": None, "labels": labels, **more}]

    member = of(92, epochs=2, first_gains=[1.0, -0.25, 2.5])
    single = {("exhaustive-paper", ""): of(95)}
    voted = {("exhaustive-paper-vote", "ensemble"): of(93, epochs=2), ("exhaustive-paper-vote", "br-avg-none"): member}
    after = "90.00 / 90.00 / {0} after 2 epochs | 90.00 / 90.00 / {0} | 90.00 / 90.00 / {0}"
    assert paper_tables.exhaustive_vote(PUBLISHED, voted).splitlines()[2:] == [
        f"| ensemble | {after.format('93.00')} |  |",
        f"| br-avg-none | {after.format('92.00')} | +1.00 [−0.25; +2.50] |",
    ]
    row = "| CALLE | 77.19 | 63.92 | 69.93 | {0} | {0} | {0} | 4 |"
    assert row.format("95.00") in paper_tables.exhaustive_labels(PUBLISHED, {**single, **voted})
    whole = {("exhaustive-paper-vote", "ensemble"): of(94)}
    assert row.format("94.00") in paper_tables.exhaustive_labels(PUBLISHED, {**single, **whole})


def test_a_gain_is_that_over_the_same_documents() -> None:
    gold = invented(20, 1)
    half = [note.with_spans(note.spans if i < 10 else ()) for i, note in enumerate(gold)]
    gain, low, high = papers.gain_of(evaluate(gold, gold), evaluate(gold, half))
    assert gain == 33.33  # recall of one half and full precision are an F1 of two thirds
    assert low < gain < high
    assert papers.gain_of(evaluate(gold, half), evaluate(gold, half)) == [0.0, 0.0, 0.0]


def test_candidates_are_counted_with_those_that_are_no_entity() -> None:
    classifier = TCCNN.load(read_model(ROOT / "papers" / "tccnn-paper")).classifier

    def never(channels: Channels) -> Scores:
        scores = np.zeros((len(channels["left_words"]), len(classifier.vocabulary.labels)), dtype=np.float32)
        scores[:, 0] = 1.0
        return scores

    notes = invented(5, 1)
    nothing, found = (candidate_figures(each, notes) for each in (replace(classifier, network=never), classifier))
    assert nothing["accuracy"] == nothing["no_entity"] == found["no_entity"]
    assert all(each[:3] == [0.0, 0.0, 0.0] for each in nothing["labels"].values())
    assert found["accuracy"] > nothing["accuracy"]
    assert found["labels"]["TERRITORIO"][3] == 5
    runs = {("tccnn-paper", paper_tables.MAIN["tccnn"]): [{"candidates": found}]}
    assert f"| accuracy (the paper: 96.5 %) |  |  | {found['accuracy']:.1f} % |" in paper_tables.tccnn_labels(
        PUBLISHED, runs
    )


@pytest.mark.parametrize("name", STORED)
def test_a_stored_card_has_no_path_of_the_machine(name: str) -> None:
    assert "/" not in json.dumps(read_model(ROOT / "papers" / name).card["changed"])


@pytest.mark.parametrize("each", papers.planned(), ids=lambda each: each.name)
def test_every_planned_run_has_settings_of_its_system(each: papers.Run) -> None:
    system = DETECTORS.get(each.system)
    options = {**Preset.beside(system).options, **each.changes}
    for reading in each.readings.values():
        parse_config(system.config_type, {**options, **reading})


def test_several_seeds_have_an_interval_of_their_mean() -> None:
    seeds = [{"subtask1": [0.0, 0.0, value], "interval": None} for value in (90.0, 91.0, 92.0)]
    assert paper_cells.score(seeds, "subtask1") == "91.00 ± 2.48 (3 seeds)"
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
    named = {key: value for key, value in expected.items() if key not in ("texts", "vectors") and value != ""}
    assert {key: folder.config[key] for key in named} == named
    found = nadie.load(name).annotate("Nombre: Marta.\nApellidos: Soto Gil.\nFecha de nacimiento: 03/04/1961.").spans
    assert found

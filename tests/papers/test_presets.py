"""The presets: complete, each value with its reason, and a system trained with one is the paper's."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from command_line import run_command
from invented_notes import Silence, assert_export_agrees, invented, right
from nadie.config import Preset, parse_config, settings_of
from nadie.detector import DETECTORS, TrainingRun
from nadie.document import Document
from nadie.errors import ConfigError
from nadie.papers.e2ej import E2EJ, E2EJConfig
from nadie.papers.recrf import ReCRF
from nadie.papers.recrf.paper_features import GROUPS, PaperFeatures
from nadie.papers.recrf.sequence import TokenSequence
from nadie.papers.tccnn import TCCNN
from nadie.spanish.lexicon import Lexicon
from nadie.storage import read_model

SYSTEMS = ("recrf", "bilstm_crf", "e2ej", "tccnn", "exhaustive")
SMALL: dict[str, dict[str, Any]] = {
    "recrf": {},
    "bilstm_crf": {"word_embedding": 16, "word_hidden": 16, "epochs": 4, "learning_rate": 0.02, "storage": "float16"},
    "e2ej": {"word_embedding": 16, "word_hidden": 16, "epochs": 4, "learning_rate": 0.02, "batch_sequences": 8},
    "tccnn": {"embedding": 16, "epochs": 6, "batch": 32, "class_weights": "none", "rarest": 1},
    "exhaustive": {"word_embedding": 16, "word_hidden": 16, "epochs": 4, "learning_rate": 0.02, "sizes": 3},
}


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_preset_has_every_setting_with_one_reason(system: str) -> None:
    trainable = DETECTORS.get(system)
    preset = Preset.beside(trainable)
    assert set(preset.choices) == {each.name for each in settings_of(trainable.config_type())}
    assert all(bool(choice.paper) != bool(choice.ours) for choice in preset.choices.values())
    parse_config(trainable.config_type, preset.options)


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_setting_has_a_meaning(system: str) -> None:
    assert all(each.meaning for each in settings_of(DETECTORS.get(system).config_type()))


@pytest.mark.parametrize("system", SYSTEMS)
def test_show_prints_the_preset_and_settings_the_paper_values(system: str) -> None:
    shown = run_command("train", system, "--preset", "paper", "--show")
    assert shown.returncode == 0
    read = tomllib.loads(shown.stdout.decode())
    preset = Preset.beside(DETECTORS.get(system))
    assert read["paper"] == preset.paper
    assert read["besides"] == list(preset.besides)
    assert preset.besides
    assert {name: each["value"] for name, each in read["settings"].items()} == preset.options
    listed = run_command("train", system, "--settings").stdout.decode().splitlines()
    assert [line.split()[0] for line in listed[1:]] == [
        s.name for s in settings_of(DETECTORS.get(system).config_type())
    ]


def test_a_system_without_a_paper_has_no_preset() -> None:
    done = run_command("train", "convnet", "--preset", "paper", "--show")
    assert done.returncode == 2
    assert b"no preset" in done.stderr
    assert run_command("train", "convnet", "--settings").returncode == 0


def test_a_training_needs_notes_and_a_folder() -> None:
    assert run_command("train", "recrf", "--preset", "paper").returncode == 2


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Any]:
    """A small model of a system, trained once with its preset."""
    pytest.importorskip("torch")
    pytest.importorskip("spacy")

    @cache
    def train(system: str) -> Any:
        trainable = DETECTORS.get(system)
        options = {**Preset.beside(trainable).options, **SMALL[system]}
        work = tmp_path_factory.mktemp(system)
        return trainable.train(TrainingRun(invented(60, 1), invented(10, 2), 1, work, Silence()), options)

    return train


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_preset_learns_and_is_the_same_after_loading(
    system: str, trained: Callable[[str], Any], tmp_path: Path
) -> None:
    model = trained(system)
    notes = invented(20, 3)
    assert right(model, notes) >= 30
    model.save(tmp_path / "model", {})
    loaded = DETECTORS.get(model.system).load(read_model(tmp_path / "model"))
    assert [[s[:3] for s in map(_plain, spans)] for spans in loaded.detect(notes)] == [
        [s[:3] for s in map(_plain, spans)] for spans in model.detect(notes)
    ]


def _plain(span: Any) -> tuple[int, int, str]:
    return span.start, span.end, str(span.label)


@pytest.mark.parametrize("system", [system for system in SYSTEMS if system != "tccnn"])
def test_no_sequence_crosses_a_line_or_a_sentence(system: str, trained: Callable[[str], Any]) -> None:
    """The spans of a line do not depend on the lines around it; TCCNN's context is not limited to a sentence."""
    model = trained(system)
    alone = Document("line", "Edad: 40 años.")
    among = Document("note", "Nombre: Ana.\nEdad: 40 años.\nNacida en Soria.")
    first = among.text.index("Edad")
    (expected,) = model.detect([alone])
    (found,) = model.detect([among])
    last = first + len(alone.text)
    inside = [(s.start - first, s.end - first, s.label) for s in found if first <= s.start and s.end <= last]
    assert inside == [(s.start, s.end, s.label) for s in expected]


def test_the_final_filter_can_be_switched_off_after_training(trained: Callable[[str], Any], tmp_path: Path) -> None:
    trained("tccnn").save(tmp_path / "model", {})
    folder = read_model(tmp_path / "model")
    assert TCCNN.load(folder).classifier.constraints is not None
    assert TCCNN.load(folder.with_settings({"final_filter": False})).classifier.constraints is None


def test_the_rules_can_decide_alone_after_training(trained: Callable[[str], Any], tmp_path: Path) -> None:
    model = trained("recrf")
    model.save(tmp_path / "model", {})
    alone = ReCRF.load(read_model(tmp_path / "model").with_settings({"decision": "rules"}))
    (note,) = invented(1, 9)
    matches = {(s.start, s.end) for _, s in model.rules.find(note.text)}
    found = {(s.start, s.end) for s in alone.detect([note])[0]}
    assert found
    assert found <= matches


@pytest.mark.parametrize("group", GROUPS)
def test_a_feature_group_can_be_left_out(group: str) -> None:
    lexicon, note = Lexicon.shared(), TokenSequence.of("Hospital Río Hortega de Madrid").split()[0]
    kept = ",".join(each for each in GROUPS if each != group)
    parts = ["NOUN"] * len(note.tokens)

    def all_of(groups: str) -> set[str]:
        features = PaperFeatures(groups, 2, lexicon)
        marks = [("rule", replace(invented(1, 1)[0].spans[0], start=0, end=8))]
        found = {name for word in note.words for names in features.window(word) for name in names}
        return found | {name for names in features.context(note, marks, parts) for name in names}

    assert all_of(kept) < all_of(",".join(GROUPS))
    assert all_of(group) & (all_of(",".join(GROUPS)) - all_of(kept))


def test_hospitals_and_english_names_are_lists() -> None:
    features = PaperFeatures("lists", 0, Lexicon.shared())
    note = TokenSequence.of("Hospital Río Hortega, London, New Zealand")
    found = features.context(note, [], [])
    assert all("0:list=hospital" in found[i] for i in range(3))
    assert "0:list=english_name" in features.window("London")[0]
    assert all("0:list=english_name" in found[i] for i in (6, 7))


def test_an_unknown_group_is_an_error() -> None:
    with pytest.raises(ConfigError, match="no feature group"):
        PaperFeatures("lexical,nothing", 2, Lexicon.shared())


def test_the_narrow_convolution_exports() -> None:
    pytest.importorskip("torch")
    from nadie.papers.e2ej.network import E2EJNetwork

    options = {**Preset.beside(E2EJ).options, "word_embedding": 8, "word_hidden": 8, "storage": "float32"}
    assert_export_agrees(E2EJNetwork, parse_config(E2EJConfig, options), near=1e-5)

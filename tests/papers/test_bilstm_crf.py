"""BiLSTM-CRF: a small model is trained on invented notes, exported, and used."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from invented_notes import Silence, assert_export_agrees, invented, right, shipped_recall
from nadie.config import flat_config, parse_config
from nadie.detector import TrainingRun
from nadie.document import Document, Span
from nadie.errors import ConfigError, ModelError
from nadie.neural.model import Calibration
from nadie.papers.bilstm_crf import BiLSTMCRF, BiLSTMCRFConfig
from nadie.storage import read_model

SMALL = {
    "word_embedding": 24,
    "word_hidden": 32,
    "character_hidden": 8,
    "epochs": 5,
    "learning_rate": 0.02,
    "batch_tokens": 512,
    "warmup": 0,
    "dropout": 0.1,
    "copies": 1,
    "window": 64,
    "margin": 8,
    "storage": "float16",
}


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("work")


@pytest.fixture(scope="module")
def model(work: Path) -> BiLSTMCRF:
    pytest.importorskip("torch")
    return BiLSTMCRF.train(TrainingRun(invented(60, 1), invented(10, 2), 1, work, Silence()), SMALL)


def test_the_papers_settings_are_the_defaults() -> None:
    config = BiLSTMCRFConfig()
    own, learning = config.architecture, config.optimisation
    assert (own.character_embedding, own.character_hidden, own.word_hidden, own.dropout) == (25, 25, 256, 0.5)
    assert (config.words.word_embedding, config.scheme) == (300, "BIOES")
    assert (learning.clip, learning.learning_rate, learning.epochs) == (5.0, 0.001, 25)


def test_it_learns(model: BiLSTMCRF) -> None:
    notes = invented(20, 3)
    found = model.detect(notes)
    assert right(model, notes) >= 55
    assert all(span.source == "bilstm_crf" and 0 < span.score < 1 for spans in found for span in spans)


def test_capitals_do_not_blind_it(model: BiLSTMCRF) -> None:
    notes = [replace(note, text=note.text.upper()) for note in invented(20, 4)]
    assert right(model, notes) >= 45


def test_company_does_not_matter(model: BiLSTMCRF) -> None:
    notes = invented(6, 5)
    together = model.detect(notes)
    assert [model.detect([note])[0] for note in notes] == together
    model.workers = 1
    assert model.detect(notes) == together


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t ",
        "a" * 10_000,
        "Nombre: " + "Ñ" * 10_000 + ".",
        "名前 : 山田 \U0001f600 \x00\x01 ﷽",
        "." * 3000,
    ],
)
def test_hostile_text(model: BiLSTMCRF, text: str) -> None:
    document = Document("hostile", text)
    (spans,) = model.detect([document])
    document.with_spans(spans)


def test_a_note_of_200_000_words(model: BiLSTMCRF) -> None:
    filler = "tos y fiebre " * 33_000
    note = invented(1, 6)[0]
    text = filler + note.text + filler
    document = Document("long", text)
    (spans,) = model.detect([document])
    moved = {Span(s.start + len(filler), s.end + len(filler), s.label) for s in note.spans}
    assert len(set(spans) & moved) >= 2


def test_saved_and_loaded(model: BiLSTMCRF, tmp_path: Path) -> None:
    model.save(tmp_path / "mine", {"trained_on": "invented notes"})
    folder = read_model(tmp_path / "mine")
    assert (folder.path / "training.jsonl").read_text().count("\n") == 5
    assert (folder.path / "learning-curve.png").read_bytes().startswith(b"\x89PNG")
    again = BiLSTMCRF.load(folder)
    notes = invented(4, 7)
    assert again.detect(notes) == model.detect(notes)
    assert flat_config(again.config) == flat_config(model.config)


@pytest.mark.parametrize("damage", [b"", b"{}", b'{"tags": ["O"], "transitions": [[1, 2]], "start": [0], "end": [0]}'])
def test_damaged_transitions(model: BiLSTMCRF, damage: bytes) -> None:
    with pytest.raises(ModelError):
        BiLSTMCRF(model.config, {**model._files, "crf.json": damage})
    with pytest.raises(ModelError):
        BiLSTMCRF(model.config, {**model._files, "trained.json": damage})


def test_nothing_to_learn_from(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    for settings, notes in (({}, [Document("a", "Hola.")]), ({"hidden": 3}, invented(2, 1))):
        with pytest.raises(ConfigError):
            BiLSTMCRF.train(TrainingRun(notes, [], 1, tmp_path, Silence()), settings)


@pytest.mark.parametrize(("storage", "near"), [("float32", 1e-5), ("float16", 5e-3), ("int8", 8e-2)])
def test_onnx_says_what_torch_says(storage: str, near: float) -> None:
    pytest.importorskip("torch")
    from nadie.papers.bilstm_crf.network import BiLSTMCRFNetwork

    config = parse_config(BiLSTMCRFConfig, {**SMALL, "word_hidden": 64, "storage": storage})
    assert assert_export_agrees(BiLSTMCRFNetwork, config, near) == {"emissions"}


def test_confidence_of_the_training_it_starts_from(model: BiLSTMCRF, work: Path, tmp_path: Path) -> None:
    settings = {**SMALL, "epochs": 1, "start": str(work)}
    more = BiLSTMCRF.train(TrainingRun(invented(60, 1), [], 1, tmp_path, Silence()), settings)
    assert more.tagger.calibration == model.tagger.calibration != Calibration()
    assert flat_config(more.config)["start"] == work.name


@pytest.mark.corpus
def test_the_shipped_model_knows_the_corpus(meddocan: Path) -> None:
    share, notes = shipped_recall("bilstm_crf", meddocan)
    assert notes == 12
    assert share > 0.93

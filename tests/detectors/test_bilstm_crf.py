"""BiLSTM-CRF: a small one is trained here on invented notes, exported, and put to work."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from invented_notes import Silence, batches_of, invented, shipped_recall

from nadie.detectors.bilstm_crf import BiLSTMCRF, BiLSTMCRFConfig
from nadie.document import Document, Span
from nadie.errors import ConfigError, ModelError
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
    "context": 8,
    "storage": "float16",
}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> BiLSTMCRF:
    pytest.importorskip("torch")
    work = tmp_path_factory.mktemp("work")
    return BiLSTMCRF.train(invented(60, 1), invented(10, 2), settings=SMALL, seed=1, work=work, progress=Silence())


def test_the_papers_settings_are_the_defaults() -> None:
    config = BiLSTMCRFConfig()
    assert (config.character_embedding, config.character_hidden) == (25, 25)
    assert (config.word_embedding, config.word_hidden) == (300, 256)
    assert (config.dropout, config.clip, config.learning_rate, config.epochs) == (0.5, 5.0, 0.001, 25)
    assert config.scheme == "BIOES"


def test_it_learns(model: BiLSTMCRF) -> None:
    notes = invented(20, 3)
    found = model.detect(notes)
    right = sum(len(set(spans) & set(note.spans)) for note, spans in zip(notes, found, strict=True))
    assert right >= 55
    assert all(span.source == "bilstm_crf" and 0 < span.score < 1 for spans in found for span in spans)


def test_capitals_do_not_blind_it(model: BiLSTMCRF) -> None:
    notes = [replace(note, text=note.text.upper()) for note in invented(20, 4)]
    right = sum(len(set(spans) & set(note.spans)) for note, spans in zip(notes, model.detect(notes), strict=True))
    assert right >= 45


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
    assert again.settings == model.settings


@pytest.mark.parametrize("damage", [b"", b"{}", b'{"tags": ["O"], "transitions": [[1, 2]], "start": [0], "end": [0]}'])
def test_damaged_transitions(model: BiLSTMCRF, damage: bytes) -> None:
    with pytest.raises(ModelError):
        BiLSTMCRF(model.settings, {**model._files, "crf.json": damage})


def test_nothing_to_learn_from(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    for settings, notes in (({}, [Document("a", "Hola.")]), ({"hidden": 3}, invented(2, 1))):
        with pytest.raises(ConfigError):
            BiLSTMCRF.train(notes, [], settings=settings, seed=1, work=tmp_path, progress=Silence())


@pytest.mark.parametrize(("storage", "near"), [("float32", 1e-5), ("float16", 5e-3), ("int8", 8e-2)])
def test_onnx_says_what_torch_says(storage: str, near: float) -> None:
    torch = pytest.importorskip("torch")
    from nadie.detectors.bilstm_crf.export import export
    from nadie.detectors.bilstm_crf.network import BiLSTMCRFNetwork
    from nadie.detectors.neural.tagger import onnx_network
    from nadie.training.config import configure
    from nadie.training.tagging import torch_network

    config = configure(BiLSTMCRFConfig, {**SMALL, "word_hidden": 64})
    batches, sizes = batches_of(config)
    torch.manual_seed(1)
    network = BiLSTMCRFNetwork(config, sizes).eval()
    exported = onnx_network(export(network, storage))
    for batch in batches:
        inside = np.arange(batch.kinds.shape[1]) < batch.lengths[:, None]
        expected = torch_network(network)(batch)["emissions"][inside]
        found = exported(batch)["emissions"][inside]
        assert np.abs(found - expected).max() <= near * max(1.0, float(np.abs(expected).max()))


@pytest.mark.corpus
def test_the_shipped_model_knows_the_corpus(meddocan: Path) -> None:
    share, notes = shipped_recall("bilstm_crf", meddocan)
    assert notes == 12
    assert share > 0.93

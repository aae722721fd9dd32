"""TCCNN: its settings, and a small network trained on invented notes."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from invented_notes import Silence, invented, right
from nadie.config import parse_config
from nadie.detector import TrainingRun
from nadie.document import Document
from nadie.errors import ConfigError, ModelError
from nadie.papers.tccnn import TCCNN, TCCNNConfig
from nadie.papers.tccnn.config import TCCNNArchitecture
from nadie.papers.tccnn.encoding import encode
from nadie.papers.tccnn.note import read_notes
from nadie.papers.tccnn.vocabulary import build_vocabulary
from nadie.storage import read_model

SMALL = {
    "embedding": 16,
    "dense": 32,
    "epochs": 12,
    "batch": 32,
    "learning_rate": 0.01,
    "rarest": 2,
    "class_weights": "root",
    "word_dropout": 0.3,
    "refused": 0.7,
}


@pytest.fixture(scope="module", params=["plain", "extended"])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> TCCNN:
    pytest.importorskip("torch")
    work = tmp_path_factory.mktemp("work")
    more = {"tags": True, "characters": True} if request.param == "extended" else {}
    return TCCNN.train(TrainingRun(invented(60, 1), invented(10, 2), 1, work, Silence()), {**SMALL, **more})


def test_the_papers_settings_are_the_defaults() -> None:
    config = TCCNNConfig()
    own, sampling = config.architecture, config.sampling
    assert (own.words, own.embedding, own.filters, own.kernel, own.pool) == (15, 100, 32, 2, 2)
    assert (own.dense, sampling.l2, own.dropout) == (200, 0.001, 0.005)
    assert (config.optimisation.learning_rate, sampling.batch, sampling.class_weights) == (0.001, 156, "inverse")
    assert not own.tags
    assert not own.characters


@pytest.mark.parametrize(
    "wrong", [{"class_weights": "some"}, {"words": 2}, {"batch": 0}, {"epochs": 0}, {"refused": 0.0}]
)
def test_impossible_settings(wrong: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        parse_config(TCCNNConfig, wrong)


def test_it_learns(model: TCCNN) -> None:
    notes = invented(20, 3)
    found = model.detect(notes)
    assert right(model, notes) >= 55
    assert sum(map(len, found)) <= 65
    assert all(span.source == "tccnn" and 0 < span.score <= 1 for spans in found for span in spans)


def test_spans_do_not_overlap_and_company_does_not_matter(model: TCCNN) -> None:
    notes = [*invented(40, 4), Document("empty", ""), Document("signs", ":./-@\n" * 50)]
    together = model.detect(notes)
    assert together == [model.detect([note])[0] for note in notes]
    for spans in together:
        assert all(a.end <= b.start for a, b in pairwise(spans))


def test_bias_finds_more_or_less(model: TCCNN) -> None:
    notes = invented(20, 6)
    counts = [sum(map(len, model.with_bias(bias).detect(notes))) for bias in (-30.0, 0.0, 30.0)]
    assert counts[0] == 0
    assert counts[1] == sum(map(len, model.detect(notes)))
    assert counts[2] > counts[1]
    assert model.with_bias(2.0).with_bias(-2.0).detect(notes) == model.detect(notes)


def test_a_saved_model_is_the_same(model: TCCNN, tmp_path: Path) -> None:
    model.save(tmp_path / "small", {})
    folder = read_model(tmp_path / "small")
    notes = invented(10, 5)
    assert TCCNN.load(folder).detect(notes) == model.detect(notes)
    assert folder.config["texts"] == ""
    assert (tmp_path / "small" / "learning-curve.png").read_bytes().startswith(b"\x89PNG")


def test_settings_of_another_version_are_refused(model: TCCNN, tmp_path: Path) -> None:
    model.save(tmp_path / "small", {})
    folder = replace(read_model(tmp_path / "small"), config={"channels": 4})
    with pytest.raises(ModelError, match="not supported"):
        TCCNN.load(folder)


def test_onnx_gives_what_torch_gives() -> None:
    torch = pytest.importorskip("torch")
    from nadie.papers.tccnn.classify import onnx_network
    from nadie.papers.tccnn.network import CandidateSizes, TCCNNNetwork, export

    text = "Vive en Soria desde mayo de 2011 con su madre"
    vocabulary = build_vocabulary(text.split(), [text] * 3, ["NOUN"], ["FECHAS"])
    torch.manual_seed(1)
    sizes = CandidateSizes(vocabulary.word_count, vocabulary.tag_count, vocabulary.character_count, 5)
    network = TCCNNNetwork(TCCNNArchitecture(tags=True, characters=True), sizes).eval()
    places = [(first, stop) for first in range(10) for stop in range(first + 1, 11)]
    channels = encode(read_notes([text]), [text], [places], vocabulary, 15).channels(tags=True, characters=True)
    with torch.no_grad():
        wanted = torch.softmax(network({k: torch.from_numpy(v) for k, v in channels.items()}), dim=1).numpy()
    given = onnx_network(export(network), 1)(channels)
    np.testing.assert_allclose(given, wanted, atol=5e-3)
    assert given.shape == (55, 5)


@pytest.mark.parametrize(
    ("kind_of_weights", "wanted"),
    [("inverse", [1.25, 5.0, 100.0]), ("root", [1.118, 2.236, 10.0]), ("none", [1, 1, 1])],
)
def test_class_weights(kind_of_weights: str, wanted: list[float]) -> None:
    pytest.importorskip("torch")
    from nadie.papers.tccnn.fitting import class_weights

    found = class_weights(np.array([80, 20, 1]), kind_of_weights)  # type: ignore[arg-type]
    scale = 100 / 101 if kind_of_weights == "inverse" else (100 / 101) ** 0.5 if kind_of_weights == "root" else 1
    assert (found * scale).tolist() == pytest.approx(wanted, abs=1e-3)


def test_nothing_to_learn_from(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    with pytest.raises(ConfigError, match="no annotated documents"):
        TCCNN.train(TrainingRun([Document("d", "texto")], [], 1, tmp_path, Silence()), {})


def test_a_training_that_was_cut_off_goes_on(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    settings = {**SMALL, "epochs": 2}
    whole = TCCNN.train(TrainingRun(invented(20, 1), [], 1, tmp_path / "a", Silence()), settings)
    again = TCCNN.train(TrainingRun(invented(20, 1), [], 1, tmp_path / "a", Silence()), settings)
    notes = invented(5, 2)
    assert whole.detect(notes) == again.detect(notes)

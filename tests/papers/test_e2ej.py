"""E2EJ: a small model is trained on invented notes; both of its outputs are tested."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from invented_notes import Silence, assert_export_agrees, batches_of, invented, right, shipped_recall
from nadie.config import parse_config
from nadie.detector import TrainingRun
from nadie.document import Document
from nadie.errors import ConfigError
from nadie.papers.e2ej import E2EJ, E2EJConfig

SMALL = {
    "word_embedding": 24,
    "word_hidden": 24,
    "character_embedding": 12,
    "character_filters": 16,
    "context_filters": 24,
    "sensitivity_hidden": 16,
    "epochs": 8,
    "learning_rate": 0.01,
    "batch_tokens": 256,
    "warmup": 0,
    "dropout": 0.1,
    "copies": 0,
    "storage": "float16",
}


def _train(work: Path, **changes: object) -> E2EJ:
    pytest.importorskip("torch")
    settings = {**SMALL, **changes}
    return E2EJ.train(TrainingRun(invented(60, 1), [], 1, work, Silence()), settings)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> E2EJ:
    return _train(tmp_path_factory.mktemp("work"))


def test_the_papers_settings_are_the_defaults() -> None:
    config = E2EJConfig()
    own = config.architecture
    assert (config.words.word_embedding, own.tune_vectors) == (300, False)
    assert (own.character_embedding, own.character_filters, own.character_width) == (50, 100, 3)
    assert (own.word_hidden, own.layers) == (256, 2)
    assert (own.context_filters, own.context_width, own.sensitivity_hidden) == (200, 3, 200)
    assert (own.dropout, config.optimisation.learning_rate, config.scheme, own.joint) == (0.3, 0.001, "BIO", True)


def test_it_learns(model: E2EJ) -> None:
    assert right(model, invented(20, 3)) >= 55


def test_sensitivity_is_high_inside_spans_and_low_outside(model: E2EJ) -> None:
    inside: list[float] = []
    outside: list[float] = []
    for note in invented(20, 4):
        for token, probability in model.sensitivity(note):
            assert 0.0 <= probability <= 1.0
            assert note.text[token.start : token.end] == token.text
            covered = any(span.start <= token.start < span.end for span in note.spans)
            (inside if covered else outside).append(probability)
    assert np.mean(inside) > 0.6
    assert np.mean(outside) < 0.3


@pytest.mark.parametrize(("text", "count"), [("", 0), (" \n", 0), ("x" * 10_000, 1), ("患者 \U0001f600", 2)])
def test_sensitivity_of_odd_texts(model: E2EJ, text: str, count: int) -> None:
    assert len(model.sensitivity(Document("odd", text))) == count


def test_without_the_joint_branch(tmp_path: Path) -> None:
    alone = _train(tmp_path, joint=False, epochs=1)
    assert alone.detect([Document("empty", "")]) == [()]
    with pytest.raises(ConfigError, match="sensitivity"):
        alone.sensitivity(invented(1, 1)[0])


@pytest.mark.parametrize("joint", [True, False])
@pytest.mark.parametrize(("storage", "near"), [("float32", 1e-5), ("float16", 5e-3), ("int8", 8e-2)])
def test_onnx_says_what_torch_says(storage: str, near: float, joint: bool) -> None:
    pytest.importorskip("torch")
    from nadie.papers.e2ej.network import E2EJNetwork

    config = parse_config(E2EJConfig, {**SMALL, "word_hidden": 64, "joint": joint, "storage": storage})
    found = assert_export_agrees(E2EJNetwork, config, near)
    assert found == ({"emissions", "sensitivity"} if joint else {"emissions"})


def test_the_loss_is_the_sum_of_both() -> None:
    torch = pytest.importorskip("torch")
    from nadie.papers.e2ej.network import E2EJNetwork
    from nadie.training.tagging import as_tensors, mask_of

    config = parse_config(E2EJConfig, {**SMALL, "dropout": 0.0})
    batches, sizes = batches_of(config)
    torch.manual_seed(1)
    network = E2EJNetwork(config, sizes).eval()
    inputs = as_tensors(batches[1])
    outputs, mask = network.outputs(inputs), mask_of(inputs)
    tags = torch.randint(0, 2, mask.shape) * mask
    types = network.loss({"emissions": outputs["emissions"]}, tags, mask)
    probability = torch.sigmoid(outputs["sensitivity"])
    entropy = -torch.where(tags > 0, probability.log(), (1 - probability).log())
    torch.testing.assert_close(
        network.loss(outputs, tags, mask).float(), (types + (entropy * mask).sum(dim=1).mean()).float()
    )


@pytest.mark.corpus
def test_the_shipped_model_knows_the_corpus(meddocan: Path) -> None:
    share, notes = shipped_recall("e2ej", meddocan)
    assert notes == 12
    assert share > 0.93

"""What the switches do that the presets need, without a training where none is necessary."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from command_line import run_command
from invented_notes import Silence, invented
from nadie.config import Preset, parse_config
from nadie.detector import DETECTORS, TrainingRun
from nadie.document import Document, Span
from nadie.neural.vocabulary import UNKNOWN_WORD, build_vocabulary
from nadie.papers.recrf.paper_features import PaperFeatures
from nadie.papers.tccnn.learning_candidates import FilterPlan, learn_generator
from nadie.papers.tccnn.note import gold_places, read_notes
from nadie.papers.tccnn.vocabulary import PADDING
from nadie.papers.tccnn.vocabulary import build_vocabulary as tccnn_vocabulary
from nadie.spanish.lexicon import Lexicon

torch = pytest.importorskip("torch")
pytest.importorskip("spacy")

TAGGERS = ("bilstm_crf", "e2ej", "exhaustive")
BATCHES = {"bilstm_crf": 32, "e2ej": 32, "exhaustive": 10}
FORMS = ("García", "garcía")


def preset(system: str, **changes: Any) -> Any:
    trainable = DETECTORS.get(system)
    return parse_config(trainable.config_type, {**Preset.beside(trainable).options, **changes})


@pytest.mark.parametrize("system", TAGGERS)
def test_a_token_is_its_word_as_written_and_its_characters(system: str) -> None:
    from nadie.nn.words import CharacterCNN
    from nadie.training.fitting import TaggerSizes, token_layer

    words = preset(system, word_embedding=4).words
    vocabulary = build_vocabulary(FORMS, dict.fromkeys(FORMS, 3), lexicon=words.lexicon, folded=words.folded)
    layer = token_layer(words, TaggerSizes(vocabulary, None), CharacterCNN(9, 2, 5, 3), tuned=True)
    assert layer.width == 4 + 5
    assert (layer.spacing, layer.clusters, layer.lists) == (None, None, 0)
    ids = vocabulary.forms([*FORMS, "GARCÍA"]).words.tolist()
    assert len(set(ids)) == 3
    assert ids[2] == UNKNOWN_WORD


@pytest.mark.parametrize("system", TAGGERS)
def test_an_epoch_has_every_sentence_or_line_once_as_it_is(system: str) -> None:
    from nadie.training.examples import BatchSizes, Examples, WindowBatches

    config = preset(system)
    examples = Examples(invented(30, 1), "BIO", (), reading=config.reading)
    vocabulary = build_vocabulary(examples.forms, dict.fromkeys(examples.forms, 3), lexicon=False, folded=False)
    sizes = BatchSizes(config.batch_tokens, config.batch_sequences)
    epoch = WindowBatches(examples, vocabulary, config.augmentation, sizes, 1).of_epoch(0)
    expected = [
        (each.document.id, begin, end)
        for each in examples.documents
        for begin, end in zip(each.starts, [*each.starts[1:], len(each.tags)], strict=True)
    ]
    assert len(expected) >= 90
    assert sorted((w.example.document.id, w.begin, w.end) for some, _ in epoch for w in some) == sorted(expected)
    lengths = [len(some) for some, _ in epoch]
    assert lengths.count(BATCHES[system]) == len(expected) // BATCHES[system]
    for some, batch in epoch:
        for window, kinds in zip(some, batch.kinds, strict=True):
            written = [examples.forms[kind] for kind in window.example.kinds[window.begin : window.end]]
            read = [vocabulary.words[number - 1] for number in batch.forms.words[kinds[: len(written)]]]
            assert read == written


def test_features_reach_two_words_on_each_side() -> None:
    features = PaperFeatures("orthographic", preset("recrf").reach, Lexicon.shared())
    positions = features.window("Ana")
    assert [position[0].partition(":")[0] for position in positions] == ["-2", "-1", "0", "1", "2"]


TEXT = "Ana Zeta vive en Zaragoza. Ana tose."
NOTE = Document("d", TEXT, (Span(0, 8, "NOMBRE_SUJETO_ASISTENCIA"), Span(17, 25, "TERRITORIO")))


def test_the_literal_filter_excludes_every_word_that_no_entity_has_and_makes_no_exception() -> None:
    notes = read_notes([NOTE.text])
    gold = [gold_places(notes[0], NOTE)]
    literal = learn_generator(notes, gold, FilterPlan.of("literal"))
    relaxed = learn_generator(notes, gold, FilterPlan.of("relaxed"))
    assert {"vive", "en", "tose", "."} <= literal.stop_words
    assert not relaxed.stop_words, "words seen once outside entities are not excluded"
    exceptions = ("first", "last", "inside", "before", "after", "hopeless")
    assert not any(getattr(literal, name) for name in exceptions)
    assert relaxed.inside


def test_an_unknown_word_is_zero_or_its_shape() -> None:
    for shapes, known in ((False, False), (True, True)):
        vocabulary = tccnn_vocabulary(["Ana"], ["Ana"], ["NOUN"], ["TERRITORIO"], shapes=shapes)
        assert (vocabulary.word_id("Zurriburri") != PADDING) == known


def test_each_channel_has_its_table_whose_unknown_word_is_zero() -> None:
    from nadie.papers.tccnn.network import SIDES, CandidateSizes, TCCNNNetwork

    vectors = torch.cat([torch.zeros(1, 100), torch.ones(6, 100)])
    network = TCCNNNetwork(preset("tccnn").architecture, CandidateSizes(7, 3, 3, 4, vectors))
    assert set(network.tables) == {f"{side}_words" for side in SIDES}
    tables: Any = network.tables
    assert all(not table.weight[PADDING].any() for table in tables.values())
    with torch.no_grad():
        tables["left_words"].weight[1] += 1
    assert bool((tables["right_words"].weight[1] == 1).all())
    shared = TCCNNNetwork(preset("tccnn", shared_table=True).architecture, CandidateSizes(7, 3, 3, 4, vectors))
    assert set(shared.tables) == {"words"}


@pytest.mark.parametrize("kind", ["same", "out_of_fold"])
def test_training_candidates_come_from_the_filter_for_new_notes(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from nadie.papers.tccnn import fitting

    tasks: list[Any] = []

    def watch(task: Any, *_: object) -> list[dict[str, float]]:
        tasks.append(task)
        return []

    monkeypatch.setattr(fitting, "fit", watch)
    notes = invented(20, 1)
    odd = Document("odd", "Vive en de Soria.", (Span(8, 16, "TERRITORIO"),))  # begins with a preposition
    config = preset("tccnn", embedding=8, rarest=1, training_filter=kind)
    fitting.train_tccnn(config, TrainingRun([*notes, odd], [], 1, tmp_path, Silence()))
    entities = int(np.count_nonzero(tasks[0]._labels))
    assert entities == 60 + (kind == "out_of_fold"), "only `out_of_fold` adds the entities that the filter loses"


@pytest.mark.parametrize("system", [*TAGGERS, "tccnn"])
def test_every_network_takes_vectors_made_elsewhere(system: str, tmp_path: Path) -> None:
    words = ["Ana", "Soria", "Edad", "años"]
    rows = "".join(f"{word} {' '.join(['0.25'] * 6)}\n" for word in words)
    (tmp_path / "glove.txt").write_text(rows, encoding="utf-8")
    done = run_command("vectors", "import", tmp_path / "glove.txt", "--out", tmp_path / "vectors")
    assert done.returncode == 0, done.stderr
    small = {"embedding": 6} if system == "tccnn" else {"word_embedding": 6, "word_hidden": 8}
    options = {
        **Preset.beside(DETECTORS.get(system)).options,
        **small,
        "epochs": 1,
        "vectors": str(tmp_path / "vectors"),
    }
    run = TrainingRun(invented(6, 1), [], 1, tmp_path / "work", Silence())
    model = DETECTORS.get(system).train(run, options)
    assert set(words) <= set(_vocabulary(model).words)
    assert "Iker" not in _vocabulary(model).words


def _vocabulary(model: Any) -> Any:
    for place in ("tagger", "classifier", "reader"):
        if hasattr(model, place):
            return getattr(model, place).vocabulary
    raise AssertionError(f"{type(model).__name__} has no vocabulary")

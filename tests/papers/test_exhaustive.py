"""The exhaustive model: its networks against their export, and a small model that is trained and used."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import numpy as np
import pytest

from invented_notes import Silence, right, rows_of
from nadie.config import parse_config
from nadie.detector import Detector, TrainingRun
from nadie.document import Document, Span
from nadie.errors import ConfigError, ModelError
from nadie.neural.encoding import encode
from nadie.papers.exhaustive import VARIANTS, Exhaustive, ExhaustiveConfig, Variant
from nadie.papers.exhaustive.reading import SharedVectors, VectorBatch
from nadie.storage import read_model, write_model

SMALL = {
    "variants": "br-avg-none,lm-attn-context",
    "word_embedding": 16,
    "word_hidden": 32,
    "span_hidden": 32,
    "character_hidden": 8,
    "epochs": 8,
    "learning_rate": 0.01,
    "batch_tokens": 384,
    "warmup": 0,
    "dropout": 0.1,
    "copies": 0,
    "variety": 0.0,
    "window": 64,
    "margin": 8,
}


def notes(count: int, seed: int) -> list[Document]:
    """Invented notes in which a hospital is named after a town: one entity within another."""
    rng = random.Random(seed)
    found = []
    for i in range(count):
        town, other = (rng.choice(["Cuenca", "Soria", "Lugo", "Jaca", "Ronda"]) for _ in range(2))
        hospital = f"Hospital {rng.choice(['General', 'Comarcal', 'Central'])} de {town}"
        name = rng.choice(["Ana Soto", "Luis Vela", "Marta Rey", "Iker Sanz"])
        years = rng.randint(2, 9)
        text = f"Nombre: {name}.\nVive en {other} desde hace {years} años.\nIngresa en el {hospital} por tos.\n"
        at = text.index(hospital)
        spans = [
            Span(8, 8 + len(name), "NOMBRE_SUJETO_ASISTENCIA"),
            Span(text.index(other), text.index(other) + len(other), "TERRITORIO"),
            Span(at, at + len(hospital), "HOSPITAL"),
            Span(at + len(hospital) - len(town), at + len(hospital), "TERRITORIO"),
        ]
        found.append(Document(f"note-{seed}-{i}", text, tuple(spans)))
    return found


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Exhaustive:
    pytest.importorskip("torch")
    work = tmp_path_factory.mktemp("work")
    return Exhaustive.train(TrainingRun(notes(60, 1), notes(8, 2), 1, work, Silence()), SMALL)


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_the_export_gives_what_the_network_gives(variant: Variant) -> None:
    torch = pytest.importorskip("torch")
    from nadie.neural.tagger import onnx_network
    from nadie.neural.vocabulary import Vocabulary
    from nadie.papers.exhaustive.network import ExhaustiveNetwork, SpanSizes, export
    from nadie.training.tagging import torch_network

    vocabulary = Vocabulary(("en", "nombre", "soria"), "aeiouNSnor:.")
    rng = np.random.default_rng(5)
    vectors = SharedVectors(rng.integers(-99, 99, (4, 6), dtype=np.int8), np.full(4, 0.01, dtype=np.float32))
    given = {"word_hidden": 70, "span_hidden": 40, "character_hidden": 5, "lexicon": False}
    config = parse_config(ExhaustiveConfig, given)
    torch.manual_seed(7)
    sizes = SpanSizes(vocabulary, torch.from_numpy(vectors.dense()), longest=4, classes=5)
    network = ExhaustiveNetwork(config, variant, sizes)
    torch.nn.init.normal_(network.spans.bias)
    exported = {storage: onnx_network(export(network.eval(), storage)) for storage in ("float32", "int8")}
    for texts in (["Ana"], ["Nombre: Ana Soria.", "Vive en Soria, en Soria."], [notes(1, 3)[0].text, "a"]):
        plain = rows_of(texts, vocabulary, " ")
        known = vectors.rows(plain.forms.words)
        batch = VectorBatch(plain.forms, plain.kinds, plain.spacing, plain.lengths, known)
        expected = torch_network(network)(batch)["spans"]
        assert expected.shape == (len(texts), int(plain.lengths.max()), 4, 5)
        inside = (
            np.arange(expected.shape[1])[:, None] + np.arange(4) < plain.lengths[:, None, None]
        )  # spans within their row
        found = {storage: run(batch)["spans"] for storage, run in exported.items()}
        np.testing.assert_allclose(found["float32"][inside], expected[inside], atol=2e-5)
        np.testing.assert_allclose(found["int8"][inside], expected[inside], atol=0.15)


def test_it_learns_and_gives_flat_entities(model: Exhaustive) -> None:
    held_out = notes(20, 3)
    found = model.detect(held_out)
    assert right(model, held_out) >= 56  # of 60: of hospital and town, whichever is surer
    assert sum(map(len, found)) <= 64
    for spans in found:
        assert not any(a.overlaps(b) for a in spans for b in spans if a is not b)
        assert all(0.0 < span.score < 1.0 and span.source == "exhaustive" for span in spans)


def test_bias_finds_more_or_less(model: Exhaustive) -> None:
    documents = notes(6, 4)
    found = {bias: sum(map(len, model.with_bias(bias).detect(documents))) for bias in (-60.0, 0.0, 60.0)}
    assert found[-60.0] == 0 < found[0.0]
    words = {
        bias: sum(len(s) for spans in model.with_bias(bias).detect(documents) for s in spans) for bias in (0.0, 60.0)
    }
    assert words[0.0] < words[60.0]


def test_token_probabilities_agree_with_what_is_found(model: Exhaustive) -> None:
    """Where probabilities are high, the likeliest tags are those of the entities."""
    sure = 0
    for document, probabilities in zip(documents := notes(16, 5), model.token_probabilities(documents), strict=True):
        assert probabilities.values.sum(axis=1) == pytest.approx(1.0, abs=1e-3)
        likeliest = [probabilities.tags[i] for i in probabilities.values.argmax(axis=1)]
        for found in model.reader.candidates(encode(document.text)):
            if found.score > 0.9:
                label = model.reader.labels[found.kind - 1]
                inside = [f"I-{label}"] * (found.stop - found.first - 1)
                assert likeliest[found.first : found.stop] == [f"B-{label}", *inside]
                sure += 1
    assert sure > 6


def test_nested_entities(model: Exhaustive, tmp_path: Path) -> None:
    model.save(tmp_path / "model", {})
    folder = read_model(tmp_path / "model")
    deep = Exhaustive.load(folder, nested=True)
    held_out = notes(20, 3)
    found = deep.detect(held_out)
    assert right(deep, held_out) >= 75
    assert any(a.contains(b) for spans in found for a in spans for b in spans if a is not b)
    deep.save(tmp_path / "deep", {})
    assert Exhaustive.load(read_model(tmp_path / "deep")).detect(held_out) == found
    assert Exhaustive.load(folder).detect(held_out) == model.detect(held_out)


def test_variants_share_a_folder(model: Exhaustive, tmp_path: Path) -> None:
    assert isinstance(model, Detector)
    model.save(tmp_path / "both", {})
    folder = read_model(tmp_path / "both")
    names = {path.name for path in folder.path.iterdir()}
    assert {"vocab.json", "vectors.npz", "br-avg-none.onnx", "lm-attn-context.onnx"} <= names
    trained = json.loads(folder.file("trained.json").read_bytes())
    assert (trained["sizes"], trained["covered"], len(trained["labels"])) == (4, 1.0, 29)
    one = Exhaustive.load(folder, only="br-avg-none")
    assert one.variants == ("br-avg-none",)
    one.save(tmp_path / "one", {})
    alone = Exhaustive.load(read_model(tmp_path / "one"))
    assert alone.detect(notes(5, 4)) == one.detect(notes(5, 4))
    assert not (tmp_path / "one" / "lm-attn-context.onnx").exists()
    with pytest.raises(ModelError, match="lm-avg-none"):
        Exhaustive.load(folder, only="lm-avg-none")
    with pytest.raises(ConfigError):
        Exhaustive.load(folder, only="everything")


def test_a_variant_may_live_in_the_folder_of_others(model: Exhaustive, tmp_path: Path) -> None:
    model.save(tmp_path / "all", {})
    settings = {"within": str(tmp_path / "all"), "only": model.variants[0], "bias": 60.0}
    write_model(tmp_path / "one", system="exhaustive", config=settings, card={}, files={})
    one = Exhaustive.load(read_model(tmp_path / "one"))
    assert (one.name, one.variants, one.reader.bias) == ("one", model.variants[:1], 60.0)
    note = notes(1, 6)
    same = Exhaustive.load(read_model(tmp_path / "all"), only=model.variants[0])
    assert one.detect(note) == same.with_bias(60.0).detect(note)


def test_company_does_not_matter(model: Exhaustive) -> None:
    some = notes(6, 5)
    together = model.detect(some)
    assert [model.detect([note])[0] for note in some] == together
    model.workers = 1
    assert model.detect(some) == together
    assert model.detect([]) == []


@pytest.mark.parametrize(
    "text",
    ["", " \n\t ", "a" * 10_000, "Ana " * 3_000, ":" * 3_000, "名前 山田 \U0001f600 \x00\x01 ﷽", "Nombre: Ana Soto."],
    ids=["empty", "blank", "one word", "one line", "signs", "other scripts", "short"],
)
def test_any_text(model: Exhaustive, text: str) -> None:
    (spans,) = model.detect([Document("any", text)])
    Document("any", text).with_spans(spans)


def test_a_long_note_is_read_like_a_short_one(model: Exhaustive) -> None:
    (note,) = notes(1, 6)
    text = note.text * 300  # more than one batch of windows
    (spans,) = model.detect([Document("long", text)])
    places = [span for span in spans if span.label != "NOMBRE_SUJETO_ASISTENCIA"]
    assert len(places) >= 590  # a town and a hospital, three hundred times
    assert max(span.end for span in spans) > 299 * len(note.text)
    in_place = {span.start % len(note.text) for span in places[5:-5]}
    assert in_place <= {span.start for span in note.spans}


def test_a_training_cut_off_goes_on_to_the_same_model(model: Exhaustive, tmp_path: Path) -> None:
    settings = {**SMALL, "variants": "br-avg-none", "epochs": 2}

    class Cut(Silence):
        def advance(self, done: int, **figures: float) -> None:
            raise KeyboardInterrupt

    def run(work: Path, progress: Silence) -> Exhaustive:
        return Exhaustive.train(TrainingRun(notes(12, 1), [], 1, work, progress), settings)

    whole = run(tmp_path / "whole", Silence())
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "cut", Cut())
    resumed = run(tmp_path / "cut", Silence())
    whole.save(tmp_path / "a", {})
    resumed.save(tmp_path / "b", {})
    assert (tmp_path / "a/br-avg-none.onnx").read_bytes() == (tmp_path / "b/br-avg-none.onnx").read_bytes()
    assert (tmp_path / "a/vectors.npz").read_bytes() == (tmp_path / "b/vectors.npz").read_bytes()


def test_a_training_begins_where_another_ended(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from nadie.papers.exhaustive.fitting import begin_with
    from nadie.papers.exhaustive.network import ExhaustiveNetwork, SpanSizes
    from nadie.training.checkpoint import best_weights
    from nadie.training.fitting import start_vocabulary

    first = {**SMALL, "variants": "br-avg-none"}
    work = tmp_path / "first"
    Exhaustive.train(TrainingRun(notes(60, 1), [], 1, work, Silence()), first)
    again = {**first, "epochs": 1, "learning_rate": 0.001, "start": str(work)}
    copytree(work / "vectors", tmp_path / "more" / "vectors")
    more = Exhaustive.train(TrainingRun(notes(59, 9), [], 1, tmp_path / "more", Silence()), again)
    assert right(more, notes(20, 3)) >= 55

    vocabulary, learned = start_vocabulary(work), best_weights(work / "br-avg-none")
    sizes = SpanSizes(vocabulary, torch.zeros(vocabulary.word_count, 16), longest=4, classes=30)
    small = {"word_hidden": 32, "span_hidden": 32, "character_hidden": 8}
    config = parse_config(ExhaustiveConfig, small)
    for variant, taken in ((Variant("base", "average"), True), (Variant("minus", "average"), False)):
        network = ExhaustiveNetwork(config, variant, sizes)
        begin_with(network, variant, work)
        own = network.state_dict()
        assert all(torch.equal(own[name], learned[name]) for name in own if name.startswith(("tokens.", "encoder.")))
        assert torch.equal(own["spans.projection.weight"], learned["spans.projection.weight"]) is taken
    with pytest.raises(ConfigError, match="no training"):
        begin_with(network, variant, tmp_path)
    with pytest.raises(ConfigError, match="no training"):
        start_vocabulary(tmp_path)
    other = ExhaustiveNetwork(parse_config(ExhaustiveConfig, small | {"word_hidden": 16}), variant, sizes)
    with pytest.raises(ConfigError, match="do not fit"):
        begin_with(other, variant, work)


def test_rare_types_are_seen_more_often(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from nadie.papers.exhaustive.fitting import Fitting
    from nadie.papers.exhaustive.task import SpanTask

    some = notes(20, 1)
    text = "Trabaja de cantera."
    some.append(Document("rare", text, (Span(11, 18, "PROFESION"),)))
    seen = []
    small = {"copies": 0, "word_embedding": 8, "word_hidden": 4, "span_hidden": 4, "rare_limit": 2}
    for repeats in (0, 3):
        config = parse_config(ExhaustiveConfig, {**small, "rare_repeats": repeats})
        fitting = Fitting(config, TrainingRun(some, [], 1, tmp_path, Silence()))
        task = SpanTask(fitting.network(Variant()), fitting.material, config, lambda network: {}, 1)
        kind = fitting.material.labels.index("PROFESION") + 1
        seen.append(sum(int((batch.targets.kinds == kind).sum()) for batch in task.batches(0)))
    assert seen == [1, 4]


@pytest.mark.parametrize(
    "harm",
    [
        {"trained.json": b"{}"},
        {"trained.json": b'{"calibration": {"slope": 1, "offset": 0}, "labels": [], "sizes": "many"}'},
        {"vocab.json": b"{}"},
        {"vectors.npz": b"nothing"},
    ],
)
def test_damaged_models_are_refused(model: Exhaustive, harm: dict[str, bytes]) -> None:
    with pytest.raises(ModelError):
        Exhaustive(model.config, {**model._files, **harm})


def test_nothing_to_learn_from(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    blank = [replace(note, spans=()) for note in notes(3, 1)]
    with pytest.raises(ConfigError):
        Exhaustive.train(TrainingRun(blank, [], 1, tmp_path, Silence()), {})
    with pytest.raises(ConfigError):
        Exhaustive.train(TrainingRun(notes(3, 1), [], 1, tmp_path, Silence()), {"colour": "red"})

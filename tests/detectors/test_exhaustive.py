"""The exhaustive model: its parts by table, its networks against their export, and a small one at work."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from nadie.detectors.base import Detector
from nadie.detectors.exhaustive import RUNS, VARIANTS, Exhaustive, ExhaustiveConfig, Variant
from nadie.detectors.exhaustive.decoding import Candidate, flat, nested, vote
from nadie.detectors.exhaustive.gold import choose_sizes, chunks_of, coverage_of
from nadie.detectors.exhaustive.reading import Reading
from nadie.detectors.exhaustive.targets import Sampling, targets_of
from nadie.detectors.exhaustive.variants import variants_named
from nadie.detectors.exhaustive.vectors import SharedVectors
from nadie.document import Document, Span
from nadie.errors import ConfigError, ModelError
from nadie.storage import read_model
from nadie.tokens.codec import Chunk
from nadie.tokens.tokenizer import tokenize

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


class Silence:
    def start(self, task: str, total: int) -> None: ...

    def advance(self, done: int, **figures: float) -> None: ...


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
    return Exhaustive.train(notes(60, 1), notes(8, 2), settings=SMALL, seed=1, work=work, progress=Silence())


def test_the_papers_sizes_are_the_defaults() -> None:
    config = ExhaustiveConfig()
    assert (config.word_embedding, config.character_embedding) == (200, 25)
    assert (config.word_hidden, config.span_hidden, config.clip) == (200, 200, 5.0)
    assert not config.nested


def test_eight_variants_and_five_runs() -> None:
    assert list(VARIANTS) == [
        "br-avg-none",
        "br-avg-context",
        "br-attn-none",
        "br-attn-context",
        "lm-avg-none",
        "lm-avg-context",
        "lm-attn-none",
        "lm-attn-context",
    ]
    assert VARIANTS["lm-avg-context"] == Variant("minus", "average", "context")
    assert len(RUNS) == 5
    assert RUNS["ensemble"] == tuple(VARIANTS)
    assert all(ExhaustiveConfig(variants=run).chosen() == [VARIANTS[v] for v in RUNS[run]] for run in RUNS)


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({}, ["br-attn-none"]),
        ({"boundary": "minus", "inside": "average"}, ["lm-avg-none"]),
        ({"context": "context"}, ["br-attn-context"]),
        ({"variants": "LM-Attn-None, br-avg-none"}, ["br-avg-none", "lm-attn-none"]),
        ({"variants": "ensemble,br-avg-none", "boundary": "minus"}, list(VARIANTS)),
    ],
)
def test_settings_choose_variants(settings: dict[str, str], names: list[str]) -> None:
    assert [variant.name for variant in ExhaustiveConfig(**settings).chosen()] == names


@pytest.mark.parametrize(
    "settings",
    [
        {"boundary": "plus"},
        {"inside": "mean"},
        {"context": "yes"},
        {"variants": "br-avg"},
        {"negatives": 0.0},
        {"negatives": 1.5},
        {"coverage": 0.0},
        {"sizes": -1},
        {"rare_repeats": -1},
    ],
)
def test_settings_that_cannot_be(settings: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        ExhaustiveConfig(**settings)


@pytest.mark.parametrize(
    ("text", "places", "chunks"),
    [
        ("Ana vive en Soria", [(0, 3)], [(0, 1)]),
        ("Hospital de Soria", [(0, 17), (12, 17)], [(0, 3), (2, 3)]),
        ("Edad:68", [(5, 7)], [(2, 3)]),
        ("abcdef gh", [(2, 8)], [(0, 2)]),
        ("a   b", [(1, 3)], []),
        ("", [], []),
    ],
)
def test_spans_become_tokens(text: str, places: list[tuple[int, int]], chunks: list[tuple[int, int]]) -> None:
    spans = [Span(start, end, "HOSPITAL") for start, end in places]
    assert [(c.first, c.stop) for c in chunks_of(tokenize(text), spans)] == chunks


@pytest.mark.parametrize(
    ("sizes", "wanted", "chosen", "share"),
    [
        ([1] * 9 + [5], 0.9, 1, 0.9),
        ([1] * 9 + [5], 0.91, 5, 1.0),
        ([1] * 996 + [3] * 2 + [40] * 2, 0.998, 3, 0.998),
        ([7], 1.0, 7, 1.0),
        ([], 0.998, 1, 1.0),
    ],
)
def test_the_longest_span_comes_from_the_data(sizes: list[int], wanted: float, chosen: int, share: float) -> None:
    chunks = [Chunk(3, 3 + size, "FECHAS") for size in sizes]
    assert choose_sizes(chunks, wanted) == coverage_of(chunks, chosen)
    assert choose_sizes(chunks, wanted).sizes == chosen
    assert choose_sizes(chunks, wanted).share == pytest.approx(share)


ROWS = [[Chunk(1, 3, "HOSPITAL"), Chunk(2, 3, "TERRITORIO")], []]
LENGTHS = np.array([5, 2])
KINDS = {"HOSPITAL": 1, "TERRITORIO": 2}


def test_without_sampling_every_span_is_learned_from_once() -> None:
    targets = targets_of(ROWS, LENGTHS, KINDS, Sampling(3, 1.0), np.random.default_rng(1))
    expected = {}
    for row, length in enumerate(LENGTHS.tolist()):
        for i in range(length):
            for size in range(1, 4):
                if i + size <= length:
                    expected[(row * 5 + i) * 3 + size - 1] = 0
    expected[1 * 3 + 1] = 1
    expected[2 * 3 + 0] = 2
    assert dict(zip(targets.cells.tolist(), targets.kinds.tolist(), strict=True)) == expected
    assert set(targets.weights.tolist()) == {1.0}


def test_sampling_spares_entities_and_their_neighbours() -> None:
    everything = targets_of(ROWS, LENGTHS, KINDS, Sampling(3, 1.0), np.random.default_rng(1))
    always: set[int] = set(everything.cells.tolist())
    weight = 0.0
    for seed in range(400):
        targets = targets_of(ROWS, LENGTHS, KINDS, Sampling(3, 0.25), np.random.default_rng(seed))
        always &= set(targets.cells.tolist())
        weight += float(targets.weights.sum())
        assert set(targets.weights.tolist()) <= {1.0, 4.0}
    touching = {(i * 3) + s for i in range(5) for s in range(3) if i + s < 5 and i < 3 and i + s >= 1}
    assert always == touching
    assert weight / 400 == pytest.approx(len(everything.cells), rel=0.05)


def test_an_entity_too_long_is_no_target_and_yet_kept_apart() -> None:
    targets = targets_of([[Chunk(0, 4, "HOSPITAL")]], np.array([4]), KINDS, Sampling(2, 0.5), np.random.default_rng(1))
    assert targets.kinds.tolist() == [0] * 7
    assert set(targets.weights.tolist()) == {1.0}


def _scores(tokens: int, sizes: int, classes: int, said: dict[tuple[int, int], list[float]]) -> np.ndarray:
    """Probabilities of some spans as scores; every other span is no entity."""
    scores = np.full((tokens, sizes, classes), -9.0, dtype=np.float32)
    scores[:, :, 0] = 9.0
    for (first, stop), probabilities in said.items():
        scores[first, stop - first - 1] = np.log(np.maximum(probabilities, 1e-9))
    return scores


@pytest.mark.parametrize(
    ("voters", "expected"),
    [
        ([[0.1, 0.9, 0.0]], (1, 0.9)),
        ([[0.6, 0.4, 0.0]], None),
        # two of three say class 1, though the third is surer of class 2
        ([[0.4, 0.6, 0.0], [0.4, 0.6, 0.0], [0.0, 0.0, 1.0]], (1, 0.4)),
        # "no entity" has a vote as well
        ([[0.6, 0.4, 0.0], [0.6, 0.4, 0.0], [0.0, 1.0, 0.0]], None),
        # a tie goes to the higher sum of probabilities: 1.3 against 0.7, 0.9 against 1.1
        ([[0.4, 0.6, 0.0], [0.0, 0.1, 0.9]], (2, 0.45)),
        ([[0.6, 0.4, 0.0], [0.1, 0.9, 0.0]], (1, 0.65)),
        ([[0.9, 0.1, 0.0], [0.4, 0.6, 0.0]], None),
    ],
)
def test_votes(voters: list[list[float]], expected: tuple[int, float] | None) -> None:
    found = vote([_scores(4, 2, 3, {(1, 3): voter}) for voter in voters])
    assert len(found) == (expected is not None)
    if expected is not None:
        assert (found[0].first, found[0].stop, found[0].kind) == (1, 3, expected[0])
        assert found[0].score == pytest.approx(expected[1], abs=1e-4)


def test_spans_past_the_end_have_no_vote() -> None:
    scores = np.zeros((2, 3, 2), dtype=np.float32)
    scores[:, :, 1] = 5.0
    assert {(c.first, c.stop) for c in vote([scores])} == {(0, 1), (0, 2), (1, 2)}


CASES = {
    "apart": ([(0, 2, 0.9), (2, 4, 0.8)], {(0, 2), (2, 4)}, {(0, 2), (2, 4)}),
    "inner": ([(0, 4, 0.9), (2, 4, 0.8)], {(0, 4)}, {(0, 4), (2, 4)}),
    "inner surer": ([(0, 4, 0.8), (2, 4, 0.9)], {(2, 4)}, {(0, 4), (2, 4)}),
    "crossing": ([(0, 3, 0.8), (2, 5, 0.9)], {(2, 5)}, {(2, 5)}),
    "three deep": ([(0, 5, 0.7), (1, 4, 0.8), (2, 3, 0.9)], {(2, 3)}, {(0, 5), (1, 4), (2, 3)}),
    "a loser excludes nothing": ([(0, 3, 0.9), (2, 5, 0.8), (4, 6, 0.7)], {(0, 3), (4, 6)}, {(0, 3), (4, 6)}),
    "equally sure": ([(0, 2, 0.9), (1, 4, 0.9)], {(1, 4)}, {(1, 4)}),
    "nothing": ([], set(), set()),
}


@pytest.mark.parametrize("case", CASES)
def test_what_may_stand_together(case: str) -> None:
    given, as_flat, as_nested = CASES[case]
    for order in (given, given[::-1]):
        candidates = [Candidate(first, stop, 1, score) for first, stop, score in order]
        assert {(c.first, c.stop) for c in flat(candidates)} == as_flat
        assert {(c.first, c.stop) for c in nested(candidates)} == as_nested


def test_the_margin_holds_the_longest_span() -> None:
    reading = Reading(sizes=12, window=20, margin=4)
    assert reading.reach == 12
    assert reading.size > 2 * reading.reach


def test_vectors_keep_their_bytes() -> None:
    vectors = SharedVectors(np.array([[0, 0], [127, -64]], dtype=np.int8), np.array([1.0, 0.5], dtype=np.float32))
    again = SharedVectors.from_bytes(vectors.to_bytes())
    assert again.rows(np.array([1, 0])).tolist() == [[63.5, -32.0], [0.0, 0.0]]
    assert again.to_bytes() == vectors.to_bytes()


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"not an archive", b"\x80\x04\x95"])
def test_vectors_that_cannot_be_read(content: bytes) -> None:
    with pytest.raises(ModelError):
        SharedVectors.from_bytes(content)


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_the_export_gives_what_the_network_gives(variant: Variant) -> None:
    torch = pytest.importorskip("torch")
    from nadie.detectors.exhaustive.export import export
    from nadie.detectors.exhaustive.network import ExhaustiveNetwork, Sizes
    from nadie.detectors.exhaustive.vectors import VectorBatch
    from nadie.detectors.neural.encoding import collate, encode
    from nadie.detectors.neural.tagger import onnx_network
    from nadie.detectors.neural.vocabulary import Vocabulary
    from nadie.training.tagging import torch_network

    vocabulary = Vocabulary(("en", "nombre", "soria"), "aeiouNSnor:.")
    rng = np.random.default_rng(5)
    vectors = SharedVectors(rng.integers(-99, 99, (4, 6), dtype=np.int8), np.full(4, 0.01, dtype=np.float32))
    config = ExhaustiveConfig(word_hidden=70, span_hidden=40, character_hidden=5, lexicon=False)
    torch.manual_seed(7)
    network = ExhaustiveNetwork(config, variant, Sizes(vocabulary, torch.from_numpy(vectors.dense()), 4, 5))
    torch.nn.init.normal_(network.spans.bias)
    exported = {storage: onnx_network(export(network.eval(), storage)) for storage in ("float32", "int8")}
    for texts in (["Ana"], ["Nombre: Ana Soria.", "Vive en Soria, en Soria."], [notes(1, 3)[0].text, "a"]):
        rows, forms = [], encode(" ".join(texts))
        begin = 0
        for text in texts:
            end = begin + len(encode(text).tokens)
            rows.append((forms.kinds[begin:end], forms.spacing[begin:end]))
            begin = end
        plain = collate(rows, vocabulary.forms(forms.forms))
        given = vectors.rows(plain.forms.words)
        batch = VectorBatch(plain.forms, plain.kinds, plain.spacing, plain.lengths, given)
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
    right = sum(len(set(spans) & set(note.spans)) for note, spans in zip(held_out, found, strict=True))
    assert right >= 56  # of 60: of hospital and town, whichever is surer
    assert sum(map(len, found)) <= 64
    for spans in found:
        assert not any(a.overlaps(b) for a in spans for b in spans if a is not b)
        assert all(0.0 < span.score < 1.0 and span.source == "exhaustive" for span in spans)


def test_nested_entities(model: Exhaustive, tmp_path: Path) -> None:
    model.save(tmp_path / "model", {})
    folder = read_model(tmp_path / "model")
    deep = Exhaustive.load(folder, nested=True)
    held_out = notes(20, 3)
    found = deep.detect(held_out)
    right = sum(len(set(spans) & set(note.spans)) for note, spans in zip(held_out, found, strict=True))
    assert right >= 75
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
    assert folder.config["sizes"] == 4
    assert folder.config["covered"] == 1.0
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
    text = note.text * 30
    (spans,) = model.detect([Document("long", text)])
    places = [span for span in spans if span.label != "NOMBRE_SUJETO_ASISTENCIA"]
    assert len(places) >= 58  # a town and a hospital, thirty times
    assert max(span.end for span in spans) > 29 * len(note.text)


def test_a_training_cut_off_goes_on_to_the_same_model(model: Exhaustive, tmp_path: Path) -> None:
    settings = {**SMALL, "variants": "br-avg-none", "epochs": 2}

    class Cut(Silence):
        def advance(self, done: int, **figures: float) -> None:
            raise KeyboardInterrupt

    def run(work: Path, progress: Silence) -> Exhaustive:
        return Exhaustive.train(notes(12, 1), [], settings=settings, seed=1, work=work, progress=progress)

    whole = run(tmp_path / "whole", Silence())
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "cut", Cut())
    resumed = run(tmp_path / "cut", Silence())
    whole.save(tmp_path / "a", {})
    resumed.save(tmp_path / "b", {})
    assert (tmp_path / "a/br-avg-none.onnx").read_bytes() == (tmp_path / "b/br-avg-none.onnx").read_bytes()
    assert (tmp_path / "a/vectors.npz").read_bytes() == (tmp_path / "b/vectors.npz").read_bytes()


def test_rare_types_are_seen_more_often(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from nadie.detectors.exhaustive.fitting import Fitting
    from nadie.detectors.exhaustive.network import ExhaustiveNetwork, Sizes
    from nadie.detectors.exhaustive.task import SpanTask

    some = notes(20, 1)
    text = "Trabaja de cantera."
    some.append(Document("rare", text, (Span(11, 18, "PROFESION"),)))
    seen = []
    for repeats in (0, 3):
        config = ExhaustiveConfig(
            copies=0, word_embedding=8, word_hidden=4, span_hidden=4, rare_limit=2, rare_repeats=repeats
        )
        fitting = Fitting(config, some, [], 1, tmp_path)
        import torch

        known = Sizes(fitting.material.vocabulary, torch.from_numpy(fitting.vectors.dense()), 4, 5)
        network = ExhaustiveNetwork(config, Variant(), known)
        task = SpanTask(network, fitting.material, config, lambda network: {}, 1)
        kind = fitting.material.labels.index("PROFESION") + 1
        seen.append(sum(int((batch.targets.kinds == kind).sum()) for batch in task.batches(0)))
    assert seen == [1, 4]


@pytest.mark.parametrize(
    "harm",
    [
        {"settings": {"labels": None}},
        {"settings": {"sizes": "many"}},
        {"settings": {"variants": ""}},
        {"files": {"vocab.json": b"{}"}},
        {"files": {"vectors.npz": b"nothing"}},
    ],
)
def test_damaged_models_are_refused(model: Exhaustive, harm: dict[str, dict[str, object]]) -> None:
    with pytest.raises(ModelError):
        Exhaustive(model.settings | harm.get("settings", {}), {**model._files, **harm.get("files", {})})


def test_nothing_to_learn_from(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    blank = [replace(note, spans=()) for note in notes(3, 1)]
    with pytest.raises(ConfigError):
        Exhaustive.train(blank, [], settings={}, seed=1, work=tmp_path, progress=Silence())
    with pytest.raises(ConfigError):
        Exhaustive.train(notes(3, 1), [], settings={"colour": "red"}, seed=1, work=tmp_path, progress=Silence())


def test_names_that_mean_nothing() -> None:
    assert variants_named("") == variants_named(" , ") == []
    with pytest.raises(ConfigError):
        variants_named("best")


@pytest.mark.corpus
@pytest.mark.parametrize(("part", "least"), [("train", 0.998), ("dev", 0.998)])
def test_twelve_tokens_cover_the_corpus(meddocan: Path, part: str, least: float) -> None:
    from nadie.formats.reading import read_documents
    from nadie.tokens.view import seen

    covered = total = 0
    for document in map(seen, read_documents(meddocan / part / "brat")):
        tokens = tokenize(document.text)
        starts, ends = {t.start: i for i, t in enumerate(tokens)}, {t.end: i for i, t in enumerate(tokens)}
        for span in document.spans:
            total += 1
            covered += span.start in starts and span.end in ends and ends[span.end] - starts[span.start] < 12
    assert covered / total >= least

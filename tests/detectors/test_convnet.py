"""ConvNet: vectors of written forms, readings of texts, decoding, and a small network trained on invented notes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from invented_notes import Silence, document_of, invented, right
from nadie.detector import Model, TrainingRun
from nadie.detectors.convnet import ConvNet
from nadie.detectors.convnet.forms import FormVocabulary, ngrams_of, shape_of
from nadie.detectors.convnet.tables import FormTables, FormVectors, read_tables, write_tables
from nadie.detectors.convnet.words import NO_WORD, column_places, word_numbers, word_places
from nadie.document import SUSPECTED, Document, Span
from nadie.errors import ConfigError, ModelError
from nadie.neural.vocabulary import fold, fold_all
from nadie.storage import read_model
from nadie.tokens.arrays import APART, GLUED, NEW_LINE, NEW_PARAGRAPH, SPACED, token_arrays
from nadie.tokens.columns import table_columns
from nadie.tokens.tokenizer import tokenize, with_gaps

SMALL: Mapping[str, Any] = {
    "width": 32,
    "kernel": 3,
    "dilations": "1,2,1",
    "memory_after": 1,
    "dropout": 0.1,
    "epochs": 12,
    "learning_rate": 0.01,
    "batch_tokens": 512,
    "train_window": 64,
    "warmup": 0,
    "copies": 1,
    "tune_vectors": True,
}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> ConvNet:
    pytest.importorskip("torch")
    run = TrainingRun(invented(60, 1), invented(10, 2), 1, tmp_path_factory.mktemp("work"), Silence())
    return ConvNet.train(run, SMALL)


def vocabulary() -> FormVocabulary:
    words = ["tos", "ana", "soria"]
    return FormVocabulary.of(words, 2, np.array([0, 0b01, 0b10], dtype=np.uint64), ["given", "place"])


def tables(width: int = 4) -> FormTables:
    rng = np.random.default_rng(1)
    return FormTables(
        rng.integers(-127, 128, (3, width)).astype(np.int8),
        rng.integers(-127, 128, (1 << 15, width)).astype(np.int8),
        rng.normal(size=(128, 2)).astype(np.float32),
        rng.normal(size=(2, 2)).astype(np.float32),
        0.01,
        0.02,
        rng.normal(size=(2 * width + 2, 6)).astype(np.float32),
        rng.normal(size=6).astype(np.float32),
    )


def test_numbers_of_forms() -> None:
    numbers = vocabulary().describe(["Ana", "SORIA", "Zoila", "tos"])
    assert numbers.words.tolist() == [2, 0, 0, 1]
    assert numbers.list_counts.tolist() == [1, 1, 0, 0]
    assert numbers.lists.tolist() == [0, 1]
    part = numbers.take(np.array([1, 3]))
    assert (part.words.tolist(), part.lists.tolist(), part.list_counts.tolist()) == ([0, 1], [1], [1, 0])
    assert part.ngrams.tolist() == ngrams_of(["soria", "tos"])[0].tolist()


def test_ngrams_have_borders_and_do_not_depend_on_other_words() -> None:
    alone, count = ngrams_of(["ana"])
    assert count.tolist() == [3 + 2 + 1]  # <an ana na>, <ana ana>, <ana>
    together, counts = ngrams_of(["ana", "susana" * 20])
    assert together[: counts[0]].tolist() == alone.tolist()
    assert set(ngrams_of(["banana"])[0].tolist()) & set(alone.tolist())


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("Ana", "Eva", True), ("Ana", "ana", False), ("ANA", "Ana", False), ("12", "97", True), ("12", "123", False)],
)
def test_shapes(one: str, other: str, same: bool) -> None:
    assert (shape_of(one) == shape_of(other)) is same
    assert 0 <= shape_of(one) < 128


@pytest.mark.parametrize("form", ["", "\u0301", "😀", "名", "³", "x" * 10_000])
def test_odd_forms_have_a_vector(form: str) -> None:
    assert 0 <= shape_of(form) < 128
    assert np.isfinite(tables().vectors(vocabulary().describe([form]))).all()


def test_a_vector_does_not_depend_on_the_other_forms() -> None:
    forms = ["Ana", "tos", "Soria", "López", "12", ".", "hipertensión"]
    together = tables().vectors(vocabulary().describe(forms))
    for i, form in enumerate(forms):
        assert (tables().vectors(vocabulary().describe([form]))[0] == together[i]).all()


def test_vectors_are_the_output_of_the_first_layer() -> None:
    torch = pytest.importorskip("torch")
    from nadie.detectors.convnet.model import ConvArchitecture
    from nadie.detectors.convnet.network import ConvNetwork, FormBatch

    network = ConvNetwork(ConvArchitecture(width=16), torch.randn(3, 8), 2, 5).eval()
    stored = network.forms.tables(network.context.entry)
    with torch.no_grad():
        network.forms.words.weight[:] = torch.from_numpy(stored.words * np.float32(stored.word_scale))
        network.forms.ngrams.weight[:] = torch.from_numpy(stored.ngrams * np.float32(stored.ngram_scale))
        numbers = vocabulary().describe(["Ana", "tos", "Soria", "López", "12", ".", ""])
        wanted = network.context.entry(network.forms(FormBatch.of(numbers))).numpy()
    assert np.abs(stored.vectors(numbers) - wanted).max() < 1e-5


def test_kept_vectors_are_the_computed_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nadie.detectors.convnet.tables._CACHED", 50)
    vectors = FormVectors(vocabulary(), tables())
    forms = [f"w{number}" for number in range(200)]
    for first in range(0, 200, 20):
        some = forms[first : first + 40]
        rows, table, _ = vectors(some)
        assert (table[rows] == tables().vectors(vocabulary().describe(some))).all()


def test_a_reading() -> None:
    reading = token_arrays(["Ana  López,\nana LÓPEZ\n\nfin 12345 12345"])
    assert reading.spacing.tolist() == [
        NEW_PARAGRAPH, APART, GLUED, NEW_LINE, SPACED, NEW_PARAGRAPH, SPACED, SPACED,
    ]  # fmt: skip
    assert [(token.start, token.end) for token in reading.tokens][:3] == [(0, 3), (5, 10), (10, 11)]
    words = dict(zip(reading.forms, word_numbers(reading.forms).tolist(), strict=True))
    assert words["Ana"] == words["ana"] != NO_WORD == words[","]
    assert words["López"] == words["LÓPEZ"] != words["Ana"]
    assert words["12345"] != NO_WORD


def test_an_empty_reading() -> None:
    assert token_arrays([" \n "]).starts.shape == token_arrays([""]).spacing.shape == (0,)


@given(st.lists(st.text("aáñÑAÁ12ºª_.- \n\t\r\u0301ßµÞ÷×²½α١\u2028\xa0😀名𝟙\ud800", max_size=12), max_size=4))
def test_readings_have_the_tokens_of_the_tokenizer(texts: list[str]) -> None:
    reading = token_arrays(texts)
    for text, first, stop in zip(texts, reading.bounds, reading.bounds[1:], strict=False):
        assert reading.tokens[first:stop] == tokenize(text)
        lines = [gap.count("\n") for gap in with_gaps(text)[0]]
        spacing = reading.spacing[first:stop].tolist()
        assert [2 if own == NEW_PARAGRAPH else int(own == NEW_LINE) for own in spacing[1:]] == [
            min(count, 2) for count in lines[1:]
        ]
        assert spacing[:1] == [NEW_PARAGRAPH] * len(spacing[:1])


def test_every_common_character_is_in_its_class() -> None:
    for first in range(0, 0x3000, 0x100):
        text = "".join(f"a{chr(code)}b{chr(code)}A{chr(code)}1{chr(code)} Z" for code in range(first, first + 0x100))
        assert token_arrays([text]).tokens == tokenize(text)


def test_the_first_places_of_words() -> None:
    words = np.array([7, NO_WORD, 9, *[7] * 10])
    groups, places = word_places(words)
    assert groups.tolist() == [1, 0, 2, *[1] * 10]
    assert places.tolist() == [[0] * 8, [0, *range(3, 10)], [2] * 8]
    groups, places = word_places(words, repeated_only=True)
    assert groups.tolist() == [1, 0, 0, *[1] * 10]
    assert places.tolist() == [[0] * 8, [0, *range(3, 10)]]
    assert word_places(np.array([NO_WORD, NO_WORD]))[1].tolist() == [[0] * 8]


def test_it_learns(model: ConvNet) -> None:
    notes = invented(20, 3)
    assert right(model, notes) >= 55
    assert all(span.source == "convnet" and 0 < span.score < 1 for spans in model.detect(notes) for span in spans)


def test_capitals_do_not_blind_it(model: ConvNet) -> None:
    assert right(model, [replace(note, text=note.text.upper()) for note in invented(20, 4)]) >= 45


def test_company_does_not_matter(model: ConvNet) -> None:
    notes = invented(6, 5)
    assert [model.detect([note])[0] for note in notes] == model.detect(notes)


def test_windows_do_not_change_what_is_found(model: ConvNet) -> None:
    notes = invented(30, 6)
    text, parts = "", []
    for note in notes:
        parts += [(note.text, None)]
        text += note.text
    whole = document_of("long", parts)
    narrow = ConvNet(replace(model.config, window=16), model._files)
    (one,), (other,) = model.detect([whole]), narrow.detect([whole])
    assert len(one) > 60
    assert len(set(one) & set(other)) >= 0.95 * len(one)  # the memory of a word reaches over its window only


def test_a_long_note_takes_linear_memory(model: ConvNet) -> None:
    note = invented(1, 6)[0]
    filler = "tos y fiebre " * 33_000
    (spans,) = model.detect([Document("long", filler + note.text + filler)])
    moved = {Span(s.start + len(filler), s.end + len(filler), s.label) for s in note.spans}
    assert len(set(spans) & moved) >= 2


def test_a_bias_finds_more(model: ConvNet) -> None:
    notes = invented(10, 7)
    more, fewer = model.with_bias(6.0), model.with_bias(-12.0)
    counts = [sum(map(len, each.detect(notes))) for each in (fewer, model, more)]
    assert counts[0] < counts[1] <= counts[2]
    assert more.unbiased().detect(notes) == model.detect(notes)


def test_probabilities_sum_to_one(model: ConvNet) -> None:
    for probabilities in model.with_bias(1.0).token_probabilities(invented(2, 8)):
        assert probabilities.values.shape == (len(probabilities.tokens), len(probabilities.tags))
        assert np.allclose(probabilities.values.sum(axis=1), 1.0, atol=1e-5)


def test_saved_and_loaded(model: ConvNet, tmp_path: Path) -> None:
    model.save(tmp_path / "mine", {})
    again = ConvNet.load(read_model(tmp_path / "mine"))
    assert again.detect(invented(4, 9)) == model.detect(invented(4, 9))


def test_onnx_says_what_torch_says(model: ConvNet) -> None:
    pytest.importorskip("torch")
    import torch

    from nadie.detectors.convnet.export import to_onnx
    from nadie.detectors.convnet.model import ConvArchitecture
    from nadie.detectors.convnet.network import ConvNetwork, FormBatch, TokenBatch
    from nadie.inference import onnx_session

    known = vocabulary()
    for parts in ({}, {"expand": False}, {"separable": False}, {"recurrent": 6}, {"summary": True}, {"columns": True}):
        own = ConvArchitecture(width=16, dilations="1,2,1", memory_after=2, **parts)
        network = ConvNetwork(own, torch.randn(3, 8), 2, 5).eval()
        session = onnx_session(to_onnx(network.context), 1)
        for text in ("Ana López, ana de Soria.\nTos", "12/3", "cama  edad\n1  70\n2  81"):
            reading = token_arrays([text])
            forms = FormBatch.of(known.describe(reading.forms))
            groups, places = word_places(word_numbers(reading.forms))
            of_columns, cells = column_places(*table_columns([text], reading))
            tokens = {"spacing": reading.spacing, "groups": groups, "column_groups": of_columns}
            rows = {name: torch.from_numpy(v[None]) for name, v in tokens.items()}
            starts = {"places": torch.from_numpy(places), "column_places": torch.from_numpy(cells)}
            batch = TokenBatch(torch.arange(len(reading))[None], **starts, **rows)
            with torch.no_grad():
                vectors = network.context.entry(network.forms(forms))
                wanted = torch.softmax(network(forms, batch), dim=-1)[0].numpy()
            bias = np.array([-2.0, 0, 0, 0, 0], dtype=np.float32)
            inputs = {"vectors": vectors.numpy(), "places": places[1:], "bias": bias, **tokens}
            if own.columns:
                inputs["column_places"] = cells[1:]
            else:
                del inputs["column_groups"]
            wanted *= np.exp(bias)
            assert np.abs(session.run(None, inputs)[0] - wanted / wanted.sum(axis=1, keepdims=True)).max() < 1e-5


def test_training_goes_on_from_a_model(model: ConvNet, tmp_path: Path) -> None:
    """With no step of training the new model finds what the old one finds; columns are added to its network."""
    pytest.importorskip("torch")
    model.save(tmp_path / "old", {})
    run = TrainingRun(invented(8, 1), [], 1, tmp_path / "work", Silence())
    options = {**SMALL, "start": str(tmp_path / "old"), "epochs": 1, "learning_rate": 0.0}
    for number, more in enumerate(({}, {"columns": True})):
        again = ConvNet.train(replace(run, work=tmp_path / str(number)), {**options, **more})
        assert again.tags == model.tags
        if not more:
            assert again.detect(invented(6, 9)) == model.detect(invented(6, 9))
    with pytest.raises(ConfigError, match="other sizes"):
        ConvNet.train(replace(run, work=tmp_path / "wide"), {**options, "width": 48})


def test_an_auxiliary_task_is_learned_beside(tmp_path: Path) -> None:
    """Two words that only the auxiliary task distinguishes; its last layer is not part of the model."""
    pytest.importorskip("torch")
    from nadie.detectors.convnet.auxiliary import read_task

    file = tmp_path / "trades.tsv"
    file.write_text("Es\tO\nherrera-soldadora\tB-TRADE\n.\tO\n\n" * 20, encoding="utf-8")
    task = read_task(file)
    assert task.tags == ("O", "B-TRADE", "I-TRADE")
    assert task.targets[task.documents[0].id][:6].tolist() == [0, 1, 2, 2, 0, 0]
    run = TrainingRun(invented(20, 1), [], 1, tmp_path / "work", Silence())
    model = ConvNet.train(run, {**SMALL, "epochs": 2, "auxiliary": str(file), "auxiliary_share": 1.0})
    assert not any("TRADE" in tag for tag in model.tags)
    history = [json.loads(line) for line in (tmp_path / "work" / "training.jsonl").read_text().splitlines()]
    assert history[1]["loss"] < history[0]["loss"]


def test_a_damaged_auxiliary_task(tmp_path: Path) -> None:
    from nadie.detectors.convnet.auxiliary import read_task

    file = tmp_path / "trades.tsv"
    file.write_text("Es\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="a token, a tab and a tag"):
        read_task(file)


def test_tables_are_stored_whole() -> None:
    known, rows = read_tables(write_tables(vocabulary(), tables()))
    forms = ["Ana", "Soria", "nadie"]
    stored, original = rows.vectors(known.describe(forms)), tables().vectors(vocabulary().describe(forms))
    assert np.abs(stored - original).max() < 2e-3  # shapes and lists in sixteen bits
    assert known.lists == ("given", "place")


def test_damaged_tables(model: ConvNet) -> None:
    for damage in (b"x", model._files["tables.npz"][:-40], b"PK" + model._files["tables.npz"][2:500]):
        with pytest.raises(ModelError, match="cannot be read"):
            ConvNet(model.config, {**model._files, "tables.npz": damage})


def test_words_and_vectors_must_fit() -> None:
    few = replace(tables(), words=tables().words[:1])
    with pytest.raises(ModelError, match="do not match its table"):
        read_tables(write_tables(vocabulary(), few))
    with pytest.raises(ModelError, match="does not match its tables"):
        read_tables(write_tables(vocabulary(), replace(tables(), entry=tables().entry[1:])))
    known = vocabulary()
    for hashes in (known.hashes[::-1], known.hashes[:2]):
        with pytest.raises(ModelError, match="do not match their lists"):
            FormVocabulary(hashes, known.rows, known.masks, known.lists)


def test_a_teacher_is_learned_from(model: ConvNet, tmp_path: Path) -> None:
    model.save(tmp_path / "teacher", {})
    silver = [replace(note, spans=(), meta={"silver": "true"}) for note in invented(60, 11)]
    gold = invented(2, 12)
    settings = {**SMALL, "silver_share": 1.0}
    taught = ConvNet.train(
        TrainingRun([*gold, *silver], [], 1, tmp_path / "a", Silence()), {**settings, "teacher": tmp_path / "teacher"}
    )
    alone = ConvNet.train(TrainingRun(gold, [], 1, tmp_path / "b", Silence()), settings)
    notes = invented(20, 13)
    assert right(taught, notes) >= 50
    assert right(taught, notes) > right(alone, notes)
    with pytest.raises(ConfigError, match="cannot be a teacher"):
        ConvNet.train(TrainingRun([*gold, *silver], [], 1, tmp_path / "c", Silence()), {**SMALL, "teacher": "tccnn"})


def test_a_long_text_is_read_in_pieces_and_decoded_as_it_is_read(
    model: ConvNet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The arrays and the spans are those of a text read in one piece."""
    text = "  ".join(note.text for note in invented(20, 5)) + "\n\nfin " + "x" * 300
    monkeypatch.setattr("nadie.tokens.arrays._LONG", len(text))
    whole = token_arrays([text])
    monkeypatch.setattr("nadie.tokens.arrays._LONG", 50)
    pieces = token_arrays([text])
    assert list(pieces.forms) == list(whole.forms)
    for name in ("starts", "ends", "spacing"):
        assert (getattr(pieces, name) == getattr(whole, name)).all()
    assert [token.text for token in pieces.tokens] == [token.text for token in tokenize(text)]
    small = replace(model.config, window=40)
    narrow = ConvNet(small, model._files)
    (spans,) = narrow.detect([Document("d", text)])
    rows = narrow.token_probabilities([Document("d", text)])[0].values
    chunks = [chunk for chunk, _ in narrow._decoder.chunks(rows)]
    assert [(span.start, span.label) for span in spans] == [(int(whole.starts[c.first]), c.label) for c in chunks]
    assert len(spans) > 20


@given(st.lists(st.text("aÁñÑç\u0301?ßµÿŸ名😀İΣσ1²٣", max_size=5), max_size=4))
def test_folding_many_words_at_once(words: list[str]) -> None:
    assert fold_all(words) == [fold(word) for word in words]


def test_one_run_of_the_network_gives_the_spans_of_two_operating_points() -> None:
    fast = Model.of("fast").detector()
    assert isinstance(fast, ConvNet)
    texts = [
        "Lo comenta con Setién. Se lo dice a rosado y peral.\nFdo.: Dra. Ana Roca Lugo",
        "",
        "Sin novedad. " * 40 + "Avisar a Naim.",
    ]
    documents = [Document(str(number), text) for number, text in enumerate(texts)]
    read = fast.detect_twice(documents, 4.6, 0.005)
    assert [first for first, *_ in read] == fast.detect(documents)
    wanted = fast.with_bias(4.6).detect(documents)
    assert [[(s.start, s.end, s.label) for s in more] for _, more, _ in read] == [
        [(s.start, s.end, s.label) for s in spans] for spans in wanted
    ]
    assert [s.score for _, more, _ in read for s in more] == pytest.approx(
        [s.score for x in wanted for s in x], abs=1e-4
    )
    assert sum(len(more) for _, more, _ in read) > sum(len(first) for first, *_ in read)
    suspected = [span for *_, words in read for span in words]
    assert {span.source for span in suspected} == {SUSPECTED}
    assert all(0.005 <= span.score <= 1.0 for span in suspected)
    assert {"Setién", "Roca", "Naim"} <= {
        document.text_of(span) for document, (*_, words) in zip(documents, read, strict=True) for span in words
    }

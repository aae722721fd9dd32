"""Thresholds: the spans they drop and add, and the format of their file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from nadie.document import Document, Span
from nadie.errors import ConfigError
from nadie.resolve.thresholds import Thresholds
from nadie.run.documents import load
from nadie.run.pipeline import Pipeline
from nadie.tokens.probabilities import TokenProbabilities
from nadie.tokens.tokenizer import tokenize

NAME, TOWN, JOB = "NOMBRE_SUJETO_ASISTENCIA", "TERRITORIO", "PROFESION"
TAGS = ("O", f"B-{NAME}", f"I-{NAME}", f"B-{TOWN}", f"I-{TOWN}")
TEXT = "Ana Ruiz vive en Lugo\nSoto"


def likely(probabilities: Mapping[str, Mapping[str, float]], text: str = TEXT) -> TokenProbabilities:
    """Probabilities that give each named word its tags, and everything else to `O`."""
    tokens = tokenize(text)
    values = np.zeros((len(tokens), len(TAGS)), dtype=np.float32)
    for row, token in zip(values, tokens, strict=True):
        for tag, value in probabilities.get(token.text, {}).items():
            row[TAGS.index(tag)] = value
        row[0] = 1.0 - row.sum()
    return TokenProbabilities(tokens, TAGS, values)


def found(
    thresholds: Thresholds, spans: Sequence[Span], probabilities: TokenProbabilities | None = None
) -> list[tuple[str, str]]:
    document = Document("", TEXT)
    return [(document.text_of(s), s.label) for s in thresholds.apply(document, spans, probabilities)]


@pytest.mark.parametrize(
    ("thresholds", "kept"),
    [
        (Thresholds(), True),
        (Thresholds(0.6), True),
        (Thresholds(0.61), False),
        (Thresholds(0.9, {NAME: 0.5}), True),
        (Thresholds(0.1, {NAME: 0.7}), False),
        (Thresholds(None, {TOWN: 0.9}), True),
        (Thresholds(None, {NAME: 1.0}), False),
    ],
)
def test_a_span_stays_where_it_reaches_its_own_threshold(thresholds: Thresholds, kept: bool) -> None:
    spans = [Span(0, 8, NAME, 0.6, "model")]
    assert thresholds.apply(Document("", TEXT), spans) == (tuple(spans) if kept else ())


def test_words_appear_that_the_detector_left_out() -> None:
    probabilities = likely({"Ana": {f"B-{NAME}": 0.3}, "Ruiz": {f"I-{NAME}": 0.25, f"B-{NAME}": 0.1}})
    assert found(Thresholds(None, {NAME: 0.3}), [], probabilities) == [("Ana Ruiz", NAME)]
    assert found(Thresholds(0.3), [], probabilities) == [("Ana Ruiz", NAME)]
    assert found(Thresholds(None, {NAME: 0.31}), [], probabilities) == [("Ruiz", NAME)]
    assert found(Thresholds(None, {NAME: 0.4}), [], probabilities) == []
    assert found(Thresholds(None, {TOWN: 0.1}), [], probabilities) == []


def test_the_score_of_what_appears_is_that_of_its_least_sure_word() -> None:
    probabilities = likely({"Ana": {f"B-{NAME}": 0.3}, "Ruiz": {f"I-{NAME}": 0.2}})
    (span,) = Thresholds(0.2).apply(Document("", TEXT), [], probabilities)
    assert span.score == pytest.approx(0.2)
    assert span.source == "threshold"


def test_a_new_mention_begins_where_the_probabilities_say_so_and_after_a_line_break() -> None:
    begins = likely({"Ana": {f"B-{NAME}": 0.3}, "Ruiz": {f"B-{NAME}": 0.3}})
    assert found(Thresholds(0.2), [], begins) == [("Ana", NAME), ("Ruiz", NAME)]
    broken = likely({"Lugo": {f"B-{TOWN}": 0.4}, "Soto": {f"I-{TOWN}": 0.4}})
    assert found(Thresholds(0.2), [], broken) == [("Lugo", TOWN), ("Soto", TOWN)]


def test_the_likelier_label_has_the_word() -> None:
    probabilities = likely({"Lugo": {f"B-{NAME}": 0.3, f"B-{TOWN}": 0.4}})
    assert found(Thresholds(0.2), [], probabilities) == [("Lugo", TOWN)]
    assert found(Thresholds(0.2, {TOWN: 0.5}), [], probabilities) == [("Lugo", NAME)]


def test_what_is_kept_is_not_touched_and_what_is_dropped_does_not_come_back_in_parts() -> None:
    probabilities = likely({"Ana": {f"B-{NAME}": 0.95}, "Ruiz": {f"I-{NAME}": 0.5, f"B-{TOWN}": 0.3}})
    span = Span(0, 8, NAME, 0.5, "model")
    assert found(Thresholds(None, {NAME: 0.4, TOWN: 0.2}), [span], probabilities) == [("Ana Ruiz", NAME)]
    assert found(Thresholds(None, {NAME: 0.9}), [span], probabilities) == []
    assert found(Thresholds(None, {NAME: 0.9, TOWN: 0.2}), [span], probabilities) == [("Ruiz", TOWN)]


def test_a_text_without_words() -> None:
    empty = TokenProbabilities([], TAGS, np.zeros((0, len(TAGS)), dtype=np.float32))
    assert Thresholds(0.1).apply(Document("", ""), [], empty) == ()


class Doubtful:
    """Finds no spans, but gives token probabilities."""

    name = "doubtful"

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return [()] * len(documents)

    def token_probabilities(self, documents: Sequence[Document]) -> list[TokenProbabilities]:
        return [likely({"Lugo": {f"B-{TOWN}": 0.4}}, document.text) for document in documents]


def test_the_pipeline_asks_a_detector_that_gives_token_probabilities() -> None:
    asked = Pipeline(Doubtful(), thresholds=Thresholds(0.4))
    assert asked.anonymize("Vive en Lugo.") == "Vive en [TERRITORIO]."
    assert Pipeline(Doubtful()).anonymize("Vive en Lugo.") == "Vive en Lugo."


def test_a_model_with_a_file_of_thresholds(tmp_path: Path) -> None:
    text = "Paciente de 70 años, natural de Lugo."
    never, always = tmp_path / "never.toml", tmp_path / "always.toml"
    never.write_text("default = 1.0\n", encoding="utf-8")
    always.write_text(f"[labels]\n{TOWN} = 0.000001\n", encoding="utf-8")
    plain = load("recrf").annotate(text).spans
    strict = load("recrf", thresholds=never).annotate(text).spans
    loose = load("recrf", thresholds=always).annotate(text).spans
    assert all(span.score == 1.0 for span in strict)
    assert set(plain) <= set(loose)
    assert len(loose) > len(plain) > len(strict)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("default = 0.5\n[labels]\nNOMBRE = 0.5\n", "not a label"),
        ("default = 0\n", "above 0"),
        ("default = 1.5\n", "at most 1"),
        ("default = nan\n", "at most 1"),
        ("default = -inf\n", "above 0"),
        ("default = true\n", "a number"),
        ("default = '0.5'\n", "a number"),
        (f"[labels]\n{JOB} = [0.5]\n", "a number"),
        (f"[labels.{JOB}]\nleast = 0.5\n", "a number"),
        ("labels = 0.5\n", "a table"),
        ("defaults = 0.5\n", "the key 'defaults'"),
        ("default = ", "not TOML"),
        ("[labels\n", "not TOML"),
    ],
)
def test_a_faulty_file_is_refused_by_name(tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "t.toml"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(ConfigError, match=message) as error:
        Thresholds.read(file)
    assert "t.toml" in str(error.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        Thresholds.read(tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"default = 0.5 # \xff\n")
    with pytest.raises(ConfigError, match="UTF-8"):
        Thresholds.read(tmp_path / "bytes.toml")
    (tmp_path / "large.toml").write_bytes(b"#" * ((1 << 20) + 1))
    with pytest.raises(ConfigError, match="larger"):
        Thresholds.read(tmp_path / "large.toml")


def test_a_file_as_editors_write_it(tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    file.write_bytes(f"\ufeffdefault = 0.4\r\n\r\n[labels]\r\n{JOB} = 1\r\n".encode())
    read = Thresholds.read(file)
    assert (read.of(NAME), read.of(JOB)) == (0.4, 1)
    assert Thresholds.read(_empty(tmp_path)).of(NAME) is None


def _empty(folder: Path) -> Path:
    file = folder / "empty.toml"
    file.write_text("", encoding="utf-8")
    return file

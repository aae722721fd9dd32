"""The second detector where names are invented, and the words that a strict run masks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from nadie import Document, load
from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import Key
from nadie.detector import Model
from nadie.document import DOUBTFUL, Span
from nadie.options import Mode
from nadie.run.pipeline import Pipeline
from nadie.run.second_look import SecondLook

RESEARCH = Engine(read_policy("research"), Key(b"k" * 32))
STAFF, PATIENT = "NOMBRE_PERSONAL_SANITARIO", "NOMBRE_SUJETO_ASISTENCIA"


class Words:
    """Finds given words, each with a label and a score."""

    name = "words"

    def __init__(self, **found: tuple[str, float]) -> None:
        self.found = found

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return [
            tuple(
                Span(d.text.index(word), d.text.index(word) + len(word), *found)
                for word, found in self.found.items()
                if word in d.text
            )
            for d in documents
        ]

    def with_bias(self, bias: float) -> Words:
        return self


@pytest.fixture
def second(monkeypatch: pytest.MonkeyPatch) -> SecondLook:
    found = {"Tripodi": (STAFF, 0.9), "Setién": (STAFF, 0.2), "modesto": (STAFF, 0.3), "Lugo": ("TERRITORIO", 0.3)}
    monkeypatch.setattr("nadie.run.second_look._detector", lambda _: Words(**found))
    return SecondLook("convnet-lstm")


TEXT = "La Dra. Ana Bela Roca pide a Tripodi que llame a Setién. Consumo modesto. Vive en Lugo. Lo vio Setién."


def test_the_union_is_replaced_and_a_doubtful_name_becomes_its_label(second: SecondLook) -> None:
    pipeline = Pipeline(Words(**{"Ana Bela Roca": (STAFF, 0.99)}), RESEARCH, second=second)
    done = next(pipeline.anonymize_all([Document("", TEXT)]))
    assert [r.span.source for r in done.replaced] == ["", "", DOUBTFUL]
    assert not [name for name in ("Tripodi", "Roca") if name in done.text]
    assert "llame a [NOMBRE_PERSONAL_SANITARIO]. Consumo modesto. Vive en Lugo." in done.text
    assert done.text.endswith("Lo vio Setién.")  # it is not looked for once more: it may be a clinical term


def test_it_is_used_only_where_names_are_invented(second: SecondLook) -> None:
    pipeline = Pipeline(Words(), second=second)
    assert pipeline.annotate(TEXT).spans == ()
    assert [span.source for span in replace(pipeline, engine=RESEARCH).annotate(TEXT).spans] == ["", DOUBTFUL]


def test_what_the_first_detector_found_stays_as_it_was(second: SecondLook) -> None:
    pipeline = Pipeline(Words(**{"a Tripodi que": ("HOSPITAL", 0.1)}), RESEARCH, second=second)
    assert [span.label for span in pipeline.annotate(TEXT).spans] == ["HOSPITAL", STAFF]


def test_a_strict_run_masks_every_word_that_looks_like_a_name() -> None:
    pipeline = Pipeline(Words(), is_strict=True)
    masked = pipeline.anonymize("Lo vio Tripodi. Enfermedad de Wilson, Barthel 85.")
    assert masked == f"Lo vio [{PATIENT}]. Enfermedad de Wilson, Barthel 85."


def test_who_gets_a_second_look() -> None:
    assert SecondLook.beside(Model.of("fast")) == SecondLook("fast", is_same=True)
    assert SecondLook.beside(Model.of("fast"), "convnet-lstm") == SecondLook("convnet-lstm")
    assert SecondLook.beside(Model.of("best")) == SecondLook("convnet-lstm")
    assert SecondLook.beside(Model.of("convnet-lstm"), is_careful=True) is None
    assert load("fast", policy="research", mode=Mode.RECALL).second == SecondLook("convnet-lstm")
    assert load("fast", policy="research", strict=True).second == SecondLook("convnet-lstm")
    assert SecondLook.beside(Model("patterns", "patterns")) is None
    assert SecondLook.beside(Model.of("fast"), "none") is None
    assert load("fast", policy="research", mode=Mode.PRECISION).second is None


def test_summary_audit_and_report_count_the_words_and_never_show_them(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    text = "Paciente: Ana Pérez Soto.\nRx: acromion Bigliani III; fuerza Daniels 4/5. Ictericia Kramer II.\n"
    (tmp_path / "in" / "n.txt").write_text(text, encoding="utf-8")
    options = ["--policy", "research", "--second", "none", "--audit", "a.jsonl", "--report", "r.html"]
    command = [sys.executable, "-m", "nadie", "anonymize", "in", "--out", "out", *options]
    environment = {**os.environ, "NADIE_KEY": "una clave larga para esta prueba 731"}
    done = subprocess.run(command, capture_output=True, check=True, cwd=tmp_path, env=environment, text=True)
    lines = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()]
    counted = next(line["name_like"] for line in lines if "name_like" in line)
    assert counted >= 1
    assert f"{counted} words in 1 documents were not replaced and look like names" in done.stderr
    shown = done.stderr + (tmp_path / "a.jsonl").read_text("utf-8") + (tmp_path / "r.html").read_text("utf-8")
    assert not [word for word in ("Bigliani", "Daniels", "Kramer") if word in shown]
    assert "words left that look like names" in shown


def test_a_title_beside_a_name_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Words(**{"La Sra. Pérez": (PATIENT, 0.3), "Don Luis": (PATIENT, 0.9)})
    monkeypatch.setattr("nadie.run.second_look._detector", lambda _: found)
    first = Words(Pérez=(PATIENT, 0.9), Luis=(PATIENT, 0.9))
    pipeline = Pipeline(first, RESEARCH, second=SecondLook("convnet-lstm"))
    text = "La Sra. Pérez refiere mejoría. Don Luis, no."
    assert [text[s.start : s.end] for s in pipeline.annotate(text).spans] == ["Pérez", "Luis"]


def test_a_unit_of_an_age_stays_without_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, part, age = "3 años y 5 meses", "3 años y 5", "EDAD_SUJETO_ASISTENCIA"
    monkeypatch.setattr("nadie.run.second_look._detector", lambda _: Words(**{whole: (age, 0.9), "9 años": (age, 0.9)}))
    pipeline = Pipeline(Words(**{part: (age, 0.9)}), RESEARCH, second=SecondLook("convnet-lstm"))
    text = "Revisión a los 3 años y 5 meses. Hermana de 9 años."
    assert [text[s.start : s.end] for s in pipeline.annotate(text).spans] == [part, "9 años"]


def test_a_single_letter_is_no_doubtful_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nadie.run.second_look._detector", lambda _: Words(p=(STAFF, 0.3)))
    pipeline = Pipeline(Words(), RESEARCH, second=SecondLook("convnet-lstm"))
    assert pipeline.annotate("p 1").spans == ()


class ReadTwice(Words):
    """Finds more words with a bias, in one reading; `detect` would be another one."""

    def __init__(self, more: Words, suspected: Words | None = None, **found: tuple[str, float]) -> None:
        super().__init__(**found)
        self.more, self.suspected = more, suspected or Words()

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        raise AssertionError("the network runs once more")

    def detect_twice(
        self, documents: Sequence[Document], bias: float, least: float
    ) -> list[tuple[tuple[Span, ...], ...]]:
        found = (super().detect(documents), self.more.detect(documents), self.suspected.detect(documents))
        return list(zip(*found, strict=True))


def test_one_reading_gives_the_first_look_and_the_second() -> None:
    more = {"Setién": (STAFF, 0.2), "Color": (STAFF, 0.3), "RN": (STAFF, 0.3), "Lugo": ("TERRITORIO", 0.55)}
    first = ReadTwice(Words(**more), Tripodi=(STAFF, 0.9))
    pipeline = Pipeline(first, RESEARCH, second=SecondLook("fast", is_same=True))
    text = "Tripodi llama a Setién. RN sano. Color normal. Vive en Lugo."
    found = pipeline.annotate(text)
    assert [(found.text_of(span), span.source) for span in found.spans] == [
        ("Tripodi", ""),
        ("Setién", DOUBTFUL),
        ("Lugo", ""),
    ]


def test_a_suspected_word_becomes_a_label_only_if_it_looks_like_a_name() -> None:
    words = dict.fromkeys(("Tripodi", "Posse", "Wilson", "Reviso", "Lugo"), (STAFF, 0.01))
    first = ReadTwice(Words(), Words(**words), Lugo=("TERRITORIO", 0.9))
    pipeline = Pipeline(first, RESEARCH, second=SecondLook("fast", is_same=True))
    found = pipeline.annotate("Posse y Tripodi pusieron collar. Reviso en Lugo. Enfermedad de Wilson.")
    assert [(found.text_of(span), span.source) for span in found.spans] == [
        ("Posse", DOUBTFUL),
        ("Tripodi", DOUBTFUL),
        ("Lugo", ""),
    ]


def test_a_detector_that_cannot_be_read_twice_is_not_left_without_a_second_look(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("nadie.run.second_look._detector", lambda _: Words(Setién=(STAFF, 0.2)))
    pipeline = Pipeline(Words(), RESEARCH, second=SecondLook("fast", is_same=True))
    assert [span.source for span in pipeline.annotate("Avisar a Setién.").spans] == [DOUBTFUL]

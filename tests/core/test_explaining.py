"""Recognisers of one's own, and why each span was found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

import nadie
from command_line import run_command
from nadie.document import FIELD, Span
from nadie.resolve.own_patterns import OwnPatterns
from nadie.run.explaining import explanations

TEXT = "Paciente: Ana Pérez Soto. DNI 12345678Z. Cama 12-B. Alta de Ana. Proyecto Aurora."


def beds(text: str) -> Iterator[tuple[int, int, str]]:
    for found in re.finditer(r"Cama (\d+-[A-Z])", text):
        yield *found.span(1), "OTRO_NUMERO_IDENTIF"


def _always(found: tuple[int, int, str], text: str) -> list[tuple[int, int, str]]:
    return [found]


def test_a_recogniser_of_ones_own() -> None:
    model = nadie.load("fast").with_recogniser(beds)
    assert "12-B" not in model.anonymize(TEXT)
    (span,) = [span for span in model.annotate(TEXT).spans if span.source == "own:beds"]
    assert (TEXT[span.start : span.end], span.label) == ("12-B", "OTRO_NUMERO_IDENTIF")
    wide = "Cama\u00a012-B \U0001f642"
    assert "12-B" not in model.anonymize(f"Pe\u0301rez. {wide} Cama 12-B")
    for wrong in ((0, 999, "FECHAS"), (0, 1, "NO LABEL"), (3, 2, "FECHAS")):
        with pytest.raises(nadie.NadieError):
            nadie.load("fast").with_recogniser(partial(_always, wrong)).annotate(TEXT)


def test_why_each_span_was_found() -> None:
    model = nadie.load("fast", deny=["Aurora"], known=[{"empresa": "Proyecto"}]).with_recogniser(beds)
    document = nadie.Document("", TEXT, (Span(0, 8, "FECHAS", 1.0, FIELD),))
    why = {document.text_of(each.span): each for each in model.explain(document)}
    assert (why["Ana Pérez Soto"].stage, why["Ana Pérez Soto"].reason) == ("model", "fast")
    assert why["Ana Pérez Soto"].runner_up
    assert 0.0 <= why["Ana Pérez Soto"].runner_up_score < why["Ana Pérez Soto"].span.score
    assert (why["12-B"].stage, why["12-B"].reason) == ("own pattern", "beds")
    assert (why["Aurora"].stage, why["Aurora"].reason) == ("list", "a denied term")
    assert why["Proyecto"].stage == "known identities"
    assert why["Paciente"].stage == "file"
    assert all(each.stage and each.reason for each in why.values())


def test_a_name_said_again_names_the_first_mention() -> None:
    text = "Paciente: Berta Iturbe Cantero. Luego iturbe camina."
    spans = (
        Span(10, 30, "NOMBRE_SUJETO_ASISTENCIA", 1.0, "fast"),
        Span(38, 44, "NOMBRE_SUJETO_ASISTENCIA", 1.0, "complete:names"),
    )
    _, again = explanations(nadie.Document("", text, spans), nadie.load("fast").detector)
    assert (again.stage, again.reason) == ("completing", "follows from the span at 10")


def test_show_tells_why(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    shown = run_command("show", tmp_path / "a.txt", "--why", environment={"COLUMNS": "160"}).stdout.decode()
    assert "found by" in shown
    in_spanish = run_command("show", tmp_path / "a.txt", "--why", "--lang", "es", environment={"COLUMNS": "160"})
    for english, spanish in (
        ("found by", "encontrado por"),
        ("model: fast", "modelo: fast"),
        ("anonymized", "anonimizado"),
    ):
        assert english in shown
        assert spanish in in_spanish.stdout.decode()
        assert english not in in_spanish.stdout.decode()
    assert "found by" not in run_command("show", tmp_path / "a.txt").stdout.decode()


def test_words_that_veto_an_own_pattern(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text(
        "[[pattern]]\nlabel = 'OTRO_NUMERO_IDENTIF'\nregex = '\\d{6}'\nunless = ['Lote', 'ref']\n"
        "finds = ['muestra 123456']\nignores = ['lote 123456', '123456 (REF.)']\n",
        encoding="utf-8",
    )
    (pattern,) = OwnPatterns.read(file).patterns
    assert pattern.problems() == []


def test_models_are_verified(tmp_path: Path) -> None:
    done = run_command("models", "verify")
    rows = [line.split("\t") for line in done.stdout.decode().splitlines()]
    assert (done.returncode, {row[1] for row in rows}) == (0, {"unchanged"})
    assert {"fast", "best"} <= {row[0] for row in rows}
    damaged = tmp_path / "mine"
    damaged.mkdir()
    (damaged / "config.json").write_text("{}", encoding="utf-8")
    again = run_command("models", "verify", environment={"NADIE_MODELS": str(tmp_path)})
    assert (again.returncode, b"mine\tdamaged or changed" in again.stdout) == (1, True), again.stdout

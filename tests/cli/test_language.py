"""The command line in Spanish: help, wrong usage, errors and summaries, and no message of it without a translation."""

from __future__ import annotations

import ast
import io
import os
import re
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import typer
import typer.main

import nadie.errors
from nadie.cli import language
from nadie.cli.main import build
from nadie.errors import ConfigError, FormatError
from nadie.files import signatures
from nadie.files.container import CONTAINERS

SOURCE = Path(nadie.errors.__file__).parent
CATALOGUE: dict[str, str] = {
    english.replace("{n}", "{}"): spanish
    for table in tomllib.loads(files("nadie.cli").joinpath("es.toml").read_text("utf-8")).values()
    for english, spanish in table.items()
}
USED_BY_COMMANDS = ("anonymize", "cli", "corpus", "files", "records", "resolve", "risk", "run")
"""The packages whose every error is translated; errors of trainings and of damaged parts of models stay English."""


def run(*arguments: str, locale: str = "C.UTF-8", **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "NADIE_LANG"))
    }
    variables = {**inherited, "LANG": locale, "COLUMNS": "100", "NO_COLOR": "1", **environment}
    command = [sys.executable, "-m", "nadie", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=variables)


def messages_of(command: Any) -> Iterator[str]:
    for name in ("help", "epilog"):
        paragraphs = (getattr(command, name, None) or "").split("\n\n")
        yield from (p for p in paragraphs if p and not p.startswith("\b\n"))
    yield from (text for each in command.params if (text := getattr(each, "help", None)))
    for inner in getattr(command, "commands", {}).values():
        yield from messages_of(inner)


def template_of(node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return ""


def errors_of(package: str) -> Iterator[tuple[str, str]]:
    kinds = {name for name, value in vars(nadie.errors).items() if isinstance(value, type)}
    for path in sorted((SOURCE / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in kinds and node.args:
                is_feature = node.func.id == "MissingExtraError"  # its name, to be put into a sentence
                if not is_feature and " " in (template := template_of(node.args[0])):
                    yield f"{path.name}:{node.lineno}", template


def test_every_sentence_of_the_help_is_translated() -> None:
    missing = [text for text in messages_of(typer.main.get_command(build())) if text not in CATALOGUE]
    assert not missing


@pytest.mark.parametrize("package", USED_BY_COMMANDS)
def test_every_error_is_translated(package: str) -> None:
    found = list(errors_of(package))
    assert found
    assert not [(where, template) for where, template in found if template not in CATALOGUE]


WRITERS = {"write", "writelines", "print", "echo", "status", "confirm"}
OF_THE_PARSER = {"{}Error: {}\n", "nadie {}\n", "nadie: {}\n"}


def spoken() -> Iterator[tuple[str, str]]:
    """The messages that commands print in the user's language."""
    for where, function, template in first_arguments():
        if function in {"say", "print_line", "start", "archive_bar"} and re.search("[a-z]{2}", template):
            yield where, template


def unspoken() -> Iterator[tuple[str, str]]:
    """Words that commands print as they are."""
    for where, function, template in first_arguments():
        if (
            function in WRITERS
            and re.search(r"[A-Za-z]{3,} |[A-Za-z]{3,}$", template)
            and template not in OF_THE_PARSER
        ):
            yield where, template


def first_arguments() -> Iterator[tuple[str, str, str]]:
    for path in sorted((SOURCE / "cli").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args:
                name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
                yield f"{path.name}:{node.lineno}", name, template_of(node.args[0])


def test_every_message_is_translated_and_none_is_printed_untranslated() -> None:
    found = list(spoken())
    assert len(found) > 50
    assert [each for each in found if each[1] not in CATALOGUE] == []
    assert list(unspoken()) == []


COMPOSED = {
    "at most {} of {}s leak a direct identifier, {}": "goal: at most {} of {}s leak a direct identifier, {}",
    "missed {}": "missed {}: {} expected, {} to {}",
    "notes of {} {} with a direct leak: {}": "notes of {} {} with a direct leak",
    "second system, {}: {}, difference {}, p = {}": "second system, {}: {} to {}, difference {} to {}, p = {}",
}
"""Parts of lines, and the lines that they become."""
FIGURES = {"risk/review/report.py": ("lines", "_more"), "risk/release.py": ("lines", "_shares")}


@pytest.mark.parametrize("file", FIGURES)
def test_every_line_about_the_risk_is_translated(file: str) -> None:
    functions = [
        node
        for node in ast.walk(ast.parse((SOURCE / file).read_text("utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name in FIGURES[file]
    ]
    strings = [node for function in functions for node in ast.walk(function) if isinstance(node, ast.JoinedStr)]
    lines = {line for node in strings if re.search(r"[a-z]{3,} ", line := template_of(node))}
    assert len(lines) > 5
    assert [line for line in lines if COMPOSED.get(line, line) not in CATALOGUE] == []


def test_the_risk_of_a_sample_in_spanish(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text("Paciente: Ana Pérez Soto.", "utf-8")
    drawn = run("sample", str(tmp_path / "notes"), "--size", "1", "--out", str(tmp_path / "s"), "--lang", "es")
    assert drawn.returncode == 0, drawn.stderr
    lines = run("risk", str(tmp_path / "s"), "--lang", "es").stdout.splitlines()
    assert lines[:2] == [
        "revisado: 0 de 1 notas, de una población de 1",
        "objetivo: como máximo el 1.00% de notas con un identificador directo legible, 95%",
    ]
    words = set(" ".join(lines).split())
    assert not words & {"of", "at", "most", "leak", "with", "notes", "needs", "identifiers"}


def test_the_names_of_all_formats_are_translated() -> None:
    titles = {*signatures.TITLES.values(), *(CONTAINERS.get(name).title for name in CONTAINERS.names())}
    assert {title for title in titles if title not in CATALOGUE} == {"XML", "JSON", "FHIR JSON"}


def test_what_is_done_with_columns_is_said_in_spanish(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('nhc,nota,raro\n4471920,"Paciente: Ana Pérez Soto",A7-x\n', "utf-8")
    (tmp_path / "x.bin").write_bytes(b"\x00\x01\x02")
    done = run("anonymize", str(tmp_path / "t.csv"), str(tmp_path / "x.bin"), "--out", str(tmp_path / "o"), "--lang=es")
    assert "nhc (sustituida como ID_SUJETO_ASISTENCIA), nota (examinada), raro (sustituida como OTROS" in done.stderr
    assert "formato no admitido: datos binarios en un formato desconocido" in done.stderr
    assert done.stderr.endswith("1 procesado, 1 fallido\n")
    (tmp_path / "t2.csv").write_text('nhc,nota\n4471920,"Ana Pérez Soto"\n5532218,"Luis Ferrer Gil"\n', "utf-8")
    tried = run("anonymize", str(tmp_path / "t2.csv"), "--dry-run", "--lang=es")
    assert "datos hallados en 2 textos; no se ha escrito nada" in tried.stdout
    assert tried.stderr.splitlines()[-1] == "2 textos de 1 archivo procesados, 0 fallidos"
    shown = run("models", "--lang", "es").stdout
    assert shown.startswith("nombre ")
    assert "datos identificativos" in shown


def test_an_evaluation_in_spanish(tmp_path: Path) -> None:
    for name in ("gold", "system"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text("Ana acude.", "utf-8")
    (tmp_path / "gold" / "a.ann").write_text("T1\tNOMBRE_SUJETO_ASISTENCIA 0 3\tAna\n", "utf-8")
    (tmp_path / "system" / "a.ann").write_text("", "utf-8")
    shown = run("evaluate", str(tmp_path / "gold"), str(tmp_path / "system"), "--lang", "es").stdout
    for words in ("Total (1 documentos)", "subtarea 2 estricta: lugar", "documentos sin fugas", "(nada: no detectado)"):
        assert words in shown
    assert not [word for word in ("subtask", "label", "missed", "spans", " to ", " of ") if word in shown]


def test_a_translation_has_the_values_of_its_message() -> None:
    differing = [english for english, spanish in CATALOGUE.items() if english.count("{}") != spanish.count("{}")]
    assert not differing


@pytest.mark.parametrize(
    ("arguments", "environment", "expected"),
    [
        (["--lang", "es", "a"], {"LANG": "en_GB.UTF-8"}, "es"),
        (["a", "--lang=en"], {"NADIE_LANG": "es"}, "en"),
        (["a"], {"NADIE_LANG": "es", "LANG": "C"}, "es"),
        (["a"], {"LANG": "es_MX.UTF-8"}, "es"),
        (["a"], {"LANG": "es"}, "es"),
        (["a"], {"LC_ALL": "C", "LANG": "es_ES.UTF-8"}, "en"),
        (["a"], {"LANG": "est_EE.UTF-8"}, "en"),
        (["a"], {}, "en"),
    ],
)
def test_the_language_comes_from_the_option_the_variable_or_the_locale(
    arguments: list[str], environment: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(language._current, "language", "en")
    assert language.take_language(arguments, environment) == ["a"]
    assert language.is_translated() == (expected == "es")


def test_what_follows_two_dashes_is_an_argument(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(language._current, "language", "en")
    assert language.take_language(["show", "--", "--lang", "es"], {}) == ["show", "--", "--lang", "es"]
    assert not language.is_translated()
    with pytest.raises(ConfigError, match="en or es"):
        language.take_language(["--lang", "fr"], {})


def test_values_inside_a_message_are_translated_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(language._current, "language", "es")
    error = FormatError("is larger than 10 bytes; it is left out of the copy", where="carta.zip", line=3)
    assert language.say_error(error) == "carta.zip, línea 3: supera los 10 bytes; se omite en la copia"
    for unknown in ("no message of nadie", "notes", "label", "3 texts of mine"):
        assert language.say(unknown) == unknown
    named = FormatError("is larger than 10 bytes", where="notes")
    assert language.say_error(named).startswith("notes: ")
    piped = FormatError("is larger than 10 bytes", where="standard input")
    assert language.say_error(piped).startswith("entrada estándar: ")


@pytest.mark.parametrize("sign", [": ", ", ", " of ", " to "])
def test_any_name_of_a_file_takes_little_time(sign: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(language._current, "language", "es")
    name = f"a{sign * 1000}\0"
    began = time.process_time()
    assert language.say(f"model: {name}").endswith("\0")
    assert time.process_time() - began < 1


def test_help_in_spanish() -> None:
    shown = run("--lang", "es", "anonymize", "--help")
    assert shown.returncode == 0
    assert shown.stdout.lstrip().startswith("Uso: nadie anonymize [")
    assert "Opciones:" in shown.stdout
    assert "[por omisión:" in shown.stdout
    assert "cat note.txt | nadie anonymize -" in shown.stdout, "examples stay"
    assert not [word for word in ("Usage", "Options:", "Examples", "[default") if word in shown.stdout]
    whole = run("--help", locale="es_ES.UTF-8")
    assert "Órdenes:" in whole.stdout
    assert "Sustituye lo que identifica a una persona" in whole.stdout
    bare = run("--lang", "es")
    assert bare.stderr.lstrip().startswith("Uso: nadie [OPCIONES] ORDEN")
    assert not [word for word in ("Usage", "Options:", "Commands", "Show this") if word in bare.stderr]


def test_wrong_usage_and_errors_in_spanish() -> None:
    no_option = run("anonymize", "nota.txt", "--fantasia", NADIE_LANG="es")
    assert (no_option.returncode, "No existe la opción" in no_option.stderr) == (2, True)
    no_model = run("annotate", "-", "--model", "fantasma", "--lang", "es")
    assert no_model.returncode == 2
    assert no_model.stderr.startswith("nadie: no existe el modelo")
    assert "There is no" not in no_model.stderr


def test_a_question_without_an_answer_ends_without_a_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    app = typer.Typer()
    app.command()(lambda: typer.confirm("?", abort=True))
    assert language.run_translated(typer.main.get_command(app), []) == 1
    assert capsys.readouterr().err.endswith("Cancelado.\n")


def test_a_summary_in_spanish_and_the_same_output(tmp_path: Path) -> None:
    note = tmp_path / "nota.txt"
    note.write_text("Paciente: Lucía Ferrer Ortiz, DNI 12345678Z.\n", "utf-8")
    missing = tmp_path / "falta.txt"
    outputs = []
    for name in ("en", "es"):
        done = run("anonymize", str(note), str(missing), "--out", str(tmp_path / name), "--lang", name)
        assert done.returncode == 1
        outputs.append([path.read_text("utf-8") for path in sorted((tmp_path / name).glob("*.txt"))])
        assert ("1 procesado, 1 fallido" in done.stderr) == (name == "es")
        assert ("no existe ese archivo" in done.stderr) == (name == "es")
    assert outputs[0] == outputs[1]
    assert outputs[0]

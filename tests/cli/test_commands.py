"""The commands as a user types them: real processes, real files."""

from __future__ import annotations

import hashlib
import json
import re
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

import nadie
from command_line import run_command
from nadie.files.annotated.brat import Brat
from nadie.files.annotated.reading import read_documents
from nadie.run.annotation import AnnotationOptions, _Written
from nadie.run.documents import Run

NOTE = "Paciente: Ana Pérez Soto, de 70 años, natural de Lugo.\r\nRemitida por el Dr. Ignacio Navarro Cuéllar.\r\n"


def run(*arguments: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return run_command(*arguments, stdin=stdin, environment={"COLUMNS": "100"})


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    (folder / "sub").mkdir(parents=True)
    (folder / "one.txt").write_bytes(NOTE.encode())
    (folder / "sub" / "two.txt").write_bytes("\ufeffNHC: 7654321\n".encode())
    return folder


def test_help_names_every_command_and_teaches() -> None:
    help_text = run("--help").stdout.decode()
    for command in ("anonymize", "annotate", "show", "train", "evaluate", "convert", "models", "corpus"):
        assert command in help_text
        assert "nadie" in run(command, "--help").stdout.decode()
    assert run("--version").stdout.decode() == f"nadie {nadie.__version__}\n"


def test_anonymize_in_a_pipe() -> None:
    result = run("anonymize", "-", stdin=NOTE.encode())
    assert result.returncode == 0
    text = result.stdout.decode()
    assert "Pérez" not in text
    assert "Navarro" not in text
    assert "[EDAD_SUJETO_ASISTENCIA]" in text
    assert text.endswith("\r\n")


def test_anonymize_a_folder(notes: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = run("anonymize", notes, "--out", out, "--rename", "keep")
    assert (result.returncode, result.stdout) == (0, b"")
    assert b"2 handled, 0 failed" in result.stderr
    assert "7654321" not in (out / "sub" / "two.txt").read_text(encoding="utf-8")
    assert (out / "sub" / "two.txt").read_bytes().startswith(b"\xef\xbb\xbfNHC: [")


def test_thresholds_say_how_sure_the_model_must_be(notes: Path, tmp_path: Path) -> None:
    file = tmp_path / "thresholds.toml"
    file.write_text("[labels]\nEDAD_SUJETO_ASISTENCIA = 1.0\nNOMBRE_SUJETO_ASISTENCIA = 0.2\n", encoding="utf-8")
    text = run("anonymize", notes / "one.txt", "--thresholds", file).stdout.decode()
    assert "70 años" in text
    assert "Pérez" not in text
    file.write_text("[labels]\nEDAD = 1.0\n", encoding="utf-8")
    for name, *options in (("anonymize",), ("annotate", "--out", str(tmp_path / "out")), ("show",)):
        refused = run(name, notes, *options, "--thresholds", file)
        assert (refused.returncode, refused.stdout) == (2, b"")
        assert b"thresholds.toml" in refused.stderr
        assert not (tmp_path / "out").exists()


def test_anonymize_several_files_to_the_screen(notes: Path) -> None:
    text = run("anonymize", notes / "one.txt", notes / "sub" / "two.txt", "--rename", "keep").stdout.decode()
    assert text.index("==> one <==") < text.index("==> two <==")


def test_annotate_as_brat_leaves_the_text_alone(notes: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run("annotate", notes, "--out", out).returncode == 0
    for name in ("one", "sub/two"):
        assert (out / f"{name}.txt").read_bytes() == (notes / f"{name}.txt").read_bytes()
    documents = {document.id: document for document in read_documents(out)}
    assert "Ana Pérez Soto" in {documents["one"].text_of(span) for span in documents["one"].spans}
    assert {documents["sub/two"].text_of(span) for span in documents["sub/two"].spans} == {"7654321"}


@pytest.mark.parametrize("target", ["i2b2", "jsonl"])
def test_annotate_in_other_formats(notes: Path, tmp_path: Path, target: str) -> None:
    assert run("annotate", notes, "--out", tmp_path / "out", "--to", target).returncode == 0
    assert run("annotate", notes, "--out", tmp_path / "brat").returncode == 0
    found = {d.id: d.spans for d in read_documents(tmp_path / "out")}
    assert found == {d.id: d.spans for d in read_documents(tmp_path / "brat")}


def test_annotations_beside_the_texts_do_not_matter(notes: Path, tmp_path: Path) -> None:
    (notes / "one.ann").write_text("T1\tNONSENSE 0 1\tx\n")
    assert run("annotate", notes, "--out", tmp_path / "out").returncode == 0


def test_one_bad_file_does_not_stop_the_rest_and_nothing_of_it_is_told(notes: Path, tmp_path: Path) -> None:
    (notes / "bad.txt").write_bytes(b"Gumersindo \xff\xfe")
    result = run("anonymize", notes, "--out", tmp_path / "out")
    assert result.returncode == 1
    assert b"2 handled, 1 failed" in result.stderr
    assert b"bad.txt" in result.stderr
    assert b"Gumersindo" not in result.stderr
    assert b"Traceback" not in result.stderr
    assert not (tmp_path / "out" / "bad.txt").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["anonymize", "nowhere.txt"], b"nowhere.txt"),
        (["anonymize", "-", "--model", "no-such-model"], b"no-such-model"),
        (["train", "recrf", "--train", "nowhere", "--out", "x"], b"nowhere"),
        (["train", "nobody", "--train", "nowhere", "--out", "x"], b"nobody"),
        (["evaluate", "nowhere", "nowhere"], b"nowhere"),
    ],
)
def test_mistakes_are_one_line_and_no_traceback(arguments: list[str], message: bytes, tmp_path: Path) -> None:
    result = run(*arguments)
    assert result.returncode != 0
    assert message in result.stderr
    assert b"Traceback" not in result.stderr


def test_empty_input() -> None:
    result = run("anonymize", "-")
    assert (result.returncode, result.stdout) == (0, b"")


def test_models_are_listed() -> None:
    cards = json.loads(run("models", "--json").stdout)
    assert {card["name"] for card in cards} >= {"recrf"}
    for card in cards:
        assert "CC BY 4.0" in card["data_licence"]
        assert card["trained_on"]


def test_the_list_of_models_fits_a_screen() -> None:
    lines = run("models").stdout.decode().splitlines()
    assert len(lines) < 24
    assert max(map(len, lines)) <= 80
    names = {card["name"] for card in json.loads(run("models", "--json").stdout)}
    assert names <= {line.partition(" ")[0] for line in lines}


def test_the_list_of_models_shows_the_suite() -> None:
    """With a star if a model has other files now than when it was measured."""
    (line,) = [line for line in run("models").stdout.decode().splitlines() if line.startswith("fast ")]
    measured = json.loads((Path(__file__).resolve().parents[2] / "docs" / "results.json").read_text(encoding="utf-8"))[
        "suite"
    ]["systems"]["fast"]
    shown = f"{measured['recall']:.1f} / {measured['precision']:.1f}"
    is_same = (
        measured["sha256"]
        == hashlib.sha256((Path(nadie.__file__).parent / "models" / "fast" / "checksums.json").read_bytes()).hexdigest()
    )
    assert f" {shown} " in line if is_same else f" {shown}* " in line


@pytest.mark.parametrize("kept", [False, True])
def test_train_then_use(tmp_path: Path, *, kept: bool) -> None:
    folder = tmp_path / "train"
    folder.mkdir()
    for i in range(12):
        text = f"NHC: {70000 + i}.\nSin fiebre.\n"
        (folder / f"{i}.txt").write_text(text)
        (folder / f"{i}.ann").write_text(f"T1\tID_SUJETO_ASISTENCIA 5 10\t{70000 + i}\n")
    out = tmp_path / "mine"
    result = run(
        "train",
        "recrf",
        "--train",
        folder,
        "--dev",
        folder,
        "--out",
        out,
        "--set",
        "iterations=20",
        "--set",
        "copies=0",
        *(["--keep-work", "--licence", "CC0 1.0"] if kept else []),
    )
    assert result.returncode == 0, result.stderr
    assert b"subtask1_f1: 100.00" in result.stderr
    assert (tmp_path / "mine.work").exists() == kept
    assert json.loads((out / "card.json").read_text())["data_licence"] == ("CC0 1.0" if kept else "unknown")
    cost = json.loads((out / "card.json").read_text())["training_cost"]
    assert 0 < cost["memory_gb"] < 4
    assert 0 <= cost["processor_minutes"] < 5
    again = run("anonymize", "-", "--model", out, stdin=b"NHC: 99999.\n")
    assert again.stdout == b"NHC: [ID_SUJETO_ASISTENCIA].\n"


def test_show() -> None:
    result = run("show", "-", stdin=NOTE.encode())
    assert result.returncode == 0
    assert "[EDAD_SUJETO_ASISTENCIA]" in result.stdout.decode()


def test_distil_writes_parts_to_learn_from(notes: Path, tmp_path: Path) -> None:
    result = run("distil", notes, "--out", tmp_path / "silver", "--teacher", "recrf", "--sure", "0.5", "--known", "1")
    assert result.returncode == 0
    assert b"2 handled, 0 failed" in result.stderr
    silver = {document.id: document for document in read_documents(tmp_path / "silver")}
    assert "Ana Pérez Soto" in {silver["one"].text_of(span) for span in silver["one"].spans}
    assert run("distil", notes, "--out", tmp_path / "none", "--teacher", "recrf", "--sure", "1").returncode == 0
    assert not any(document.spans for document in read_documents(tmp_path / "none"))
    mute = run("distil", notes, "--out", tmp_path / "no", "--teacher", "tccnn")
    assert (mute.returncode, b"cannot be a teacher" in mute.stderr) == (2, True)


CSV = 'nota,edad\n"Paciente: Ana Pérez Soto, de 70 años",70\n"Acude Juan Ruiz Gil",60\n'
HL7 = "MSH|^~\\&|A|B|C|D|20200101||ADT^A01|1|P|2.5\rPID|1||4471920||PEREZ^ANA||19700101|F\r"


@pytest.fixture
def structured(tmp_path: Path) -> Path:
    folder = tmp_path / "structured"
    folder.mkdir()
    (folder / "extract.csv").write_text(CSV, encoding="utf-8")
    (folder / "message.hl7").write_text(HL7, encoding="utf-8", newline="")
    return folder


def test_annotate_and_show_read_what_anonymize_reads(structured: Path, tmp_path: Path) -> None:
    done = run("annotate", structured)
    documents = {each["id"]: each for each in map(json.loads, done.stdout.decode().splitlines())}
    assert (done.returncode, set(documents)) == (0, {"extract.csv#2", "extract.csv#3", "message.hl7"})
    assert b"3 texts of 2 files handled, 0 failed" in done.stderr
    assert {span["source"] for span in documents["message.hl7"]["spans"]} == {"field"}
    kept = run("annotate", structured / "extract.csv", "--keep-column", "edad", "--workers", "2").stdout.decode()
    assert "field" not in kept
    assert "Ana Pérez Soto" in run("show", structured / "message.hl7", structured / "extract.csv").stdout.decode()
    as_text = json.loads(run("annotate", structured / "message.hl7", "--from", "text").stdout)
    assert as_text["text"] == HL7


def test_a_text_beside_its_annotations_is_read_as_it_is(structured: Path, tmp_path: Path) -> None:
    """A corpus may have notes that look like messages or pages; the offsets of gold are those of the file."""
    (structured / "corpus").mkdir()
    text = structured / "corpus" / "a.txt"
    text.write_text(HL7, encoding="utf-8", newline="")
    text.with_suffix(".ann").write_text("T1\tID_SUJETO_ASISTENCIA 50 57\t4471920\n")
    assert run("annotate", structured / "corpus", "--out", tmp_path / "out").returncode == 0
    assert (tmp_path / "out" / "a.txt").read_bytes() == text.read_bytes()
    by_files = run("evaluate", structured / "corpus", tmp_path / "out", "--json")
    by_model = run("evaluate", structured / "corpus", "--json", "--workers", "2")
    assert (by_files.returncode, by_model.returncode) == (0, 0), by_model.stderr
    assert json.loads(by_files.stdout)["strict"] == json.loads(by_model.stdout)["strict"]


def test_an_interrupted_annotation_goes_on(notes: Path, tmp_path: Path) -> None:
    out, state = tmp_path / "out", tmp_path / "out" / ".nadie-annotation"
    assert run("annotate", notes, "--out", out, "--resume").returncode == 2
    assert run("annotate", notes, "--out", out).returncode == 0
    assert not state.exists()
    whole = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    (out / "one.ann").unlink()
    kept = (out / "sub" / "two.ann").stat().st_mtime_ns
    options = AnnotationOptions()
    with pytest.raises(KeyboardInterrupt), Run(options.run) as model, _Written(out, Brat(), model, options):
        raise KeyboardInterrupt
    assert run("annotate", notes, "--out", out).returncode == 2, "an interrupted run must not be overwritten"
    assert run("annotate", notes, "--out", out, "--resume", "--mode", "recall").returncode == 2
    done = run("annotate", notes, "--out", out, "--resume")
    assert (done.returncode, b"1 documents were annotated" in done.stderr) == (0, True), done.stderr
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == whole
    assert (out / "sub" / "two.ann").stat().st_mtime_ns == kept


def test_a_table_without_out_stays_a_table(structured: Path) -> None:
    done = run("anonymize", structured / "extract.csv")
    first, *_, last = done.stdout.decode().splitlines()
    assert (first, last) == ("nota,edad", '"Acude [NOMBRE_SUJETO_ASISTENCIA]",[EDAD_SUJETO_ASISTENCIA]')
    assert b"a CSV table, 2 rows" in done.stderr
    assert run("anonymize", structured / "message.hl7").stdout.startswith(b"MSH|^~\\&|")
    both = run("anonymize", structured)
    assert (both.returncode, both.stdout) == (1, b"")
    assert b"extract.csv: is a CSV table: give --out, or --to jsonl" in both.stderr
    assert len(run("anonymize", structured, "--to", "jsonl").stdout.splitlines()) == 3


def test_new_names_are_told_and_listed(notes: Path, tmp_path: Path) -> None:
    (notes / "one.txt").rename(notes / "Ana Pérez Soto.txt")
    (notes / "sub/two.txt").rename(notes / "sub/informe.txt")
    table = tmp_path / "names.csv"
    done = run("anonymize", notes, "--out", tmp_path / "out")
    assert b"1 name of an output was replaced; --rename keep keeps them, --names FILE writes a table" in done.stderr
    assert run("anonymize", notes, "--out", tmp_path / "again", "--names", table).returncode == 0
    rows = dict(line.split(",") for line in table.read_text(encoding="utf-8").splitlines())
    assert (tmp_path / "again" / f"{next(new for new, old in rows.items() if old == 'Ana Pérez Soto')}.txt").is_file()
    assert (rows["output"], rows["sub/informe"], table.stat().st_mode & 0o777) == ("input", "sub/informe", 0o600)
    assert b"replaced" not in run("anonymize", notes, "--out", tmp_path / "kept", "--rename", "keep").stderr


def test_a_folder_that_cannot_be_written_is_one_error(notes: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for command in ("anonymize", "annotate"):
        done = run(command, notes, "--out", tmp_path / "file" / "out")
        assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
        assert b"cannot be written (Not a directory)" in done.stderr


def test_ctrl_c_says_what_was_done_and_how_to_go_on(notes: Path, tmp_path: Path) -> None:
    for number in range(3000):
        (notes / f"{number}.txt").write_text(f"Paciente {number}: Ana Pérez Soto.", encoding="utf-8")
    key = tmp_path / "key"
    key.write_text("correct horse battery staple of a hospital", encoding="utf-8")
    arguments = ("anonymize", notes, "--out", tmp_path / "out", "--policy", "research", "--key-file", key)
    command = [sys.executable, "-m", "nadie", *map(str, arguments)]
    # A shell starts what runs in the background with Ctrl-C ignored, and children inherit that.
    heeding = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(command, stderr=subprocess.PIPE, preexec_fn=heeding) as process:
        while not list((tmp_path / "out").rglob("*.txt")):
            time.sleep(0.05)
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, told = process.communicate()
    assert process.returncode == 130, told
    assert re.search(rb"nadie: interrupted: \d+ handled, 0 failed; the same command with --resume goes on", told), told


def test_a_training_does_not_overwrite_a_model(notes: Path, tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    done = run("train", "recrf", "--train", notes, "--out", tmp_path / "model")
    assert (done.returncode, b"exists: choose another folder" in done.stderr) == (2, True)

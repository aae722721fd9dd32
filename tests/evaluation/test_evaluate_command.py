from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from evaluation.build import DATE, NAME, TOWN
from nadie.cli.main import main
from nadie.evaluation.errors import ErrorKind

SECRET = "Ana Ruiz"
TEXT = f"{SECRET} vive en Soria. Alta el 3/4/19."


class Done(NamedTuple):
    code: int
    stdout: str
    stderr: str


Command = Callable[..., Done]


@pytest.fixture
def nadie(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs `nadie evaluate` as the shell would."""

    def run(*arguments: str | Path) -> Done:
        monkeypatch.setattr("sys.argv", ["nadie", "evaluate", *map(str, arguments)])
        with pytest.raises(SystemExit) as left:
            main()
        code = left.value.code
        return Done(code if isinstance(code, int) else 0, *capsys.readouterr())

    return run


def annotate(folder: Path, name: str, *spans: tuple[str, str], text: bool = True) -> Path:
    folder.mkdir(exist_ok=True)
    if text:
        (folder / f"{name}.txt").write_text(TEXT)
    lines = [
        f"T{i}\t{label} {TEXT.index(words)} {TEXT.index(words) + len(words)}\t{words}\n"
        for i, (words, label) in enumerate(spans, 1)
    ]
    (folder / f"{name}.ann").write_text("".join(lines))
    return folder


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    for name in ("a", "b"):
        annotate(tmp_path / "gold", name, (SECRET, NAME), ("Soria", TOWN), ("3/4/19", DATE))
    return tmp_path / "gold"


@pytest.fixture
def system(tmp_path: Path) -> Path:
    annotate(tmp_path / "system", "a", (SECRET, NAME), ("Soria", DATE), ("Alta", TOWN), text=False)
    return annotate(tmp_path / "system", "b", ("3/4/19", DATE), text=False)


def test_tables(nadie: Command, gold: Path, system: Path) -> None:
    done = nadie(gold, system)
    assert done.code == 0
    for words in ("subtask 1", "subtask 2 merged", "NOMBRE_SUJETO_ASISTENCIA", "nothing missed", "(nothing: missed)"):
        assert words in done.stdout
    assert "nadie's own sentence count" in done.stdout
    assert SECRET not in done.stdout + done.stderr


def test_json(nadie: Command, gold: Path, system: Path) -> None:
    done = nadie(gold, system, "--json")
    assert done.code == 0
    result = json.loads(done.stdout)
    assert {name: result["subtask1"][name] for name in ("tp", "fp", "fn")} == {"tp": 2, "fp": 2, "fn": 4}
    assert result["sentences"] == {"count": 4, "from": "nadie"}
    assert result["subtask1"]["leak"] == 1.0
    assert result["labels"][NAME]["recall"] == 0.5
    assert set(result["errors"]) == set(ErrorKind)
    assert result["safe_documents"]["count"] == 0
    assert {"gold": TOWN, "system": None, "count": 1} in result["confusion"]
    assert [each["id"] for each in result["by_document"]] == ["a", "b"]
    assert SECRET not in done.stdout


def test_comparison(nadie: Command, gold: Path, system: Path) -> None:
    result = json.loads(nadie(gold, system, "--compare", gold, "--json").stdout)
    f1 = result["comparison"]["subtask1.f1"]
    assert (f1["system"], f1["other"]) == (0.4, 1.0)
    assert 0 < f1["p"] <= 1
    assert result["other"]["subtask1"]["f1"] == 1.0
    shown = nadie(gold, system, "--compare", gold).stdout
    assert "second minus first" in shown


def test_sentence_counts(nadie: Command, gold: Path, system: Path, tmp_path: Path) -> None:
    counts = tmp_path / "counts.json"
    counts.write_text('{"a": 20, "b": 20}')
    result = json.loads(nadie(gold, system, "--sentences", counts, "--json").stdout)
    assert result["subtask1"]["leak"] == 0.1
    assert result["sentences"] == {"count": 40, "from": str(counts)}
    assert "own sentence count" not in nadie(gold, system, "--sentences", counts).stdout


def test_report(nadie: Command, gold: Path, system: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    done = nadie(gold, system, "--report", page)
    assert done.code == 0
    assert SECRET in page.read_text(encoding="utf-8")
    assert SECRET not in done.stdout + done.stderr
    assert "protect it like the notes" in done.stderr


def test_a_missing_document_is_named_and_all_missed(nadie: Command, gold: Path, system: Path) -> None:
    (system / "b.ann").unlink()
    done = nadie(gold, system, "--json")
    assert done.code == 0
    assert "lacks 1 of 2 documents, counted as all missed: b" in done.stderr
    assert json.loads(done.stdout)["missing_documents"] == ["b"]


def test_many_missing_documents_do_not_flood_the_screen(nadie: Command, gold: Path, tmp_path: Path) -> None:
    for i in range(30):
        annotate(gold, f"x{i:02}", (SECRET, NAME))
    done = nadie(gold, annotate(tmp_path / "system", "a", (SECRET, NAME)))
    assert "lacks 31 of 32 documents" in done.stderr
    assert "and 11 more" in done.stderr


def test_what_cannot_be_evaluated_is_one_line_and_code_2(
    nadie: Command, gold: Path, system: Path, tmp_path: Path
) -> None:
    other = annotate(shutil.copytree(system, tmp_path / "other"), "stranger", (SECRET, NAME), text=False)
    changed = shutil.copytree(gold, tmp_path / "changed")
    (changed / "a.txt").write_text(TEXT.replace("Alta", "Alto"))
    broken = annotate(tmp_path / "broken", "a", (SECRET, NAME), text=False)
    (broken / "a.ann").write_text(f"T1\t{NAME} 0 900\t{SECRET}\n")
    for arguments in (
        (gold, other),
        (gold, changed),
        (gold, broken),
        (gold, tmp_path / "nothing"),
        (tmp_path / "nothing", system),
        (gold, system, "--sentences", gold / "a.txt"),
        (gold, system, "--compare", other),
        (gold, system, "--report", gold),
    ):
        done = nadie(*arguments)
        assert done.code == 2, arguments
        assert done.stderr.startswith("nadie: ")
        assert "Traceback" not in done.stderr
        assert SECRET not in done.stderr
        assert done.stdout == ""


@pytest.mark.corpus
def test_brat_and_xml_of_the_corpus_are_the_same(nadie: Command, meddocan: Path) -> None:
    result = json.loads(nadie(meddocan / "dev" / "brat", meddocan / "dev" / "xml", "--json").stdout)
    assert result["documents"] == 250
    assert result["subtask1"]["f1"] == 1.0

"""`nadie adapt`: better on held-out notes or refused, what its card says, rolled back, and trained further."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from command_line import run_command
from invented_notes import Silence, document_of, invented
from nadie.detector import DETECTORS, Model, TrainingRun
from nadie.document import Document, Span
from nadie.errors import ConfigError
from nadie.evaluation.evaluate import Difference, Evaluation, evaluate
from nadie.evaluation.statistics import Interval
from nadie.evaluation.suite.runner import load_notes
from nadie.files.annotated.brat import Brat
from nadie.run import adapting
from nadie.run.adapting import AdaptOptions, adapt, replayed
from nadie.run.documents import load
from nadie.run.folds import folds_of
from nadie.run.spending import affordable

STAFF, PATIENT = "NOMBRE_PERSONAL_SANITARIO", "NOMBRE_SUJETO_ASISTENCIA"
CODES = ("derma cuarenta", "turno bravo", "guardia zulu")


@pytest.fixture(autouse=True)
def _few_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the notes of the package, some are enough for a test."""
    some = load_notes()[:25]
    monkeypatch.setattr(adapting, "load_notes", lambda: some)


def unpacked(file: Path) -> bytes:
    """The bytes of a file; of an archive those of its members."""
    if not zipfile.is_zipfile(file):
        return file.read_bytes()
    with zipfile.ZipFile(file) as archive:
        return b"".join(map(archive.read, archive.namelist()))


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Notes of a centre that writes staff as code words, which no model knows."""
    folder = tmp_path / "own"
    notes = [
        document_of(
            f"n{n:02d}",
            [(f"Evolución {n}. Sin fiebre. Avisado ", None), (CODES[n % 3], STAFF), (" por dolor leve.\n", None)],
        )
        for n in range(18)
    ]
    Brat().write(notes, folder)
    return folder


def test_a_model_learns_the_staff_of_a_centre(own: Path, tmp_path: Path) -> None:
    out = tmp_path / "mine"
    done = run_command("adapt", "--from", own, "--out", out, "--folds", "3", "--accepted-by", "Comité")
    assert done.returncode == 0, done.stdout + done.stderr
    assert b"to 1.0000, difference +" in done.stdout.splitlines()[0]
    card = json.loads((out / "card.json").read_text(encoding="utf-8"))
    assert (card["base"], card["accepted_by"]) == ("fast", "Comité")
    assert card["method"] in ("layer", "lists")
    assert card["trained_on"].startswith("18 reviewed notes")
    assert card["scores"]["own"]["characters.recall"]["p"] < 0.05
    assert set(card["modes"]["recall"]) == {"bias"}, "what a mode costs was measured with the base"
    stored = b"".join(file.read_bytes() for file in out.rglob("*") if file.is_file())
    assert not [code for code in CODES if code.encode() in stored or code.split()[1].encode() in stored]
    (tmp_path / "new.txt").write_text("Avisado Guardia Zulu esta noche.", encoding="utf-8")
    used = run_command("anonymize", tmp_path / "new.txt", "--model", out)
    assert f"[{STAFF}]" in used.stdout.decode()
    assert run_command("anonymize", tmp_path / "new.txt", "--model", out, "--mode", "recall").returncode == 0


def test_a_model_that_is_no_better_is_refused_unless_forced(tmp_path: Path) -> None:
    texts = [note.with_spans(()) for note in load_notes()[:12]]
    Brat().write(load("fast").annotate_all(texts), tmp_path / "perfect")
    out = tmp_path / "mine"
    arguments = ("adapt", "--from", tmp_path / "perfect", "--folds", "2", "--method", "lists", "--out", out)
    refused = run_command(*arguments)
    assert refused.returncode == 1
    assert b"refused: it covers no more" in refused.stdout
    assert not out.exists()
    assert run_command(*arguments, "--force").returncode == 0
    first = json.loads((out / "card.json").read_text(encoding="utf-8"))
    assert first["accepted_against"]
    assert run_command(*arguments, "--force", "--accepted-by", "otra").returncode == 0
    assert json.loads((out / "card.json").read_text(encoding="utf-8"))["accepted_by"] == "otra"
    assert run_command("adapt", "--out", out, "--rollback").returncode == 0
    assert json.loads((out / "card.json").read_text(encoding="utf-8")) == first
    assert b"no earlier model" in run_command("adapt", "--out", tmp_path / "none", "--rollback").stderr


def test_forgetting_is_refused() -> None:
    def change(by: float, p: float) -> Difference:
        return Difference(0.9, 0.9 + by, by, Interval(by, by), p)

    better = {name: change(0.05, 0.01) for name in ("characters.recall", "subtask1.f1")}
    same = {name: change(0.0, 1.0) for name in better}
    assert not list(adapting._worse(better, same))
    forgets = {**same, "characters.recall": change(-0.01, 0.5)}
    assert len(list(adapting._worse(better, forgets))) == 1
    assert list(adapting._worse({**better, "subtask1.f1": change(-0.02, 0.01)}, same))


def test_precision_that_is_gained_is_spent_on_fewer_misses() -> None:
    gold = [
        Document(str(n), "Ana Roca y Luis Gil. Todo bien", (Span(0, 8, PATIENT), Span(11, 19, PATIENT))) for n in "ab"
    ]
    name, other, wrong = Span(0, 8, PATIENT), Span(11, 19, PATIENT), Span(21, 25, PATIENT)

    def found(*spans: Span) -> Evaluation:
        return evaluate(gold, [note.with_spans(spans) for note in gold])

    before = found(name, wrong)
    assert affordable({0.0: found(name), 0.5: found(name, other, wrong), 1.0: found(wrong)}, before) == 0.5
    assert affordable({0.0: found(wrong)}, before) == 0.0
    mixed = evaluate(gold, [gold[0].with_spans([wrong]), gold[1]])
    assert affordable({0.0: found(name), 0.5: mixed}, before, frozenset("a")) == 0.5
    assert affordable({0.0: found(name), 0.5: mixed}, before, frozenset("b")) == 0.0


def test_notes_of_a_patient_are_in_one_fold() -> None:
    names = ["Ana Roca", "ANA  ROCA", "Luis Gil", "Luis Gil", "Eva Pons", "Juan", "Juan"]
    notes = [document_of(f"n{n}", [("De ", None), (name, PATIENT), (".", None)]) for n, name in enumerate(names)]
    folds = folds_of(notes, 2, 1)
    assert sorted(map(len, folds)) == [3, 4]
    assert all(len({fold for fold in folds if fold & pair}) == 1 for pair in ({"n0", "n1"}, {"n2", "n3"}))
    assert len(folds_of(notes[:5], 5, 1)) == 3
    with pytest.raises(ConfigError, match="of one patient"):
        folds_of(notes[:2], 2, 1)


def test_copies_of_a_note_are_in_one_fold() -> None:
    notes = [document_of(f"n{n}", [(text, None)]) for n, text in enumerate(["Sin fiebre.", "Tos.", "SIN  fiebre."])]
    assert {"n0", "n2"} in folds_of(notes, 2, 1)
    with pytest.raises(ConfigError, match="or copies"):
        folds_of(notes[::2], 2, 1)


def test_what_precision_may_be_spent_is_told_by_notes_that_were_not_learned_from() -> None:
    for options in (AdaptOptions(), AdaptOptions(replay=invented(30, 5))):
        learned, held_out = ({note.text for note in each} for each in replayed(options))
        assert learned
        assert held_out
        assert learned.isdisjoint(held_out)


def test_too_few_notes_and_other_systems(own: Path, tmp_path: Path) -> None:
    notes = invented(12, 1)
    with pytest.raises(ConfigError, match="at least 10"):
        adapt(notes[:3], AdaptOptions(), Silence(), tmp_path)
    for name in ("recrf", "best"):
        with pytest.raises(ConfigError, match=f"training of {name} cannot continue.*auto as the method"):
            adapt(notes, AdaptOptions(name, "network"), Silence(), tmp_path)
    assert b"--from" in run_command("adapt", "--out", tmp_path / "x").stderr


def test_the_training_of_a_network_continues(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="training needs the extra train")
    small = {"width": 32, "ngram_embedding": 16, "shape_embedding": 8, "dilations": "1,2", "memory_after": 1}
    options = {**small, "copies": 0, "epochs": 3, "warmup": 2, "batch_tokens": 512, "tune_vectors": True}
    first = DETECTORS.get("convnet").train(TrainingRun(invented(30, 1), (), 1, tmp_path / "w", Silence()), options)
    first.save(tmp_path / "small", {"version": "1", "modes": {"recall": {"bias": 1.0}}})
    others: list[Document] = invented(20, 5)
    made = adapt(
        invented(12, 9), AdaptOptions(str(tmp_path / "small"), "network", others, 2), Silence(), tmp_path / "work"
    )
    made.model.save(tmp_path / "mine", made.card("ana"))
    stored = Model.of(str(tmp_path / "mine"))
    assert stored.system == "convnet"
    assert stored.card["method"] == "network"
    assert stored.card["modes"] == {"recall": {"bias": 1.0}}
    results = [(tmp_path / name / "trained.json").read_bytes() for name in ("small", "mine")]
    assert results[0] == results[1], "scores keep their calibration"
    assert stored.detector().bias == made.model.bias  # type: ignore[attr-defined]
    words = {word.encode() for note in invented(12, 9) for s in note.spans for word in note.text_of(s).split()}
    content = b"".join(unpacked(file) for file in (tmp_path / "mine").rglob("*") if file.is_file())
    assert len(content) > 100_000
    assert not [word for word in words if len(word) > 6 and word in content]
    assert made.own["strict.f1"].other is not None
    assert stored.detector().detect(others[:2])

"""Drift: profiles without text, what counts as a change, the command, and the metric of the service."""

from __future__ import annotations

from pathlib import Path

import pytest
from prometheus_client import generate_latest

from command_line import run_command
from nadie.document import Document, Span
from nadie.errors import FormatError
from nadie.risk.drift import Moments, Profile, drifts
from nadie.service.drift import drift_watch
from nadie.service.monitoring import Metrics


def note(number: int, score: float = 0.9) -> Document:
    text = f"Paciente {number} con dolor abdominal de {number % 7} días, valorado por la Dra. Ruiz en consulta." * 2
    return Document(str(number), text, (Span(68, 72, "NOMBRE_PERSONAL_SANITARIO", score),))


def profile(documents: list[Document]) -> Profile:
    made = Profile()
    for document in documents:
        made.add(document)
    return made


def test_moments_are_mean_and_standard_error() -> None:
    moments = Moments()
    for value in (1.0, 2.0, 3.0, 6.0):
        moments.add(value)
    assert moments.mean == 3.0
    assert moments.error == pytest.approx((14 / 3) / 4)


def test_notes_that_were_drawn_more_often_do_not_look_like_drift() -> None:
    rare = [Document(str(n), f"XQZV TRWPL {n}\nGHTR KLM\n") for n in range(60)]
    all_notes = profile([*(note(n) for n in range(540)), *rare])
    drawn, chances = [*(note(n) for n in range(54)), *rare[:54]], [0.1] * 54 + [0.9] * 54
    weighed = Profile.drawn(drawn, chances)
    name = "share of capitals"
    assert weighed.figures[name].mean == pytest.approx(all_notes.figures[name].mean, rel=1e-6)
    assert weighed.figures[name].count == pytest.approx((540 + 60) ** 2 / (54 * 100 + 54 / 0.81))
    assert not any(each.is_drift for each in drifts(weighed, all_notes))
    assert any(each.is_drift for each in drifts(profile(drawn), all_notes)), "without weights they do"


def test_the_same_notes_do_not_drift_and_others_do() -> None:
    before = profile([note(n) for n in range(60)])
    assert not any(each.is_drift for each in drifts(before, profile([note(n) for n in range(60, 120)])))
    other = [Document(str(n), f"INFORME {n}\nXQZV TRWPL GHTR\nSIN DATOS\n") for n in range(60)]
    changed = {each.name for each in drifts(before, profile(other)) if each.is_drift}
    assert {"share of capitals", "NAME per 1,000 words"} <= changed
    assert not any(each.is_drift for each in drifts(before, profile(other[:10]))), "ten notes say too little"


def test_a_profile_has_no_text_and_is_read_back() -> None:
    made = profile([note(n) for n in range(30)])
    assert "Ruiz" not in str(made.plain())
    assert Profile.of(made.plain()).plain() == made.plain()
    with pytest.raises(FormatError, match="profile"):
        Profile.of({"a": [1.0]})


def test_the_command_and_the_metric(notes: Path, tmp_path: Path) -> None:
    folder = tmp_path / "review"
    run_command("sample", notes, "--size", "30", "--out", folder)
    same = run_command("drift", folder, notes)
    assert same.returncode == 0, same.stdout
    assert b"NAME per 1,000 words" in same.stdout
    for number in range(30):
        (tmp_path / "new" / f"{number}.txt").parent.mkdir(exist_ok=True)
        (tmp_path / "new" / f"{number}.txt").write_text(f"XQZV TRWPL {number}\nGHTR KLM\n", encoding="utf-8")
    other = run_command("drift", folder, tmp_path / "new")
    assert other.returncode == 1
    assert b"measure again" in other.stderr
    metrics = Metrics()
    watch = drift_watch(folder, metrics)
    assert watch is not None
    assert not watch.is_drift
    for number in range(40):
        watch.add(Document(str(number), "XQZV TRWPL\nGHTR KLM\n"))
    assert watch.is_drift
    exported = generate_latest(metrics.registry).decode()
    assert "nadie_drift 1.0" in exported
    assert 'nadie_drift_z{figure="share of unknown words"}' in exported
    assert drift_watch(tmp_path, Metrics()) is None

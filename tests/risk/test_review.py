"""What a reviewed sample says: figures by hand, the command on a project and on brat files, and its page."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from command_line import run_command
from nadie.document import Document, Span
from nadie.errors import ConfigError
from nadie.files.annotated.brat import Brat
from nadie.files.annotated.reading import read_documents
from nadie.risk.bounds import exact, weighted
from nadie.risk.kinds import Kind
from nadie.risk.review.agreement import agreement
from nadie.risk.review.comparison import compare
from nadie.risk.review.figures import Figures
from nadie.risk.review.page import html
from nadie.risk.review.reading import ReviewedNote, reviewed_notes
from nadie.risk.review.report import Report
from nadie.risk.sample import Sample, SampledNote, StoppingRule, text_hash
from nadie.service.project.store import Project
from nadie.service.team.reviewers import Team
from nadie.service.team.sampled import report_of
from risk.conftest import GoldNotes, review

TEXT = "Ana Roca vive en Cuenca. La vio la Dra. Ruiz el lunes."
NAME, TOWN, DOCTOR = (
    Span(0, 8, "NOMBRE_SUJETO_ASISTENCIA"),
    Span(17, 23, "TERRITORIO"),
    Span(40, 44, "NOMBRE_PERSONAL_SANITARIO"),
)
GOLD = (NAME, TOWN, DOCTOR)


def sampled(
    found: Sequence[Sequence[Span]], units: Sequence[int] = (), chances: Sequence[float] = (), at_most: float = 0.05
) -> tuple[Sample, list[ReviewedNote]]:
    """A sample of notes with the same text and gold spans, and what was found in each; all of them are reviewed."""
    notes = tuple(
        SampledNote(
            number + 1,
            f"n{number}",
            units[number] if units else number,
            chances[number] if chances else 0.5,
            Kind("", "other" if number % 2 else "message", "es", 5),
            tuple(spans),
            GOLD,
        )
        for number, spans in enumerate(found)
    )
    sample = Sample("fast", 1, "patient" if units else "note", 99, 99, 1.0, StoppingRule(at_most), "2026-01-01", notes)
    return sample, reviewed_notes(sample, {note.number: Document(note.name, TEXT, GOLD) for note in notes})


def test_leaks_are_what_stays_readable() -> None:
    sample, notes = sampled([GOLD, (NAME, TOWN), (replace(NAME, end=4), TOWN, DOCTOR), (NAME, DOCTOR), GOLD])
    figures = Figures(sample, notes)
    assert figures.leaking_notes()[:3] == (2, 5, 5)  # half a name is a leak, a town is no direct identifier
    assert figures.notes_with_any_leak()[:2] == (3, 5)
    assert figures.leaking_notes().share == exact(2, 5)
    assert figures.identifiers()[:2] == (3, 15)
    assert figures.identifiers(["TERRITORIO"])[:2] == (1, 5)
    assert figures.by_kind("type")["other"][0][:2] == (1, 2)


def test_false_alarms_cover_no_identifier() -> None:
    sample, notes = sampled([(*GOLD, Span(48, 53, "FECHAS")), GOLD])
    assert Figures(sample, notes).false_alarms()[:2] == (1, 7)


def test_nothing_is_stated_before_the_end() -> None:
    sample, notes = sampled([GOLD] * 59)
    assert Figures(sample, notes[:58]).statement().holds is None
    assert Figures(sample, notes[:58]).statement().more == 1
    done = Figures(sample, notes).statement()
    assert done.holds is True
    assert done.more == 0
    one_leak, notes = sampled([*[GOLD] * 58, (TOWN, DOCTOR)])
    failed = Figures(one_leak, notes).statement()
    assert failed.holds is False
    assert failed.more == 93 - 59
    said = list(Report(Figures(one_leak, notes)).lines())
    assert "a new sample of 93 notes with as many leaks would meet it" in said
    assert not [line for line in said if "more notes" in line], "a sample that is enlarged at will states too little"


def test_a_patient_leaks_if_one_note_does_and_counts_when_all_are_reviewed() -> None:
    sample, notes = sampled([GOLD, (TOWN,), GOLD, (NAME,)], units=[0, 0, 1, 1])
    stated = Figures(sample, notes).statement()
    assert (stated.leaking, stated.reviewed, stated.drawn) == (2, 2, 2)
    gold = {note.sampled.number: note.gold for note in notes[:3]}
    assert [note.sampled.number for note in reviewed_notes(sample, gold)] == [1, 2]


def test_the_order_of_review_changes_no_figure() -> None:
    sample, notes = sampled([GOLD] * 5)
    doubtful_first = dict.fromkeys((1, 2, 4, 5, 6), notes[0].gold)
    assert [note.sampled.number for note in reviewed_notes(sample, doubtful_first)] == [1, 2]


def test_shares_are_weighted_by_the_chances() -> None:
    sample, notes = sampled([(TOWN,), GOLD, GOLD, GOLD], chances=[0.9, 0.1, 0.1, 0.1])
    share = Figures(sample, notes).leaking_notes().share
    assert share.estimate == pytest.approx((1 / 0.9) / (1 / 0.9 + 30))
    assert share.at_most > exact(1, 4).estimate


def test_a_difference_between_systems_and_none() -> None:
    good, notes = sampled([GOLD] * 40)
    worse = [replace(note, system=(NAME,)) if n % 2 else note for n, note in enumerate(notes)]
    first, second = Figures(good, notes), Figures(good, worse)
    found = compare(first, second, lambda each: (each.is_leaking, 1))
    assert (found.first, found.second) == (0.0, 0.5)
    assert 0 < found.low < found.high
    assert found.p < 0.001
    assert compare(first, first, lambda each: (each.is_leaking, 1)).p == 1.0


@pytest.mark.parametrize(("one", "other"), [(0.01, 0.002), (0.02, 0.01)])
def test_the_interval_of_a_difference_holds_where_leaks_are_rare(one: float, other: float) -> None:
    sample, notes = sampled([GOLD] * 100)
    leaking = [replace(note, system=(TOWN,)) for note in notes]
    rng, held = np.random.default_rng(2), 0
    for _ in range(100):
        chances = rng.random(100)
        first, second = (
            Figures(sample, [bad if leaks else good for good, bad, leaks in zip(notes, leaking, which, strict=True)])
            for which in (chances < one, chances > 1 - other)
        )
        found = compare(first, second, lambda each: (each.is_leaking, 1))
        held += found.low <= other - one <= found.high
    assert held >= 93


def test_two_systems_without_a_leak_are_not_said_to_be_equal() -> None:
    sample, notes = sampled([GOLD] * 59)
    found = compare(Figures(sample, notes), Figures(sample, notes), lambda each: (each.is_leaking, 1))
    assert found.high == -found.low == pytest.approx(exact(0, 59).high)


def test_two_readers_and_the_model_tell_what_nobody_found() -> None:
    _, notes = sampled([()] * 4)
    both = {1: ((NAME,), (NAME,)), 2: ((NAME,), (NAME, TOWN)), 3: ((NAME, TOWN), (NAME,))}
    found = agreement(notes, both)
    assert found is not None
    assert (found.notes, found.leaks) == (3, 9)
    assert found.kappa is not None
    assert 0 < found.kappa < 1
    assert found.unseen == 0  # of 9 leaks, recall mode found all
    missed = [replace(note, sampled=replace(note.sampled, possible=(TOWN,))) for note in notes]
    other = agreement(missed, {1: ((NAME,), (NAME,)), 2: ((NAME,), ()), 3: ((), (TOWN,))})
    assert other is not None  # the readers have 3 of 9 leaks, recall mode has 3, both have 1
    assert other.unseen == 0
    assert agreement(notes, {}) is None


def test_a_text_that_was_changed_is_refused() -> None:
    sample, _ = sampled([GOLD])
    with pytest.raises(ConfigError, match="not the one"):
        reviewed_notes(sample, {1: Document("n0", "Ana")})
    hashed = replace(sample, notes=(replace(sample.notes[0], text_hash=text_hash(TEXT)),))
    assert reviewed_notes(hashed, {1: Document("n0", TEXT, GOLD)})
    with pytest.raises(ConfigError, match="not the one"):  # of another sample, and as long
        reviewed_notes(hashed, {1: Document("n0", TEXT.replace("lunes", "jueves") + " Alta.", GOLD)})


def test_the_command_on_a_project(notes: Path, gold: GoldNotes, tmp_path: Path) -> None:
    folder, page = tmp_path / "review", tmp_path / "leaks.html"
    run_command("sample", notes, "--size", "15", "--at-most", "0.5", "--out", folder)
    review(folder, gold, 10)
    begun = run_command("risk", folder)
    assert begun.returncode == 0, begun.stderr
    assert b"reviewed 10 of 15 notes drawn from 60" in begun.stdout
    assert b"nothing is stated yet" in begun.stdout
    review(folder, gold)
    done = run_command("risk", folder, "--report", page, "--json")
    figures = json.loads(done.stdout)
    assert figures["statement"]["holds"] in (True, False)
    assert figures["shares"]["identifiers"]["of"] == sum(
        len(gold[note.name.removesuffix(".txt")].spans) for note in Sample.read(folder).notes
    )
    written = page.read_text(encoding="utf-8")
    assert 'lang="es"' in written
    assert "<svg" in written
    names = {
        gold[note.name.removesuffix(".txt")].text_of(span)
        for note in Sample.read(folder).notes
        for span in gold[note.name.removesuffix(".txt")].spans
        if span.label.startswith("NOMBRE") and len(span) > 7
    }
    assert names
    assert not [name for name in names if name in written or name.encode() in done.stdout]


def test_a_sample_that_was_changed_states_nothing(notes: Path, gold: GoldNotes, tmp_path: Path) -> None:
    """Somebody who takes a leaking note out of the sample, or changes the goal, gets no statement."""
    folder = tmp_path / "review"
    run_command("sample", notes, "--size", "4", "--at-most", "0.5", "--out", folder)
    review(folder, gold)
    drawn = Sample.read(folder)
    replace(drawn, rule=StoppingRule(0.9)).write(folder)
    done = run_command("risk", folder)
    assert done.returncode == 2, done.stdout
    assert b"not the file that was written" in done.stderr
    project = Project(folder)
    with pytest.raises(ConfigError, match="not the file"):
        report_of(project, Sample.read(folder), Team(project))
    drawn.write(folder)
    assert run_command("risk", folder).returncode == 0


def test_the_command_on_brat_files_and_other_systems(notes: Path, gold: GoldNotes, tmp_path: Path) -> None:
    folder = tmp_path / "review"
    run_command("sample", notes, "--size", "8", "--to", "brat", "--out", folder)
    names = {f"{note.number:06d}": note.name.removesuffix(".txt") for note in Sample.read(folder).notes}
    found = list(read_documents(folder / "notes"))
    Brat().write(found, tmp_path / "nadie")
    Brat().write([each.with_spans(()) for each in found], tmp_path / "nothing")
    Brat().write([each.with_spans(gold[names[each.id]].spans) for each in found], folder / "notes")
    read = ("risk", folder, "--reviewed", "8")
    own, other = run_command(*read), run_command(*read, "--system", tmp_path / "nadie")
    assert b"reviewed 8 of 8 notes" in own.stdout
    assert own.stdout == other.stdout
    (tmp_path / "nadie" / "000003.ann").unlink()
    (tmp_path / "nadie" / "000003.txt").unlink()
    fewer = run_command(*read, "--system", tmp_path / "nadie")
    assert b"lacks 1 of 8 documents, counted as all missed: 000003" in fewer.stderr
    nothing = run_command(*read, "--system", tmp_path / "nothing", "--compare", tmp_path / "nadie")
    assert b"second system, identifiers that leak: 100.00% to" in nothing.stdout


def test_brat_files_that_nobody_has_read_state_nothing(notes: Path, tmp_path: Path) -> None:
    """Before anybody reads them they have what the model found, which agrees with the model in every note."""
    folder = tmp_path / "review"
    run_command("sample", notes, "--size", "8", "--at-most", "0.5", "--to", "brat", "--out", folder)
    for command in (("risk", folder), ("adapt", "--from", folder, "--out", tmp_path / "mine")):
        done = run_command(*command)
        assert done.returncode == 2
        assert b"do not say which notes were read" in done.stderr
        assert not done.stdout
    begun = run_command("risk", folder, "--reviewed", "5")
    assert b"reviewed 5 of 8 notes" in begun.stdout
    assert b"nothing is stated yet" in begun.stdout


def test_texts_without_annotations_are_no_reviewed_notes(notes: Path, gold: GoldNotes, tmp_path: Path) -> None:
    folder = tmp_path / "review"
    run_command("sample", notes, "--size", "3", "--out", folder)
    for note in Sample.read(folder).notes:
        (tmp_path / f"{note.number:06d}.txt").write_bytes(gold[note.name.removesuffix(".txt")].text.encode())
    done = run_command("risk", folder, "--gold", tmp_path)
    assert done.returncode == 2, done.stdout
    assert b"must be annotated" in done.stderr


def test_notes_of_a_system_outside_the_sample_are_left_out(notes: Path, tmp_path: Path) -> None:
    folder = tmp_path / "review"
    run_command("sample", notes, "--size", "5", "--unsure", "3", "--to", "brat", "--out", folder)
    found = list(read_documents(folder / "notes"))
    Brat().write([*found, *read_documents(folder / "unsure")], tmp_path / "system")
    page = tmp_path / "leaks.html"
    read = ("risk", folder, "--reviewed", "5")
    done = run_command(*read, "--system", tmp_path / "system", "--report", page)
    assert done.stdout == run_command(*read).stdout
    assert "<dd>system</dd>" in page.read_text(encoding="utf-8")
    Brat().write([Document("another", "Ana")], tmp_path / "wrong")
    wrong = run_command(*read, "--system", tmp_path / "wrong")
    assert wrong.returncode == 2
    assert b"no annotations of the sample" in wrong.stderr


def test_plans_allow_for_unequal_chances() -> None:
    sample, _ = sampled([GOLD] * 40)
    uneven = replace(sample, notes=tuple(replace(n, chance=0.1 if n.number <= 20 else 0.3) for n in sample.notes))
    equal, worst = (dict(Figures(each, []).possible_statements()) for each in (sample, uneven))
    assert equal[0] == exact(0, 40).at_most
    assert all(worst[found] > equal[found] for found in equal)
    leaking = [float(n.number <= 2) for n in uneven.notes]
    assert worst[2] == weighted(leaking, [1.0] * 40, [1 / n.chance for n in uneven.notes]).at_most


def test_the_notes_that_are_still_needed_allow_for_unequal_chances() -> None:
    sample, notes = sampled([(TOWN,), *[GOLD] * 39], chances=[0.1] * 20 + [0.3] * 20)
    needed = Figures(replace(sample, oversampled=3.0), notes).statement().more + 40
    weights = [10.0] * 20 + [10 / 3] * 20
    some = [*weights, *[sum(weights) / 40] * (needed - 40)]
    leaking = [1.0, *[0.0] * (needed - 1)]
    assert weighted(leaking, [1.0] * needed, some).at_most <= 0.05
    fewer = needed * 9 // 10
    assert weighted(leaking[:fewer], [1.0] * fewer, some[:fewer]).at_most > 0.05


def test_notes_of_which_none_was_drawn_are_not_forgotten() -> None:
    """If all notes that were drawn are of the oversampled kind, the others weigh three times as much."""
    sample, notes = sampled([GOLD] * 40)
    bound = Figures(replace(sample, oversampled=3.0), notes).leaking_notes().share.at_most
    assert bound == pytest.approx(-np.log(0.05) * 3 / 40)
    assert Figures(sample, notes).leaking_notes().share.at_most == exact(0, 40).at_most


def test_the_page_speaks_one_language_at_a_time_and_names_its_sample() -> None:
    sample, notes = sampled([GOLD] * 3)
    page = html(Report(Figures(sample, notes)))
    spanish = re.sub(r'<(span|tspan)[^>]*lang="en".*?</\1>', "", page)
    assert not [word for word in ("notes /", "consultation", "Signature", "type unknown") if word in spanish]
    assert sample.digest in page
    assert "Cargo" in spanish


def test_two_readers_of_a_project(notes: Path, gold: GoldNotes, tmp_path: Path) -> None:
    folder = tmp_path / "review"
    run_command("sample", notes, "--size", "4", "--out", folder)
    team = Team(Project(folder))
    team.deal(["ana", "luis"], 1.0, "lead")
    review(folder, gold)
    for pair in team.read_twice():
        team.adjudicate(pair.document.id, pair.document.version, pair.copy_version, pair.first.spans, "lead")
    done = run_command("risk", folder)
    assert b"two readers: 4 notes, kappa 1.000" in done.stdout, done.stderr


def test_neither_a_sample_nor_an_output(tmp_path: Path) -> None:
    done = run_command("risk", tmp_path)
    assert done.returncode == 2
    assert b"nadie sample" in done.stderr


def test_a_sample_without_any_review_has_a_report() -> None:
    sample, _ = sampled([GOLD] * 3)
    lines = list(Report(Figures(sample, [])).lines())
    assert lines[0] == "reviewed 0 of 3 notes drawn from 99"

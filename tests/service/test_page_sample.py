"""The review of a sample on the page: its figures while notes are reviewed, and the notes that are never counted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from command_line import run_command
from nadie.document import Document, Span
from nadie.evaluation.suite.runner import load_notes
from nadie.risk.kinds import kind_of
from nadie.risk.sample import Sample, SampledNote, StoppingRule
from nadie.run import adapting
from nadie.run.documents import load
from nadie.service.project.sampled import create
from nadie.service.project.store import open_project
from nadie.service.team.reviewers import Team

from .browsing import Tab
from .conftest import MakeClient, Server, StartServer

TEXT = "Nota {n}. La vio la Dra. Ruiz el lunes."
MISSED = "busca delta"
PATIENTS = ("Lucía", "Ana", "Eva", "Rosa", "Luis", "Juan", "Pedro", "Olga", "Inés", "Hugo", "Raúl", "Sara")
DOCTOR = Span(22, 26, "NOMBRE_PERSONAL_SANITARIO", 0.99)


def sample_folder(folder: Path) -> Path:
    """A sample of three notes, with a goal that three notes can state, and two further notes."""
    texts = [Document(f"nota-{n}", TEXT.format(n=n), (DOCTOR,)) for n in range(1, 6)]
    notes = tuple(
        SampledNote(n, each.id, n - 1, 0.5, kind_of(each.id, each.text), each.spans, each.spans)
        for n, each in enumerate(texts[:3], 1)
    )
    sample = Sample("probe", 1, "note", 6, 6, 1.0, StoppingRule(0.7), "2026-01-01", notes, unsure=2)
    create(folder, sample, texts)
    return folder


@pytest.fixture(scope="module")
def server(start_server: StartServer, folder: Path) -> Iterator[Server]:
    started = start_server("--project", str(sample_folder(folder)))
    yield started
    started.stop()


def test_figures_follow_the_review(tab: Tab) -> None:
    page = tab.page
    page.click("#tab-sample")
    page.wait_for_selector("text=Revisión en orden: 0 de 3 notas")
    page.click("#sample-unsure")
    page.wait_for_function("() => document.querySelector('#document-name').textContent.startsWith('nota-4')")
    tab.press("Control+Enter")
    tab.open("nota-2")
    tab.press("Control+Enter")
    assert "0 de 3 notas" in page.inner_text("#sample-statement")  # the first is still to do
    tab.open("nota-1")
    tab.press("Control+Enter")
    page.wait_for_selector("text=2 de 3 notas")
    tab.open("nota-3")
    tab.press("Control+Enter")
    page.wait_for_selector("text=Se cumple el objetivo de 70")
    assert "0 / 3" in page.inner_text("#sample-shares")
    page.click("summary:has-text('Por etiqueta')")
    assert "0 / 3" in page.locator("#sample-labels tr", has_text="sanitario").inner_text()
    page.click("summary:has-text('por tipo e idioma')")
    with page.expect_response("**/v1/project/sample"):
        pass  # the page asks again every few seconds
    page.wait_for_timeout(100)
    assert "en castellano" in page.inner_text("#sample-kinds"), "what is unfolded stays so"
    page.click("#language")
    page.click("#tab-values")
    page.click("#tab-sample")
    page.wait_for_selector("text=All 3 notes reviewed")


def test_a_project_without_a_sample_says_so(make_client: MakeClient, tmp_path: Path) -> None:
    client = make_client(project=tmp_path / "plain")
    assert client.get("/v1/project/sample").json()["open"] is False


def test_a_sample_that_cannot_be_read_is_a_problem(make_client: MakeClient, tmp_path: Path) -> None:
    folder = sample_folder(tmp_path / "review")
    (folder / "sample.json").write_text("{}", encoding="utf-8")
    answer = make_client(project=folder).get("/v1/project/sample")
    assert answer.status_code in (400, 422)
    assert "sample" in answer.json()["detail"]


def test_second_readings_are_not_offered_as_notes_to_learn_from(
    browser: Any, start_server: StartServer, tmp_path: Path
) -> None:
    folder = sample_folder(tmp_path / "review")
    project = open_project(folder)
    tab = Tab(browser, start_server("--project", str(folder)).url).go()
    Team(project).deal(["ana", "luis"], 1.0, "lead")
    for stored in list(project.documents()):
        if stored.name in ("nota-4", "nota-5"):
            project.set_state(stored.id, "reviewed", stored.version, "ana")
    tab.page.click("#tab-sample")
    tab.page.wait_for_selector("text=Revisión en orden: 0 de 3 notas")
    tab.page.wait_for_selector("#sample-unsure", state="hidden")
    tab.close()


def test_the_whole_loop(
    browser: Any, start_server: StartServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sample is drawn, reviewed on the page, measured there, and learned from: by lists and by an adapted model."""
    some = load_notes()[:20]
    monkeypatch.setattr(adapting, "load_notes", lambda: some)
    notes, folder = tmp_path / "notes", tmp_path / "review"
    notes.mkdir()
    for number, name in enumerate(PATIENTS):
        firm = f" Avisado el {MISSED}." if number % 2 else ""
        (notes / f"nota-{number:02d}.txt").write_text(f"Paciente: {name} Prado, {30 + number} años.{firm}", "utf-8")
    drawn = run_command("sample", notes, "--at-most", "0.3", "--size", "10", "--out", folder)
    assert drawn.returncode == 0, drawn.stderr
    tab = Tab(browser, start_server("--project", str(folder)).url).go()
    page, missed = tab.page, 0
    page.click("#tab-sample")
    for name in [each.name for each in open_project(folder).documents()]:
        tab.open(name)
        if MISSED in tab.text():
            missed += 1
            tab.drag_over(MISSED)
            tab.pick("personal")
        tab.review()
    page.wait_for_selector("text=No se cumple el objetivo de 30")
    assert missed > 1
    page.wait_for_selector(f"#sample-shares:has-text('{missed} / 10')")
    page.click("#show-implied")
    row = page.locator("#implied tr", has_text=MISSED)
    assert f"{missed} veces en {missed} notas" in row.inner_text()
    row.locator("button").click()
    page.wait_for_selector(".toast:has-text('Propuesta aceptada')")
    assert f"NOMBRE_PERSONAL_SANITARIO\t{MISSED}" in (folder / "own" / "deny.txt").read_text(encoding="utf-8")
    refused = {"kind": "deny", "label": "PAIS", "value": "Soria"}
    assert page.request.post(f"{tab.url}/v1/project/suggestions", data=refused).status == 404
    tab.close()
    adapted = run_command("adapt", "--from", folder, "--method", "lists", "--out", tmp_path / "mine")
    assert adapted.returncode == 0, (adapted.stdout, adapted.stderr)
    note = Document("otra", f"Se comenta con el {MISSED} y pasa a planta.")
    assert MISSED not in [note.text_of(span) for span in load("fast").annotate(note).spans]
    assert MISSED in [note.text_of(span) for span in load(str(tmp_path / "mine")).annotate(note).spans]

"""The review of a sample on the page: its figures while notes are reviewed, and the notes that are never counted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from nadie.document import Document, Span
from nadie.risk.kinds import kind_of
from nadie.risk.sample import Sample, SampledNote, StoppingRule
from nadie.service.merging import Change
from nadie.service.project.sampled import create
from nadie.service.project.store import open_project

from .browsing import Tab
from .conftest import MakeClient, Server, StartServer

TEXT = "Nota {n}. La vio la Dra. Ruiz el lunes."
DOCTOR = Span(22, 26, "NOMBRE_PERSONAL_SANITARIO", 0.99)


def sample_folder(folder: Path) -> Path:
    """A sample of three notes, with a goal that three notes can state, and two further notes."""
    texts = [Document(f"nota-{n}", TEXT.format(n=n), (DOCTOR,)) for n in range(1, 6)]
    notes = tuple(
        SampledNote(n, each.id, n - 1, 0.5, kind_of(each.id, each.text), each.spans, each.spans)
        for n, each in enumerate(texts[:3], 1)
    )
    create(folder, Sample("probe", 1, "note", 6, 6, 1.0, StoppingRule(0.7), "2026-01-01", notes), texts)
    return folder


@pytest.fixture(scope="module")
def server(start_server: StartServer, folder: Path) -> Iterator[Server]:
    started = start_server("--project", str(sample_folder(folder)))
    yield started
    started.stop()


def test_figures_follow_the_review(tab: Tab) -> None:
    page = tab.page
    page.click("#tab-sample")
    page.wait_for_selector("text=0 de 3 revisadas en orden")
    page.click("#sample-unsure")
    page.wait_for_function("() => document.querySelector('#document-name').textContent.startsWith('nota-4')")
    tab.press("Control+Enter")
    tab.open("nota-2")
    tab.press("Control+Enter")
    assert "0 de 3 revisadas en orden" in page.inner_text("#sample-statement")  # the first is still to do
    tab.open("nota-1")
    tab.press("Control+Enter")
    page.wait_for_selector("text=2 de 3 revisadas en orden")
    tab.open("nota-3")
    tab.press("Control+Enter")
    page.wait_for_selector("text=Se cumple el objetivo de 70")
    assert "0 / 3" in page.inner_text("#sample-shares")
    page.click("#language")
    page.click("#tab-values")
    page.click("#tab-sample")
    page.wait_for_selector("text=All 3 reviewed")


def test_a_project_without_a_sample_says_so(make_client: MakeClient, tmp_path: Path) -> None:
    client = make_client(project=tmp_path / "plain")
    assert client.get("/v1/project/sample").json()["open"] is False


def test_a_sample_that_cannot_be_read_is_a_problem(make_client: MakeClient, tmp_path: Path) -> None:
    folder = sample_folder(tmp_path / "review")
    (folder / "sample.json").write_text("{}", encoding="utf-8")
    answer = make_client(project=folder).get("/v1/project/sample")
    assert answer.status_code in (400, 422)
    assert "sample" in answer.json()["detail"]


def test_what_corrections_imply_is_accepted_one_by_one(tab: Tab, folder: Path) -> None:
    project = open_project(folder)
    for number in (1, 2):
        text = f"Caso {number}: firma Oterino Paz"
        stored = project.add(f"caso-{number}", text, (), model="probe", editor="ana")
        missed = Span(text.index("Oterino"), len(text), "NOMBRE_PERSONAL_SANITARIO")
        done = project.change([Change(stored.id, 1, (), (missed,))], "ana")[0]
        project.set_state(stored.id, "reviewed", done.version, "ana")
    tab.page.click("#show-implied")
    row = tab.page.locator("#implied tr", has_text="Oterino Paz")
    assert "2 veces en 2 notas" in row.inner_text()
    row.locator("button").click()
    tab.page.wait_for_selector(".toast:has-text('Propuesta aceptada')")
    assert "NOMBRE_PERSONAL_SANITARIO\tOterino Paz" in (folder / "own" / "deny.txt").read_text(encoding="utf-8")
    refused = {"kind": "deny", "label": "PAIS", "value": "Soria"}
    answer = tab.page.request.post(f"{tab.url}/v1/project/suggestions", data=refused)
    assert answer.status == 404

"""Why a span was found: over HTTP, and on the page beside its confidence."""

from __future__ import annotations

import pytest

import nadie

from .browsing import Tab
from .conftest import NOTE, MakeClient, Server, StartServer


@pytest.fixture(scope="module")
def server(start_server: StartServer) -> Server:
    return start_server(model="fast")


def test_the_service_explains_as_python_does(make_client: MakeClient) -> None:
    client = make_client(models=("fast",))
    text = "Paciente: Ana Pérez Soto, DNI 12345678Z. Firma la Dra. Inés Gil."
    spans = client.post("/v1/annotate", json={"text": text}).json()["spans"]
    told = client.post("/v1/explain", json={"text": text, "spans": spans}).json()
    expected = nadie.load("fast").explain(text)
    assert [(each["stage"], each["reason"], each["runner_up"]) for each in told] == [
        (each.stage, each.reason, each.runner_up) for each in expected
    ]
    assert any(each["runner_up"] for each in told)
    outside = [{"start": 5, "end": 500, "label": "FECHAS"}]
    assert client.post("/v1/explain", json={"text": text, "spans": outside}).status_code == 422


def test_the_page_names_the_label_that_came_second(tab: Tab) -> None:
    tab.add(nota=NOTE)
    tab.mark("Cuenca").click()
    tab.page.wait_for_selector(".confidence:has-text('; si no, ')")
    told = tab.page.inner_text(".confidence")
    assert "según fast; si no, " in told
    assert "%)" in told
    tab.press("a")
    tab.mark("Cuenca").click()
    assert "si no" not in tab.page.inner_text(".confidence"), "a person decided"

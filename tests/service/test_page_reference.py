"""`/docs` in a browser: the description of the API, without anything from elsewhere."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from .browsing import PATIENCE, Tab, violations
from .conftest import Server


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (390, "dark")])
def test_the_api_is_described_on_a_page(browser: Any, server: Server, width: int, scheme: str) -> None:
    described = httpx2.get(f"{server.url}/openapi.json", trust_env=False, timeout=PATIENCE).json()
    tab = Tab(browser, server.url, color_scheme=scheme)
    tab.page.set_viewport_size({"width": width, "height": 800})
    tab.page.goto(f"{server.url}/docs")
    shown = tab.page.locator("h3 > code").all_inner_texts()
    operations = [(method, path) for path, methods in described["paths"].items() for method in methods]
    assert sorted(shown) == sorted(f"{method.upper()} {path}" for method, path in operations)
    assert "POST /v1/anonymize/file" in shown
    targets = tab.page.eval_on_selector_all("a[href^='#']", "links => links.map(a => a.getAttribute('href').slice(1))")
    known = set(tab.page.eval_on_selector_all("[id]", "all => all.map(e => e.id)"))
    assert set(targets) <= known
    permission = tab.page.locator("section", has_text="GET /v1/project/log").first
    assert "Permission: administer" in permission.inner_text()
    assert tab.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert tab.page.evaluate("getComputedStyle(document.querySelector('table')).borderCollapse") == "collapse"
    assert violations(tab) == []
    tab.close()  # nothing was asked of another host

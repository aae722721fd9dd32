"""The page with policy examples is up to date."""

from __future__ import annotations

import build_policy_examples


def test_the_page_is_up_to_date() -> None:
    written = build_policy_examples.PAGE.read_text(encoding="utf-8")
    assert written == build_policy_examples.page(), "run scripts/build_policy_examples.py"

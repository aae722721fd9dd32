"""Many expressions at once match as each does alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nadie.expressions import Expressions, compiled

MANY = [rf"{a}[ab]?{b}" for a in "abcdefgh" for b in "abcdefgh"]


@given(st.text("abcdefgh\nñ", max_size=40))
def test_those_that_match_are_told_and_no_others(text: str) -> None:
    alone = [number for number, expression in enumerate(MANY) if compiled(expression).search(text)]
    assert Expressions(MANY).matching(text) == alone


def test_none_match_where_there_are_none() -> None:
    assert Expressions(()).matching("text") == []


def test_an_expression_that_is_none_is_refused() -> None:
    with pytest.raises(Exception, match="failed to add"):
        Expressions(["("])

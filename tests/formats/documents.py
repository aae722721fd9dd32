"""Documents made up by hypothesis: any Unicode text, any spans that can stand in it, any id that can be a path."""

from __future__ import annotations

import string

from hypothesis import strategies as st

from nadie.document import Document, Span
from nadie.labels import Label

# What tends to go wrong is drawn more often than chance would.
BREAKS = ("\r\n", "\r", "\n", "\t", "\v", "\f", "\x1c", "\x85", "\u2028", "\u2029")
MARKS = ("]]>", "]]", ">", "<![CDATA[", "&amp;", "&#13;", '"', "'", "<", ";", "T1\t", " ")
RARE = ("\ufeff", "\xa0", "e\u0301", "\x00", "\x7f", "\ufffe", "\uffff", "😀", "\U0010ffff")
texts = st.lists(st.one_of(st.sampled_from(BREAKS + MARKS + RARE), st.text(max_size=8)), max_size=12).map("".join)
words = st.text(string.ascii_letters + "áñü._- 0", min_size=1, max_size=8).filter(
    lambda word: not word.startswith(".") and word == word.strip()
)
ids = st.lists(words, min_size=1, max_size=3).map("/".join)


@st.composite
def documents(draw: st.DrawFn, text: st.SearchStrategy[str] = texts) -> Document:
    content = draw(text)
    spans = []
    if content:
        for _ in range(draw(st.integers(0, 4))):
            start = draw(st.integers(0, len(content) - 1))
            end = draw(st.integers(start + 1, len(content)))
            score = draw(st.floats(0, 1))
            spans.append(Span(start, end, draw(st.sampled_from(list(Label))), score, draw(words)))
    return Document(draw(ids), content, tuple(spans), draw(st.dictionaries(words, texts, max_size=2)))

"""Tables of a page."""

from __future__ import annotations

from collections.abc import Sequence

from nadie.report.markup import Markup, Phrase, join, say, tag
from nadie.report.numbers import count, written
from nadie.report.texts import label_phrase

_LONG = 30


def table(heads: Sequence[Phrase], rows: Sequence[Markup], text_columns: Sequence[int] = (0,)) -> Markup:
    """A table of rows (`tr`), with heads if there are any; all columns but the `text_columns` have numbers."""
    cells = [
        tag("th", say(*head), scope="col", class_=None if column in text_columns else "number")
        for column, head in enumerate(heads)
    ]
    head = [tag("thead", tag("tr", *cells))] if cells else []
    style = "scroll long" if len(rows) > _LONG else "scroll"
    content = tag("table", *head, tag("tbody", *rows))
    return tag("div", content, class_=style, tabindex="0", role="group")


def listing(rows: Sequence[Sequence[str]], total: int) -> Markup:
    """The first of `total` rows as a table without heads, in which the last column is code."""
    listed = [tag("tr", *(tag("td", each) for each in (*row[:-1], tag("code", row[-1], class_="id")))) for row in rows]
    more = count(total - len(rows))
    note = say(f"And {more} more, which are in the audit.", f"Y {more} más, que constan en la auditoría.")
    return join([table((), listed), *([tag("p", note, class_="quiet")] if total > len(rows) else [])])


def cell(figures: str, style: str = "") -> Markup:
    return tag("td", written(figures), class_=f"number {style}".strip())


def label_name(label: str) -> Markup:
    """The readable name of the label, and its name in the corpus."""
    return join([say(*label_phrase(label)), " ", tag("code", label)])

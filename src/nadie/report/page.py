"""The frame of a page: one self-contained file with a header, sections and a footer, in both languages."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from string import Template

from nadie.report.markup import Markup, Phrase, join, say, tag
from nadie.report.numbers import written
from nadie.report.texts import section


@dataclass(frozen=True)
class Page:
    """The content of a page: `facts` stand below the title, `top` before the sections, `notice` above everything.

    `texts` is the package whose `texts.toml` has the texts of the sections.
    """

    title: Phrase
    facts: Sequence[tuple[Phrase, str]]
    top: Markup
    texts: str
    sections: Mapping[str, Markup]
    footer: Markup
    notice: Markup | None = None


def render(page: Page) -> str:
    """The page as text.

    Its content security policy allows only this style and this script, by their checksums, and forbids every
    connection; so even if the escaping failed, text of a document could not do anything.
    """
    here = files(__package__)
    parts = {name: (here / name).read_text(encoding="utf-8") for name in ("page.html", "style.css", "page.js")}
    style, script = parts["style.css"], parts["page.js"]
    policy = (
        f"default-src 'none'; style-src '{_checksum(style)}'; script-src '{_checksum(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    title = join([f"{page.title.spanish} · {page.title.english}"])
    return Template(parts["page.html"]).substitute(
        policy=policy, style=style, script=script, title=title, body=_body(page)
    )


def cards(*each: Markup) -> Markup:
    return tag("div", *each, class_="cards")


def card(name: Markup, figure: str, *notes: Markup, is_alarm: bool = False) -> Markup:
    """A box with one figure."""
    shown = tag("p", written(figure), class_="figure")
    return tag("div", tag("h3", name), shown, *notes, class_="card alarm" if is_alarm else "card")


def _body(page: Page) -> Markup:
    sections = [_section(page.texts, name, content) for name, content in page.sections.items()]
    footer = tag("footer", f"nadie {version('nadie')} · ", page.footer)
    return join([page.notice or "", _header(page), tag("main", page.top, *sections), footer])


def _header(page: Page) -> Markup:
    facts = [part for title, name in page.facts for part in (tag("dt", say(*title)), tag("dd", name))]
    links = [tag("a", say(*section(page.texts, name).title), href=f"#{name}") for name in page.sections]
    buttons = [
        tag("button", "ES", type="button", data_language="es", lang="es-ES", title="Español"),
        tag("button", "EN", type="button", data_language="en", lang="en-GB", title="English"),
        tag("button", "◐", type="button", id="theme", title="claro / oscuro · light / dark"),
    ]
    return tag(
        "header",
        tag("p", "nadie", class_="wordmark"),
        tag("h1", say(*page.title)),
        tag("dl", *facts),
        tag("nav", *links),
        tag("div", *buttons, class_="switches", hidden=True),
    )


def _section(package: str, name: str, content: Markup) -> Markup:
    """A section; its heading has the id `h-NAME`, to which a plot refers."""
    texts = section(package, name)
    heading = tag("h2", say(*texts.title), id=f"h-{name}")
    return tag("section", heading, tag("p", say(*texts.lead), class_="lead"), content, id=name)


def _checksum(code: str) -> str:
    return f"sha256-{b64encode(sha256(code.encode()).digest()).decode()}"

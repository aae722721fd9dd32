from __future__ import annotations

import hashlib
import re
import stat
import tomllib
from base64 import b64encode
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.build import AGE, DATE, DOCTOR, NAME, TOWN, document
from nadie.document import Document, Span
from nadie.errors import FormatError
from nadie.evaluation.errors import ErrorKind, align
from nadie.evaluation.evaluate import compare, evaluate
from nadie.evaluation.names import ERROR_NAMES, MEASURES
from nadie.evaluation.pairing import Pair
from nadie.evaluation.report import EvaluationReport, page, write_report
from nadie.evaluation.report.documents import error_list, highlights, marked_text
from nadie.evaluation.statistics import OVERALL
from nadie.labels import Hipaa, Label
from nadie.report.markup import Markup, shown, tag
from nadie.report.numbers import between, chance, count, percent, signed, signed_between
from nadie.report.page import render as render_page
from nadie.report.texts import hipaa_phrase, label_phrase

HOSTILE = (
    "Ana</pre><script>alert(1)</script> <img src=x onerror=alert(2)> de Soria\n"
    "\"'><svg onload=alert(3)> \u202emalo\u202c \x00\x1b[31m &lt;b&gt; \ud800 {{7*7}} ${policy} $body 40 años"
)


class Page(HTMLParser):
    """What a browser would make of the page: its elements, and the text within each `pre`."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.scripts: list[str] = []
        self.styles: list[str] = []
        self._open: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._open.append(tag)
        if tag == "pre":
            self.texts.append("")

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if "pre" in self._open:
            self.texts[-1] += data
        if self._open and self._open[-1] == "script":
            self.scripts.append(data)
        if self._open and self._open[-1] == "style":
            self.styles.append(data)

    def named(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.elements if tag == name]


def corpus() -> tuple[list[Document], list[Document]]:
    """Gold and a system that makes every kind of error, in hostile documents with hostile names."""
    text = "Ana Ruiz, de 40 años, de Soria. Vista por Luis Paz el 3/4/19 en consulta."
    gold = [
        document(
            text,
            ("Ana Ruiz", NAME),
            ("40 años", AGE),
            ("Soria", TOWN),
            ("Luis Paz", DOCTOR),
            ("3/4/19", DATE),
            name="a",
        ),
        document(HOSTILE, ("Ana", NAME), ("<script>alert(1)</script>", TOWN), ("40 años", AGE), name="<b onclick=x>"),
        document("Sin datos.", name="c"),
    ]
    system = [
        document(
            text,
            ("Ana", NAME, 0.9),
            ("Soria", DATE, 0.8),
            ("por Luis", TOWN, 0.7),
            ("3/4/19", DATE),
            ("consulta", TOWN, 0.2),
            name="a",
        ),
        document(HOSTILE, ("<img src=x onerror=alert(2)>", DATE), ("alert(1)", TOWN), name="<b onclick=x>"),
        document("Sin datos.", name="c"),
    ]
    return gold, system


def render(report: EvaluationReport) -> str:
    return render_page(page(report))


def report() -> EvaluationReport:
    gold, system = corpus()
    first, second = evaluate(gold, system), evaluate(gold, gold)
    return EvaluationReport(first, "<gold>", "system&", "</dd><script>", compare(first, second))


def test_hostile_text_stays_text() -> None:
    page = render(report())
    seen = Page(page)
    assert len(seen.named("script")) == 1
    assert not seen.named("img")
    assert not [attributes for _, attributes in seen.elements if any(name.startswith("on") for name in attributes)]
    assert all(HOSTILE not in script for script in seen.scripts)
    assert "\u202e" not in page
    assert "\x00" not in page
    assert shown(HOSTILE) in seen.texts
    page.encode("utf-8")


def test_every_text_with_an_error_is_there_once_and_whole() -> None:
    gold, _ = corpus()
    assert sorted(Page(render(report())).texts) == sorted(shown(each.text) for each in gold[:2])


def test_the_page_needs_nothing_else_and_lets_nothing_else_run() -> None:
    seen = Page(render(report()))
    for _, attributes in seen.elements:
        assert "src" not in attributes
        assert "style" not in attributes
        assert (attributes.get("href") or "#").startswith("#")
    assert not seen.named("link")
    policy = next(meta["content"] for meta in seen.named("meta") if meta.get("http-equiv"))
    assert policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for code in ("".join(seen.scripts), "".join(seen.styles)):
        assert b64encode(hashlib.sha256(code.encode()).digest()).decode() in policy
    assert not re.search(r"url\((?!#)|@import|fetch\(|XMLHttpRequest|localStorage", "".join(seen.scripts + seen.styles))


def test_the_page_says_that_it_holds_clinical_text() -> None:
    page = render(report())
    assert page.index("Esta página contiene texto clínico") < page.index("<h1>")
    assert page.index("This page contains clinical text") < page.index("<h1>")


@pytest.mark.parametrize(
    ("language", "told", "untold"),
    [
        ("es", ("Métricas oficiales", "80,0", "Índice de fuga"), "Official"),
        ("en", ("Official scores", "80.0", "Leak score"), "Métricas"),
    ],
)
def test_the_whole_page_is_in_each_language(language: str, told: tuple[str, ...], untold: str) -> None:
    other = "en" if language == "es" else "es"
    page = re.sub(rf'<(t?span) lang="{other}">.*?</\1>', "", render(report()), flags=re.DOTALL)
    assert all(words in page for words in told)
    assert untold not in page


def test_every_section_is_there_and_every_link_leads_somewhere() -> None:
    seen = Page(render(report()))
    ids = [attributes["id"] for _, attributes in seen.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {"leaks", "documents", "scores", "comparison", "labels", "confusion", "curve", "errors"} <= set(ids)
    links = [attributes["href"] for attributes in seen.named("a")]
    assert links
    assert all(link and link[1:] in ids for link in links)
    described = [attributes["aria-labelledby"] for attributes in seen.named("svg")]
    assert len(described) == 4
    assert set(described) <= set(ids)


def test_each_kind_of_error_is_marked_and_listed() -> None:
    seen = Page(render(report()))
    kinds = {attributes["data-k"] for attributes in seen.named("li") if "data-k" in attributes}
    assert kinds == set(ErrorKind)
    marks = [attributes["class"] or "" for attributes in seen.named("mark") if attributes.get("data-e")]
    assert {kind for kind in ErrorKind if any(kind in mark.split() for mark in marks)} == set(ErrorKind)
    assert any("leaks" in mark for mark in marks)
    assert any("beyond" in mark for mark in marks)
    boxes = {attributes["data-kind"] for attributes in seen.named("input") if "data-kind" in attributes}
    assert boxes == set(ErrorKind)


def test_sections_that_have_nothing_to_say_are_left_out() -> None:
    gold, _ = corpus()
    page = render(EvaluationReport(evaluate(gold, gold), "gold", "system"))
    ids = {attributes.get("id") for _, attributes in Page(page).elements}
    assert not ids & {"comparison", "curve"}
    assert "Ningún documento tiene errores" in page
    assert "Esto no es una garantía" in page
    assert not Page(page).texts


@pytest.mark.parametrize("found", [(), (("datos", NAME),)])
def test_documents_with_nothing_to_protect(found: tuple[tuple[str, str], ...]) -> None:
    gold = [document("Sin datos.", name="a")]
    page = render(EvaluationReport(evaluate(gold, [document("Sin datos.", *found, name="a")]), "gold", "system"))
    assert len(Page(page).texts) == len(found)


def test_missing_documents_are_told() -> None:
    gold, system = corpus()
    page = render(EvaluationReport(evaluate(gold, system[1:]), "gold", "system"))
    assert "Documentos sin resultado del sistema, contados como no detectados: 1." in page


def test_a_missing_document_is_told_even_if_nothing_leaks() -> None:
    gold, _ = corpus()
    page = render(EvaluationReport(evaluate(gold, gold[:2]), "gold", "system"))
    assert "contados como no detectados: 1." in page


def test_the_page_is_the_same_each_time() -> None:
    assert render(report()) == render(report())


def test_only_the_owner_may_read_the_page(tmp_path: Path) -> None:
    path = tmp_path / "new" / "report.html"
    write_report(path, report())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text(encoding="utf-8") == render(report())
    assert [file.name for file in path.parent.iterdir()] == ["report.html"]


def test_a_page_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "file" / "report.html", tmp_path / "folder"):
        with pytest.raises(FormatError, match="cannot be written"):
            write_report(path, report())
    assert sorted(each.name for each in tmp_path.iterdir()) == ["file", "folder"]


spans = st.lists(
    st.builds(
        lambda start, length, label: Span(start, min(start + length, 24), label),
        st.integers(0, 23),
        st.integers(1, 9),
        st.sampled_from([NAME, TOWN]),
    ),
    max_size=7,
)


@given(gold=spans, system=spans, text=st.text(st.sampled_from("aé <&>\"'\n\t\x07\u202e😀"), min_size=24, max_size=24))
def test_marks_keep_the_text_and_name_every_error(gold: list[Span], system: list[Span], text: str) -> None:
    pair = Pair(Document("d", text, tuple(gold)), Document("d", text, tuple(system)))
    matches = align(pair)
    seen = Page(marked_text(text, matches, "d0"))
    assert seen.texts == [shown(text)]
    errors = [match for match in matches if match.kind]
    marked = {number for mark in seen.named("mark") for number in (mark["data-e"] or "").split()}
    assert marked == {str(number) for number in range(len(errors))}
    targets = {attributes["id"] for attributes in seen.named("span") if "id" in attributes}
    assert targets == {(link["href"] or "")[1:] for link in Page(error_list(text, matches, "d0")).named("a")}


@given(gold=spans, system=spans)
def test_highlights_tell_what_leaks_and_what_is_covered_for_nothing(gold: list[Span], system: list[Span]) -> None:
    pair = Pair(Document("d", "x" * 24, tuple(gold)), Document("d", "x" * 24, tuple(system)))
    found = list(highlights(align(pair)))
    expected = {i for span in gold for i in range(span.start, span.end)}
    covered = {i for span in system for i in range(span.start, span.end)}
    assert {i for p in found for i in range(p.start, p.end)} == expected | covered
    assert {i for p in found if p.leaks for i in range(p.start, p.end)} == expected - covered
    assert {i for p in found if p.beyond for i in range(p.start, p.end)} == covered - expected
    assert all(one.end <= other.start for one, other in pairwise(found))


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (0.0, "0.0 %"),
        (0.0004, "< 0.1 %"),
        (0.5, "50.0 %"),
        (0.99999, "> 99.9 %"),
        (1.0, "100.0 %"),
        (None, "–"),
    ],
)
def test_shares_are_never_rounded_to_all_or_nothing(share: float | None, words: str) -> None:
    assert percent(share).replace("\u202f", " ") == words


def test_numbers() -> None:
    assert count(1234567).replace("\u202f", " ") == "1 234 567"
    assert between(None) == signed(None, 2) == signed_between(None, 2) == "–"
    assert signed(-0.0797, 2) == "−7.97"
    assert chance(0.0001, 0.0001).replace("\u202f", " ") == "≤ 0.0001"
    assert chance(0.04, 0.0001) == "0.0400"


def test_attributes_and_children_are_escaped_unless_markup() -> None:
    assert (
        tag("p", "<b>", Markup("<i>"), title='"&', hidden=True, id=None)
        == '<p title="&quot;&amp;" hidden>&lt;b&gt;<i></p>'
    )


def test_everything_has_a_name() -> None:
    assert len({label_phrase(label) for label in Label}) == len(Label)
    assert set(ERROR_NAMES) == set(ErrorKind)
    assert len({hipaa_phrase(identifier) for identifier in Hipaa}) == len(Hipaa)
    assert set(MEASURES) == set(OVERALL)
    assert len({name.sign for name in ERROR_NAMES.values()}) == len(ErrorKind)


@pytest.mark.parametrize("package", ["nadie.evaluation.report", "nadie.records", "nadie.report"])
def test_every_text_is_in_both_languages_and_has_the_same_values(package: str) -> None:
    """A pair of strings is a text; everything else holds texts."""

    def texts(found: object) -> Iterator[list[str]]:
        inside = list(found.values()) if isinstance(found, dict) else found
        assert isinstance(inside, list)
        if inside and isinstance(inside[0], str):
            yield inside
        else:
            for each in inside:
                yield from texts(each)

    for text in texts(tomllib.loads((files(package) / "texts.toml").read_text(encoding="utf-8"))):
        english, spanish = text
        assert english.strip()
        assert spanish.strip()
        assert "  " not in english + spanish
        assert sorted(re.findall(r"\{\w+\}", english)) == sorted(re.findall(r"\{\w+\}", spanish))

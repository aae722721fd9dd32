"""HTML: names split by markup are one, the markup keeps its bytes, and broken pages are read as browsers do."""

from __future__ import annotations

import html
import random
import time
from html.parser import HTMLParser

import lxml.html
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nadie.errors import FormatError

from .helpers import anonymized, opened, texts_of

NAME = {"Ana Muñoz": "[NOMBRE]"}


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("<p>Sra. <b>An</b>a Mu&ntilde;oz</p>", "Sra. Ana Muñoz"),
        ("<p>Ana\n\t  <i>Muñoz</i></p>", "Ana Muñoz"),
        ("<p>Ana&nbsp;Mu&#241;oz</p>", "Ana\xa0Muñoz"),
        ("<p>A<!-- x -->na Muñoz</p>", "Ana Muñoz\nx "),
        ("<p>A<span class=x title='t'>n</span>a Mu<wbr>ñoz</p>", "Ana Muñoz\nt"),
        ("<p>uno</p>\n<p>dos</p>", "uno\ndos"),
        ("<p>uno<br>dos<hr/>tres", "uno\ndos\ntres"),
        ("<table><tr><td>a<td>b</tr><tr><th>c</th> <th>d</th></table>", "a\tb\nc\td"),
        ("<ul><li>a<li>b</ul>c", "a\nb\nc"),
        ("<p><pre>a\n  b</pre>", "a\n  b"),
        ("<p>x<a href='mailto:a@b.es'>y</a>", "xy\nmailto:a@b.es"),
        ("<p>x<script>var n = 'Ana';</script>", "x\nvar n = 'Ana';"),
        ("<title>A &amp; B</title><p>x", "A & B\nx"),
        ("<p>3 < 5 & 6 > 4", "3 < 5 & 6 > 4"),
        ("<p>x <b Ana", "x <b Ana"),
        ("<p>x<!-- Ana", "x<!-- Ana"),
        ("<p>a<!--[if mso]><b>An</b>a<![endif]-->b", "ab\n[if mso]>Ana<![endif]"),
        ("<p x=\"a>b\">c", "c\na>b"),
        ("<p x='>c", "<p x='>c"),
        ("<p it's>c", "c"),
    ],
)  # fmt: skip
def test_the_text_of_a_page(raw: str, text: str) -> None:
    assert texts_of(raw.encode(), "a.html") == [text]


PLANTED = [
    "Ana Muñoz", "<b>Ana</b> Muñoz", "An<b>a</b> Muñoz", "A<i>n</i><u>a</u> <b>Mu</b>ñoz", "Ana\n   Muñoz",
    "Ana Mu&ntilde;oz", "Ana&#32;Mu&#xF1;oz", "Ana&nbsp;Muñoz", "<span><em>Ana</em></span> <a href='#'>Muñoz</a>",
    "A<!-- c -->na Mu<wbr>ñoz", "Ana <font color=red>Muñoz</font>", "<b>A</b><b>n</b><b>a</b> Muñoz",
]  # fmt: skip


@pytest.mark.parametrize("spelling", PLANTED)
def test_a_split_name_is_found_as_one_and_nothing_else_changes(spelling: str) -> None:
    raw = f'<html><body class="x"><p style="a">Paciente: {spelling}, de 70 a&ntilde;os</p>&copy;<hr/></body></html>'
    copy = anonymized(raw.encode(), "a.html", NAME)[0].decode()
    shown = "".join(map(str, lxml.html.fromstring(copy).itertext()))
    assert "Paciente: [NOMBRE], de 70 años" in shown
    before, after = raw.split(spelling)
    assert copy.startswith(before)
    assert copy.endswith(after)
    assert anonymized(raw.encode(), "a.html", {})[0] == raw.encode()


_TAGS = ("<b>|</b>", "<i class='x'>|</i>", "<!-- -->|", "<wbr>|", "<span title=''>|</span>", "<a href='#'><u>|</u></a>")


def split_by_markup(name: str, seed: int) -> str:
    """The name with tags between its letters, and letters and spaces spelled in other ways."""
    chance = random.Random(seed)
    spelled = []
    for letter in name:
        spellings = (letter, letter, f"&#{ord(letter)};", f"&#x{ord(letter):X};", html.escape(letter))
        part = chance.choice((" ", "\n   ", "&#32;")) if letter == " " else chance.choice(spellings)
        opening, _, closing = chance.choice((*_TAGS, "|", "|")).partition("|")
        spelled.append(f"{opening}{part}{closing}")
    return "".join(spelled)


@pytest.mark.parametrize("seed", range(200))
def test_the_text_is_the_same_however_the_markup_splits_it(seed: int) -> None:
    name = ("Ana Muñoz", "José Mª Peña-Güell", "María del Mar Íñiguez O'Shea", "Dra. Núria Roçà")[seed % 4]
    plain = f"Paciente: {name}, de 70 años. Vive en Lugo."
    raw = f"<html><body><p>Paciente: {split_by_markup(name, seed)}, de 70 años. Vive en Lugo.</p></body></html>"
    assert texts_of(raw.encode(), "a.html") == [plain]
    copy = anonymized(raw.encode(), "a.html", {name: "[NOMBRE]"})[0]
    shown = "".join(map(str, lxml.html.fromstring(copy.decode()).itertext()))
    assert shown == plain.replace(name, "[NOMBRE]")


def test_attributes_comments_and_scripts() -> None:
    raw = """<p title="Ana Muñoz" data-x='Ana Muñoz' class="Ana">x<img alt=Ana><!-- Ana Muñoz -->
    <script>"Ana Muñoz"</script><meta name=author content="Ana Muñoz"><input value="Ana Mu&ntilde;oz">"""
    copy = anonymized(raw.encode(), "a.html", {**NAME, "Ana": "Eva Sol"})[0].decode()
    assert "Muñoz" not in copy
    assert "ntilde" not in copy
    assert copy.count("[NOMBRE]") == 6
    assert "<img alt=Eva&#32;Sol>" in copy


def test_names_of_bookmarks_are_searched_with_their_links() -> None:
    """As LibreOffice writes the bookmarks of a document; names that programs give have no spaces."""
    raw = '<a name="ficha de Ana"></a><div id="Datos de Ana">x</div><a href="#Datos de Ana" target="De Ana">y</a>'
    assert anonymized(raw.encode(), "a.html", {"Ana": "Eva"})[0].decode() == raw.replace("Ana", "Eva")
    assert texts_of(b"<div id='main-nav' class='row wide' name='x1'>Ana</div>", "a.html") == ["Ana"]


def test_replacements_are_escaped() -> None:
    copy = anonymized(b'<p title="Ana">Ana', "a.html", {"Ana": '<b>"&'})[0].decode()
    seen: list[str] = []

    class Reader(HTMLParser):
        def handle_data(self, data: str) -> None:
            seen.append(data)

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            seen.append(str(dict(attrs)["title"]))

    parser = Reader()
    parser.feed(copy)
    parser.close()
    assert seen == ['<b>"&', '<b>"&']


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [
        ("", "utf-8"),
        ("utf-8", "utf-8"),
        ("iso-8859-1", "cp1252"),
        ("windows-1252", "cp1252"),
        ("", "utf-16"),
        ("", "cp1252"),
    ],
)
def test_encodings(declared: str, encoding: str) -> None:
    meta = f'<meta charset="{declared}">' if declared else ""
    raw = f"<html>{meta}<p>Ana Muñoz é</p></html>"
    copy = anonymized(raw.encode(encoding), "a.html", {"Ana Muñoz": "Łucja"})[0]
    expected = "Łucja" if encoding.startswith("utf") else "&#321;ucja"
    assert copy.decode(encoding) == raw.replace("Ana Muñoz", expected)


def test_other_encodings_are_refused() -> None:
    with pytest.raises(FormatError, match="encoding 'shift_jis'"):
        opened(b"<html><meta charset=shift_jis>", "a.html")
    with pytest.raises(FormatError, match="neither UTF-8 nor"):
        opened(b"<html>\n\xf0", "a.html")
    with pytest.raises(FormatError, match="line 2: is not UTF-8"):
        opened(b"<html><meta charset=utf-8>\n\xf1", "a.html")


def test_embedded_data_are_listed() -> None:
    _, account = anonymized(b"<html>\n<img src='data:image/png;base64,xx'>", "a.html", {})
    assert account.uncovered == [("line 2", "the data inside <img> are not changed")]


MARKUP = "< > <b> </b> <!-- --> Ana & &amp; ' \" = <p§x= <script> </script> <? <! § é / <td>".split(" ")


@given(st.lists(st.sampled_from([mark.replace("§", "\n") for mark in MARKUP]), max_size=30))
def test_any_markup_comes_back_as_it_was(parts: list[str]) -> None:
    raw = "<html>" + "".join(parts)
    assert anonymized(raw.encode(), "a.html", {})[0] == raw.encode()
    assert "Ana" not in anonymized(raw.encode(), "a.html", {"Ana": "X"})[0].decode() or _is_in_markup(raw)


def _is_in_markup(raw: str) -> bool:
    """Whether the name may be part of a tag's own name or of an attribute that nobody is shown."""
    return any(mark in raw for mark in ("<", "="))


@pytest.mark.parametrize(
    "part", ["<", "<a", "<a '", '<a x="', "<!--", "<!", "<b>", "&", "<script>", "<a =", "\n", "<!---->"]
)
def test_no_page_takes_long(part: str) -> None:
    start = time.process_time()
    anonymized(("<html>" + part * 100_000).encode(), "a.html", {"Ana": "Eva"})
    assert time.process_time() - start < 10

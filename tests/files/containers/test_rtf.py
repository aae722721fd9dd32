"""RTF: opened again with LibreOffice, searched raw and decoded, and kept byte for byte where nothing is replaced."""

from __future__ import annotations

import contextlib
import random
import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nadie.errors import FormatError
from nadie.files.mapped import Edit

from . import word_files
from .helpers import anonymized, opened, texts_of
from .office import converted, shown
from .rtf_files import HEAD, planted, with_body

VALUES = {"Ana Muñoz": "[NOMBRE]", "7654321": "[ID]", "ana@x.es": "[CORREO]"}


def test_nothing_that_was_found_is_left() -> None:
    copy, account = anonymized(planted(), "a.rtf", VALUES)
    before, after = planted().decode(), copy.decode("ascii")
    for value in ("Ana", "Mu\\'f1oz", "Luis Gil", "Lu\\'eds", "LGX", "7654321", "ana@x", "yr2020", "1234567", "416e61"):
        assert value in before
        assert value not in after
    assert account.uncovered == [("1 images", "not changed")]


def test_another_program_shows_the_same_but_for_the_names(tmp_path: Path) -> None:
    """For the document of the tests, and for one that LibreOffice itself has written."""
    written = converted({"carta.docx": word_files.planted()}, tmp_path, "rtf")["carta.docx"]
    before = {"a.rtf": planted(), "b.rtf": written}
    after = {f"new-{name}": anonymized(content, name, VALUES)[0] for name, content in before.items()}
    seen = shown({**before, **after}, tmp_path)
    assert (seen["a.rtf"].count("Ana Muñoz"), seen["b.rtf"].count("Ana Muñoz")) == (6, 10)
    assert "Мир {llaves} \\ fin" in seen["a.rtf"]
    for name in before:
        assert seen[f"new-{name}"] == seen[name].replace("Ana Muñoz", "[NOMBRE]")
    raw = after["new-b.rtf"].decode("ascii")
    assert not [value for value in ("Ana", "Mu\\", "Luis Gil", "LGX", "7654321") if value in raw]


def test_what_is_not_replaced_keeps_its_bytes() -> None:
    plain = with_body(r"\pard Ana {\b Mu\'f1oz}, \u8364?20 y {\*\otro x}\par").replace(b"\n", b"\r\n")
    assert anonymized(plain, "a.rtf", {})[0] == plain
    assert anonymized(plain, "a.rtf", {"Ana Muñoz": "[N]"})[0] == plain.replace(b"Ana {\\b Mu\\'f1oz}", b"[N]{\\b }")


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"Mu\'f1oz", "Muñoz"), (r"Mu\u241?oz", "Muñoz"), (r"Mu\u241\'f1oz", "Muñoz"), (r"{\uc0 Mu\u241 oz}", "Muñoz"),
        (r"{\uc2 Mu\u241 ??oz}", "Muñoz"), (r"\u-10179?\u-8704?", "😀"), (r"{\f1 \'cc\'e8\'f0}", "Мир"),
        (r"{\f2 \'93\'fa\'96\'7b}", "日本"), ("Mu\nñ\r\noz", "Muñoz"), (r"a\~b\_c\-d\{\}\\", "a\xa0b-cd{}\\"),
        (r"a\tab b\line c\par d", "a\tb\nc\nd"), (r"\b\i0 An\b a", "Ana"), (r"uno{\footnote dos}tres", "unotres\ndos"),
        (r"a\emdash b", "a—b"), (r"{\*\nuevo Ana}x", "x\nAna"), (r"{\upr{Ana}{\*\ud{An\u225a}}}", "Ana\nAná"),
        (r"{\pict\bin5 }}}{{x}y", "y"), (r"{\plain\f1\'cc\plain\'f1}", "Мñ"),
    ],
)  # fmt: skip
def test_the_text_of_a_document(body: str, text: str) -> None:
    assert texts_of(with_body(body), "a.rtf") == [text]


def test_tables_of_programs_are_removed_if_they_name_a_person() -> None:
    styles = "".join(f"\\lsdpriority{n} heading {n};" for n in range(300))
    plain = with_body(rf"{{\*\latentstyles{{\lsdlockedexcept {styles}}}}}hola\par")
    assert anonymized(plain, "a.rtf", {})[0] == plain
    named = plain.replace(b"heading 299", b"Garrido")
    assert anonymized(named, "a.rtf", {})[0] == with_body(r"hola\par")


def test_changes_are_read_as_they_were_and_as_they_are() -> None:
    body = r"Vista Ana {\deleted Mora}{\revised Soto} Gil hoy"
    assert texts_of(with_body(body), "a.rtf") == ["Vista Ana Soto Gil hoy\nVista Ana Mora Gil hoy"]
    copy = anonymized(with_body(body), "a.rtf", {"Ana Soto Gil": "[A]", "Ana Mora Gil": "[A]"})[0].decode()
    assert copy.endswith("Vista [A]{\\deleted }{\\revised } hoy}")


def test_dates_and_replacements_are_spelled_as_rtf() -> None:
    source = with_body(r"{\info{\creatim\yr2020\mo5\dy4}}\b\'c1na\b0(Eva) x")
    assert texts_of(source, "a.rtf") == ["Ána(Eva) x\n2020-05-04 00:00:00"]
    container = opened(source, "a.rtf")
    [text] = container.texts()
    edits = [(0, 3, "Łucja {y}"), (3, 4, ""), (11, 30, "2019-03-02 01:02:03")]
    copy = container.rewritten([Edit(*edit) for edit in edits])  # type: ignore[attr-defined]
    assert texts_of(copy, "a.rtf") == ["Łucja {y}Eva) x\n2019-03-02 01:02:03"]
    assert copy.isascii()
    assert text.document("a").spans[0].label == "FECHAS"


def _split_by_control_words(name: str, seed: int) -> str:
    chance = random.Random(seed)
    between = ("", "", "\\b ", "\\i0 ", "{\\lang3082 }", "\r\n", "\\f0\\fs20 ", "{\\*\\bkmkend x}", "\\-", "{}")
    spelled = ""
    for letter in name:
        ways = (letter, f"\\u{ord(letter)}?", f"\\u{ord(letter)}\\'3f", f"\\'{letter.encode('cp1252').hex()}")
        way = chance.choice(ways if letter.isascii() else ways[1:])
        spelled += chance.choice(between) + chance.choice(("{}", "{{{}}}", "{{\\b {}}}")).format(way)
    return spelled


@pytest.mark.parametrize("seed", range(200))
def test_the_text_is_the_same_however_control_words_split_it(seed: int) -> None:
    name = ("Ana Muñoz", "José Mª Peña-Güell", "María del Mar Íñiguez O'Shea", "Dra. Núria Roçà")[seed % 4]
    rest = ", de 70 a\\'f1os. Vive en Lugo."
    body = f"\\pard Paciente: {_split_by_control_words(name, seed)}{rest}"
    body = f"\\trowd\\cellx900\\intbl {body}\\cell\\row" if seed % 3 == 0 else f"{body}\\par"
    plain = f"Paciente: {name}, de 70 años. Vive en Lugo."
    assert texts_of(with_body(body), "a.rtf")[0].splitlines()[0] == plain
    copy = anonymized(with_body(body), "a.rtf", {name: "[NOMBRE]"})[0]
    assert texts_of(copy, "a.rtf")[0].splitlines()[0] == plain.replace(name, "[NOMBRE]")
    assert not re.search(rf"u{ord(name[1])}\b|{name[:2]}", copy.decode().partition("Paciente")[2].partition("70")[0])


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (planted()[:-60], "damaged or truncated"),
        (planted() + b"Ana", "content after its end"),
        (b"{\\rtf1 x}}", "content after its end"),
        (b"{\\rtf1" + b"{" * 600 + b"}" * 600 + b"}", "more than 500 deep"),
        (b"{\\rtf1\\ansicpg9999 x}", "code page 9999"),
        (b"Ana", "named .rtf but is plain text"),
    ],
)
def test_what_is_refused(content: bytes, told: str) -> None:
    with pytest.raises(FormatError, match=told):
        opened(content, "a.rtf")


PARTS = [
    "{",
    "}",
    "\\b",
    " ",
    "Ana",
    "\\'f1",
    "\\u241?",
    "\\",
    "\\*",
    "\\bin3 ",
    "\n",
    "\\par",
    "\\uc2",
    "\\u-1",
    "\\'",
    "é",
]


@given(st.lists(st.sampled_from(PARTS), max_size=25))
def test_anything_that_is_read_comes_back_as_it_was(parts: list[str]) -> None:
    content = f"{HEAD}{''.join(parts)}}}".encode("latin-1")
    try:
        assert anonymized(content, "a.rtf", {})[0] == content
    except FormatError:
        return
    copy = anonymized(content, "a.rtf", {"Ana": "Eva Sol"})[0]
    before, after = texts_of(content, "a.rtf")[0], texts_of(copy, "a.rtf")[0]
    assert after == before.replace("Ana", "Eva Sol")


@pytest.mark.parametrize("part", ["{", "\\", "\\'", "\\u1", "{}", "\\b", "a", "{\\*\\x ", "\\bin9 ", "{\\footnote x}"])
def test_no_document_takes_long(part: str) -> None:
    start = time.process_time()
    with contextlib.suppress(FormatError):
        anonymized(with_body(part * 50_000), "a.rtf", {"Ana": "Eva"})
    assert time.process_time() - start < 10

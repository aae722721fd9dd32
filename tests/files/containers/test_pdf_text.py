"""Text of PDF pages: names are found regardless of how operators split them, and removed text is gone."""

from __future__ import annotations

import random
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pikepdf import Array, Dictionary, Name, String

from nadie.errors import FormatError
from nadie.files.container import OpenOptions
from nadie.options import Images

from . import pdfs
from .helpers import anonymized, opened, texts_of

NAME = {"Ana Muñoz": "[NOMBRE]"}
LABEL = {"Ana Muñoz": "[NOMBRE_SUJETO_ASISTENCIA]"}


def text_of(*contents: bytes | str) -> str:
    return "".join(texts_of(pdfs.of(*contents), "a.pdf"))


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("BT /F1 12 Tf 50 700 Td (Ana Muñoz) Tj ET", "Ana Muñoz"),
        ("BT /F1 12 Tf 50 700 Td [(A) -20 (na Mu) 30 (ñoz)] TJ ET", "Ana Muñoz"),
        ("BT /F1 12 Tf 50 700 Td [(Ana) -280 (Muñoz)] TJ ET", "Ana Muñoz"),
        ("BT /F1 12 Tf 50 700 Td (Ana) Tj /F2 12 Tf ( Mu) Tj /F1 12 Tf (ñoz) Tj ET", "Ana Muñoz"),
        ("BT /F1 12 Tf 50 700 Td (An) Tj ET BT /F1 12 Tf 64.68 700 Td (a) Tj ET", "Ana"),
        ("BT /F1 12 Tf 14 TL 50 700 Td (Ana) Tj (Muñoz) ' ET", "Ana\nMuñoz"),
        ("BT /F1 12 Tf 14 TL 50 700 Td (Ana) Tj 1 0 (Muñoz Gil) \" ET", "Ana\nMuñoz Gil"),
        ("BT /F1 12 Tf 50 700 TD (Ana) Tj 0 -14 TD (Muñoz) Tj T* (Gil) Tj ET", "Ana\nMuñoz\nGil"),
        ("BT /F1 12 Tf 50 600 Td (dos) Tj ET BT /F1 12 Tf 50 700 Td (uno) Tj ET", "uno\n\ndos"),
        ("BT /F1 12 Tf 50 700 Td (Nombre:) Tj 150 0 Td (Ana Muñoz) Tj ET", "Nombre:\tAna Muñoz"),
        ("BT /F1 12 Tf 3 Tr 50 700 Td (Ana Muñoz) Tj ET", "Ana Muñoz"),
        ("BT /F1 12 Tf 5 Tc 50 700 Td (Ana) Tj ET", "Ana"),
        ("BT /F1 12 Tf 50 700 Td [(A) -400 (n) -400 (a) -400 (M) -400 (u) -400 (r)] TJ ET", "AnaMur"),
        ("BT /F1 12 Tf 50 700 Td (M) Tj 4 Ts /F1 7 Tf (ª) Tj 0 Ts /F1 12 Tf ( Gil) Tj ET", "Mª Gil"),
        ("BT /F1 1 Tf 12 0 0 12 50 700 Tm (Ana) Tj ET", "Ana"),
        ("BT /F1 12 Tf 0 1 -1 0 50 700 Tm (Ana) Tj ET BT /F1 12 Tf 9 9 Td (Gil) Tj (a) Tj ET", "Gila\n\nAna"),
        ("BT /F1 12 Tf 50 700 Td (Ana) Tj ET BT /F1 12 Tf 50.3 700 Td (Ana) Tj ET", "Ana"),
        ("q 2 0 0 2 0 0 cm BT /F1 12 Tf 5 70 Td (Ana) Tj ET Q BT /F1 24 Tf 58 140 Td ( Gil) Tj ET", "Ana Gil"),
        ("/OC /hidden BDC BT /F1 12 Tf 50 700 Td (Ana) Tj ET EMC", "Ana"),
        ("BT /F1 12 Tf 50 9000 Td (Ana) Tj ET", "Ana"),
        ("", ""),
    ],
)  # fmt: skip
def test_the_text_of_a_page(content: str, text: str) -> None:
    assert text_of(content) == text


def test_two_columns_of_prose_are_read_one_by_one() -> None:
    left = [
        "Paciente de setenta años que",
        "acude por dolor torácico de",
        "dos horas. La trae Ana María",
        "Muñoz, su hija mayor de edad",
    ]
    right = [
        "Exploración sin hallazgos de",
        "interés, auscultación limpia",
        "y abdomen blando. Firmado en",
        "Lugo por el doctor José Gil.",
    ]
    rows = (
        f"BT /F1 10 Tf 50 {700 - 14 * n} Td ({a}) Tj 260 0 Td ({b}) Tj ET"
        for n, (a, b) in enumerate(zip(left, right, strict=True))
    )
    assert text_of("\n".join(rows)).split("\n\n") == ["\n".join(left), "\n".join(right)]


def _split(text: str, chance: random.Random) -> str:
    """Operators that show a text: cut anywhere, kerned, with spaces as letters or as gaps."""
    shown: list[str] = []
    at = 0
    while at < len(text):
        end = at + chance.choice((1, 1, 2, 3, 7, 30))
        part = text[at:end]
        kerned = f"[{' '.join(f'({each}) {chance.randint(-60, 60)}' for each in _cut(part, chance))}] TJ"
        gapped = f"[{' -278 '.join(f'({each})' for each in part.split(' '))}] TJ"
        ways = [f"({part}) Tj", kerned, gapped, f"/F1 11 Tf ({part}) Tj /F1 12 Tf", f"/P /MC0 BDC ({part}) Tj EMC"]
        hexed = f"<{part.encode('cp1252').hex()}> Tj"
        shown.append(chance.choice((*ways, hexed)))
        at = end
    return " ".join(shown)


def _cut(text: str, chance: random.Random) -> list[str]:
    at = sorted({0, len(text), *(chance.randrange(len(text) + 1) for _ in range(chance.randrange(4)))})
    return [text[a:b] for a, b in pairwise(at)]


NAMES = ("Ana Muñoz", "José Mª Peña-Güell", "María del Mar Íñiguez O'Shea", "Dra. Núria Roçà")


@pytest.mark.parametrize("start", range(0, 200, 20))
def test_two_hundred_names_split_by_operators(start: int, tmp_path: Path) -> None:
    plain, shown = [], []
    for seed in range(start, start + 20):
        chance = random.Random(seed)
        line = f"Paciente: {NAMES[seed % 4]}, de {20 + seed} años. Vive en Lugo."
        plain.append(line)
        shown.append(f"BT /F1 12 Tf 50 {800 - 30 * (seed - start)} Td {_split(line, chance)} ET")
    content = pdfs.of("\n".join(shown))
    assert texts_of(content, "a.pdf") == ["\n\n".join(plain)]
    copy, _ = anonymized(content, "a.pdf", dict.fromkeys(NAMES, "[NOMBRE]"))
    told = "".join(f"Paciente: [NOMBRE], de {20 + seed} años. Vive en Lugo." for seed in range(start, start + 20))
    assert "".join(texts_of(copy, "a.pdf")[0].split()) == "".join(told.split())
    assert pdfs.left(copy, ("Muñoz", "Güell", "ñiguez", "Núria", "Roçà"), tmp_path) == []


def _positions(content: bytes, folder: Path) -> dict[str, list[float]]:
    """Where the words of a PDF stand, as poppler sees them."""
    page = pdfs.tool("pdftotext", "-bbox", "FILE", "-", content=content, folder=folder).decode()
    words = [line.split(">", 1) for line in page.splitlines() if "<word" in line]
    return {rest.removesuffix("</word>"): [*map(float, re.findall(r"[\d.]+", place))] for place, rest in words}


@pytest.mark.parametrize("operator", ["(Sra. Ana Muñoz vive aquí) Tj", "[(Sra. Ana Mu) 40 (ñoz vive) -9 ( aquí)] TJ",
                                      "(Sra. Ana Muñoz vive aquí) '", '2 1 (Sra. Ana Muñoz vive aquí) "'])  # fmt: skip
@pytest.mark.parametrize("replacement", ["[NOMBRE]", "[NOMBRE_SUJETO_ASISTENCIA]", "x" * 90, "", "Eva Gil"])
def test_what_is_not_replaced_stays_where_it_was(operator: str, replacement: str, tmp_path: Path) -> None:
    content = pdfs.of(f"BT /F1 12 Tf 90 Tz 0.5 Tc 14 TL 50 700 Td {operator} 0 -40 Td (Fin) Tj ET")
    copy, _ = anonymized(content, "a.pdf", {"Ana Muñoz": replacement})
    before, after = _positions(content, tmp_path), _positions(copy, tmp_path)
    for word in ("Sra.", "vive", "aquí", "Fin"):
        assert after[word] == pytest.approx(before[word], abs=0.01)
    fits = len(replacement) < 40
    assert (replacement in pdfs.shown(copy, tmp_path)) is fits
    assert ("■" in pdfs.shown(copy, tmp_path)) is not fits
    assert pdfs.left(copy, ("Muñoz", "Ana"), tmp_path) == []
    pdfs.check(copy, tmp_path)


def test_a_form_that_many_pages_draw(tmp_path: Path) -> None:
    pdf = pdfs.new("/Fm Do BT /F1 12 Tf 50 600 Td (uno) Tj ET", "q /Fm Do Q")
    inner = pdfs.form(pdf, "BT /F1 12 Tf 50 700 Td (Muñoz) Tj ET")
    outer = pdfs.form(pdf, "BT /F1 12 Tf 20 700 Td (Ana ) Tj ET /In Do % Ana Muñoz", Matrix=Array([1, 0, 0, 1, 10, 0]))
    outer.Resources.XObject = Dictionary(In=inner)
    inner.Matrix = Array([1, 0, 0, 1, -2.67, 0])
    for page in pdf.pages:
        page.obj.Resources.XObject = Dictionary(Fm=outer)
    content = pdfs.saved(pdf)
    assert texts_of(content, "a.pdf") == ["Ana Muñoz\n\nuno\n\nAna Muñoz"]
    copy, _ = anonymized(content, "a.pdf", NAME)
    assert pdfs.shown(copy, tmp_path).count("[NOMBRE]") == 2
    assert pdfs.left(copy, ("Ana", "Muñoz"), tmp_path) == []


def test_text_in_patterns_letters_and_forms_that_nobody_draws(tmp_path: Path) -> None:
    pdf = pdfs.new("BT /T3 12 Tf 50 700 Td (a) Tj ET BT /F1 12 Tf 50 600 Td (hola) Tj ET")
    resources = pdf.pages[0].obj.Resources
    words = "BT /F1 12 Tf ({} Muñoz) Tj ET"
    pattern = pdfs.form(pdf, words.format("Pat"), PatternType=1, PaintType=1, TilingType=1, XStep=9, YStep=9)
    del pattern.Subtype
    letter = pdf.make_stream(("500 0 d0 " + words.format("Let")).encode("cp1252"))
    resources.Pattern = Dictionary(P1=pattern)
    resources.XObject = Dictionary(Unused=pdfs.form(pdf, words.format("Form")))
    fonts = Dictionary(dict(resources.Font.items()))
    resources.Font.T3 = Dictionary(
        Type=Name.Font, Subtype=Name.Type3, FontBBox=Array([0, 0, 9, 9]), FontMatrix=Array([0.001, 0, 0, 0.001, 0, 0]),
        FirstChar=97, LastChar=97, Widths=Array([500]), CharProcs=Dictionary(a=letter),
        Encoding=Dictionary(Differences=Array([97, Name.a])), Resources=Dictionary(Font=fonts),
    )  # fmt: skip
    content = pdfs.saved(pdf)
    text = texts_of(content, "a.pdf")[0]
    assert all(f"{word} Muñoz" in text for word in ("Pat", "Let", "Form"))
    copy, _ = anonymized(content, "a.pdf", {f"{word} Muñoz": "[N]" for word in ("Pat", "Let", "Form")})
    assert pdfs.left(copy, ("Muñoz", "Pat ", "Let "), tmp_path) == []


def test_what_marked_content_says_in_place_of_its_letters(tmp_path: Path) -> None:
    pdf = pdfs.new(
        "/Span <</ActualText (Ana Mu\\361oz) /Lang (es)>> BDC BT /F1 12 Tf 50 700 Td (A. M.) Tj ET EMC "
        "/Span <</ActualText (Gil)>> BDC BT /F1 12 Tf 50 600 Td (Gil) Tj ET EMC "
        "/Span /Named BDC BT /F1 12 Tf 50 500 Td (Soto) Tj ET EMC"
    )
    pdf.pages[0].obj.Resources.Properties = Dictionary(Named=Dictionary(Alt=String("Soto"), E=String("S")))
    copy, _ = anonymized(pdfs.saved(pdf), "a.pdf", {"Ana Muñoz": "[N]", "Gil": "[N]", "Soto": "[N]"})
    assert pdfs.left(copy, ("Ana", "Muñoz", "Gil", "Soto"), tmp_path) == []
    assert "(es)" in pdfs.everything(copy, tmp_path)


DISTILLER = (
    b"%!PS-Adobe-3.0 Resource-CMap\n%%Title: (X)\n/CIDInit /ProcSet findresource begin 12 dict begin begincmap "
    b"/Adobe-Identity-UCS2 usecmap /CIDSystemInfo << /Registry (X) /Ordering (UCS) /Supplement 0 >> def "
)


@pytest.mark.parametrize("start", [b"", DISTILLER], ids=["plain", "Distiller"])
def test_a_font_with_its_own_codes(start: bytes) -> None:
    pdf = pdfs.new("BT /C 12 Tf 50 700 Td <00030001000200030003> Tj ET")
    cmap = pdf.make_stream(
        start
        + b"1 begincodespacerange <0000> <FFFF> endcodespacerange 2 beginbfchar <0001> <004D> <0002> <00F1> endbfchar "
        b"1 beginbfrange <0003> <0004> [<00660069> <0041>] endbfrange"
    )
    descendant = Dictionary(
        Type=Name.Font, Subtype=Name.CIDFontType2, DW=500, W=Array([1, Array([800, 300]), 3, 4, 400])
    )
    pdf.pages[0].obj.Resources.Font.C = Dictionary(
        Type=Name.Font, Subtype=Name.Type0, BaseFont=Name("/ABCDEF+X"), Encoding=Name("/Identity-H"), ToUnicode=cmap,
        DescendantFonts=Array([descendant]),
    )  # fmt: skip
    content = pdfs.saved(pdf)
    assert texts_of(content, "a.pdf") == ["fiMñfifi"]
    copy, _ = anonymized(content, "a.pdf", {"Mñ": "x"})
    assert texts_of(copy, "a.pdf")[0].replace(" ", "") == "fixfifi"


COMPOSITE: dict[str, Any] = {
    "Subtype": Name.Type0,
    "Encoding": Name("/Identity-H"),
    "DescendantFonts": Array([Dictionary()]),
}


@pytest.mark.parametrize(
    ("spec", "raw"),
    [
        (Dictionary(Subtype=Name.Type1, Encoding=Dictionary(Differences=Array([65, Name.g1, Name.g2]))), "(AB)"),
        (Dictionary(Subtype=Name.TrueType, FontDescriptor=Dictionary(Flags=4)), "(AB)"),
        (Dictionary(**COMPOSITE), "<00410042>"),
        (Dictionary(**{**COMPOSITE, "Encoding": Name("/GBK-EUC-H")}), "<00410042>"),
    ],
)  # fmt: skip
def test_letters_that_nobody_can_tell_are_refused(spec: Dictionary, raw: str) -> None:
    pdf = pdfs.new(f"BT /U 12 Tf 50 700 Td {raw} Tj ET")
    spec.Type, spec.BaseFont = Name.Font, Name("/ABCDEF+Scrambled")
    pdf.pages[0].obj.Resources.Font.U = spec
    with pytest.raises(FormatError, match="page 1 has letters of the font 'Scrambled'"):
        opened(pdfs.saved(pdf), "a.pdf", OpenOptions(images=Images.REFUSE))


def test_a_bullet_of_an_unknown_font_is_no_text() -> None:
    pdf = pdfs.new("BT /U 12 Tf 50 700 Td (A) Tj /F1 12 Tf ( hola) Tj ET")
    encoding = Dictionary(Differences=Array([65, Name.g1]))
    pdf.pages[0].obj.Resources.Font.U = Dictionary(
        Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.X, Encoding=encoding
    )
    assert texts_of(pdfs.saved(pdf), "a.pdf") == ["\ufffc hola"]

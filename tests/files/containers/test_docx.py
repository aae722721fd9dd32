"""Word documents: opened again with LibreOffice and python-docx, and searched part by part for what was replaced."""

from __future__ import annotations

import io
import random
import re
from pathlib import Path

import docx
import pytest
from docx.oxml import parse_xml
from lxml import etree

from nadie.errors import FormatError
from nadie.files import source

from .helpers import anonymized, opened, texts_of
from .office import everything, parts_of, shown
from .word_files import document, packed, paragraph, planted, run, saved, workbook

VALUES = {"Ana Muñoz": "[NOMBRE]", "7654321": "[ID]", "ana@x.es": "[CORREO]"}
BODY = "word/document.xml"


@pytest.fixture(scope="module")
def content() -> bytes:
    return planted()


def test_nothing_that_was_found_is_left_in_any_part(content: bytes) -> None:
    copy, account = anonymized(content, "a.docx", VALUES)
    before, after = everything(content), everything(copy)
    for value in ("Ana", "Muñoz", "Mu%C3%B1oz", "Luis Gil", "luisgil", "LGX", "7654321", "ana@x", "2020-05-04"):
        assert value in before
        assert value not in after
    assert account.uncovered == [("word/media/image1.png", "an image, not changed")]
    assert account.failures == []


def test_another_program_shows_the_same_but_for_the_names(content: bytes, tmp_path: Path) -> None:
    copy, _ = anonymized(content, "a.docx", VALUES)
    seen = shown({"before.docx": content, "after.docx": copy}, tmp_path)
    assert seen["before.docx"].count("Ana Muñoz") == 10
    assert seen["after.docx"] == seen["before.docx"].replace("Ana Muñoz", "[NOMBRE]")
    made = docx.Document(io.BytesIO(copy))
    assert made.core_properties.title == "Informe de [NOMBRE]"
    assert made.sections[0].header.paragraphs[0].text == "Cabecera de [NOMBRE]"
    assert [c.text for c in made.tables[0]._cells] == ["Nombre", "[NOMBRE]", "Edad", "70 años"]
    assert [comment.text for comment in made.comments] == ["Comentario de [NOMBRE]"]
    assert len(made.inline_shapes) == 1


def skeleton(part: bytes) -> str:
    """A part without its texts and without what names authors and dates."""
    root = etree.fromstring(part)
    for element in root.iter():
        element.text = element.tail = None
        for key in list(element.attrib):
            if re.search(r"author|date|initials|space|Date|name|descr|alt|val|instr|tooltip", str(key)):
                del element.attrib[key]
    return etree.tostring(root, encoding="unicode")


def test_the_formatting_stays(content: bytes) -> None:
    before, after = parts_of(content), parts_of(anonymized(content, "a.docx", VALUES)[0])
    assert [name for name in before if name != "docProps/thumbnail.jpeg"] == list(after)
    for name in ("word/styles.xml", "word/media/image1.png", "word/fontTable.xml", "[Content_Types].xml"):
        assert before[name] == after[name]
    for name in (BODY, "word/header1.xml", "word/footnotes.xml"):
        if name in before:
            assert skeleton(before[name]) == skeleton(after[name])
    assert b"<w:b/></w:rPr><w:t" in after[BODY]


@pytest.mark.parametrize("place", ["word/document.xml", "word/styles.xml"])
def test_without_edits_and_fields_everything_stays(place: str) -> None:
    plain = saved(docx.Document())
    assert parts_of(anonymized(plain, "a.docx", {})[0])[place] == parts_of(plain)[place]


def test_changes_are_read_as_they_were_and_as_they_are() -> None:
    tracked = 'w:id="1" w:author="Eva" w:date="2020-01-01T00:00:00Z"'
    old = f"<w:del {tracked}>{run('Muñoz', tag='delText')}</w:del>"
    new = f"<w:ins {tracked}>{run('Soto')}</w:ins>"
    made = docx.Document()
    made.element.body.insert(0, parse_xml(paragraph(run("Vista Ana ") + old + new + run(" Gil hoy"))))
    [text] = texts_of(saved(made), "a.docx")
    assert text.startswith("Vista Ana Soto Gil hoy\nVista Ana Muñoz Gil hoy\nEva\n2020-01-01T00:00:00Z\n")
    copy, _ = anonymized(saved(made), "a.docx", {"Ana Soto Gil": "[A]", "Ana Muñoz Gil": "[A]"})
    body = etree.fromstring(parts_of(copy)[BODY])
    assert "".join(map(str, body.itertext())).startswith("Vista [A] hoy")
    assert "Muñoz" not in everything(copy)
    assert b"Eva" not in parts_of(copy)[BODY]


def _split_over_runs(name: str, seed: int) -> str:
    """The name cut into runs, with what Word puts between them."""
    chance = random.Random(seed)
    between = (
        "", '<w:proofErr w:type="spellEnd"/>', '<w:bookmarkStart w:id="9" w:name="_x"/><w:bookmarkEnd w:id="9"/>',
        "<w:r><w:rPr><w:i/></w:rPr></w:r>", '<w:commentRangeStart w:id="0"/>', "<w:r><w:softHyphen/></w:r>",
        "<w:r><w:lastRenderedPageBreak/></w:r>",
    )  # fmt: skip
    wrappers = (
        "{}", "{}", '<w:hyperlink w:anchor="x">{}</w:hyperlink>', '<w:smartTag w:element="y">{}</w:smartTag>',
        '<w:ins w:id="1" w:author="Eva">{}</w:ins>', "<w:sdt><w:sdtContent>{}</w:sdtContent></w:sdt>",
        '<w:fldSimple w:instr=" PAGE ">{}</w:fldSimple>',
    )  # fmt: skip
    inner, at = "", 0
    while at < len(name):
        end = at + chance.choice((1, 1, 2, 3, 8))
        inner += chance.choice(between) + chance.choice(wrappers).format(run(name[at:end], bold=chance.random() < 0.5))
        at = end
    return inner


@pytest.fixture(scope="module")
def blank() -> dict[str, bytes]:
    """The least that is a document, so that two hundred of them are quick."""
    made = parts_of(saved(docx.Document()))
    return {name: made[name] for name in ("[Content_Types].xml", "_rels/.rels", BODY)}


@pytest.mark.parametrize("seed", range(200))
def test_the_text_is_the_same_however_runs_split_it(seed: int, blank: dict[str, bytes]) -> None:
    name = ("Ana Muñoz", "José Mª Peña-Güell", "María del Mar Íñiguez O'Shea", "Dra. Núria Roçà")[seed % 4]
    inner = run("Paciente: ") + _split_over_runs(name, seed) + run(", de 70 años. Vive en Lugo.")
    inner = f"<w:tbl><w:tr><w:tc>{paragraph(inner)}</w:tc></w:tr></w:tbl>" if seed % 3 == 0 else paragraph(inner)
    content = packed({**blank, BODY: re.sub(rb"<w:sectPr", inner.encode() + rb"<w:sectPr", blank[BODY])})
    plain = f"Paciente: {name}, de 70 años. Vive en Lugo."
    assert texts_of(content, "a.docx")[0].splitlines()[0] == plain
    copy = anonymized(content, "a.docx", {name: "[NOMBRE]"})[0]
    assert "".join(map(str, etree.fromstring(parts_of(copy)[BODY]).itertext())).strip() == plain.replace(
        name, "[NOMBRE]"
    )


def with_part(name: str, data: bytes) -> bytes:
    return packed({**parts_of(saved(docx.Document())), name: data})


BOMB = b'<!DOCTYPE a [<!ENTITY a "haha">]><w:document xmlns:w="x">&a;</w:document>'


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (with_part(BODY, b"<w:document>"), "not well-formed"),
        (with_part(BODY, b"<a/>"), "has no body"),
        (with_part(BODY, BOMB), "document type"),
        (with_part(BODY, b"<document>" + b"<a>" * 210 + b"</a>" * 210 + b"</document>"), "more than 200 deep"),
        (saved(docx.Document())[:-40], "damaged or truncated .docx"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + "EncryptedPackage".encode("utf-16-le"), "encrypted Office"),
    ],
)  # fmt: skip
def test_what_is_refused(content: bytes, told: str) -> None:
    with pytest.raises(FormatError, match=told):
        opened(content, "a.docx")


def test_a_bomb_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source.Budget, "__init__", lambda self: setattr(self, "left", 30_000))
    with pytest.raises(FormatError, match="unpacks to more than"):
        opened(with_part("word/big.xml", b"<a>" + b" " * 1_000_000 + b"</a>"), "a.docx")


def test_documents_inside_and_thumbnails() -> None:
    made = parts_of(saved(document()))
    thumbnail = (
        b'<Relationship Id="t" Type="http://x/metadata/thumbnail" Target="docProps/thumbnail.jpeg"/></Relationships>'
    )
    rest = re.sub(rb'<Relationship [^>]*/thumbnail"[^>]*>', b"", made["_rels/.rels"])
    made["_rels/.rels"] = rest.replace(b"</Relationships>", thumbnail)
    made["docProps/thumbnail.jpeg"] = b"\xff\xd8\xff"
    made["word/embeddings/libro.xlsx"] = workbook()
    made["word/carta.htm"] = b"<html><p>Sra. A<b>na</b> Mu&ntilde;oz"
    copy = parts_of(anonymized(packed(made), "a.docx", VALUES)[0])
    assert "docProps/thumbnail.jpeg" not in copy
    assert b"thumbnail" not in copy["_rels/.rels"]
    assert copy["word/carta.htm"] == b"<html><p>Sra. [NOMBRE]<b></b>"
    assert "Muñoz" not in everything(copy["word/embeddings/libro.xlsx"])

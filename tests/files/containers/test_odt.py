"""OpenDocument texts: opened again with LibreOffice, and searched part by part for what was replaced."""

from __future__ import annotations

import random
import re
from pathlib import Path

import docx
import pytest
from lxml import etree

from nadie.errors import FormatError

from . import word_files
from .helpers import anonymized, opened, texts_of
from .odt_files import SPACES, packed, parts, planted
from .office import converted, everything, parts_of, shown

VALUES = {"Ana Muñoz": "[NOMBRE]", "7654321": "[ID]", "2020-05-04": "[FECHA]", "ana@x.es": "[CORREO]"}


def test_nothing_that_was_found_is_left_in_any_part() -> None:
    content = planted()
    copy, account = anonymized(content, "a.odt", VALUES)
    before, after = everything(content), everything(copy)
    for value in ("Ana", "Muñoz", "Mu%C3%B1oz", "Luis Gil", "LGX", "7654321", "2020-05-04", "thumbnail.png"):
        assert value in before
        assert value not in after
    assert account.uncovered == [("Pictures/a.png", "an image, not changed")]
    assert parts_of(copy)["Pictures/a.png"] == parts_of(content)["Pictures/a.png"]
    assert copy[30:38] == b"mimetype"  # first and not compressed, as the standard asks
    assert copy[38:77] == b"application/vnd.oasis.opendocument.text"


def test_another_program_shows_the_same_but_for_the_names(tmp_path: Path) -> None:
    """For the document of the tests, and for one that LibreOffice itself has written."""
    written = converted({"carta.docx": word_files.planted()}, tmp_path, "odt")["carta.docx"]
    before = {"a.odt": planted(), "b.odt": written}
    after = {f"new-{name}": anonymized(content, name, VALUES)[0] for name, content in before.items()}
    seen = shown({**before, **after}, tmp_path)
    assert seen["a.odt"].count("Ana Muñoz") == 8
    assert seen["b.odt"].count("Ana Muñoz") == 10
    expected = seen["a.odt"].replace("Ana Muñoz", "[NOMBRE]").replace("7654321", "[ID]")
    assert seen["new-a.odt"] == re.sub(r".+(?= de alta)", "[FECHA]", expected)
    # The fields for the author show the author, who is replaced in any case.
    assert seen["new-b.odt"] == seen["b.odt"].replace("Ana Muñoz", "[NOMBRE]").replace("autora", "[CAMPO]")
    told = everything(after["new-b.odt"])
    assert not [value for value in ("Ana", "Muñoz", "Luis Gil", "LGX", "7654321", "2020-05-04") if value in told]


def test_styles_and_structure_stay() -> None:
    content = planted()
    before, after = parts_of(content), parts_of(anonymized(content, "a.odt", VALUES)[0])
    assert [name for name in before if not name.startswith("Thumbnails")] == list(after)
    old, new = (etree.fromstring(part["content.xml"]) for part in (before, after))
    taken = ("creator-initials", "elements/1.1/}date")  # of comments
    tags = [[e.tag for e in root.iter() if not str(e.tag).endswith(taken)] for root in (old, new)]
    changed = [(a, b) for a, b in zip(*tags, strict=True) if a != b]
    assert [a.rpartition("}")[2] for a, _ in changed] == ["s", "date"]  # both are texts now
    assert 'text:style-name="B"' in after["content.xml"].decode()
    assert 'fo:font-weight="bold"' in after["content.xml"].decode()


def test_without_edits_and_fields_everything_stays() -> None:
    made = {**parts("<text:p>Sin  datos</text:p>"), "meta.xml": f"<office:document-meta {SPACES}/>".encode()}
    del made["Thumbnails/thumbnail.png"], made["settings.xml"]
    assert parts_of(anonymized(packed(made), "a.odt", {})[0]) == made


def test_changes_are_read_as_they_were_and_as_they_are() -> None:
    [text] = texts_of(planted(), "a.odt")
    assert "Avisar a Ana Soto hoy\n" in text
    assert "Avisar a Ana Muñoz hoy\n" in text
    copy = anonymized(planted(), "a.odt", {"Ana Soto": "[A]", "Ana Muñoz": "[A]"})[0]
    assert "Soto" not in everything(copy)


def _split_by_spans(name: str, seed: int) -> str:
    """The name cut into spans, with what writers put between them, and white space that means one space."""
    chance = random.Random(seed)
    between = (
        "", "<text:soft-page-break/>", '<text:bookmark text:name="b"/>', "<!-- x -->", "<office:annotation/>",
        '<text:reference-mark text:name="r"/>', "<text:span/>",
    )  # fmt: skip
    wrappers = (
        "{}", "<text:span>{}</text:span>", '<text:a xlink:href="#x">{}</text:a>', "<text:meta>{}</text:meta>",
        "<text:span><text:span>{}</text:span></text:span>", "<text:placeholder>{}</text:placeholder>",
    )  # fmt: skip
    spelled = ""
    for letter in name:
        spaces = (" ", "\n", "\t \n", "<text:s/>")
        part = chance.choice(spaces) if letter == " " else chance.choice((letter, letter, f"&#{ord(letter)};"))
        spelled += chance.choice(between) + chance.choice(wrappers).format(part)
    return spelled


@pytest.mark.parametrize("seed", range(200))
def test_the_text_is_the_same_however_spans_split_it(seed: int) -> None:
    name = ("Ana Muñoz", "José Mª Peña-Güell", "María del Mar Íñiguez O'Shea", "Dra. Núria Roçà")[seed % 4]
    plain = f"Paciente: {name}, de 70 años. Vive en Lugo."
    body = f"<text:p>{plain.replace(name, _split_by_spans(name, seed))}</text:p>"
    if seed % 3 == 0:
        body = (
            f"<table:table><table:table-row><table:table-cell>{body}</table:table-cell></table:table-row></table:table>"
        )
    content = packed({name: part for name, part in parts(body).items() if name in ("mimetype", "content.xml")})
    assert texts_of(content, "a.odt")[0].splitlines()[0] == plain
    copy = anonymized(content, "a.odt", {name: "[NOMBRE]"})[0]
    root = etree.fromstring(parts_of(copy)["content.xml"])
    assert "".join(map(str, root.itertext())).strip() == plain.replace(name, "[NOMBRE]")


def with_part(name: str, data: bytes) -> bytes:
    return packed({**parts(), name: data})


ENCRYPTED = b'<manifest xmlns:m="x"><m:file-entry><m:encryption-data/></m:file-entry></manifest>'


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (with_part("META-INF/manifest.xml", ENCRYPTED), "is encrypted"),
        (with_part("VersionList.xml", b"<version-list/>"), "earlier versions"),
        (with_part("content.xml", b"<a><b></a>"), "not well-formed"),
        (with_part("content.xml", b'<!DOCTYPE a [<!ENTITY a "ha">]><a>&a;</a>'), "document type"),
        (with_part("content.xml", b"<a>" * 210 + b"</a>" * 210), "more than 200 deep"),
        (packed({"mimetype": parts()["mimetype"]}), "has no body"),
        (planted()[:-40], "damaged or truncated .odt"),
        (word_files.saved(docx.Document()), "named .odt but is a Word document"),
    ],
)  # fmt: skip
def test_what_is_refused(content: bytes, told: str) -> None:
    with pytest.raises(FormatError, match=told):
        opened(content, "a.odt")


def test_objects_inside_are_searched() -> None:
    chart = f"<office:document-content {SPACES}><text:p>Serie de Ana <text:span>Muñoz</text:span></text:p>"
    content = packed(
        {**parts("<text:p/>"), "Object 1/content.xml": f"{chart}</office:document-content>".encode(),
         "ObjectReplacements/Object 1": b"VCLMTF Ana", "carta.docx": word_files.planted()}
    )  # fmt: skip
    copy, _ = anonymized(content, "a.odt", VALUES)
    assert "Ana" not in everything(copy)
    assert "Serie de [NOMBRE]" in everything(copy)
    assert "ObjectReplacements/Object 1" not in parts_of(copy)

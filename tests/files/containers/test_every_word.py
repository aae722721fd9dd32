"""The contract of all containers: if every word of the text is replaced, the copy still opens in another program.

A container must therefore not offer strings as text that a program resolves, and must write any replacement validly.
"""

from __future__ import annotations

import csv
import email
import email.policy
import io
import json
import mailbox
import re
import subprocess
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import docx
import openpyxl
import oxmsg
import pyarrow.parquet as pq
import pydicom
import pypdfium2
import pytest
from fhir.resources.R4B.bundle import Bundle
from hl7apy.parser import parse_message
from lxml import etree
from PIL import Image

from nadie.files.container import CONTAINERS
from nadie.files.recognition import recognise
from nadie.files.source import Source

from . import linked_files, word_files
from .helpers import NEW, with_every_word_replaced
from .office import converted, everything
from .samples import SAMPLES
from .test_strict_and_charts import strict

FILES: dict[str, Callable[[], bytes]] = SAMPLES | {
    "a.docx": word_files.planted,
    "linked.docx": linked_files.letter,
    "linked.odt": linked_files.open_document,
    "linked.ott": linked_files.template,
    "linked.xlsx": linked_files.workbook,
    "strict.xlsx": lambda: strict(linked_files.workbook()),
}


@pytest.fixture(scope="module")
def copies() -> dict[str, bytes]:
    return {name: with_every_word_replaced(make(), name)[0] for name, make in FILES.items()}


@pytest.fixture(scope="module")
def in_libreoffice(copies: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    files = {name.replace(".", "-") + Path(name).suffix: copies[name] for name in copies if _is_office(name)}
    return converted(files, tmp_path_factory.mktemp("office"), "pdf")


def _is_office(name: str) -> bool:
    return name.endswith((".docx", ".odt", ".ott", ".rtf", ".xlsx"))


@pytest.mark.parametrize("name", [name for name in FILES if _is_office(name)])
def test_libreoffice_opens_the_copy_and_shows_the_new_words(name: str, in_libreoffice: dict[str, bytes]) -> None:
    shown = pypdfium2.PdfDocument(in_libreoffice[name.replace(".", "-") + Path(name).suffix])
    assert NEW in "".join(page.get_textpage().get_text_bounded() for page in shown)
    assert "Ana" not in "".join(page.get_textpage().get_text_bounded() for page in shown)


@pytest.mark.parametrize("name", FILES)
def test_no_name_is_left(name: str, copies: dict[str, bytes]) -> None:
    assert not re.search(r"\bAna\b|Ana[A-Z_]|Mu[ñn]oz|Gil\b", everything(copies[name]))


def _opened_in_another_program(name: str, copy: bytes, folder: Path) -> None:
    """Read the copy with an independent library, which raises an error if it is not valid."""
    kind = Path(name).suffix
    if kind == ".xlsx" and name != "strict.xlsx":  # which openpyxl cannot read; LibreOffice does, above
        openpyxl.load_workbook(io.BytesIO(copy))
    elif kind == ".docx":
        docx.Document(io.BytesIO(copy))
    elif kind in (".eml", ".emlx"):
        content = copy if kind == ".eml" else copy.partition(b"\n")[2][: int(copy.partition(b"\n")[0])]
        message = email.message_from_bytes(content, policy=email.policy.default)
        assert not any(part.defects for part in message.walk())
    elif kind == ".mbox":
        (folder / name).write_bytes(copy)
        with closing(mailbox.mbox(folder / name)) as box:
            assert [message["subject"] for message in box] == [f"{NEW} {NEW} {NEW}"] * 2
    elif kind == ".msg":
        oxmsg.Message.load(io.BytesIO(copy))
    elif kind == ".parquet":
        assert pq.read_table(io.BytesIO(copy)).num_rows
    elif kind == ".dcm":
        assert pydicom.dcmread(io.BytesIO(copy)).PatientIdentityRemoved == "YES"
        (folder / name).write_bytes(copy)
        subprocess.run(["dcmdump", "-q", str(folder / name)], check=True, capture_output=True)
    elif kind == ".hl7":
        for message in re.findall(r"MSH\|.*?(?=\rMSH|\rBTS|$)", copy.decode(), re.DOTALL):
            assert parse_message(message.strip("\r\n"), find_groups=False).msh
    elif kind == ".json":
        assert json.loads(copy)
        if name == "a.json":
            Bundle.model_validate_json(copy)
    elif kind in (".jsonl", ".ndjson"):
        assert all(isinstance(json.loads(line), dict) for line in copy.splitlines())
    elif kind in (".xml", ".html"):
        etree.fromstring(copy) if kind == ".xml" else etree.fromstring(copy, etree.HTMLParser())
    elif kind == ".pdf":
        assert all(page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(copy))
    elif kind == ".zip":
        assert zipfile.ZipFile(io.BytesIO(copy)).testzip() is None
    elif kind == ".csv":
        assert len({len(row) for row in csv.reader(io.StringIO(copy.decode()), delimiter=";", strict=True)}) == 1
    elif kind == ".png":
        Image.open(io.BytesIO(copy)).load()
    else:
        assert kind == ".txt" or _is_office(name)


def test_every_container_has_a_sample() -> None:
    kinds = {recognise(Source(name, name, None, make())) for name, make in FILES.items()}
    assert {name for name in CONTAINERS.names() if name not in ("text", *kinds)} == set()


@pytest.mark.parametrize("name", FILES)
def test_another_program_opens_the_copy(name: str, copies: dict[str, bytes], tmp_path: Path) -> None:
    _opened_in_another_program(name, copies[name], tmp_path)


def test_names_lead_where_they_led(copies: dict[str, bytes]) -> None:
    book = openpyxl.load_workbook(io.BytesIO(copies["linked.xlsx"]))
    first, second = book.worksheets
    assert first.auto_filter.ref == "A1:C3"
    assert first.print_title_rows == "$1:$1"
    [table] = second.tables.values()
    assert second["D1"].value == f"=SUM({table.displayName}[{second['B1'].value}])"
    assert second["D2"].value.startswith(f"={first.title}!B2&")
    assert [column.name for column in table.tableColumns] == [second["A1"].value, second["B1"].value]
    [name] = book.defined_names
    assert second["D3"].value == f"={name}+1"
    assert book.defined_names[name].attr_text == f"{first.title}!$B$2"
    assert second["D4"].hyperlink.target == f"#{first.title}!A1"
    body = docx.Document(io.BytesIO(copies["linked.docx"])).element.body.xml
    names = re.findall(r'bookmarkStart [^>]*w:name="([^"]*)"', body)
    assert re.findall(r'w:anchor="([^"]*)"', body) == names[:2] == ["_Toc123456", "bookmark1"]
    told = "".join(re.findall(r"<w:instrText[^>]*>([^<]*)", body))
    assert " PAGEREF _Toc123456 \\h " in told
    assert " REF bookmark1 \\h " in told
    assert re.search(r'TOC \\o "1-3" \\h \\z \\t "Style 1;1"', told)
    assert f'w:val="{names[2]}"' in body

"""A small, whole file of every container, for tests that go over all of them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image, ImageDraw
from reportlab.pdfgen.canvas import Canvas

from nadie.files.containers.mail.msg.compound import written

from . import dicoms, mail_files, msg_files, odt_files, rtf_files, word_files
from .cda_files import cda
from .fhir_files import bundle, document, in_json, ndjson, observation, patient
from .hl7_files import batch
from .office import parts_of


def csv() -> bytes:
    return 'nhc;nota;peso\r\n1;"Vista Ana ""Muñoz""\nhoy";70,5\r\n2;sin datos de interés;81\r\n'.encode()


def docx() -> bytes:
    """The document of the tests without its long parts, which are styles."""
    return word_files.packed({name: part for name, part in parts_of(word_files.planted()).items() if len(part) < 9000})


def html() -> bytes:
    return (
        b"<!DOCTYPE html><html><head><meta charset='utf-8'><title>Alta de Ana</title></head><body><!-- Ana -->"
        b"<p class=x>Sra. <b>An</b>a Mu&ntilde;oz &amp; hijos</p><table><tr><td>NHC<td title='a'>7654321</table></html>"
    )


def jsonl_table() -> bytes:
    return b'{"nhc": 1, "nota": "Vista Ana Mu\\u00f1oz", "x": [1.5, {"y": null}]}\n{"nhc": 2, "nota": "nada"}\n'


def parquet() -> bytes:
    file = io.BytesIO()
    table = pa.table({"nhc": [1, 2, 3], "nota": ["Vista Ana Muñoz", None, "sin datos de interés"]})
    pq.write_table(table, file, row_group_size=2)
    return file.getvalue()


def pdf() -> bytes:
    file = io.BytesIO()
    canvas = Canvas(file, invariant=1)
    canvas.setTitle("Alta de Ana Muñoz")
    canvas.bookmarkPage("uno")
    canvas.addOutlineEntry("Ana Muñoz", "uno")
    canvas.drawString(50, 700, "Paciente: Ana Muñoz")
    canvas.setFont("Times-Roman", 10)
    canvas.drawString(50, 680, "NHC 7654321")
    canvas.linkURL("mailto:ana@example.es", (50, 680, 90, 690))
    canvas.acroForm.textfield(name="nombre", value="Ana Muñoz", x=50, y=600)
    canvas.showPage()
    canvas.drawString(50, 700, "Fin de la hoja")
    canvas.save()
    return file.getvalue()


def xlsx() -> bytes:
    book = openpyxl.Workbook()
    book.active.append(["nhc", "nota", "peso"])
    book.active.append([1, "Vista Ana Muñoz", 70.5])
    book.create_sheet("Hoja2")["A1"] = "Paciente: Ana Muñoz"
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def zipped() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/nota.txt", "Vista Ana Muñoz hoy".encode())
        archive.writestr("a/t.csv", csv())
        archive.writestr("b.html", html())
    return file.getvalue()


def msg() -> bytes:
    """A message without its long attachment."""
    made = msg_files.message(more={0x1013: msg_files.HTML.encode(), 0x3FDE: 65001})
    made.storages |= dict([msg_files.attached(0, "t.csv", csv())])
    return written(made, msg_files.CLSID)


def fhir() -> bytes:
    return in_json(bundle())


def fhir_ndjson() -> bytes:
    return ndjson(patient(), document(), observation())


def json_file() -> bytes:
    return (
        '{\n  "type": "report", "nhc": 7654321, "peso": 70.5, "ok": true,\n  "texto": "Vista Ana Mu\\u00f1oz hoy",\n'
        '  "visitas": [{"medico": "Luis Gil", "fecha": "2020-05-04"}, null],\n'
        '  "Ana Muñoz": {"tel": "600 123 456"}\n}\n'
    ).encode()


def xml_file() -> bytes:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE ficha SYSTEM "ficha.dtd">\n<ficha xmlns="urn:x" tipo="alta">'
        '<!-- de Ana --><paciente nombre="Ana Mu&#241;oz" nhc="7654321"/><nota>Vista <b>An</b>a Muñoz &amp; hijo</nota>'
        "<nota><![CDATA[Llama Ana <hoy>]]></nota><peso>70.5</peso></ficha>"
    ).encode()


def mbox() -> bytes:
    message = b"From: Ana <ana@example.es>\nMIME-Version: 1.0\nSubject: Alta de Ana\n\nVino Ana hoy.\n"
    start = b"From ana@example.es Mon May  4 10:03:00 2020\n"
    return start + message + b"\n" + start + message


def emlx() -> bytes:
    message = b"From: Ana <ana@example.es>\nMIME-Version: 1.0\nSubject: Alta de Ana\n\nVino Ana hoy.\n"
    return b"%d\n" % len(message) + message + b"<plist><dict><key>subject</key><string>Ana</string></dict></plist>"


def image() -> bytes:
    page = Image.new("L", (260, 70), 255)
    ImageDraw.Draw(page).text((20, 20), "Vino Ana hoy", fill=0, font_size=30)
    out = io.BytesIO()
    page.save(out, "PNG")
    return out.getvalue()


SAMPLES: dict[str, Callable[[], bytes]] = {
    "a.csv": csv,
    "a.dcm": lambda: dicoms.saved(dicoms.report()),
    "a.docx": docx,
    "a.eml": mail_files.planted,
    "a.emlx": emlx,
    "a.hl7": batch,
    "a.html": html,
    "a.json": fhir,
    "a.jsonl": jsonl_table,
    "a.mbox": mbox,
    "a.msg": msg,
    "a.ndjson": fhir_ndjson,
    "a.png": image,
    "a.odt": odt_files.planted,
    "a.parquet": parquet,
    "a.pdf": pdf,
    "a.rtf": rtf_files.planted,
    "a.xlsx": xlsx,
    "a.xml": cda,
    "a.zip": zipped,
    "any.json": json_file,
    "any.xml": xml_file,
    "a.txt": lambda: "Vista Ana Muñoz hoy.\r\nNHC 7654321\n".encode(),
}

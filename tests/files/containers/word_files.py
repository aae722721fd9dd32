"""A Word document with an identifier planted in every place that can hold one."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib

import docx
import openpyxl
from docx.document import Document
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

NAME = "Ana Muñoz"
W = nsdecls("w")
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
_RELATION = f"{_OFFICE}/relationships"
_TYPE = "application/vnd.openxmlformats-officedocument"


def png() -> bytes:
    """A picture of one point."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b"")


def paragraph(inner: str) -> str:
    return f"<w:p {W} {nsdecls('r')}>{inner}</w:p>"


def run(text: str, *, bold: bool = False, tag: str = "t") -> str:
    properties = "<w:rPr><w:b/></w:rPr>" if bold else ""
    return f'<w:r>{properties}<w:{tag} xml:space="preserve">{text}</w:{tag}></w:r>'


_TRACKED = 'w:id="7" w:author="Luis Gil" w:date="2020-05-04T10:03:00Z"'
PARAGRAPHS = {
    "runs": run("Paciente: A") + run("na", bold=True) + run(" Mu") + '<w:proofErr w:type="spellStart"/>'
    + run("ñoz, sana"),
    "inserted": run("Vista ") + f"<w:ins {_TRACKED}>{run('Ana Mu')}</w:ins>" + run("ñoz ayer"),
    "deleted": run("Avisar a Ana ") + f"<w:del {_TRACKED}>{run('Muñoz', tag='delText')}</w:del>"
    + f"<w:ins {_TRACKED}>{run('Soto')}</w:ins>" + run(" hoy"),
    "moved": f"<w:moveFrom {_TRACKED}>{run('Ana Muñoz llegó')}</w:moveFrom>" + run("queda"),
    "field": '<w:r><w:fldChar w:fldCharType="begin"/></w:r>' + run(' HYPERLINK "mailto:ana@x', tag="instrText")
    + run('.es" ', tag="instrText") + '<w:r><w:fldChar w:fldCharType="separate"/></w:r>' + run("correo de Ana")
    + run(" Muñoz") + '<w:r><w:fldChar w:fldCharType="end"/></w:r>',
    "simple": f'<w:fldSimple w:instr=" AUTHOR Ana Muñoz ">{run("autora")}</w:fldSimple>',
    "control": "<w:sdt><w:sdtPr><w:alias w:val='Ana Muñoz'/><w:tag w:val='Ana Muñoz'/>"
    "<w:date w:fullDate='2020-05-04T00:00:00Z'><w:dateFormat w:val='d/M/yyyy'/></w:date></w:sdtPr>"
    f"<w:sdtContent>{run('Ana ')}{run('Muñoz')}</w:sdtContent></w:sdt>",
    "hyphen": run("Ana Muñoz") + "<w:r><w:noBreakHyphen/></w:r>" + run("Soto vino"),
    "note": run("Con nota") + "<w:r><w:footnoteReference w:id='2'/></w:r>" + run(" al pie"),
    "smart": "<w:smartTag w:uri='urn:x' w:element='PersonName'><w:smartTagPr>"
    f"<w:attr w:name='ProductID' w:val='Ana Muñoz'/></w:smartTagPr>{run('Ana Muñoz')}</w:smartTag>",
    "bookmark": "<w:bookmarkStart w:id='3' w:name='Ana Muñoz'/>" + run("marca") + "<w:bookmarkEnd w:id='3'/>",
    "box": run("An") + "<w:r><w:pict><v:shape xmlns:v='urn:schemas-microsoft-com:vml' alt='Ana Muñoz'"
    f" style='width:90pt;height:40pt'><v:textbox><w:txbxContent><w:p>{run('Caja de Ana ')}{run('Muñoz')}</w:p>"
    "</w:txbxContent></v:textbox></v:shape></w:pict></w:r>" + run("a Muñoz con caja"),
}  # fmt: skip
_NOTES = f"""<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:footnotes {W}><w:footnote w:type="separator" w:id="0"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>
<w:footnote w:type="continuationSeparator" w:id="1"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>
<w:footnote w:id="2"><w:p>{run("Nota sobre Ana ")}{run("Muñoz")}</w:p></w:footnote></w:footnotes>"""
_PEOPLE = """<w15:people xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml">
<w15:person w15:author="Luis Gil"><w15:presenceInfo w15:providerId="AD" w15:userId="S::luisgil@x.es::1"/></w15:person>
</w15:people>"""
_FORMAT = "{D5CDD505-2E9C-101B-9397-08002B2CF9AE}"
_CUSTOM = f"""<Properties xmlns="{_OFFICE}/custom-properties" xmlns:vt="{_OFFICE}/docPropsVTypes">
<property fmtid="{_FORMAT}" pid="2" name="Paciente"><vt:lpwstr>Ana Muñoz</vt:lpwstr></property>
<property fmtid="{_FORMAT}" pid="3" name="NHC"><vt:i4>7654321</vt:i4></property>
</Properties>"""
_DATA = '<ficha xmlns="urn:hospital" id="7654321"><paciente nombre="Ana Muñoz">Ana Muñoz</paciente></ficha>'


def saved(document: Document) -> bytes:
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def workbook() -> bytes:
    book = openpyxl.Workbook()
    book.active["A1"] = "Hoja de Ana Muñoz"
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def document() -> Document:
    """What python-docx can make."""
    made = docx.Document()
    for name, inner in PARAGRAPHS.items():
        made.element.body.insert(-1, parse_xml(paragraph(inner)))
        made.add_paragraph(f"[{name}]")
    table = made.add_table(2, 2, "Table Grid")
    for cell, text in zip(table._cells, ("Nombre", "Ana Muñoz", "Edad", "70 años"), strict=True):
        cell.text = text
    made.add_heading("Juicio clínico", 2).runs[0].italic = True
    section = made.sections[0]
    section.header.paragraphs[0].text = "Cabecera de Ana Muñoz"
    section.footer.paragraphs[0].text = "Pie de Ana Muñoz"
    made.add_comment(made.paragraphs[-1].runs, "Comentario de Ana Muñoz", "Luis Gil", "LGX")
    picture = made.add_picture(io.BytesIO(png()))
    picture._inline.docPr.set("descr", "Foto de Ana Muñoz")
    properties = made.core_properties
    properties.author, properties.last_modified_by = "Luis Gil", "Luis Gil"
    properties.title, properties.comments = "Informe de Ana Muñoz", "Ana Muñoz, 7654321"
    return made


def planted() -> bytes:
    """The document with parts that python-docx does not know."""
    parts: dict[str, tuple[bytes, str, str]] = {
        "word/footnotes.xml": (_NOTES.encode(), f"{_TYPE}.wordprocessingml.footnotes+xml", f"{_RELATION}/footnotes"),
        "word/people.xml": (
            _PEOPLE.encode(),
            f"{_TYPE}.wordprocessingml.people+xml",
            "http://schemas.microsoft.com/office/2011/relationships/people",
        ),
        "word/embeddings/hoja.xlsx": (workbook(), f"{_TYPE}.spreadsheetml.sheet", f"{_RELATION}/package"),
        "customXml/item1.xml": (_DATA.encode(), "application/xml", f"{_RELATION}/customXml"),
    }
    top = {
        "docProps/custom.xml": (_CUSTOM.encode(), f"{_TYPE}.custom-properties+xml", f"{_RELATION}/custom-properties")
    }
    return with_parts(with_parts(saved(document()), parts, "word/_rels/document.xml.rels"), top, "_rels/.rels")


def with_parts(content: bytes, parts: dict[str, tuple[bytes, str, str]], relations: str) -> bytes:
    """The package with further parts, each with its content, its type and the type of its relation."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        all_parts = {name: archive.read(name) for name in archive.namelist()}
    links, types = "", ""
    for number, (name, (data, kind, relation)) in enumerate(parts.items()):
        all_parts[name] = data
        links += f'<Relationship Id="rIdX{number}" Type="{relation}" Target="/{name}"/>'
        types += f'<Override PartName="/{name}" ContentType="{kind}"/>'
    links += (
        f'<Relationship Id="rIdY" Type="{_RELATION}/hyperlink" Target="mailto:Ana%20Mu%C3%B1oz" TargetMode="External"/>'
    )
    for name, more in ((relations, links), ("[Content_Types].xml", types)):
        head, end, tail = all_parts[name].decode().rpartition("</")
        all_parts[name] = f"{head}{more}{end}{tail}".encode()
    return packed(all_parts)


def packed(parts: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return file.getvalue()

"""Words in every corner of tables, data files and RTF documents: none stays in a copy."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from nadie.errors import FormatError

from .helpers import opened
from .places import FORMS, PLAIN_NUMBER, Form, Places

_ROWS = 30
_BESIDE = """
doccomm hlinkbase template atnid atnauthor atnref annotation bkmkstart bkmkend docvar xmlopen
xmlattrname xmlattrvalue formfield ffname ffdeftext ffhelptext ffl ffstattext ffentrymcr
mmconnectstr mmquery mmmailsubject mmaddfieldname fname falt protusertbl userprops revtbl
wgrffmtfilter windowcaption writereservation svb unknown datafield datastore nextfile private
listname liststylename pnseclvl1 shpinst file filetbl oleclsid objclass objname objalias objsect
passwordhash password blipuid themedata colorschememapping latentstyles pgptbl rsidtbl leveltext
listtext pntxta pntxtb panose fontemb xmlnstbl generator background bookmark category gridtbl
mhtmltag htmltag picprop shppict upr ud ebcstart factoidname keycode fchars
"""
_NUMBERS_OF_SHAPES = ["picture value", "shape value"]


def csv(p: Places) -> bytes:
    """A table with words in the header, in columns of all kinds, beside them, and in lines around it."""
    lines = [
        f"nhc;nota;peso;sexo;dx;fecha;{p('header')};medico;cantidad;ok",
        *(f"{n};sin datos de interés;70,{n};M;I10;2020-05-0{n % 9 + 1};x{n};Luis;{n};sí" for n in range(_ROWS)),
        ";".join(p(each) for each in "number note weight sex code date unknown staff count answer beyond".split()),
        f'1;"{p("quoted")} dijo ""{p("in quotes")}""\n{p("second line")}";70,5;M',
        "",
        f"# {p('remark')}",
        f"Total;{p('last line')}",
    ]
    return "\r\n".join(lines).encode()


def json_lines(p: Places) -> bytes:
    rows: list[dict[str, object]] = [{"nhc": n, "nota": "sin datos de interés", "peso": 70.5} for n in range(_ROWS)]
    rows.append(
        {
            "nhc": p("number"), "nota": p("note"), "peso": p("weight"), f"campo {p('key')}": 1,
            "otro": {"a": [p("nested")]},
            "lista": [p("item"), {"b": p("object in a list")}], "objeto": {f"otro {p('nested key')}": "x"},
        }
    )  # fmt: skip
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode() + b"\n"


def parquet(p: Places) -> bytes:
    """Columns of all types, also nested ones, dictionaries, names of columns and fields, and the metadata."""
    nested = pa.struct([pa.field("a", pa.string()), pa.field(p("name of a field"), pa.string())])
    notes = ["sin datos de interés"] * _ROWS

    def column(last: object, first: object = "x", kind: pa.DataType | None = None) -> pa.Array:
        return pa.array([first] * _ROWS + [last], kind)

    columns = {
        "nota": pa.array([*notes, p("note")]),
        "unknown": column(p("unknown")),
        "peso": column(p("weight"), "70,5"),
        "dx": column(p("code"), "I10"),
        "grande": column(p("large string"), kind=pa.large_string()),
        "vista": column(p("view"), kind=pa.string_view()),
        "categoria": pa.array([*notes, p("category")]).dictionary_encode(),
        "lista": column([p("item")], ["x"]),
        "estructura": pa.array([{"a": "x"}] * _ROWS + [{"a": p("field")}], nested),
        "mapa": column([(p("key"), p("value"))], [("k", "v")], pa.map_(pa.string(), pa.string())),
        "lista de estructuras": column([{"b": p("field in a list")}], [{"b": "x"}]),
        "bytes": column(p("bytes").encode(), b"x"),
        f"campo {p('name of a column')}": column("x"),
    }
    fields = [
        pa.field(name, array.type, metadata={"k": p(f"metadata of {n}")})
        for n, (name, array) in enumerate(columns.items())
    ]
    schema = pa.schema(fields, metadata={p("metadata key"): p("metadata value"), "pandas": p("pandas")})
    file = io.BytesIO()
    table = pa.Table.from_arrays(list(columns.values()), schema=schema)
    pq.write_table(table, file, compression="none", use_dictionary=False, write_statistics=True)
    return file.getvalue()


def any_json(p: Places) -> bytes:
    made = {
        "texto": p("text"), "nhc": p("number"), "tipo": p("single word"), p("key"): {"a": p("under a key")},
        "lista": [p("item"), [p("nested item")], {"b": p("object")}], "fecha": p("date"), "id": p("id"),
        "url": f"https://x.es/{p('link').replace(' ', '-')}", "html": f"<p>{p('markup')}</p>",
        "json": json.dumps({"a": p("inner")}), "": p("empty key"), "escapado": p("escaped"),
    }  # fmt: skip
    return json.dumps(made, ensure_ascii=True).encode()


def any_xml(p: Places) -> bytes:
    return f"""<?xml version="1.0" encoding="UTF-8"?><?xml-stylesheet href="{p("instruction")}"?>
<!-- {p("comment before")} --><ficha xmlns:x="urn:x" tipo="{p("attribute")}" x:otro="{p("attribute with prefix")}">
<nota>{p("text")} <b>{p("inner")}</b> {p("tail")}<!-- {p("comment")} --></nota><![CDATA[{p("cdata")}]]>
<codigo>{p("single word")}</codigo><medico nombre="{p("name")}"/><?pi {p("inner instruction")}?>
<base64>{p("not base64")}</base64><vacio xml:lang="{p("language")}"/>
<a href="http://x.es/{p("address").replace(" Ñu", "").replace(" ", "-")}"/>
</ficha><!-- {p("comment after")} -->""".encode()


def rich_text(p: Places) -> bytes:
    def w(place: str) -> str:
        return p(place).replace("Ñ", "\\'d1")

    info = "".join(
        f"{{\\{each} {w(each)}}}"
        for each in ("title", "subject", "author", "manager", "company", "operator", "category", "keywords", "comment")
    )
    beside = "".join(
        f"{{\\*\\{each} {w(each)}}}"
        for each in _BESIDE.split()
    )  # fmt: skip
    groups = "".join(
        f"{{\\{each} {w(each)}}}"
        for each in (
            "header",
            "headerf",
            "footer",
            "footnote",
            "xe",
            "tc",
            "rxe",
            "txe",
            "stylesheet",
            "shptxt",
            "fldrslt",
        )
    )
    style = f"{{\\stylesheet{{\\s5 {w('style')};}}{{\\*\\cs6 {w('character style')};}}}}"
    field = (
        f'{{\\field{{\\*\\fldinst HYPERLINK "http://x/{w("link")}" \\\\l "{w("anchor")}"}}{{\\fldrslt {w("shown")}}}}}'
    )
    shape = f"{{\\shp{{\\*\\shpinst{{\\sp{{\\sn {w('shape property')}}}{{\\sv {w('shape value')}}}}}}}}}"
    picture = f"{{\\pict{{\\*\\picprop{{\\sp{{\\sn x}}{{\\sv {w('picture value')}}}}}}}\\pngblip 89504e47}}"
    hidden = f"{{\\v {w('hidden')}}}{{\\deleted {w('deleted')}}}{{\\object\\objemb{{\\*\\objclass {w('class')}}}"
    return (
        f"{{\\rtf1\\ansi\\ansicpg1252 {{\\info{info}}}{style}{beside}{groups}{field}{shape}{picture}{hidden}"
        f"{{\\*\\objdata {w('object').encode('cp1252').hex()}}}{{\\result {w('result')}}}}}\\par {w('body')}\\par}}"
    ).encode("cp1252")


TABLES: list[tuple[Callable[[Places], bytes], str, int]] = [
    (csv, "a.csv", 17),
    (json_lines, "a.jsonl", 8),
    (parquet, "a.parquet", 18),
    (any_json, "a.json", 12),
    (any_xml, "a.xml", 14),
    (rich_text, "a.rtf", 110),
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("make", "name", "least"), TABLES)
def test_no_word_is_left_in_any_corner(make: Callable[[Places], bytes], name: str, least: int, form: Form) -> None:
    places = Places(form)
    content = make(places)
    assert len(places.kept(content)) >= least
    assert places.left(content, name) == (_NUMBERS_OF_SHAPES if (make, form) == (rich_text, PLAIN_NUMBER) else [])


@pytest.mark.parametrize(
    ("content", "name", "kind"),
    [
        (b"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ana Soto\r\nEND:VCARD\r\n", "a.vcf", "business card"),
        (b"BEGIN:VCALENDAR\r\nATTENDEE:Ana Soto\r\nEND:VCALENDAR\r\n", "a.ics", "calendar"),
        (b"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ana Soto\r\nEND:VCARD\r\n", "a.txt", "business card"),
        (b"BEGIN:VEVENT\r\nATTENDEE;CN=Ana So\r\n to:mailto:a@x.es\r\nEND:VEVENT\r\n", "a.txt", "calendar"),
        (b"X-Own: 1\r\nATTENDEE;CN=Ana So\r\n to:mailto:a@x.es\r\n", "a.ics", "rename it"),
        (b"# contactos\r\nBEGIN:VCARD\r\nFN:Ana So\r\n to\r\nEND:VCARD\r\n", "a.vcf", "rename it"),
    ],
)
def test_cards_and_calendars_are_refused_by_name(content: bytes, name: str, kind: str) -> None:
    with pytest.raises(FormatError, match=kind):
        opened(content, name)

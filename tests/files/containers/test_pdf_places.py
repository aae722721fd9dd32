"""Words in every corner of a PDF where people, forms and programs leave names: none stays in a copy."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Pdf, String
from PIL import Image

from nadie.files.container import OpenOptions
from nadie.options import Images

from . import pdfs
from .helpers import every_word, opened
from .places import NAMES, PLAIN_NUMBER, Form, Places, dni

NAMED = {
    "resources": {"resource", "font of forms", "list of properties"},
    "colours": {"colour"},
    "glyphs": {"name of a glyph"},
    "marks": {"mark"},
    "types": {"kind", "intent", "layer subtype", "named action"},
}
"""The names, which are no strings, that stay, by the word for them in docs/en/reference/files.md."""

DATA = {
    "fonts": {"font program", "characters of a font", "comment in a map"},
    "colours": {"profile", "table of colours"},
    "functions": {"comment in a function"},
    "inline images": {"inline image", "parameter of an inline image"},
}
"""The data, which programs compute with, that stay, by the word for them on that page."""


def word(p: Places, place: str) -> String:
    return String(p(place))


def name(p: Places, place: str) -> Name:
    return Name("/" + p(place).replace(" ", "_").replace("Ñ", "N"))


def shown(p: Places, place: str) -> str:
    return f"({p(place)}) Tj"


def file_entries(p: Places, pdf: Pdf) -> None:
    """Properties, metadata, labels, layers, destinations, threads, collections and what programs add."""
    for key in ("Title", "Author", "Subject", "Keywords", "Creator", "Producer", "Company", "CreationDate"):
        pdf.docinfo[f"/{key}"] = word(p, f"info {key}")
    pdf.docinfo[str(name(p, "info key"))] = String("x")
    pdf.trailer["/Own"] = word(p, "trailer")
    root = pdf.Root
    metadata = f"<x:xmpmeta xmlns:x='adobe:ns:meta/'>{p('xmp')}</x:xmpmeta>"
    root.Metadata = pdf.make_stream(metadata.encode())
    root.Lang = word(p, "language")
    root.Own = Dictionary(A=word(p, "own entry"), B=name(p, "own name"))
    root.PieceInfo = Dictionary({str(name(p, "program")): Dictionary(Private=word(p, "private data"))})
    root.PageLabels = Dictionary(Nums=Array([0, Dictionary(S=Name.D, P=word(p, "page label"))]))
    place = Array([pdf.pages[0].obj, Name.Fit])
    script = Dictionary(S=Name.JavaScript, JS=word(p, "script"))
    root.Names = Dictionary(
        Dests=Dictionary(Names=Array([word(p, "destination"), place])),
        JavaScript=Dictionary(Names=Array([word(p, "script name"), script])),
        Pages=Dictionary(Names=Array([word(p, "named page"), pdf.pages[0].obj])),
        Templates=Dictionary(Names=Array([word(p, "template"), pdf.pages[0].obj])),
        IDS=Dictionary(Names=Array([word(p, "id"), place])),
        URLS=Dictionary(Names=Array([word(p, "url"), place])),
    )
    root.Dests = Dictionary({str(name(p, "old destination")): place})
    root.OpenAction = Dictionary(S=Name.GoTo, D=word(p, "open action"))
    root.URI = Dictionary(Base=word(p, "base"))
    layer = pdf.make_indirect(
        Dictionary(
            Type=Name.OCG, Name=word(p, "layer"), Intent=name(p, "intent"),
            Usage=Dictionary(
                CreatorInfo=Dictionary(Creator=word(p, "layer creator"), Subtype=name(p, "layer subtype")),
                User=Dictionary(Type=Name.Ind, Name=word(p, "layer user")),
                Language=Dictionary(Lang=word(p, "layer lang")),
            ),
        )
    )  # fmt: skip
    root.OCProperties = Dictionary(
        OCGs=Array([layer]),
        D=Dictionary(Name=word(p, "view"), Creator=word(p, "view creator"), Order=Array([word(p, "group"), layer])),
        Configs=Array([Dictionary(Name=word(p, "other view"))]),
    )
    root.OutputIntents = Array(
        [Dictionary(S=Name.GTS_PDFX, Info=word(p, "intent info"), OutputConditionIdentifier=word(p, "condition"))]
    )
    bead = pdf.make_indirect(Dictionary(P=pdf.pages[0].obj, R=Array([0, 0, 9, 9])))
    root.Threads = Array([Dictionary(F=bead, I=Dictionary(Title=word(p, "thread"), Author=word(p, "thread author")))])
    root.Collection = Dictionary(
        D=word(p, "start file"), Schema=Dictionary({str(name(p, "column key")): Dictionary(N=word(p, "column"))})
    )
    root.Extensions = Dictionary({str(name(p, "extension")): Dictionary(BaseVersion=Name("/1.7"), ExtensionLevel=3)})


def outlines_and_structure(p: Places, pdf: Pdf) -> None:
    item = pdf.make_indirect(
        Dictionary(Title=word(p, "bookmark"), A=Dictionary(S=Name.GoTo, D=word(p, "bookmark target")))
    )
    pdf.Root.Outlines = pdf.make_indirect(Dictionary(First=item, Last=item, Count=1))
    item.Parent = pdf.Root.Outlines
    root = pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot))
    user = Dictionary(
        O=Name.UserProperties,
        P=Array([Dictionary(N=word(p, "property"), V=word(p, "value"), F=word(p, "shown value"))]),
    )
    element = Dictionary(
        Type=Name.StructElem, S=name(p, "tag"), P=root, K=0, Alt=word(p, "alt"), ActualText=word(p, "actual text"),
        E=word(p, "expansion"), T=word(p, "title"), ID=word(p, "element id"), Lang=word(p, "element language"),
        C=name(p, "class"), A=user,
    )  # fmt: skip
    root.K = pdf.make_indirect(element)
    root.IDTree = Dictionary(Names=Array([word(p, "id tree"), root.K]))
    root.RoleMap = Dictionary({str(name(p, "role")): Name.P})
    root.ClassMap = Dictionary({str(name(p, "class map")): Dictionary(O=Name.Layout)})
    pdf.Root.StructTreeRoot = root


def annotation(pdf: Pdf, **entries: Any) -> Dictionary:
    made: Dictionary = pdf.make_indirect(Dictionary(Type=Name.Annot, Rect=Array([50, 100, 250, 120]), **entries))
    return made


def comments(p: Places, pdf: Pdf) -> list[Dictionary]:
    def look(place: str) -> Dictionary:
        form = pdfs.form(pdf, f"BT /F1 12 Tf 2 5 Td {shown(p, place)} ET", BBox=Array([0, 0, 200, 20]))
        return Dictionary(N=form)

    file = Dictionary(Type=Name.Filespec, F=word(p, "linked file"), UF=word(p, "linked file 2"), Desc=word(p, "desc"))
    return [
        annotation(
            pdf, Subtype=Name.Text, Contents=word(p, "contents"), T=word(p, "author"), Subj=word(p, "subject"),
            RC=word(p, "rich contents"), NM=word(p, "note id"), M=word(p, "modified"), StateModel=word(p, "state"),
            AP=look("note appearance"), Name=name(p, "icon"), Lang=word(p, "note language"), Own=word(p, "note own"),
        ),
        annotation(pdf, Subtype=Name.FreeText, Contents=word(p, "free text"), DS=word(p, "style"), DA=word(p, "look")),
        annotation(pdf, Subtype=Name.Link, A=Dictionary(S=Name.URI, URI=word(p, "uri"))),
        annotation(pdf, Subtype=Name.Link, A=Dictionary(S=Name.GoToR, F=file, D=word(p, "remote"))),
        annotation(pdf, Subtype=Name.Link, A=Dictionary(S=Name.Launch, F=word(p, "program"), Win=word(p, "options"))),
        annotation(pdf, Subtype=Name.Link, A=Dictionary(S=Name.SubmitForm, F=word(p, "submit"))),
        annotation(pdf, Subtype=Name.Link, A=Dictionary(S=Name.Named, N=name(p, "named action"))),
        annotation(pdf, Subtype=Name.Link, Dest=name(p, "dest"), PA=Dictionary(S=Name.URI, URI=word(p, "path uri"))),
        annotation(pdf, Subtype=Name.Stamp, Name=name(p, "stamp"), AP=look("stamp appearance")),
        annotation(pdf, Subtype=Name.Redact, OverlayText=word(p, "overlay"), RO=look("redaction").N),
        annotation(pdf, Subtype=Name.Watermark, AP=look("watermark"), OC=Dictionary(Name=word(p, "inline layer"))),
        annotation(pdf, Subtype=Name.Screen, T=word(p, "screen"), MK=Dictionary(CA=word(p, "caption"))),
        annotation(pdf, Subtype=Name.Sound, Sound=pdf.make_stream(p("sound").encode())),
        annotation(pdf, Subtype=Name("/3D"), Contents=word(p, "model")),
        annotation(pdf, Subtype=name(p, "kind"), Contents=word(p, "unknown kind")),
    ]  # fmt: skip


def fields(p: Places, pdf: Pdf) -> list[Dictionary]:
    look = pdfs.form(pdf, f"/Tx BMC BT /F1 12 Tf 2 5 Td {shown(p, 'field appearance')} ET EMC")
    text = annotation(
        pdf, Subtype=Name.Widget, FT=Name.Tx, T=word(p, "field name"), TU=word(p, "field title"), TM=word(p, "mapping"),
        V=word(p, "field value"), DV=word(p, "default"), RV=word(p, "rich value"), AP=Dictionary(N=look),
        AA=Dictionary(K=Dictionary(S=Name.JavaScript, JS=word(p, "keystroke"))),
        MK=Dictionary(CA=word(p, "button caption"), RC=word(p, "rollover"), AC=word(p, "down")),
    )  # fmt: skip
    choice = annotation(
        pdf, Subtype=Name.Widget, FT=Name.Ch, T=String("c"), V=Array([word(p, "chosen")]),
        Opt=Array([word(p, "option"), Array([word(p, "export"), word(p, "shown option")])]),
    )  # fmt: skip
    state = str(name(p, "state of a box"))
    box = annotation(
        pdf, Subtype=Name.Widget, FT=Name.Btn, T=String("b"), V=Name(state), AS=Name(state),
        AP=Dictionary(N=Dictionary({state: pdfs.form(pdf, f"BT /F1 9 Tf {shown(p, 'box')} ET")})),
    )  # fmt: skip
    sign = Dictionary(
        Type=Name.Sig, Name=word(p, "signer"), Reason=word(p, "reason"), Location=word(p, "place of signing"),
        ContactInfo=word(p, "contact"), Contents=word(p, "certificate"), ByteRange=Array([0, 1, 2, 3]),
        M=word(p, "time"),
    )  # fmt: skip
    signature = annotation(pdf, Subtype=Name.Widget, FT=Name.Sig, T=String("s"), V=pdf.make_indirect(sign))
    everything = [text, choice, box, signature]
    pdf.Root.AcroForm = Dictionary(
        Fields=Array(everything), DA=word(p, "form look"), XFA=word(p, "xfa"), CO=Array([]),
        DR=Dictionary(Font=Dictionary({str(name(p, "font of forms")): pdfs.font("Helvetica")})),
    )  # fmt: skip
    return everything


def jpeg(p: Places) -> bytes:
    file = io.BytesIO()
    Image.new("L", (8, 8), 200).save(file, "JPEG", comment=p("jpeg comment").encode())
    return file.getvalue()


def contents(p: Places, pdf: Pdf) -> None:
    """Text that pages, forms, patterns and glyphs show, in every way, and the entries beside it."""
    page = pdf.pages[0].obj
    resources = page.Resources
    properties = str(name(p, "list of properties"))
    resources.Properties = Dictionary(
        {properties: Dictionary(ActualText=word(p, "property text"), Own=word(p, "own property"))}
    )
    form = pdfs.form(
        pdf, f"BT /F1 12 Tf 50 500 Td {shown(p, 'form')} ET", Name=name(p, "form name"), Own=word(p, "form entry"),
        PieceInfo=Dictionary(A=Dictionary(Private=word(p, "form data"))), LastModified=word(p, "form date"),
        Metadata=pdf.make_stream(p("form xmp").encode()), OPI=Dictionary({"/2.0": Dictionary(F=word(p, "opi"))}),
    )  # fmt: skip
    picture = pdf.make_stream(jpeg(p))
    picture.Type, picture.Subtype, picture.Width, picture.Height = Name.XObject, Name.Image, 8, 8
    picture.ColorSpace, picture.BitsPerComponent, picture.Filter = Name.DeviceGray, 8, Name.DCTDecode
    picture.Name, picture.Metadata = name(p, "image name"), pdf.make_stream(p("image xmp").encode())
    key = str(name(p, "resource"))
    resources.XObject = Dictionary({key: form, "/Im": picture})
    tile = pdf.make_stream(f"BT /F1 12 Tf {shown(p, 'pattern')} ET".encode("cp1252"))
    tile.Type, tile.PatternType, tile.PaintType, tile.TilingType = Name.Pattern, 1, 1, 1
    tile.BBox, tile.XStep, tile.YStep = Array([0, 0, 9, 9]), 9, 9
    tile.Resources = Dictionary(Font=Dictionary(F1=pdfs.font("Helvetica")))
    resources.Pattern = Dictionary(P1=tile)
    glyph = pdf.make_stream(f"500 0 d0 BT /F1 1 Tf {shown(p, 'glyph')} ET".encode("cp1252"))
    glyph_name = name(p, "name of a glyph")
    resources.Font["/T3"] = Dictionary(
        Type=Name.Font, Subtype=Name.Type3, FontBBox=Array([0, 0, 9, 9]), FontMatrix=Array([0.001, 0, 0, 0.001, 0, 0]),
        CharProcs=Dictionary({str(glyph_name): glyph}), FirstChar=65, LastChar=65, Widths=Array([500]),
        Encoding=Dictionary(Type=Name.Encoding, Differences=Array([65, glyph_name])), Name=name(p, "name of a font"),
        ToUnicode=pdf.make_stream(b"1 beginbfchar <41> <0041> endbfchar"),
        Resources=Dictionary(Font=Dictionary(F1=pdfs.font("Helvetica"))),
    )  # fmt: skip
    resources.ColorSpace = Dictionary(Cs=Array([Name.Separation, name(p, "colour"), Name.DeviceGray, tint(pdf)]))
    page.Own, page.LastModified = word(p, "page entry"), word(p, "page date")
    page.Metadata = pdf.make_stream(p("page xmp").encode())
    operators = f"""% {p("comment")}
BT /F1 12 Tf 50 700 Td {shown(p, "text")} T* [({p("kerned")}) -20 (x)] TJ 3 Tr {shown(p, "invisible")} 0 Tr
9000 0 Td {shown(p, "outside")} -9000 0 Td ({p("quote")}) ' 1 1 ({p("double quote")}) " /T3 9 Tf (A) Tj ET
/Span <</ActualText ({p("inline text")}) /Own ({p("inline own")})>> BDC BT /F1 9 Tf (x) Tj ET EMC
/OC {properties} BDC EMC /{p("mark").split()[0]} BMC EMC /Own <</A ({p("point")})>> DP
{key} Do q 9 0 0 9 0 0 cm /Im Do Q /Pattern cs /P1 scn 0 0 9 9 re f"""
    page.Contents = pdf.make_stream(operators.encode("cp1252"))


def tint(pdf: Pdf) -> Any:
    return Dictionary(FunctionType=2, Domain=Array([0, 1]), N=1)


def data(p: Places, pdf: Pdf) -> None:
    """Data that no reader shows as text, and the page of another file that a form stands for."""

    def stream(place: str, start: bytes = b"", **entries: Any) -> pikepdf.Stream:
        return pdf.make_stream(start + p(place).encode("cp1252"), **entries)

    page = pdf.pages[0].obj
    font = pdfs.font("Helvetica")
    font.ToUnicode = stream("comment in a map", b"1 beginbfchar <41> <0041> endbfchar % ")
    font.FontDescriptor = pdf.make_indirect(
        Dictionary(
            Type=Name.FontDescriptor, FontName=Name.Helvetica, FontFamily=word(p, "family"), Flags=32,
            CharSet=word(p, "characters of a font"), FontFile3=stream("font program", Subtype=Name.Type1C),
        )
    )  # fmt: skip
    page.Resources.Font["/F2"] = font
    spaces = page.Resources.ColorSpace
    spaces["/Icc"] = Array([Name.ICCBased, stream("profile", bytes(128), N=3)])
    spaces["/Table"] = Array([Name.Indexed, Name.DeviceRGB, 1, word(p, "table of colours")])
    function = stream(
        "comment in a function", b"{ pop 1 } % ", FunctionType=4, Domain=Array([0, 1]), Range=Array([0, 1])
    )
    page.Resources.Shading = Dictionary(S=Dictionary(ShadingType=2, Function=function, Own=word(p, "shading")))
    elsewhere = Dictionary(F=word(p, "file elsewhere"), ID=Array([word(p, "id of a file")]))
    page.Resources.XObject["/Fm2"] = pdfs.form(pdf, "0 0 1 1 re f", Ref=elsewhere)
    image = f"/Own ({p('parameter of an inline image')}) ID {p('inline image')}".encode("cp1252").ljust(200)
    page.Contents = Array([page.Contents, pdf.make_stream(b"\nBI /W 8 /H 8 /CS /G /BPC 8 " + image + b" EI /Fm2 Do")])


def attachments(p: Places, pdf: Pdf) -> None:
    pdf.attachments[p("attachment name")] = p("attached text").encode()
    for spec in pdf.attachments.values():
        spec.obj.Desc, spec.obj.CI = word(p, "attachment description"), Dictionary(A=word(p, "collection item"))
        spec.obj.EF.F.Params = Dictionary(CheckSum=word(p, "checksum"), Mac=Dictionary(Creator=word(p, "mac")))


def planted(p: Places) -> bytes:
    pdf = pdfs.new("")
    contents(p, pdf)
    data(p, pdf)
    pdf.pages[0].obj.Annots = Array([*comments(p, pdf), *fields(p, pdf)])
    file_entries(p, pdf)
    outlines_and_structure(p, pdf)
    attachments(p, pdf)
    return pdfs.saved(pdf)


@pytest.mark.parametrize("form", [*NAMES, dni, PLAIN_NUMBER])
def test_no_word_is_left_in_any_corner(form: Form) -> None:
    places = Places(form)
    content = planted(places)
    assert len(places.kept(content)) > 150
    container = opened(content, "a.pdf", OpenOptions(images=Images.REFUSE))
    edits = [every_word(text) for text in container.texts()]
    copy = io.BytesIO()
    container.write(iter(edits), copy)
    assert set(places.kept(copy.getvalue())) == set().union(*NAMED.values(), *DATA.values())
    with pikepdf.open(copy) as pdf:
        assert len(pdf.pages) == 1


@pytest.mark.parametrize(
    ("start", "kept"), [(r"In PDF, the names \(not the texts\) of ", NAMED), ("the data of ", DATA)]
)
def test_what_stays_is_documented(start: str, kept: dict[str, set[str]]) -> None:
    page = (Path(__file__).parents[3] / "docs/en/reference/files.md").read_text("utf-8")
    [sentence] = re.findall(f"{start}([^;.]*)", page)
    assert re.split(r", | and ", sentence.replace("\n", " ")) == list(kept)

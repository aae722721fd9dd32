"""Everything in a PDF but the text of its pages: nothing that was planted is left, and what is harmless stays."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from pikepdf import Array, Dictionary, Encryption, Name, Pdf, Permissions, String

from nadie.errors import FormatError
from nadie.files.container import Account, OpenOptions
from nadie.files.containers.pdf import content
from nadie.options import Images

from . import pdfs
from .helpers import anonymized, opened, texts_of

NAME = {"Ana Muñoz": "[NOMBRE]"}
PLANTED = ("Ana", "Muñoz", "Mu&ntilde;oz", "1970", "Quirós")


def done(pdf: Pdf | bytes, images: Images = Images.REFUSE) -> tuple[bytes, Account]:
    content = pdf if isinstance(pdf, bytes) else pdfs.saved(pdf)
    return anonymized(content, "a.pdf", NAME, OpenOptions(images=images))


def page(text: str = "hola") -> Pdf:
    return pdfs.new(f"BT /F1 12 Tf 50 700 Td ({text}) Tj ET")


def with_annotation(**entries: Any) -> Pdf:
    pdf = page()
    annotation = pdf.make_indirect(Dictionary(Type=Name.Annot, Rect=Array([50, 100, 250, 120]), **entries))
    pdf.pages[0].obj.Annots = Array([annotation])
    return pdf


def with_field(pdf: Pdf, **entries: Any) -> None:
    look = pdfs.form(pdf, "/Tx BMC BT /F1 12 Tf 2 5 Td (Ana Muñoz) Tj ET EMC", BBox=Array([0, 0, 200, 20]))
    field = pdf.make_indirect(
        Dictionary(
            Type=Name.Annot, Subtype=Name.Widget, FT=Name.Tx, T=String("nombre"), TU=String("Nombre del paciente"),
            Rect=Array([50, 100, 250, 120]), DA=String("/F1 12 Tf"), AP=Dictionary(N=look), **entries,
        )
    )  # fmt: skip
    pdf.pages[0].obj.Annots = Array([field])
    pdf.Root.AcroForm = Dictionary(Fields=Array([field]), DA=String("/F1 0 Tf"), XFA=String("<x>Ana Muñoz</x>"))


def properties() -> Pdf:
    pdf = page()
    pdf.docinfo["/Title"] = String("Alta de Ana Muñoz")
    pdf.docinfo["/Author"] = String("Quirós")
    pdf.docinfo["/CreationDate"] = String("D:19700305120000")
    pdf.docinfo["/Paciente"] = String("Muñoz")
    with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as xmp:
        xmp["dc:title"] = "Alta de Ana Muñoz"
    return pdf


def outlines() -> Pdf:
    pdf = page()
    item = pdf.make_indirect(Dictionary(Title=String("Ana Muñoz"), Dest=String("Muñoz1970")))
    pdf.Root.Outlines = pdf.make_indirect(Dictionary(First=item, Last=item, Count=1))
    item.Parent = pdf.Root.Outlines
    place = Array([pdf.pages[0].obj, Name.Fit])
    pdf.Root.Names = Dictionary(Dests=Dictionary(Names=Array([String("Muñoz1970"), place])))
    return pdf


def old_destinations() -> Pdf:
    pdf = page()
    link = Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=Array([0, 0, 9, 9]), Dest=Name("/Ana1970"))
    pdf.pages[0].obj.Annots = Array([link])
    pdf.Root.Dests = Dictionary({"/Ana1970": Array([pdf.pages[0].obj, Name.Fit])})
    return pdf


def scripts() -> Pdf:
    pdf = page()
    script = Dictionary(S=Name.JavaScript, JS=String("app.alert('Ana Muñoz')"))
    pdf.Root.OpenAction = script
    pdf.Root.Names = Dictionary(JavaScript=Dictionary(Names=Array([String("Ana"), script])))
    pdf.pages[0].obj.AA = Dictionary(O=script)
    pdf.Root.PieceInfo = Dictionary(X=Dictionary(Private=pdf.make_stream("Ana Muñoz".encode())))
    pdf.pages[0].obj.Thumb = pdfs.image(pdf)
    pdf.pages[0].obj.Unheard = pdf.make_stream("Ana Muñoz".encode())
    return pdf


def structure() -> Pdf:
    pdf = page("A. M.")
    root = pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot))
    element = Dictionary(
        Type=Name.StructElem, S=Name.P, P=root, K=0, Alt=String("foto de Ana Muñoz"), ActualText=String("Sra. Muñoz"),
        T=String("Ana Muñoz"), ID=String("Ana1970"),
    )  # fmt: skip
    root.K = pdf.make_indirect(element)
    pdf.Root.StructTreeRoot = root
    pdf.Root.PageLabels = Dictionary(Nums=Array([0, Dictionary(S=Name.D, P=String("Ana Muñoz "))]))
    layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String("Ana Muñoz")))
    pdf.Root.OCProperties = Dictionary(OCGs=Array([layer]), D=Dictionary(OFF=Array([layer]), Order=Array([layer])))
    pdf.pages[0].obj.Resources.Properties = Dictionary(MC0=layer)
    return pdf


def comments() -> Pdf:
    return with_annotation(
        Subtype=Name.Text, Contents=String("Vista Ana Muñoz"), T=String("Quirós"), M=String("D:19700305"),
        RC=String("<p>Ana Mu&ntilde;oz</p>"), NM=String("Muñoz"), Subj=String("Ana Muñoz"),
    )  # fmt: skip


def links() -> Pdf:
    pdf = with_annotation(Subtype=Name.Link, A=Dictionary(S=Name.URI, URI=String("https://h.es/?p=Ana Muñoz")))
    more = Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=Array([0, 0, 9, 9]))
    more.A = Dictionary(S=Name.Launch, F=String("Ana Muñoz.exe"))
    film = Dictionary(Type=Name.Annot, Subtype=Name.Movie, Rect=Array([0, 0, 9, 9]), T=String("Ana Muñoz"))
    pdf.pages[0].obj.Annots.extend([more, film])
    return pdf


def fields() -> Pdf:
    pdf = page("Paciente:")
    with_field(pdf, V=String("Ana Muñoz"), DV=String("Ana Muñoz"), RV=String("<b>Muñoz</b>"))
    return pdf


def signature() -> Pdf:
    pdf = page()
    sign = Dictionary(
        Type=Name.Sig, Name=String("Ana Muñoz"), Contents=String(b"\x30Ana Mu\xf1oz"), ByteRange=Array([0, 1, 2, 3])
    )
    with_field(pdf, V=pdf.make_indirect(sign))
    pdf.Root.AcroForm.Fields[0].FT = Name.Sig
    return pdf


def removed_page() -> Pdf:
    """A link still leads to a page that was taken out."""
    pdf = page()
    gone = pdfs.new("BT /F1 12 Tf 50 700 Td (Ana Muñoz) Tj ET")
    pdf.pages.append(gone.pages[0])
    target = pdf.pages[1].obj
    del pdf.pages[1]
    link = Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=Array([0, 0, 9, 9]), Dest=Array([target, Name.Fit]))
    pdf.pages[0].obj.Annots = Array([link])
    return pdf


@pytest.mark.parametrize(
    "make",
    [properties, outlines, old_destinations, scripts, structure, comments, links, fields, signature, removed_page],
)
def test_nothing_planted_is_left(make: object, tmp_path: Path) -> None:
    before = pdfs.saved(make())  # type: ignore[operator]
    assert pdfs.left(before, PLANTED, tmp_path)
    copy, account = done(before)
    pdfs.check(copy, tmp_path)
    assert pdfs.left(copy, PLANTED, tmp_path) == []
    assert account.failures == []
    assert "hola" in pdfs.shown(copy, tmp_path) or make in (structure, fields)


def test_properties_and_bookmarks_stay(tmp_path: Path) -> None:
    with Pdf.open(io.BytesIO(done(properties())[0])) as pdf:
        told = {key: str(value) for key, value in pdf.docinfo.items() if key != "/Producer"}
        assert told == {"/Author": "[CAMPO]", "/Title": "Alta de [NOMBRE]"}
    with Pdf.open(io.BytesIO(done(outlines())[0])) as pdf:
        with pdf.open_outline() as outline:
            [item] = outline.root
        assert (item.title, str(item.destination)) == ("[NOMBRE]", "d000000")
        assert pdf.Root.Names.Dests.Names[0] == String("d000000")


def test_the_value_of_a_field_follows_its_name() -> None:
    text = texts_of(pdfs.saved(fields()), "a.pdf")[0]
    assert "Nombre del paciente Ana Muñoz" in text
    with Pdf.open(io.BytesIO(done(fields())[0])) as pdf:
        field = pdf.Root.AcroForm.Fields[0]
        assert (str(field.V), "/AP" in field, bool(pdf.Root.AcroForm.NeedAppearances)) == ("[NOMBRE]", False, True)


def test_a_field_that_is_shown_in_several_places(tmp_path: Path) -> None:
    pdf = fields()
    widget = pdf.Root.AcroForm.Fields[0]
    parent = pdf.make_indirect(Dictionary(FT=Name.Tx, T=String("p"), V=String("Ana Muñoz"), Kids=Array([widget])))
    for key in ("/T", "/FT", "/V", "/DV"):
        del widget[key]
    widget.Parent = parent
    pdf.Root.AcroForm.Fields = Array([parent])
    copy, _ = done(pdf)
    assert pdfs.left(copy, PLANTED, tmp_path) == []
    with Pdf.open(io.BytesIO(copy)) as again:
        [field] = again.Root.AcroForm.Fields
        assert (str(field.V), "/AP" in field.Kids[0]) == ("[NOMBRE]", False)


def test_what_was_removed_is_told() -> None:
    assert done(scripts())[1].remarks == [
        "removed: actions, previews of pages, private data of programs, scripts, streams of unknown use"
    ]
    assert done(signature())[1].remarks == ["removed: XFA forms, signatures"]


def test_attachments_are_opened_as_what_they_are(tmp_path: Path) -> None:
    pdf = page()
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("n.txt", "Ana Muñoz")
    files = {"n.html": b"<p>Vista A<b>na</b> Mu&ntilde;oz", "z.zip": archive.getvalue(), "r.rar": b"Rar!\x1a\x07\0"}
    for name, inside in files.items():
        pdf.attachments[name] = inside
    pdf.attachments["in.pdf"] = pdfs.of("BT /F1 12 Tf 50 700 Td (Ana Muñoz) Tj ET")
    copy, account = done(pdf)
    assert [str(failure).partition(";")[0] for failure in account.failures] == [
        "a.pdf!r.rar: is a RAR archive, which is not supported"
    ]
    with Pdf.open(io.BytesIO(copy)) as again:
        read = {spec.filename: spec.get_file().read_bytes() for spec in again.attachments.values() if "/EF" in spec.obj}
    assert sorted(read) == ["in.pdf", "n.html", "z.zip"]
    assert read["n.html"] == b"<p>Vista [NOMBRE]<b></b>"
    with zipfile.ZipFile(io.BytesIO(read["z.zip"])) as packed:
        assert packed.read("n.txt") == b"[NOMBRE]"
    assert "[NOMBRE]" in pdfs.shown(read["in.pdf"], tmp_path)
    assert pdfs.left(copy, PLANTED, tmp_path) == []


def test_earlier_versions_are_gone(tmp_path: Path) -> None:
    old = pdfs.saved(pdfs.new("BT /F1 12 Tf 50 700 Td (Ana Muñoz) Tj ET"), compress_streams=False)
    with Pdf.open(io.BytesIO(old)) as pdf:
        number = pdf.pages[0].Contents.objgen[0]
    at, start = len(old), old.rindex(b"startxref")
    stream = b"BT /F1 12 Tf 50 700 Td (hola) Tj ET"
    added = b"%d 0 obj\n<< /Length %d >>\nstream\n%s\nendstream\nendobj\n" % (number, len(stream), stream)
    trailer = old[old.rindex(b"trailer") + 7 : start].replace(b">>", b" /Prev " + old[start + 9 : -6].strip() + b" >>")
    table = b"xref\n%d 1\n%010d 00000 n \ntrailer%sstartxref\n%d\n%%%%EOF\n" % (number, at, trailer, at + len(added))
    both = old + added + table
    assert texts_of(both, "a.pdf") == ["hola"]
    assert pdfs.left(both, ("Muñoz",), tmp_path) == ["Muñoz"]
    assert pdfs.left(done(both)[0], PLANTED, tmp_path) == []


def scan(content: str = "") -> Pdf:
    pdf = pdfs.new("BT /F1 12 Tf 50 700 Td (hola) Tj ET", f"q 595 0 0 842 0 0 cm /Im Do Q {content}")
    pdf.pages[1].obj.Resources.XObject = Dictionary(Im=pdfs.image(pdf))
    return pdf


LAYER = "BT /F1 12 Tf 3 Tr 50 700 Td (Ana Muñoz) Tj ET"
OUTLINES = "50 50 m 60 60 70 70 80 80 c S"


@pytest.mark.parametrize("pdf", [scan(), scan(LAYER), pdfs.new("BT /F1 1 Tf (x) Tj ET", OUTLINES)])
def test_pages_that_are_images(pdf: Pdf, tmp_path: Path) -> None:
    content = pdfs.saved(pdf)
    with pytest.raises(FormatError, match=r"page 2 has (an image|no text).* \(--images blank empties them"):
        opened(content, "a.pdf", OpenOptions(images=Images.REFUSE))
    copy, account = done(content, images=Images.BLANK)
    assert account.uncovered == [("page 2", "could not be searched and was emptied")]
    with Pdf.open(io.BytesIO(copy)) as again:
        assert (len(again.pages), again.pages[1].Contents.read_bytes()) == (2, b"")
        assert not any("/Width" in each for each in again.objects if isinstance(each, Dictionary))
    assert pdfs.left(copy, PLANTED, tmp_path) == []
    copy, account = done(content, images=Images.KEEP)
    assert account.uncovered == [("page 2", "not searched, not changed")]
    assert pdfs.left(copy, PLANTED, tmp_path) == []


def test_small_images_are_listed() -> None:
    pdf = pdfs.new(*["q 50 0 0 50 0 0 cm /Im Do Q BT /F1 12 Tf 50 700 Td (hola) Tj ET"] * 3, "")
    for each in pdf.pages:
        each.obj.Resources.XObject = Dictionary(Im=pdfs.image(pdf))
    assert done(pdf)[1].uncovered == [("pages 1-3", "images are not searched")]


def test_encrypted_damaged_and_empty_files(tmp_path: Path) -> None:
    locked = pdfs.saved(page(), encryption=Encryption(owner="o", user="u"))
    with pytest.raises(FormatError, match="is encrypted: decrypt it first"):
        opened(locked, "a.pdf")
    limited = pdfs.saved(page("Ana Muñoz"), encryption=Encryption(owner="o", allow=Permissions(extract=False)))
    copy, account = done(limited)
    assert account.remarks == ["its restrictions on printing and editing were removed"]
    assert "[NOMBRE]" in pdfs.shown(copy, tmp_path)
    whole = pdfs.saved(page())
    for damaged in (whole[:-20], whole.replace(b"startxref\n", b"startxref\n9")):
        copy, account = done(damaged)
        assert account.remarks == ["it is damaged and was repaired: compare the pages of the copy"]
        assert "hola" in pdfs.shown(copy, tmp_path)
    for damaged in (whole[:-200], whole[:100], b"%PDF-1.4\n"):
        with pytest.raises(FormatError, match="damaged"):
            opened(damaged, "a.pdf")


def test_bombs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content, "MAX_STEPS", 10_000)
    with pytest.raises(FormatError, match="unpacks to more than"):
        opened(pdfs.of(b" " * (70 * 1024 * 1024)), "a.pdf")
    pdf = pdfs.new("/Fm Do")
    inner = pdfs.form(pdf, "BT /F1 12 Tf (a) Tj ET " * 50)
    for _ in range(12):
        outer = pdfs.form(pdf, "/Fm Do " * 10)
        outer.Resources.XObject = Dictionary(Fm=inner)
        inner = outer
    pdf.pages[0].obj.Resources.XObject = Dictionary(Fm=inner)
    with pytest.raises(FormatError, match=r"more than \d+ operators"):
        opened(pdfs.saved(pdf), "a.pdf")
    pdf = pdfs.new("/Fm Do")
    loop = pdf.make_indirect(pdfs.form(pdf, "/Fm Do"))
    loop.Resources.XObject = Dictionary(Fm=loop)
    pdf.pages[0].obj.Resources.XObject = Dictionary(Fm=loop)
    with pytest.raises(FormatError, match="forms nested more than 20 deep"):
        opened(pdfs.saved(pdf), "a.pdf")


@pytest.mark.parametrize(
    "operators", ["BT /F1 Tf (Ana) Tj ET", "BT /F1 12 Tf 1 0 0 1 Tm (Ana) Tj ET", "BT (Ana) Tj x /A"]
)
def test_a_page_that_cannot_be_interpreted_is_like_a_scan(operators: str) -> None:
    content = pdfs.of("BT /F1 12 Tf 50 700 Td (hola) Tj ET", operators)
    with pytest.raises(FormatError, match=r"page 2 has .* \(--images blank empties them\)"):
        opened(content, "a.pdf", OpenOptions(images=Images.REFUSE))
    copy, account = done(content, Images.BLANK)
    assert account.uncovered == [("page 2", "could not be searched and was emptied")]
    assert texts_of(copy, "a.pdf") == ["hola"]


def test_entries_of_a_page_that_are_named_after_a_person_are_removed() -> None:
    pdf = page()
    pdf.pages[0].obj["/FichaMuñoz"] = String("x")
    pdf.pages[0].obj["/Rotate"] = 90
    copy = Pdf.open(io.BytesIO(done(pdf)[0]))
    assert "/FichaMuñoz" not in copy.pages[0].obj
    assert copy.pages[0].obj.Rotate == 90

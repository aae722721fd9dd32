"""Words in obscure places of office documents, where people, forms and programs leave names: none stays in a copy."""

from __future__ import annotations

import io
import zipfile

import docx
import openpyxl
import pytest
from docx.oxml import parse_xml
from openpyxl.comments import Comment
from openpyxl.formatting.rule import FormulaRule, Rule
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.hyperlink import Hyperlink
from openpyxl.worksheet.scenario import InputCells, Scenario, ScenarioList

from nadie.errors import FormatError

from . import odt_files, word_files
from .helpers import anonymized, opened
from .linked_files import field
from .office import parts_of
from .places import FORMS, Form, Places
from .word_files import W, paragraph, run

_DIAGRAM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def word(p: Places) -> bytes:
    made = docx.Document()
    inner = [
        run(p("run")),
        f"<w:bookmarkStart w:id='3' w:name='{p('bookmark')}'/>{run('x')}<w:bookmarkEnd w:id='3'/>",
        f"<w:hyperlink w:anchor='{p('anchor')}' w:docLocation='{p('location')}' w:tooltip='{p('tip')}'/>",
        f"<w:r><w:fldChar w:fldCharType='begin'><w:ffData><w:name w:val='{p('form field')}'/><w:textInput>"
        f"<w:format w:val='{p('format')}'/></w:textInput></w:ffData></w:fldChar></w:r>",
        f"<w:sdt><w:sdtPr><w:dropDownList w:lastValue='{p('last value')}'/></w:sdtPr><w:sdtContent>{run('x')}"
        "</w:sdtContent></w:sdt>",
        f"<w:customXml w:element='e'><w:customXmlPr><w:placeholder w:val='{p('placeholder')}'/>"
        f"<w:attr w:name='{p('attribute')}' w:val='v'/></w:customXmlPr>{run(p('custom'))}</w:customXml>",
        "<w:r><w:pict><v:shape xmlns:v='urn:schemas-microsoft-com:vml' "
        "xmlns:o='urn:schemas-microsoft-com:office:office' "
        f"href='{p('shape link')}'><v:imagedata o:title='{p('image title')}' src='{p('image source')}'/></v:shape>"
        "</w:pict></w:r>",
        f"<w:permStart w:id='1' w:ed='{p('editor')}'/>{run('z')}<w:permEnd w:id='1'/>",
        f"<w:moveFromRangeStart w:id='2' w:name='{p('move')}' w:author='x' w:date='2020-05-04T10:03:00Z'/>{run('z')}",
        f"<u:u xmlns:u='urn:u' u:a='{p('unknown attribute')}'>{p('unknown text')}</u:u>{run('z')}",
        f"<!-- {p('comment')} --><?x {p('instruction')}?>{run('z')}",
        field(f' IF 1 = 2 "{p("then")}" "{p("else")}" ', "x"),
        "<w:r><w:pict><v:shape xmlns:v='urn:schemas-microsoft-com:vml' "
        f"xmlns:o='urn:schemas-microsoft-com:office:office' o:gfxdata='{p('copy of a drawing')}'/></w:pict></w:r>",
    ]
    for each in inner:
        made.element.body.insert(-1, parse_xml(paragraph(each)))
    made.element.body.insert(
        0,
        parse_xml(f"<w:del {W} w:id='5' w:author='x'><w:p>{run(p('deleted paragraph'), tag='delText')}</w:p></w:del>"),
    )
    made.styles.add_style("Propio", 1).element.name_val = p("style")
    parts = parts_of(word_files.saved(made))
    settings = (
        f"<w:mailMerge><w:mailSubject w:val='{p('mail subject')}'/><w:odso><w:table w:val='{p('merge table')}'/>"
        f"</w:odso></w:mailMerge><w:captions><w:caption w:name='{p('caption')}'/></w:captions></w:settings>"
    )
    parts["word/settings.xml"] = parts["word/settings.xml"].replace(b"</w:settings>", settings.encode())
    more = {
        "word/glossary/document.xml": f"<w:glossaryDocument {W}><w:docParts><w:docPart><w:docPartPr><w:name w:val='"
        f"{p('block')}'/><w:category><w:name w:val='{p('category')}'/></w:category></w:docPartPr></w:docPart>"
        "</w:docParts></w:glossaryDocument>",
        "word/webSettings2.xml": f"<w:webSettings {W}><w:frame><w:name w:val='{p('frame')}'/></w:frame>"
        "</w:webSettings>",
        "docProps/more.xml": "<Properties xmlns='http://schemas.openxmlformats.org/officeDocument/2006/"
        f"extended-properties'><Application>{p('application')}</Application><Other>{p('property')}</Other></Properties>",
        "docProps/core2.xml": "<c:coreProperties xmlns:c='http://schemas.openxmlformats.org/package/2006/metadata/"
        f"core-properties'><c:version>{p('version')}</c:version><c:rights>{p('rights')}</c:rights></c:coreProperties>",
        "word/theme/theme9.xml": "<a:theme xmlns:a='http://schemas.openxmlformats.org/drawingml/2006/main' "
        f"name='{p('theme')}'/>",
        "docProps/custom2.xml": "<Properties xmlns='http://schemas.openxmlformats.org/officeDocument/2006/"
        f"custom-properties'><property pid='2' name='x' linkTarget='{p('linked bookmark')}'/></Properties>",
        "customXml/item9.xml": f"<a u='http://x.es/{linked(p('address'))}'>http://x.es/?n={linked(p('query'))}</a>",
        "customXml/itemProps9.xml": f"<d:datastoreItem xmlns:d='urn:d' d:uri='http://x.es/{linked(p('schema'))}'/>",
        "word/diagrams/layout1.xml": f"<d:layoutDef xmlns:d='{_DIAGRAM}'><d:title val='{p('layout')}'/></d:layoutDef>",
        "word/diagrams/data1.xml": f"<d:dataModel xmlns:d='{_DIAGRAM}'><d:prSet phldrT='{p('place')}'/></d:dataModel>",
        "word/theme/theme8.xml": f"<a:theme xmlns:a='urn:a'><a:b>{p('text in a theme')}</a:b></a:theme>",
        "word/drawing.vml": f"<xml><shape alt='{p('vml')}'><div>{p('vml text')}<br></div></shape></xml>",
        "word/chunk.htm": f"<html><body><p>{p('chunk')}</p></body></html>",
        "word/printerSettings1.bin": p("printer"),
    }
    return with_parts(parts, {name: text.encode() for name, text in more.items()})


def linked(word: str) -> str:
    return word.replace(" Ñu", "").replace(" ", "-")


def with_parts(
    parts: dict[str, bytes], more: dict[str, bytes], relations: str = "word/_rels/document.xml.rels"
) -> bytes:
    kinds = {name: ("text/plain", f"{_RELATION}/{name.rpartition('/')[2].removesuffix('1.bin')}") for name in more}
    return word_files.with_parts(
        word_files.packed(parts), {name: (data, *kinds[name]) for name, data in more.items()}, relations
    )


def excel(p: Places) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (["a", "b"], [f"Vista por la enfermera de planta {p('cell')}", 2]):
        sheet.append(row)
    sheet["C3"] = f'=CONCATENATE("{p("formula")}",A1)'
    sheet["A2"].comment = Comment(p("comment"), p("author"))
    rule = DataValidation("list", formula1=f'"{p("list")},x"', prompt=p("prompt"), error=p("error"))
    rule.add("A1")
    sheet.add_data_validation(rule)
    sheet.conditional_formatting.add("A1:A3", FormulaRule(formula=[f'A1="{p("condition")}"']))
    sheet.conditional_formatting.add("A1:A3", Rule("containsText", operator="containsText", text=p("rule")))
    scenario = Scenario(
        name=p("scenario"), inputCells=[InputCells("A1", val=p("value"))], user=p("user"), comment=p("remark")
    )
    sheet.scenarios = ScenarioList([scenario])
    sheet["A3"] = "x"
    sheet["A3"].hyperlink = Hyperlink(ref="A3", location=p("location"), tooltip=p("tip"), display=p("display"))
    sheet.oddHeader.center.text = p("header")
    book.defined_names["n"] = DefinedName("n", attr_text=f'"{p("name")}"', comment=p("name's comment"))
    file = io.BytesIO()
    book.save(file)
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    people = "http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"
    parts = parts_of(file.getvalue())
    parts["xl/workbook.xml"] = parts["xl/workbook.xml"].replace(
        b"<workbookPr", f"<fileSharing userName='{p('user')}'/><workbookPr".encode(), 1
    )
    parts["xl/workbook.xml"] = parts["xl/workbook.xml"].replace(
        b"</workbook>",
        f"<webPublishObjects><webPublishObject divId='{p('published')}'/></webPublishObjects></workbook>".encode(),
    )
    beside = (
        f"<protectedRanges><protectedRange sqref='A1' name='{p('range')}' securityDescriptor='{p('descriptor')}'/>"
        f"</protectedRanges><dataConsolidate><dataRefs><dataRef sheet='{p('sheet')}'/></dataRefs></dataConsolidate>"
        f"<smartTags><cellSmartTags r='A1'><cellSmartTagPr key='k' val='{p('tag')}'/></cellSmartTags></smartTags>"
        f"<controls><control name='{p('name of a control')}'><controlPr altText='{p('alternative text')}'/></control>"
        "</controls></worksheet>"
    )
    sheet_part = "xl/worksheets/sheet1.xml"
    parts[sheet_part] = parts[sheet_part].replace(b"</worksheet>", beside.encode())
    more = {
        "xl/externalLinks/externalLink1.xml": f"<externalLink xmlns='{main}'><externalBook><sheetNames><sheetName "
        f"val='{p('other sheet')}'/></sheetNames><sheetDataSet><sheetData sheetId='0'><row r='1'><cell r='A1' t='str'>"
        f"<v>{p('other cell')}</v></cell></row></sheetData></sheetDataSet></externalBook></externalLink>",
        "xl/connections.xml": f"<connections xmlns='{main}'><connection id='1' name='{p('connection')}'>"
        f"<dbPr connection='{p('database')}' command='{p('query')}'/></connection></connections>",
        "xl/persons/person.xml": f"<personList xmlns='{people}'><person displayName='{p('person')}' id='1' "
        f"userId='{p('account')}' providerId='{p('provider')}'/></personList>",
        "xl/drawings/controls.vml": f"<xml><shape alt='{p('control')}'><div>{p('label')}<br>{p('line')}</div></shape>"
        "</xml>",
        "xl/ctrlProps/ctrlProp1.xml": f"<formControlPr><item val='{p('item')}'/></formControlPr>",
        "xl/richData/image.xml": f"<r><address a='http://x.es/{linked(p('address'))}'/></r>",
        "customXml/item1.xml": f"<a text='{p('attribute text')}' tail='{p('attribute tail')}'>{p('custom')}</a>",
        "xl/printerSettings1.bin": p("printer"),
    }
    inside = {"xl/embeddings/carta.docx": word(p)}
    texts = {name: text.encode() for name, text in more.items()}
    return with_parts(parts, texts | inside, "xl/_rels/workbook.xml.rels")


def open_document(p: Places) -> bytes:
    body = f"""<text:p>a<text:conditional-text text:condition="ooow:x==&quot;{p("condition")}&quot;">x
</text:conditional-text><text:bibliography-mark text:identifier="{p("source")}" text:author="{p("author")}"/>
<text:alphabetical-index-mark text:string-value="x" text:key1="{p("key")}"/><text:drop-down text:name="{p("list")}"
 text:help="{p("help")}"/><text:database-display text:table-name="{p("table")}" text:database-name="{p("database")}"/>
<text:reference-mark text:name="{p("reference")}"/><text:a xlink:href="#{p("link")}" office:name="{p("link's name")}">l
</text:a><text:ruby><text:ruby-base>x</text:ruby-base><text:ruby-text>{p("ruby")}</text:ruby-text></text:ruby></text:p>
<text:section text:name="{p("section")}"><text:p>x</text:p></text:section>
<table:table table:name="{p("table's name")}"><table:table-row><table:table-cell
 table:formula="ooow:&quot;{p("formula")}&quot;"><text:p>x</text:p></table:table-cell></table:table-row></table:table>
<text:p><draw:custom-shape draw:name="{p("shape")}"><text:p>{p("text of a shape")}</text:p></draw:custom-shape></text:p>
<text:table-of-content><text:table-of-content-source><text:index-title-template>{p("contents")}
</text:index-title-template></text:table-of-content-source></text:table-of-content>
<u:u xmlns:u="urn:u" u:a="{p("unknown attribute")}">{p("unknown text")}</u:u>"""
    parts = odt_files.parts(body)
    parts["styles.xml"] = parts["styles.xml"].replace(
        b"</office:automatic-styles>",
        f"<style:style style:name='a' style:display-name='{p('style')}' style:family='text'/>"
        f"<text:list-level-style-number style:num-prefix='{p('number')}'/><n:text-style n:title='{p('format')}' "
        "xmlns:n='urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0'/></office:automatic-styles>".encode(),
    )
    parts["settings.xml"] = parts["settings.xml"].replace(
        b"</config:config-item-set>",
        f"<config:config-item config:name='CurrentDatabaseCommand'>{p('query')}</config:config-item>"
        f"<config:config-item config:name='x'>{p('setting')}</config:config-item></config:config-item-set>".encode(),
    )
    parts["meta.xml"] = parts["meta.xml"].replace(
        b"</office:meta>", f"<meta:template xlink:href='{p('template')}'/></office:meta>".encode()
    )
    parts["manifest.rdf"] = f"<RDF><a>{p('metadata')}</a></RDF>".encode()
    parts["mas.xml"] = f"<a>{p('other part')}</a>".encode()
    parts["layout-cache"] = p("layout").encode()
    return odt_files.packed(parts)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("make", "name"), [(word, "a.docx"), (excel, "a.xlsx"), (open_document, "a.odt")])
def test_no_word_is_left_in_any_corner(make, name: str, form: Form) -> None:  # type: ignore[no-untyped-def]
    places = Places(form)
    content = make(places)
    assert len(places.kept(content)) > 20
    assert places.left(content, name) == []


def test_the_copy_of_a_workbook_opens_without_its_printer() -> None:
    copy = anonymized(excel(Places()), "a.xlsx", {})[0]
    assert openpyxl.load_workbook(io.BytesIO(copy)).sheetnames == ["Sheet"]
    with zipfile.ZipFile(io.BytesIO(copy)) as archive:
        assert "xl/printerSettings1.bin" not in archive.namelist()
        assert b"printerSettings" not in archive.read("xl/_rels/workbook.xml.rels")


def test_workbooks_with_a_log_of_changes_are_refused() -> None:
    file = io.BytesIO()
    openpyxl.Workbook().save(file)
    log = {"xl/revisions/revisionLog1.xml": b"<revisions/>"}
    with pytest.raises(FormatError, match="a log of changes"):
        opened(with_parts(parts_of(file.getvalue()), log, "xl/_rels/workbook.xml.rels"), "a.xlsx")

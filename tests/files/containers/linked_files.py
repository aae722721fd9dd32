"""Documents in which programs resolve names: links, fields, filters, formulas, charts, styles, pictures and forms."""

from __future__ import annotations

import io

import docx
import openpyxl
from docx.oxml import parse_xml
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.drawing.image import Image
from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import NamedStyle
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.table import Table

from . import odt_files, word_files
from .office import parts_of
from .word_files import paragraph, run


def workbook() -> bytes:
    """A sheet with a filter and print titles, a table, a chart, rules, names, a picture and a second sheet."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Consultas Ana"
    rows: list[list[object]] = [["Nombre paciente", "Edad", "Tensión arterial"]]
    rows += [["Ana Muñoz", 70, "120/80"], ["Luis Gil", 45, "110/70"]]
    for row in rows:
        sheet.append(row)
    sheet.auto_filter.ref = "A1:C3"
    sheet.print_title_rows = "1:1"
    sheet.print_area = "A1:C3"
    sheet.oddHeader.left.text = "Ana &[Page]"
    sheet.oddFooter.center.text = "Página &[Page] de Ana"
    sheet["A2"].comment = Comment("De Ana", "Luis Gil")
    sheet.add_image(Image(io.BytesIO(word_files.png())), "G2")
    sheet.conditional_formatting.add("A2:A3", FormulaRule(formula=['$A2="Ana Muñoz"']))
    choice = DataValidation("list", formula1='"Ana,Luis"')
    choice.add("D2")
    sheet.add_data_validation(choice)
    second = book.create_sheet("Datos")
    more: list[list[object]] = [["Persona", "Visitas hechas"], ["Ana", 3], ["Luis", 4]]
    for row in more:
        second.append(row)
    second.add_table(Table(displayName="VisitasAna", ref="A1:B3"))
    second["D1"] = "=SUM(VisitasAna[Visitas hechas])"
    second["D2"] = "='Consultas Ana'!B2&\" de Ana\""
    second["D3"] = "=PacienteAna+1"
    second["D4"] = "ir"
    second["D4"].hyperlink = "#'Consultas Ana'!A1"
    second["D4"].style = NamedStyle(name="Estilo Ana")
    chart = BarChart()
    chart.title = "Visitas de Ana"
    chart.add_data(Reference(second, min_col=2, min_row=1, max_row=3), titles_from_data=True)
    chart.set_categories(Reference(second, min_col=1, min_row=2, max_row=3))
    second.add_chart(chart, "F2")
    book.defined_names["PacienteAna"] = DefinedName("PacienteAna", attr_text="'Consultas Ana'!$B$2")
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def letter() -> bytes:
    """A document with contents, a cross reference, a bookmark, a form field, a style, a picture and a page number."""
    made = docx.Document()
    made.styles.add_style("Carta de Ana", 1)
    made.add_paragraph("Paciente Ana Muñoz", style="Carta de Ana")
    made.add_picture(io.BytesIO(word_files.png()))
    for inner in (
        field(' TOC \\o "1-3" \\h \\z \\t "Carta de Ana;1" ', "contenido"),
        "<w:bookmarkStart w:id='1' w:name='_Toc123456'/>" + run("Juicio") + "<w:bookmarkEnd w:id='1'/>",
        "<w:bookmarkStart w:id='2' w:name='Ana_Muñoz'/>" + run("Ana") + "<w:bookmarkEnd w:id='2'/>",
        "<w:hyperlink w:anchor='_Toc123456'>" + run("Juicio de Ana") + "</w:hyperlink>",
        "<w:hyperlink w:anchor='Ana_Muñoz'>" + run("a Ana") + "</w:hyperlink>",
        field(" PAGEREF _Toc123456 \\h ", "1") + field(" REF Ana_Muñoz \\h ", "Ana"),
        field(' DATE \\@ "d \'de\' MMMM" \\* MERGEFORMAT ', "hoy") + field(" PAGE ", "1"),
        field(' HYPERLINK "http://example.org/Ana" \\o "De Ana" ', "enlace de Ana"),
        "<w:bookmarkStart w:id='4' w:name='NombreAna'/><w:r><w:fldChar w:fldCharType='begin'><w:ffData><w:name "
        "w:val='NombreAna'/><w:enabled/><w:textInput/></w:ffData></w:fldChar></w:r>"
        + run(" FORMTEXT ", tag="instrText") + "<w:r><w:fldChar w:fldCharType='separate'/></w:r>" + run("Ana")
        + "<w:r><w:fldChar w:fldCharType='end'/></w:r><w:bookmarkEnd w:id='4'/>",
    ):  # fmt: skip
        made.element.body.insert(-1, parse_xml(paragraph(inner)))
    return word_files.saved(made)


def field(instruction: str, shown: str) -> str:
    """A field with its instruction in two runs, as Word writes it."""
    half = len(instruction) // 2
    marks = [f"<w:r><w:fldChar w:fldCharType='{kind}'/></w:r>" for kind in ("begin", "separate", "end")]
    said = run(instruction[:half], tag="instrText") + run(instruction[half:], tag="instrText")
    return marks[0] + said + marks[1] + run(shown) + marks[2]


_KIND = b"application/vnd.oasis.opendocument.text"
_FORM = """<office:forms><form:form form:name="Ficha de Ana" form:control-implementation=
"ooo:com.sun.star.form.component.Form" xlink:href="" xlink:type="simple"><form:text form:name="Ana" xml:id="control1"
 form:id="control1" form:control-implementation="ooo:com.sun.star.form.component.TextField" form:current-value="Ana">
<form:properties><form:property form:property-name="DefaultControl" office:value-type="string"
 office:string-value="com.sun.star.form.control.TextField"/></form:properties></form:text></form:form></office:forms>"""
_TEXT = (
    _FORM
    + """<text:sequence-decls><text:sequence-decl text:display-outline-level="0" text:name="Illustration"/>
</text:sequence-decls><text:user-field-decls><text:user-field-decl text:name="PacienteAna" office:value-type="string"
 office:string-value="Ana Muñoz"/></text:user-field-decls>
<text:p text:style-name="Carta_20_de_20_Ana">Paciente <text:user-field-get text:name="PacienteAna">Ana Muñoz
</text:user-field-get></text:p>
<text:p><draw:frame draw:name="Foto de Ana" draw:style-name="fr1" text:anchor-type="as-char" svg:width="2cm"
 svg:height="2cm"><draw:image xlink:href="Pictures/a.png" xlink:type="simple" xlink:show="embed"
 xlink:actuate="onLoad"/></draw:frame></text:p>
<text:p><text:bookmark text:name="marca de Ana"/><text:a xlink:type="simple" xlink:href="#marca%20de%20Ana">a Ana
</text:a>
<text:bookmark-ref text:reference-format="text" text:ref-name="marca de Ana">Ana</text:bookmark-ref></text:p>
<text:p><text:sequence text:ref-name="refIllustration0" text:name="Illustration"
 text:formula="ooow:Illustration+1" style:num-format="1">1</text:sequence></text:p>
<text:section text:name="Datos de Ana"><text:p>Ana Muñoz</text:p></text:section>
<text:p><draw:control text:anchor-type="as-char" draw:z-index="0" draw:name="Shape1" svg:width="2cm" svg:height="1cm"
 draw:control="control1"/></text:p>"""
)
_STYLES = (
    b'<office:styles><style:style style:name="Carta_20_de_20_Ana" style:display-name="Carta de Ana" '
    b'style:family="paragraph"/></office:styles>'
)


def open_document() -> bytes:
    """A text with a picture, a form, a bookmark and links to it, a user field, a numbered caption and a style."""
    parts = odt_files.parts(_TEXT)
    form = b"<office:document-content xmlns:form='urn:oasis:names:tc:opendocument:xmlns:form:1.0' "
    parts["content.xml"] = parts["content.xml"].replace(b"<office:document-content ", form, 1)
    parts["styles.xml"] = parts["styles.xml"].replace(
        b"<office:automatic-styles>", _STYLES + b"<office:automatic-styles>"
    )
    return odt_files.packed(parts)


def template() -> bytes:
    """The same as a template."""
    parts = {name: part.replace(_KIND, _KIND + b"-template") for name, part in parts_of(open_document()).items()}
    return odt_files.packed(parts)

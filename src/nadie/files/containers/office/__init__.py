"""Office documents: Word, Excel, OpenDocument and RTF."""

from nadie.files.container import Container


class Docx(Container):
    """`.docx` and `.docm`."""

    name = "docx"
    title = "a Word document"
    extra = "office"
    opened = "nadie.files.containers.office.docx:WordDocument"


class Odt(Container):
    """`.odt`."""

    name = "odt"
    title = "an OpenDocument text"
    extra = "office"
    opened = "nadie.files.containers.office.odt:TextDocument"


class Xlsx(Container):
    """`.xlsx` and `.xlsm`. A sheet without column names in its first row is one text, with cells separated by tabs."""

    name = "xlsx"
    title = "an Excel workbook"
    extra = "tables"
    opened = "nadie.files.containers.office.xlsx:Workbook"

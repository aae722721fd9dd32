"""PDF: text is removed from pages, forms, annotations and metadata, not covered."""

from nadie.files.container import Container


class Pdf(Container):
    """`.pdf`."""

    name = "pdf"
    title = "a PDF document"
    extra = "pdf"
    opened = "nadie.files.containers.pdf.container:OpenedPdf"

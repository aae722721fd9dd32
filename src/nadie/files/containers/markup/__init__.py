"""HTML, JSON and XML of any kind, and the readers of XML and JSON that other containers use."""

from nadie.files.container import Container


class Xml(Container):
    """`.xml` that no other container reads."""

    name = "xml"
    title = "XML"
    extra = "office"
    opened = "nadie.files.containers.markup.xml_file:open_xml"

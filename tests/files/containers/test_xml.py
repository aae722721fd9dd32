"""XML parts: bombs and depth are refused, and what is parsed is written back."""

from __future__ import annotations

import pytest

from nadie.errors import FormatError
from nadie.files.containers.markup import xml

LAUGHS = b"""<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><a>&b;</a>"""
FILE = b"""<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/hostname">]><a>&a;</a>"""


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (LAUGHS, "document type"),
        (FILE, "document type"),
        (b"<!DOCTYPE a [<!-- Ana Iturralde -->]><a/>", "document type"),
        (b"<!-- <!DOCTYPE a> --><!DOCTYPE a [<?b Ana Iturralde?>]><a/>", "document type"),
        (b'<!DOCTYPE a [<!ATTLIST a b CDATA "Ana Iturralde">]><a/>', "document type"),
        ('<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE a [<!-- Ana -->]><a/>'.encode("utf-16"), "document type"),
        (b"<!DOCTYPE Iturralde><a/>", "document type"),
        (b'<!DOCTYPE a SYSTEM "' + b"a" * 400 + b'.dtd"><a/>', "document type"),
        (b"<a>" * 10_000 + b"</a>" * 10_000, "XML"),
        (b"<a>" * 210 + b"</a>" * 210, "more than 200 deep"),
        (b"<a><b></a>", "not well-formed"),
        (b"<a>&undefined;</a>", "not well-formed"),
        (b"", "not well-formed"),
        (b"Ana", "not well-formed"),
    ],
)
def test_what_is_refused(content: bytes, told: str) -> None:
    with pytest.raises(FormatError, match=told) as caught:
        xml.parse(content, "a.docx!x.xml")
    assert "Ana" not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    "content",
    [
        b"<?xml version='1.0' encoding='UTF-8' standalone='yes'?>\n<a xmlns:b=\"c\"><b:d/> x <![CDATA[<&]]></a>",
        "<?xml version='1.0' encoding='ISO-8859-1'?>\n<a>ñ</a>".encode("latin-1"),
        b"<?xml version='1.0' encoding='UTF-8'?>\n<a> <b/>\n</a>",
        b"""<?xml version='1.0' encoding='UTF-8'?>
<!DOCTYPE article PUBLIC "-//OASIS//DTD DocBook XML V4.2//EN" "http://www.oasis-open.org/docbook/xml/4.2/docbookx.dtd">
<article/>""",
        b"""<?xml version='1.0' encoding='UTF-8'?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.0//EN" "http://www.w3.org/TR/2001/REC-SVG-20010904/DTD/svg10.dtd">
<svg/>""",
    ],
)
def test_what_is_parsed_is_written_back(content: bytes) -> None:
    assert xml.serialized(xml.parse(content, "x")) == content

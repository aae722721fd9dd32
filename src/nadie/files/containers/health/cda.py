"""CDA and C-CDA documents in XML: header, narrative, entries and attached files; all other bytes are unchanged."""

from __future__ import annotations

import re

from nadie.errors import FormatError
from nadie.files.container import Account, Edits, OneText, OpenOptions
from nadie.files.containers.health.cda_reading import CdaReader
from nadie.files.containers.health.embedded import Files
from nadie.files.containers.health.pseudonyms import Pseudonyms
from nadie.files.containers.health.record import At
from nadie.files.containers.markup import xml
from nadie.files.containers.raw import replaced
from nadie.files.recognition import decoded
from nadie.files.source import Source

_DECLARED = re.compile(rb"""<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)""")
_ROOT = "{urn:hl7-org:v3}ClinicalDocument"


def open_cda(source: Source, options: OpenOptions) -> OneText[At | None]:
    """Open an XML document whose root is a `ClinicalDocument`."""
    content = source.read()
    if xml.parse(content, source.where).getroot().tag != _ROOT:
        raise FormatError("is not an HL7 ClinicalDocument", where=source.where)
    declared = _DECLARED.search(content[:200])
    raw, encoding = decoded(content, source.where, declared[1].decode("ascii") if declared else "")
    account = Account()
    reader = CdaReader(raw, Pseudonyms(options.secret), Files(source, options, account))
    reader.read()
    record = reader.record
    text = record.text("", {"patient": reader.patient or f"file {source.name}"})

    def rewritten(edits: Edits) -> bytes:
        return replaced(raw, record.changes(text, edits)).encode(encoding, "xmlcharrefreplace")

    return OneText(text, rewritten, account)

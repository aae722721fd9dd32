"""The names in an OpenDocument text that links, fields and styles refer to, and the prose in its other attributes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from nadie.files.containers.names import Names, is_personal, is_usual
from nadie.files.containers.office.coded import literals
from nadie.files.containers.office.xml_address import XmlAddress, XmlText, local
from nadie.files.containers.prose import is_prose, unquoted
from nadie.labels import Label

_WITH_TEXT = frozenset(
    "string-value string-value-if-true string-value-if-false description current-value value label help-message "
    "alias tag display-text help key1 key2 database-name table-name column-name command title-text list-source "
    "datasource target-frame-name num-prefix num-suffix identifier author title subject".split()
)
_FORMULAS = frozenset({"formula", "condition", "expression", "content-validation-condition"})
_NAMES = re.compile(
    r"(?:(?!font-|property-|event-|database-|table-|column-|target-frame-|display-|config-item-)[\w-]+-)?name"
    r"|class-names|control|id|idref|change-id|marker-start|marker-end|stroke-dash|cell-range-address|bookmark"
)
_ENUMERATED = re.compile(r"(?:ooo:|com\.sun\.|org\.openoffice\.)[\w.:-]+")
_LAYOUT = re.compile(
    r"\{urn:oasis:names:tc:opendocument:xmlns:(?:style|datastyle|xsl-fo-compatible|config|manifest|dr3d)[^}]*\}"
    r"(?!num-prefix|num-suffix|title)"
    r"|.*\}(?:path|points|viewBox|transform|d|font-family|enhanced-path|property-name|event-name|language|country)$"
)
_CONFIG = "config:1.0}"
_ALL_OF = frozenset({"bibliography-mark", "template", "auto-reload"})
_DATE_VALUES = frozenset({"date-value", "datetime", "current-date"})
_EXTERNAL = re.compile(r"[a-z][a-z0-9+.-]+:|\\\\|//|\.\./", re.IGNORECASE)
_FILE = re.compile(r"file:|\\\\|[a-z]:[\\/]|\.\./|(?:smb|vnd\.sun\.star\.\w+):", re.IGNORECASE)
_WORD = re.compile(r'"[^"]*"|[^\W\d][\w.]*')


class OdfNames:
    """The attributes of one document: names and references are noted here, prose is added to the text."""

    def __init__(self, parts: Collection[str], builder: XmlText) -> None:
        self._parts = frozenset(parts)
        self._builder = builder
        self._names = Names("Name")
        self._shown = Names("Style ")
        self._at: list[tuple[XmlAddress, str]] = []

    def read(self, address: XmlAddress, name: str, value: str) -> None:
        """Read one attribute, whose name has no prefix."""
        if name in _DATE_VALUES:
            self._builder.add_at(address._replace(form="date"), Label.FECHAS)
        elif name == "href":
            self._link(address, value)
        elif name in _FORMULAS:
            self._builder.add_ranges(address, literals(value), "literal")
            self._at.append((address, "formula"))
        elif name == "display-name" and "style:1.0}" in address.attribute:
            self._at.append((address, "shown"))
        elif _NAMES.fullmatch(name) and _CONFIG not in address.attribute and local(address.element) not in _ALL_OF:
            self._names.define(value)
            self._at.append((address, "name"))
        elif name == "value" and "office:1.0" in address.attribute:
            self._builder.add_at(address._replace(form="number"))
        elif _is_text(address, name, value):
            self._builder.add_at(address)

    def changes(self) -> Iterator[tuple[XmlAddress, str]]:
        """The addresses of all names that change, with the new names."""
        renamed = self._names.replaced
        for address, kind in self._at:
            old = address.whole()
            if kind == "link":
                target, bar, what = unquoted(old[1:]).partition("|")
                new = f"#{self._names.of(target)}{bar}{what}"
                new = old if new[1:] == unquoted(old[1:]) else new
            elif kind == "formula":
                new = _WORD.sub(lambda match: renamed.get(match[0], match[0]), old)
            elif kind == "shown":
                new = self._shown.of(old)
            else:
                several = old.split() if address.attribute.endswith("class-names") else [old]
                new = " ".join(map(self._names.of, several))
            if new != old:
                yield address, new

    def _link(self, address: XmlAddress, value: str) -> None:
        if value.startswith("#"):
            self._at.append((address, "link"))
        elif _EXTERNAL.match(value):
            label = Label.URL_WEB if _FILE.match(value) else None
            self._builder.add_at(address._replace(form="link"), label)
        elif not self._is_part(value):
            self._builder.add_at(address._replace(form="link"), Label.URL_WEB if value else None)

    def _is_part(self, link: str) -> bool:
        """Whether a link leads to a picture or an object inside the document."""
        path = unquoted(link).removeprefix("./")
        return path in self._parts or f"{path.rstrip('/')}/content.xml" in self._parts


def _is_text(address: XmlAddress, name: str, value: str) -> bool:
    if _LAYOUT.match(address.attribute) or _ENUMERATED.fullmatch(value):
        return False
    if name in _WITH_TEXT or local(address.element) in _ALL_OF:
        return len(value.split()) > 1 or not is_usual(value)
    return is_prose(value) or ("opendocument" not in address.attribute and is_personal(value))

"""FHIR R4 and R5 in JSON: single resources and bundles, and bulk data with one resource per line.

All resources of one patient are one text, so that the name in `Patient` is found in every narrative, note and attached
file of the bundle. Each line of bulk data is a separate text, and files of bulk data may have any size.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from typing import BinaryIO

from nadie.errors import FormatError
from nadie.files.container import Account, Container, Edits, Opened, OpenOptions, needed
from nadie.files.containers.health.embedded import Files
from nadie.files.containers.health.fhir_links import Links
from nadie.files.containers.health.fhir_reading import FhirReader, patient_of
from nadie.files.containers.health.fhir_values import written
from nadie.files.containers.health.pseudonyms import Pseudonyms
from nadie.files.containers.health.record import At, Change, HealthRecord
from nadie.files.containers.markup.json_tree import Node, parse
from nadie.files.disk import decode, encode
from nadie.files.mapped import MappedText
from nadie.files.source import Source


class Fhir(Container):
    """`.json` with a `resourceType`."""

    name = "fhir"
    title = "FHIR JSON"

    def open(self, source: Source, options: OpenOptions) -> Opened:
        # A single long line does not show whether more lines follow, but the file name does.
        return _Lines(source, options) if source.suffix == ".ndjson" else _Resources(source, options)


class _Json:
    """One JSON text with its resources, each in the record of its patient."""

    def __init__(self, raw: str, source: Source, options: OpenOptions, account: Account, line: int | None) -> None:
        self.raw = raw
        self._source = source
        self._account = account
        self._records: dict[str, HealthRecord] = {}
        root = _parsed(raw, source.where, line)
        resources = list(_resources(root))
        self._ids = dict(_known_ids(root))
        patients = {self._ids.get(p, p) for p in map(patient_of, resources)} - {""}
        self._only = patients.pop() if len(patients) == 1 else ""
        types = {link: _type_of(entry) for link, entry in _entries(root)}
        links = Links(Pseudonyms(options.secret))
        FhirReader(self._record_of, links, Files(source, options, account), account, types).resource(root)

    def texts(self, name: str) -> list[MappedText[At | None]]:
        """One text for each patient; resources without a patient form a separate text."""
        return [
            record.text(f"{name}{number}" if number else name, {"patient": patient or f"file {self._source.name}"})
            for number, (patient, record) in enumerate(self._records.items())
        ]

    def rewritten(self, texts: list[MappedText[At | None]], edits: list[Edits]) -> str:
        changes: list[Change] = []
        for record, text, of_text in zip(self._records.values(), texts, edits, strict=True):
            changes += record.changes(text, of_text)
        return written(self.raw, changes)

    def _record_of(self, patient: str) -> HealthRecord:
        return self._records.setdefault(self._ids.get(patient, patient) or self._only, HealthRecord())


class _Resources:
    """An open file with one resource or one bundle, held in memory."""

    def __init__(self, source: Source, options: OpenOptions) -> None:
        self.account = Account()
        self._source = source
        self._json = _Json(decode(source.read(), source.where), source, options, self.account, None)
        self._texts = self._json.texts("")

    def texts(self) -> Iterator[MappedText[At | None]]:
        yield from self._texts

    def write(self, edits: Iterator[Edits | None], out: BinaryIO) -> None:
        of_texts = [needed(next(edits)) for _ in self._texts]
        out.write(encode(self._json.rewritten(self._texts, of_texts), self._source.where))


class _Lines:
    """An open file of bulk data. Lines are queued between `texts` and `write`; a line that fails is left out."""

    def __init__(self, source: Source, options: OpenOptions) -> None:
        self.account = Account()
        self._source = source
        self._options = options
        self._waiting: deque[tuple[str, _Json | None, list[MappedText[At | None]]]] = deque()

    def texts(self) -> Iterator[MappedText[At | None]]:
        for number, raw in self._source.lines():
            content = raw.strip("\ufeff \t\r\n")
            json = _Json(raw, self._source, self._options, self.account, number) if content else None
            texts = json.texts(str(number)) if json else []
            self._waiting.append((raw, json, texts))
            yield from texts

    def write(self, edits: Iterator[Edits | None], out: BinaryIO) -> None:
        for edit in edits:
            self._write_blank(out)
            _, json, texts = self._waiting.popleft()
            of_line = [edit, *(next(edits) for _ in texts[1:])]
            if json is not None and None not in of_line:
                out.write(encode(json.rewritten(texts, [needed(e) for e in of_line]), self._source.where))
        self._write_blank(out)

    def _write_blank(self, out: BinaryIO) -> None:
        while self._waiting and not self._waiting[0][2]:
            out.write(encode(self._waiting.popleft()[0], self._source.where))


def _parsed(raw: str, where: str, line: int | None) -> Node:
    mark = 1 if raw.startswith("\ufeff") else 0
    root: Node | None = None
    with suppress(ValueError):
        root = parse(" " + raw[1:] if mark else raw)
    # Raised outside the handler, because the decoding error contains the text.
    if root is None:
        raise FormatError("is not JSON, or nests too deep", where=where, line=line)
    if root.kind != "object" or not _type_of(root):
        raise FormatError("has no resource type: it is not a FHIR resource", where=where, line=line)
    stack = [root]
    while stack:
        node = stack.pop()
        stack += node.items
        if node.kind == "object" and len(node.members()) != len(node.items):
            raise FormatError("has a duplicate name in one object", where=where, line=line)
    return root


def _resources(root: Node) -> Iterator[Node]:
    """The resource and all resources in it."""
    stack = [root]
    while stack:
        node = stack.pop()
        stack += node.items
        if node.kind == "object" and _type_of(node):
            yield node


def _entries(root: Node) -> Iterator[tuple[str, Node]]:
    """The full addresses of a bundle's entries, with their resources."""
    for node in (each for resource in _resources(root) for each in resource.items if each.name == "entry"):
        for entry in node.items:
            members = entry.members()
            if "fullUrl" in members and "resource" in members:
                yield members["fullUrl"].text, members["resource"]


def _known_ids(root: Node) -> Iterator[tuple[str, str]]:
    """Patients that are identified both by an address, such as `urn:uuid:…`, and by an id."""
    for link, resource in _entries(root):
        if _type_of(resource) == "Patient":
            yield link, patient_of(resource) or link


def _type_of(node: Node) -> str:
    found = node.members().get("resourceType")
    return found.text if found is not None and found.kind == "string" else ""


class FhirNdjson(Container):
    """`.ndjson`: one resource per line, as in FHIR bulk data."""

    name = "fhir-ndjson"
    title = "FHIR resources, one a line"
    opened = _Lines

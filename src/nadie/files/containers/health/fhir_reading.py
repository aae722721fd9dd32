"""Reads FHIR resources and adds every value to the record of its patient, by its data type."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from nadie.files.container import Account, Edits
from nadie.files.containers.health import fhir_elements, fhir_values
from nadie.files.containers.health.countries import country
from nadie.files.containers.health.embedded import Files
from nadie.files.containers.health.fhir_links import Links, target_of
from nadie.files.containers.health.fhir_values import ValueAddress, date_finish, date_text, text_value
from nadie.files.containers.health.identifiers import label_of_identifier
from nadie.files.containers.health.record import CAPTIONS, Change, HealthRecord, RecordValue
from nadie.files.containers.markup.html import Page
from nadie.files.containers.markup.json_tree import Node, spelled
from nadie.files.containers.names import is_code, is_personal, shows_person
from nadie.files.containers.prose import is_identifier, is_prose
from nadie.labels import Label

_SUBJECTS = ("subject", "patient", "beneficiary", "for", "individual")
_NUMBERED = frozenset({"code", "version", "versionId"})
_UNTOUCHED = frozenset({"resourceType", "language", "implicitRules", "contentType", "sigFormat", "targetFormat"})
_RELATIVES = frozenset({"PatientContact"})
_SEXES = {"male": "hombre", "female": "mujer"}
_LINKS = frozenset(
    {
        ("BundleEntry", "fullUrl"), ("BundleEntryRequest", "url"), ("BundleEntryResponse", "location"),
        ("BundleLink", "url"), ("Reference", "reference"),
    }
)  # fmt: skip
_QUERIES = frozenset({("BundleEntryRequest", "ifNoneExist")})
_LONG = 60
_LONG_NUMBER = re.compile(r"-?\d{5,}")
_ISO_DATE = re.compile(r"(?:19|20)\d{2}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?")
_BASE64 = re.compile(r"[A-Za-z0-9+/]{96,}={0,2}")


class FhirReader:
    """Reads the resources of one JSON text. `record_of` returns the record of a patient, by the patient's id."""

    def __init__(
        self,
        record_of: Callable[[str], HealthRecord],
        links: Links,
        files: Files,
        account: Account,
        types: Mapping[str, str],
    ) -> None:
        self._record_of = record_of
        self._links = links
        self._account = account
        self._types = types
        self._files = files
        self._record = record_of("")
        self._owner = ""

    def resource(self, node: Node, *, is_contained: bool = False) -> None:
        """Read a resource; a contained resource belongs to the patient of its container."""
        before = self._record, self._owner
        members = node.members()
        if not is_contained:
            self._record = self._record_of(patient_of(node))
        self._owner = members["resourceType"].text if "resourceType" in members else ""
        if "id" in members:
            self._new_id(ValueAddress(members["id"], node, members["id"]))
        if self._owner == "Patient" and "gender" in members:
            self._gender(ValueAddress(members["gender"], node, members["gender"]))
        if self._owner == "Binary":
            fhir_values.embed_attachment(self._files, node, self._record)
        self._object(node, self._owner, skipped=("id", "data") if self._owner == "Binary" else ("id",))
        self._record, self._owner = before

    def _object(self, node: Node, kind: str, skipped: tuple[str, ...] = ()) -> None:
        known = fhir_elements.types().get(kind)
        for item in node.items:
            name = item.name
            if name not in (known or ()) and not is_code(name):
                self._record.fixed += fhir_values.dropped(item)
                continue
            if name in skipped or (name in _UNTOUCHED and _is_token(item)):
                continue
            data_type = "Extension" if name in ("extension", "modifierExtension") else None
            data_type = "Meta" if name == "meta" else "contained" if name == "contained" else data_type
            data_type = "Element" if name.startswith("_") else data_type
            if data_type is None and known is not None:
                data_type = known.get(name)
            for value in _values(item):
                self._value(ValueAddress(value, node, item), data_type, kind)

    def _value(self, address: ValueAddress, data_type: str | None, kind: str) -> None:
        node = address.node
        if data_type and "|" in data_type:
            data_type = fhir_elements.fitting(data_type, node.members() if node.kind == "object" else None)
        if node.kind == "array" or data_type is None:
            self._unknown(address)
        elif data_type in ("Resource", "contained") and node.kind == "object":
            self.resource(node, is_contained=data_type == "contained")
        elif node.kind == "object":
            self._complex(node, data_type, kind)
        elif node.kind == "string":
            self._string(address, data_type, kind)
        elif data_type not in ("keep", "Element"):
            self._unknown(address)

    def _complex(self, node: Node, data_type: str, kind: str) -> None:
        if data_type == "HumanName":
            self._human_name(node, "RelatedPerson" if kind in _RELATIVES else self._owner)
        elif data_type == "Identifier":
            self._identifier(node, self._owner)
        elif data_type == "Reference":
            self._reference(node)
        elif data_type == "Attachment":
            fhir_values.embed_attachment(self._files, node, self._record)
            self._object(node, data_type, skipped=("data", "size", "hash"))
        elif data_type == "ContactPoint":
            self._contact(node)
        elif data_type == "Coding":
            is_public = fhir_elements.is_terminology(_text(node, "system"))
            is_term = is_public and not is_personal(_text(node, "display"))
            self._object(node, data_type, skipped=("display",) if is_term else ())
        elif data_type in fhir_elements.types():
            self._object(node, data_type)
        elif data_type == "Element":
            self._object(node, "Element")
        else:
            self._unknown(ValueAddress(node, node, node))

    def _string(self, address: ValueAddress, data_type: str, kind: str) -> None:
        name, value = address.property.name, address.node.text
        label = fhir_elements.LABELS.get(f"{kind}.{name}")
        if (kind, name) in _LINKS or (data_type in ("uri", "url") and self._links.is_record(value)):
            self._fix(address.node, self._links.rewritten(value))
        elif (kind, name) in _QUERIES:
            self._fix(address.node, self._links.rewritten(f"Patient?{value}").removeprefix("Patient?"))
        elif data_type in ("date", "instant"):
            self._date(address, is_instant=data_type == "instant")
        elif data_type == "id":
            self._new_id(address)
        elif data_type == "xhtml":
            self._narrative(address)
        elif data_type == "base64":
            fhir_values.embed_data(self._files, address, self._record)
        elif data_type == "url" or (kind, name) == ("Meta", "source"):
            self._record.add_field(text_value(address, _without_space), value, Label.URL_WEB)
        elif label == Label.PAIS:
            text, finish = country(value)
            self._record.add_field(text_value(address, finish, text), text, label)
        elif data_type == "text" and label:
            self._record.add_field(text_value(address), value, label)
        elif data_type == "text" or (data_type == "keep" and _is_written(value, name)):
            self._search(address)
        elif data_type == "uri" and (shows_person(value) or is_identifier(value)):
            self._fix(address.node, self._links.rewritten(value))
        elif data_type not in ("keep", "uri"):
            self._unknown(address)

    def _search(self, address: ValueAddress) -> None:
        value = text_value(address)
        if len(address.node.text) > _LONG:
            self._record.add_prose(value, address.node.text)
        else:
            self._record.add_field(value, address.node.text, None)

    def _unknown(self, address: ValueAddress) -> None:
        """Elements unknown to FHIR: resources, dates and files are recognised by their form, the rest is searched."""
        node = address.node
        if node.kind == "object":
            if "resourceType" in node.members():
                self.resource(node)
            else:
                self._object(node, "Reference" if "reference" in node.members() else "")
        elif node.kind == "array":
            for value in node.items:
                self._unknown(ValueAddress(value, address.owner, address.property))
        elif node.kind == "string" and _ISO_DATE.fullmatch(node.text):
            self._date(address, is_instant=False)
        elif node.kind == "string" and _BASE64.fullmatch(node.text):
            fhir_values.embed_data(self._files, address, self._record)
        elif node.kind == "string" or _LONG_NUMBER.fullmatch(node.text):
            self._search(address)

    def _human_name(self, node: Node, owner: str) -> None:
        label = fhir_elements.NAMES.get(owner, Label.NOMBRE_PERSONAL_SANITARIO)
        for item in node.items:
            for value in _values(item):
                if value.kind == "string" and item.name in ("given", "family", "text"):
                    address = ValueAddress(value, node, item)
                    self._record.add_field(text_value(address), value.text, label, CAPTIONS.get(item.name, ""))
        self._object(node, "HumanName", skipped=("given", "family", "text"))

    def _identifier(self, node: Node, owner: str) -> None:
        members = node.members()
        value = members.get("value")
        if value is not None and value.kind == "string":
            address = ValueAddress(value, node, value)
            if value.text.lower().startswith(("urn:uuid:", "urn:oid:")):
                self._fix(value, self._links.rewritten(value.text))
            else:
                code = _text(members.get("type"), "coding", "code")
                self._record.add_field(text_value(address), value.text, label_of_identifier(code, owner))
        self._object(node, "Identifier", skipped=("value",) if value is not None and value.kind == "string" else ())

    def _reference(self, node: Node) -> None:
        members = node.members()
        link = _text(node, "reference")
        target = target_of(link).type or self._types.get(link, "") or _text(node, "type")
        shown = members.get("display")
        label = fhir_elements.NAMES.get(target)
        if shown is not None and shown.kind == "string" and label:
            self._record.add_field(text_value(ValueAddress(shown, node, shown)), shown.text, label)
        if "identifier" in members and members["identifier"].kind == "object":
            self._identifier(members["identifier"], target)
        skipped = ("identifier",) if "identifier" in members else ()
        self._object(node, "Reference", skipped=(*skipped, "display") if label else skipped)

    def _contact(self, node: Node) -> None:
        value = node.members().get("value")
        if value is not None and value.kind == "string":
            label = fhir_elements.SYSTEMS.get(_text(node, "system"), Label.NUMERO_TELEFONO)
            label = Label.CORREO_ELECTRONICO if "@" in value.text else label
            self._record.add_field(text_value(ValueAddress(value, node, value)), value.text, label)
            self._object(node, "ContactPoint", skipped=("value",))
        else:
            self._object(node, "ContactPoint")

    def _gender(self, address: ValueAddress) -> None:
        if word := _SEXES.get(address.node.text):
            self._record.add_field(text_value(address, lambda new: None, word), word, Label.SEXO_SUJETO_ASISTENCIA)

    def _date(self, address: ValueAddress, *, is_instant: bool) -> None:
        whole = address.node.text
        is_birth = address.property.name == "birthDate" and self._owner == "Patient"
        value = text_value(address, date_finish(whole, is_instant=is_instant), date_text(whole))
        self._record.add_field(value, date_text(whole), Label.FECHAS, CAPTIONS["birth"] if is_birth else "")

    def _narrative(self, address: ValueAddress) -> None:
        page = Page(address.node.text)
        self._account.uncovered += page.account.uncovered

        def changed(edits: Sequence[Edits]) -> Iterator[Change]:
            if edits[0]:
                yield address.node.start, address.node.end, spelled(page.rewritten(edits[0]))

        self._record.embed(RecordValue(changed), [page.text])

    def _new_id(self, address: ValueAddress) -> None:
        if address.node.kind == "string":
            self._fix(address.node, self._links.new_id(address.node.text.removeprefix("urn:oid:")))

    def _fix(self, node: Node, new: str) -> None:
        if new != node.text:
            self._record.fixed.append((node.start, node.end, spelled(new)))


def patient_of(node: Node) -> str:
    """The id of the patient of the resource, or an empty string."""
    members = node.members()
    if _text(node, "resourceType") == "Patient":
        return _text(node, "id")
    for name in _SUBJECTS:
        for reference in _values(members[name]) if name in members else ():
            link = _text(reference, "reference")
            target = target_of(link)
            if target.id and target.type in ("Patient", "") and not link.startswith("#"):
                return link if link.startswith("urn:") else target.id
            if number := _text(reference.members().get("identifier"), "value"):
                return number
    return ""


def _is_token(item: Node) -> bool:
    """Whether a value is one word, as codes and media types are; media types may be followed by parameters."""
    word = re.sub(r";\s+", ";", item.text)
    return item.kind == "string" and not _is_written(word, item.name)


def _is_written(value: str, name: str = "code") -> bool:
    """Whether a value, where a code is expected, may have been written by a person. Only some codes are numbers."""
    is_number = name not in _NUMBERED and re.search(r"\d{5}", value) is not None
    return is_number or re.search(r"\s", value) is not None or is_prose(value) or shows_person(value)


def _values(item: Node) -> list[Node]:
    return item.items if item.kind == "array" else [item]


def _text(node: Node | None, *names: str) -> str:
    """The string at this path of names, through the first items of arrays; empty if there is none."""
    for name in names:
        node = node.members().get(name) if node else None
        while node is not None and node.kind == "array":
            node = node.items[0] if node.items else None
    return node.text if node is not None and node.kind == "string" else ""


def _without_space(new: str) -> str | None:
    return None if re.search(r"\s", new) else new

"""FHIR's types, their elements and data types (R4B and R5), and labels that data types do not show.

`scripts/build_fhir_elements.py` makes the table.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from importlib.resources import files

from nadie.files.containers.health.identifiers import labels_by_word
from nadie.labels import Label

LABELS = labels_by_word(
    {
        Label.CALLE: "Address.line Address.text",
        Label.TERRITORIO: "Address.city Address.district Address.postalCode Address.state",
        Label.PAIS: "Address.country",
        Label.NOMBRE_PERSONAL_SANITARIO: "Annotation.authorString AuditEventAgent.name",
        Label.ID_EMPLEO_PERSONAL_SANITARIO: "AuditEventAgent.altId",
        Label.DIREC_PROT_INTERNET: "AuditEventAgent.networkString AuditEventAgentNetwork.address",
        Label.ID_ASEGURAMIENTO: "Coverage.subscriberId",
        Label.IDENTIF_DISPOSITIVOS_NRSERIE: "Device.distinctIdentifier Device.lotNumber Device.serialNumber "
        "DeviceUdiCarrier.carrierHRF DeviceUdiCarrier.deviceIdentifier",
        Label.HOSPITAL: "Organization.alias Organization.name",
    }
)
"""Strings that are always PHI, by type and element. All other strings are searched."""

SYSTEMS = labels_by_word(
    {
        Label.CORREO_ELECTRONICO: "email",
        Label.NUMERO_FAX: "fax",
        Label.NUMERO_TELEFONO: "other pager phone sms",
        Label.URL_WEB: "url",
    }
)
"""The labels of contact points, by system."""

NAMES = labels_by_word(
    {
        Label.HOSPITAL: "Organization",
        Label.NOMBRE_SUJETO_ASISTENCIA: "Patient Person RelatedPerson",
        Label.NOMBRE_PERSONAL_SANITARIO: "Practitioner PractitionerRole",
    }
)
"""The labels of names, by the resource that has them or that a reference points to."""

_TERMINOLOGIES = (
    "http://snomed.info/", "http://loinc.org", "http://unitsofmeasure.org", "http://www.nlm.nih.gov/research/umls/",
    "http://hl7.org/fhir/", "http://terminology.hl7.org/", "http://www.whocc.no/atc", "http://dicom.nema.org/",
    "http://www.ama-assn.org/go/cpt", "urn:iso:std:iso:", "urn:ietf:bcp:", "urn:ietf:rfc:", "urn:iso-astm:",
    "http://varnomen.hgvs.org", "http://fdasis.nlm.nih.gov", "urn:oid:2.16.840.1.113883.6.", "http://id.who.int/icd",
)  # fmt: skip


def is_terminology(system: str) -> bool:
    """Whether a code system is public, so that its displays are terms and never names of persons or places."""
    return system.startswith(_TERMINOLOGIES)


def fitting(data_types: str, members: Collection[str] | None) -> str:
    """The matching data type of an element with different data types in several versions: an object by its members."""
    candidates = data_types.split("|")
    if members is None:
        return max((each for each in candidates if not each[0].isupper()), default=candidates[0])
    return max(candidates, key=lambda each: sum(name in types().get(each, ()) for name in members))


@cache
def types() -> Mapping[str, Mapping[str, str]]:
    """The data type of every element of every type. Data types that need no handling are all `keep`."""
    found: dict[str, dict[str, str]] = {}
    for line in files(__package__).joinpath("fhir_elements.tsv").read_text("ascii").splitlines():
        name, *groups = line.split("\t")
        found[name] = {}
        for kind, elements in (group.split(": ") for group in groups):
            found[name].update(dict.fromkeys(elements.split(), kind))
    return found

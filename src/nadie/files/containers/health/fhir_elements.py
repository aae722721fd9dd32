"""FHIR's types, their elements and data types, from a table of R4B and R5, and labels that data types do not show."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from importlib.resources import files

from nadie.labels import Label

LABELS: dict[tuple[str, str], str] = {
    ("Address", "line"): Label.CALLE,
    ("Address", "text"): Label.CALLE,
    ("Address", "city"): Label.TERRITORIO,
    ("Address", "district"): Label.TERRITORIO,
    ("Address", "postalCode"): Label.TERRITORIO,
    ("Address", "state"): Label.TERRITORIO,
    ("Address", "country"): Label.PAIS,
    ("Annotation", "authorString"): Label.NOMBRE_PERSONAL_SANITARIO,
    ("AuditEventAgent", "altId"): Label.ID_EMPLEO_PERSONAL_SANITARIO,
    ("AuditEventAgent", "name"): Label.NOMBRE_PERSONAL_SANITARIO,
    ("AuditEventAgent", "networkString"): Label.DIREC_PROT_INTERNET,
    ("AuditEventAgentNetwork", "address"): Label.DIREC_PROT_INTERNET,
    ("Coverage", "subscriberId"): Label.ID_ASEGURAMIENTO,
    ("Device", "distinctIdentifier"): Label.IDENTIF_DISPOSITIVOS_NRSERIE,
    ("Device", "lotNumber"): Label.IDENTIF_DISPOSITIVOS_NRSERIE,
    ("Device", "serialNumber"): Label.IDENTIF_DISPOSITIVOS_NRSERIE,
    ("DeviceUdiCarrier", "carrierHRF"): Label.IDENTIF_DISPOSITIVOS_NRSERIE,
    ("DeviceUdiCarrier", "deviceIdentifier"): Label.IDENTIF_DISPOSITIVOS_NRSERIE,
    ("Organization", "alias"): Label.HOSPITAL,
    ("Organization", "name"): Label.HOSPITAL,
}
"""Strings that are always PHI. All other strings are searched."""

SYSTEMS: dict[str, str] = {
    "email": Label.CORREO_ELECTRONICO,
    "fax": Label.NUMERO_FAX,
    "other": Label.NUMERO_TELEFONO,
    "pager": Label.NUMERO_TELEFONO,
    "phone": Label.NUMERO_TELEFONO,
    "sms": Label.NUMERO_TELEFONO,
    "url": Label.URL_WEB,
}
"""The labels of contact points, by system."""

NAMES: dict[str, str] = {
    "Organization": Label.HOSPITAL,
    "Patient": Label.NOMBRE_SUJETO_ASISTENCIA,
    "Person": Label.NOMBRE_SUJETO_ASISTENCIA,
    "Practitioner": Label.NOMBRE_PERSONAL_SANITARIO,
    "PractitionerRole": Label.NOMBRE_PERSONAL_SANITARIO,
    "RelatedPerson": Label.NOMBRE_SUJETO_ASISTENCIA,
}
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

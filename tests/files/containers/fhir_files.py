"""FHIR files with planted identifiers in every place that may hold one."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

NOTE = (
    "Paciente Ana Muñoz Soto, NHC 7654321. Vive en Calle Mayor 3, Monforte.\n"
    "Ingresa el 03/05/2024 con fiebre de 38,5 ºC. Dr. Luis Ferreiro Castro.\n"
)
PAGE = "<html><body><p>Sra. <b>An</b>a Mu&ntilde;oz Soto</p></body></html>"
PLANTED = (
    "Muñoz", "Soto", "7654321", "12345678Z", "982 123 456", "ana.munoz", "Mayor 3", "Monforte", "27400", "Ferreiro",
    "272712345", "1954-03-05", "05/03/1954", "2024-05", "03/05/2024", "Lucus", "Roca", "612345678", "7f1c0f4e",
    "episodio-88", "hosp-lucus", "JFIF-foto", "SN-998877",
)  # fmt: skip
UUID = "urn:uuid:7f1c0f4e-0d1a-4f61-9f6e-111111111111"


def base64_of(content: str | bytes) -> str:
    return base64.b64encode(content.encode() if isinstance(content, str) else content).decode()


def patient() -> dict[str, Any]:
    return {
        "resourceType": "Patient",
        "id": "7654321",
        "meta": {
            "lastUpdated": "2024-05-03T10:00:00.123+02:00",
            "profile": ["http://hl7.org/fhir/StructureDefinition/Patient"],
        },
        "text": {
            "status": "generated",
            "div": '<div xmlns="http://www.w3.org/1999/xhtml"><p>Ana <b>Mu&#241;oz</b> Soto, nacida el 05/03/1954</p>'
            "</div>",
        },
        "identifier": [
            {
                "system": "urn:oid:2.16.724.4.40",
                "value": "7654321",
                "type": {"coding": [{"system": "http://terminology.hl7.org/CodeSystem/v2-0203", "code": "MR"}]},
            },
            {"system": "urn:oid:1.3.6.1.4.1.19126.3", "value": "12345678Z"},
        ],
        "name": [{"use": "official", "family": "Muñoz Soto", "given": ["Ana"], "text": "Ana Muñoz Soto"}],
        "telecom": [{"system": "phone", "value": "982 123 456"}, {"system": "email", "value": "ana.munoz@correo.es"}],
        "gender": "female",
        "birthDate": "1954-03-05",
        "_birthDate": {
            "extension": [
                {
                    "url": "http://hl7.org/fhir/StructureDefinition/patient-birthTime",
                    "valueDateTime": "1954-03-05T14:35:45+01:00",
                }
            ]
        },
        "address": [{"line": ["Calle Mayor 3"], "city": "Monforte", "postalCode": "27400", "country": "ES"}],
        "contact": [
            {"name": {"family": "Soto", "given": ["Pedro"]}, "telecom": [{"system": "phone", "value": "612345678"}]}
        ],
        "photo": [{"contentType": "image/jpeg", "data": base64_of(b"\xff\xd8\xff\xe0JFIF-foto")}],
        "managingOrganization": {"reference": "Organization/hosp-lucus", "display": "Hospital Lucus Augusti"},
    }


def document() -> dict[str, Any]:
    attachment = {
        "contentType": "text/plain; charset=utf-8",
        "data": base64_of(NOTE),
        "size": len(NOTE.encode()),
        "hash": base64_of(hashlib.sha1(NOTE.encode()).digest()),
        "title": "Ana Muñoz.txt",
        "creation": "2024-05-03",
    }
    return {
        "resourceType": "DocumentReference",
        "id": "d1",
        "status": "current",
        "type": {
            "coding": [{"system": "http://loinc.org", "code": "18842-5", "display": "Discharge summary"}],
            "text": "Informe de alta",
        },
        "subject": {"reference": UUID, "display": "Ana Muñoz"},
        "date": "2024-05-03T10:00:00Z",
        "author": [{"reference": "Practitioner/p9", "display": "Dr. Luis Ferreiro Castro"}],
        "description": "Alta de Ana Muñoz",
        "content": [{"attachment": attachment}, {"attachment": {"contentType": "text/html", "data": base64_of(PAGE)}}],
    }


def observation() -> dict[str, Any]:
    return {
        "resourceType": "Observation",
        "id": "o1",
        "contained": [{"resourceType": "Practitioner", "id": "x", "name": [{"text": "Dra. Núria Roca"}]}],
        "status": "final",
        "code": {"coding": [{"system": "http://loinc.org", "code": "718-7", "display": "Hemoglobin"}]},
        "subject": {"reference": "Patient/7654321"},
        "encounter": {"reference": "http://hosp-lucus.es/fhir/Encounter/episodio-88"},
        "effectivePeriod": {"start": "2024-05-02", "end": "2024-05-03T08:00:00+02:00"},
        "performer": [{"reference": "#x"}],
        "valueQuantity": {"value": 12.5, "unit": "g/dL", "system": "http://unitsofmeasure.org", "code": "g/dL"},
        "note": [
            {
                "text": "Ana Muñoz refiere mareo desde el 03/05/2024",
                "time": "2024-05-02",
                "authorString": "Luis Ferreiro",
            }
        ],
    }


def bundle() -> dict[str, Any]:
    return {
        "resourceType": "Bundle",
        "id": "b-7654321",
        "type": "collection",
        "timestamp": "2024-05-03T10:00:00+02:00",
        "link": [{"relation": "self", "url": "http://hosp-lucus.es/fhir/Patient?identifier=7654321&_count=10"}],
        "entry": [
            {"fullUrl": UUID, "resource": patient()},
            {"fullUrl": "http://hosp-lucus.es/fhir/DocumentReference/d1", "resource": document()},
            {
                "fullUrl": "http://hosp-lucus.es/fhir/Practitioner/p9",
                "resource": {
                    "resourceType": "Practitioner",
                    "id": "p9",
                    "identifier": [{"value": "272712345"}],
                    "name": [{"family": "Ferreiro Castro", "given": ["Luis"], "prefix": ["Dr."]}],
                },
            },
            {
                "fullUrl": "http://hosp-lucus.es/fhir/Encounter/episodio-88",
                "resource": {
                    "resourceType": "Encounter",
                    "id": "episodio-88",
                    "status": "finished",
                    "class": {"system": "http://terminology.hl7.org/CodeSystem/v3-ActCode", "code": "IMP"},
                    "subject": {"reference": "Patient/7654321"},
                    "period": {"start": "2024-05-01T09:00:00+02:00"},
                },
            },
            {"fullUrl": "http://hosp-lucus.es/fhir/Observation/o1", "resource": observation()},
            {
                "resource": {
                    "resourceType": "Device",
                    "id": "dev",
                    "serialNumber": "SN-998877",
                    "patient": {"reference": "Patient/7654321"},
                }
            },
            {
                "resource": {
                    "resourceType": "Organization",
                    "id": "hosp-lucus",
                    "name": "Hospital Lucus Augusti",
                }
            },
        ],
    }


def in_json(resource: dict[str, Any]) -> bytes:
    return json.dumps(resource, ensure_ascii=False, indent=1).encode()


def ndjson(*resources: dict[str, Any]) -> bytes:
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in resources).encode()

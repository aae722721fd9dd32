"""Label sets of other projects, and the mapping between them and the 29 MEDDOCAN labels.

A coarser set merges labels, and spans without a corresponding label are left out, so a round trip may lose information.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from nadie.document import Document
from nadie.errors import UnknownNameError
from nadie.labels import LABELS, Label, Parent


@dataclass(frozen=True)
class LabelSet:
    """`outward` maps our labels to theirs, if there is one; `inward` maps theirs to ours."""

    name: str
    outward: Mapping[str, str]
    inward: Mapping[str, str]
    postcode: str = field(default="")
    """Their label for a `TERRITORIO` in digits, if they have one."""

    def written(self, label: str, value: str) -> str:
        """Their label for a span of a document that went through `fitted`."""
        is_postcode = self.postcode and label == Label.TERRITORIO and value.replace(" ", "").isdigit()
        return self.postcode if is_postcode else self.outward[label]

    def read(self, label: object) -> str:
        """Our label for theirs; raises a `ValueError` whose message is safe to show if there is no such label."""
        if not isinstance(label, str) or label not in self.inward:
            raise ValueError("the label is not one of the 29" if self is MEDDOCAN else f"no label of {self.name}")
        return self.inward[label]

    def fitted(self, document: Document) -> Document:
        """The document without spans for which the set has no label."""
        return document.with_spans(span for span in document.spans if span.label in self.outward)


MEDDOCAN = LabelSet("meddocan", {label: label for label in LABELS}, {label: label for label in LABELS})

_PRESIDIO: dict[str, str] = {
    Label.NOMBRE_SUJETO_ASISTENCIA: "PERSON",
    Label.NOMBRE_PERSONAL_SANITARIO: "PERSON",
    Label.HOSPITAL: "ORGANIZATION",
    Label.CENTRO_SALUD: "ORGANIZATION",
    Label.INSTITUCION: "ORGANIZATION",
    Label.CALLE: "LOCATION",
    Label.TERRITORIO: "LOCATION",
    Label.PAIS: "LOCATION",
    Label.EDAD_SUJETO_ASISTENCIA: "AGE",
    Label.FECHAS: "DATE_TIME",
    Label.NUMERO_TELEFONO: "PHONE_NUMBER",
    Label.NUMERO_FAX: "PHONE_NUMBER",
    Label.CORREO_ELECTRONICO: "EMAIL_ADDRESS",
    Label.URL_WEB: "URL",
    Label.DIREC_PROT_INTERNET: "IP_ADDRESS",
    Label.ID_TITULACION_PERSONAL_SANITARIO: "MEDICAL_LICENSE",
    **{label: "ID" for label in Label if label.parent is Parent.ID and "TITULACION" not in label},
}
PRESIDIO = LabelSet(
    "presidio",
    _PRESIDIO,
    {
        "PERSON": Label.NOMBRE_SUJETO_ASISTENCIA,
        "ORGANIZATION": Label.INSTITUCION,
        "LOCATION": Label.TERRITORIO,
        "AGE": Label.EDAD_SUJETO_ASISTENCIA,
        "DATE_TIME": Label.FECHAS,
        "PHONE_NUMBER": Label.NUMERO_TELEFONO,
        "EMAIL_ADDRESS": Label.CORREO_ELECTRONICO,
        "URL": Label.URL_WEB,
        "IP_ADDRESS": Label.DIREC_PROT_INTERNET,
        "MAC_ADDRESS": Label.IDENTIF_DISPOSITIVOS_NRSERIE,
        "MEDICAL_LICENSE": Label.ID_TITULACION_PERSONAL_SANITARIO,
        "ID": Label.OTRO_NUMERO_IDENTIF,
        "ES_NIF": Label.ID_SUJETO_ASISTENCIA,
        "ES_NIE": Label.ID_SUJETO_ASISTENCIA,
        "US_SSN": Label.ID_ASEGURAMIENTO,
        "CREDIT_CARD": Label.OTRO_NUMERO_IDENTIF,
        "IBAN_CODE": Label.OTRO_NUMERO_IDENTIF,
        "CRYPTO": Label.OTRO_NUMERO_IDENTIF,
        "NRP": Label.OTROS_SUJETO_ASISTENCIA,
    },
)

_I2B2: dict[str, str] = {
    Label.NOMBRE_SUJETO_ASISTENCIA: "PATIENT",
    Label.NOMBRE_PERSONAL_SANITARIO: "DOCTOR",
    Label.PROFESION: "PROFESSION",
    Label.HOSPITAL: "HOSPITAL",
    Label.CENTRO_SALUD: "HOSPITAL",
    Label.INSTITUCION: "ORGANIZATION",
    Label.CALLE: "STREET",
    Label.TERRITORIO: "CITY",
    Label.PAIS: "COUNTRY",
    Label.EDAD_SUJETO_ASISTENCIA: "AGE",
    Label.FECHAS: "DATE",
    Label.NUMERO_TELEFONO: "PHONE",
    Label.NUMERO_FAX: "FAX",
    Label.CORREO_ELECTRONICO: "EMAIL",
    Label.URL_WEB: "URL",
    Label.DIREC_PROT_INTERNET: "IPADDR",
    Label.ID_SUJETO_ASISTENCIA: "MEDICALRECORD",
    Label.ID_ASEGURAMIENTO: "SSN",
    Label.ID_CONTACTO_ASISTENCIAL: "IDNUM",
    Label.NUMERO_BENEF_PLAN_SALUD: "HEALTHPLAN",
    Label.IDENTIF_VEHICULOS_NRSERIE_PLACAS: "VEHICLE",
    Label.IDENTIF_DISPOSITIVOS_NRSERIE: "DEVICE",
    Label.IDENTIF_BIOMETRICOS: "BIOID",
    Label.ID_TITULACION_PERSONAL_SANITARIO: "LICENSE",
    Label.ID_EMPLEO_PERSONAL_SANITARIO: "IDNUM",
    Label.OTRO_NUMERO_IDENTIF: "IDNUM",
}
I2B2 = LabelSet(
    "i2b2",
    _I2B2,
    {
        **{theirs: ours for ours, theirs in reversed(_I2B2.items())},
        "ACCOUNT": Label.OTRO_NUMERO_IDENTIF,
        "DEPARTMENT": Label.HOSPITAL,
        "IDNUM": Label.OTRO_NUMERO_IDENTIF,
        "LOCATION-OTHER": Label.TERRITORIO,
        "ROOM": Label.HOSPITAL,
        "STATE": Label.TERRITORIO,
        "USERNAME": Label.ID_EMPLEO_PERSONAL_SANITARIO,
        "ZIP": Label.TERRITORIO,
    },
    postcode="ZIP",
)

_SETS = {each.name: each for each in (MEDDOCAN, PRESIDIO, I2B2)}


def label_set(name: str) -> LabelSet:
    if name not in _SETS:
        raise UnknownNameError(f"there is no label set called {name[:60]!r}; there are: {', '.join(_SETS)}")
    return _SETS[name]

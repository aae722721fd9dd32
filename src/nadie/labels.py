"""The 29 MEDDOCAN labels, labels of a user's own, their parent classes, and the map to HIPAA's 18 identifiers."""

from __future__ import annotations

import re
from difflib import get_close_matches
from enum import Enum, StrEnum
from functools import lru_cache


class Parent(StrEnum):
    """The eight parent classes of the MEDDOCAN task, which are also the element names of its XML."""

    NAME = "NAME"
    PROFESSION = "PROFESSION"
    LOCATION = "LOCATION"
    AGE = "AGE"
    DATE = "DATE"
    CONTACT = "CONTACT"
    ID = "ID"
    OTHER = "OTHER"


class Hipaa(Enum):
    """The 18 identifiers of the Safe Harbor method, 45 CFR 164.514(b)(2)(i), in the order (A) to (R)."""

    NAMES = "A"
    GEOGRAPHIC_SUBDIVISIONS = "B"
    DATES_AND_AGES = "C"
    TELEPHONE_NUMBERS = "D"
    FAX_NUMBERS = "E"
    EMAIL_ADDRESSES = "F"
    SOCIAL_SECURITY_NUMBERS = "G"
    MEDICAL_RECORD_NUMBERS = "H"
    HEALTH_PLAN_BENEFICIARY_NUMBERS = "I"
    ACCOUNT_NUMBERS = "J"
    CERTIFICATE_OR_LICENSE_NUMBERS = "K"
    VEHICLE_IDENTIFIERS = "L"
    DEVICE_IDENTIFIERS = "M"
    WEB_URLS = "N"
    IP_ADDRESSES = "O"
    BIOMETRIC_IDENTIFIERS = "P"
    FULL_FACE_PHOTOGRAPHS = "Q"
    OTHER_UNIQUE_IDENTIFIERS = "R"


class Label(StrEnum):
    """One class of protected health information. A `Label` is a `str`, so either may be used.

    The members are the 29 of MEDDOCAN. A label of a user's own (`NUMERO_CAMA`, see `is_own`) is a `Label` that is no
    member: an identifier, treated like `OTRO_NUMERO_IDENTIF` where nothing else is said of it.
    """

    NOMBRE_SUJETO_ASISTENCIA = "NOMBRE_SUJETO_ASISTENCIA"
    NOMBRE_PERSONAL_SANITARIO = "NOMBRE_PERSONAL_SANITARIO"
    PROFESION = "PROFESION"
    HOSPITAL = "HOSPITAL"
    INSTITUCION = "INSTITUCION"
    CALLE = "CALLE"
    TERRITORIO = "TERRITORIO"
    PAIS = "PAIS"
    CENTRO_SALUD = "CENTRO_SALUD"
    EDAD_SUJETO_ASISTENCIA = "EDAD_SUJETO_ASISTENCIA"
    FECHAS = "FECHAS"
    NUMERO_TELEFONO = "NUMERO_TELEFONO"
    NUMERO_FAX = "NUMERO_FAX"
    CORREO_ELECTRONICO = "CORREO_ELECTRONICO"
    URL_WEB = "URL_WEB"
    ID_ASEGURAMIENTO = "ID_ASEGURAMIENTO"
    ID_CONTACTO_ASISTENCIAL = "ID_CONTACTO_ASISTENCIAL"
    NUMERO_BENEF_PLAN_SALUD = "NUMERO_BENEF_PLAN_SALUD"
    IDENTIF_VEHICULOS_NRSERIE_PLACAS = "IDENTIF_VEHICULOS_NRSERIE_PLACAS"
    IDENTIF_DISPOSITIVOS_NRSERIE = "IDENTIF_DISPOSITIVOS_NRSERIE"
    IDENTIF_BIOMETRICOS = "IDENTIF_BIOMETRICOS"
    ID_SUJETO_ASISTENCIA = "ID_SUJETO_ASISTENCIA"
    ID_TITULACION_PERSONAL_SANITARIO = "ID_TITULACION_PERSONAL_SANITARIO"
    ID_EMPLEO_PERSONAL_SANITARIO = "ID_EMPLEO_PERSONAL_SANITARIO"
    OTRO_NUMERO_IDENTIF = "OTRO_NUMERO_IDENTIF"
    SEXO_SUJETO_ASISTENCIA = "SEXO_SUJETO_ASISTENCIA"
    FAMILIARES_SUJETO_ASISTENCIA = "FAMILIARES_SUJETO_ASISTENCIA"
    OTROS_SUJETO_ASISTENCIA = "OTROS_SUJETO_ASISTENCIA"
    DIREC_PROT_INTERNET = "DIREC_PROT_INTERNET"

    @classmethod
    def _missing_(cls, value: object) -> Label | None:
        if not isinstance(value, str) or not is_own(value):
            return None
        own = str.__new__(cls, value)
        own._name_ = own._value_ = value
        return own

    @property
    def parent(self) -> Parent:
        return _PARENTS.get(self, Parent.ID)

    @property
    def hipaa(self) -> Hipaa | None:
        """HIPAA's identifier, or None if HIPAA does not require removal (sex, profession, country)."""
        return _HIPAA.get(self, Hipaa.OTHER_UNIQUE_IDENTIFIERS)


_PARENTS: dict[Label, Parent] = {
    Label.NOMBRE_SUJETO_ASISTENCIA: Parent.NAME,
    Label.NOMBRE_PERSONAL_SANITARIO: Parent.NAME,
    Label.PROFESION: Parent.PROFESSION,
    Label.HOSPITAL: Parent.LOCATION,
    Label.INSTITUCION: Parent.LOCATION,
    Label.CALLE: Parent.LOCATION,
    Label.TERRITORIO: Parent.LOCATION,
    Label.PAIS: Parent.LOCATION,
    Label.CENTRO_SALUD: Parent.LOCATION,
    Label.EDAD_SUJETO_ASISTENCIA: Parent.AGE,
    Label.FECHAS: Parent.DATE,
    Label.NUMERO_TELEFONO: Parent.CONTACT,
    Label.NUMERO_FAX: Parent.CONTACT,
    Label.CORREO_ELECTRONICO: Parent.CONTACT,
    Label.URL_WEB: Parent.CONTACT,
    Label.ID_ASEGURAMIENTO: Parent.ID,
    Label.ID_CONTACTO_ASISTENCIAL: Parent.ID,
    Label.NUMERO_BENEF_PLAN_SALUD: Parent.ID,
    Label.IDENTIF_VEHICULOS_NRSERIE_PLACAS: Parent.ID,
    Label.IDENTIF_DISPOSITIVOS_NRSERIE: Parent.ID,
    Label.IDENTIF_BIOMETRICOS: Parent.ID,
    Label.ID_SUJETO_ASISTENCIA: Parent.ID,
    Label.ID_TITULACION_PERSONAL_SANITARIO: Parent.ID,
    Label.ID_EMPLEO_PERSONAL_SANITARIO: Parent.ID,
    Label.OTRO_NUMERO_IDENTIF: Parent.ID,
    Label.SEXO_SUJETO_ASISTENCIA: Parent.OTHER,
    Label.FAMILIARES_SUJETO_ASISTENCIA: Parent.OTHER,
    Label.OTROS_SUJETO_ASISTENCIA: Parent.OTHER,
    Label.DIREC_PROT_INTERNET: Parent.OTHER,
}

_HIPAA: dict[Label, Hipaa | None] = {
    Label.NOMBRE_SUJETO_ASISTENCIA: Hipaa.NAMES,
    Label.NOMBRE_PERSONAL_SANITARIO: Hipaa.NAMES,
    Label.FAMILIARES_SUJETO_ASISTENCIA: Hipaa.NAMES,
    Label.PROFESION: None,
    Label.SEXO_SUJETO_ASISTENCIA: None,
    Label.PAIS: None,
    Label.HOSPITAL: Hipaa.GEOGRAPHIC_SUBDIVISIONS,
    Label.INSTITUCION: Hipaa.GEOGRAPHIC_SUBDIVISIONS,
    Label.CALLE: Hipaa.GEOGRAPHIC_SUBDIVISIONS,
    Label.TERRITORIO: Hipaa.GEOGRAPHIC_SUBDIVISIONS,
    Label.CENTRO_SALUD: Hipaa.GEOGRAPHIC_SUBDIVISIONS,
    Label.EDAD_SUJETO_ASISTENCIA: Hipaa.DATES_AND_AGES,
    Label.FECHAS: Hipaa.DATES_AND_AGES,
    Label.NUMERO_TELEFONO: Hipaa.TELEPHONE_NUMBERS,
    Label.NUMERO_FAX: Hipaa.FAX_NUMBERS,
    Label.CORREO_ELECTRONICO: Hipaa.EMAIL_ADDRESSES,
    Label.URL_WEB: Hipaa.WEB_URLS,
    Label.ID_ASEGURAMIENTO: Hipaa.SOCIAL_SECURITY_NUMBERS,
    Label.ID_SUJETO_ASISTENCIA: Hipaa.MEDICAL_RECORD_NUMBERS,
    Label.ID_CONTACTO_ASISTENCIAL: Hipaa.MEDICAL_RECORD_NUMBERS,
    Label.NUMERO_BENEF_PLAN_SALUD: Hipaa.HEALTH_PLAN_BENEFICIARY_NUMBERS,
    Label.IDENTIF_VEHICULOS_NRSERIE_PLACAS: Hipaa.VEHICLE_IDENTIFIERS,
    Label.IDENTIF_DISPOSITIVOS_NRSERIE: Hipaa.DEVICE_IDENTIFIERS,
    Label.IDENTIF_BIOMETRICOS: Hipaa.BIOMETRIC_IDENTIFIERS,
    Label.ID_TITULACION_PERSONAL_SANITARIO: Hipaa.CERTIFICATE_OR_LICENSE_NUMBERS,
    Label.ID_EMPLEO_PERSONAL_SANITARIO: Hipaa.OTHER_UNIQUE_IDENTIFIERS,
    Label.OTRO_NUMERO_IDENTIF: Hipaa.OTHER_UNIQUE_IDENTIFIERS,
    Label.OTROS_SUJETO_ASISTENCIA: Hipaa.OTHER_UNIQUE_IDENTIFIERS,
    Label.DIREC_PROT_INTERNET: Hipaa.IP_ADDRESSES,
}

LABELS: frozenset[str] = frozenset(Label)
OWN = "[A-ZÑ][A-Z0-9Ñ]*(_[A-Z0-9Ñ]+)+"
_OWN = re.compile(OWN)
_LONGEST = 40
_LIKE = 0.9


@lru_cache(maxsize=1024)
def is_own(label: str) -> bool:
    """Whether this can be a label of a user's own: words in capitals joined by `_`, unlike each of the 29.

    >>> is_own("NUMERO_CAMA"), is_own("cama"), is_own("NOMBRE_SUJETO"), is_own("NUMERO_TELEFONOS")
    (True, False, False, False)
    """
    if len(label) > _LONGEST or label in LABELS or not _OWN.fullmatch(label):
        return False
    is_part = any(known.startswith(label) or label.startswith(f"{known}_") for known in LABELS)
    return not is_part and not get_close_matches(label, LABELS, 1, _LIKE)


def is_label(label: object) -> bool:
    """Whether this is one of the 29 labels, or can be one of a user's own."""
    return isinstance(label, str) and (label in LABELS or is_own(label))


NAMES: frozenset[str] = frozenset(label for label in Label if label.parent is Parent.NAME)
DIRECT: frozenset[str] = frozenset(
    label
    for label in Label
    if label.parent in (Parent.NAME, Parent.CONTACT, Parent.ID) or label in (Label.CALLE, Label.DIREC_PROT_INTERNET)
)
"""Labels whose values identify a person alone; those of the others do so only together (quasi-identifiers)."""

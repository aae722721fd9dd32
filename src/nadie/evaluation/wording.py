"""What scores, errors and types are called for people, in English and in Spanish."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from nadie.evaluation.alignment import ErrorKind
from nadie.labels import Label


class Phrase(NamedTuple):
    """The same words in both languages."""

    english: str
    spanish: str


class ErrorName(NamedTuple):
    """The name of a kind of error, its sign, and what it means."""

    english: str
    spanish: str
    sign: str
    meaning: Phrase


MEASURE_NAMES: Mapping[str, str] = {
    **{f"subtask1.{part}": f"subtask 1 {part}" for part in ("precision", "recall", "f1")},
    **{f"strict.{part}": f"subtask 2 strict {part}" for part in ("precision", "recall", "f1")},
    **{f"merged.{part}": f"subtask 2 merged {part}" for part in ("precision", "recall", "f1")},
    "subtask1.leak": "leak",
    "characters.recall": "characters of PHI covered",
    "characters.precision": "covered characters that are PHI",
    "characters.leaked_share": "characters of PHI left readable",
    "documents.safe_share": "documents with nothing missed",
}

ERROR_NAMES: Mapping[ErrorKind, ErrorName] = {
    ErrorKind.MISS: ErrorName(
        "missed", "no detectado", "✗", Phrase("the system found nothing here", "el sistema no encontró nada aquí")
    ),
    ErrorKind.WRONG_BOUNDARY: ErrorName(
        "wrong boundary",
        "límite erróneo",
        "↔",
        Phrase("found, but too short or too long", "hallado, pero corto o largo"),
    ),
    ErrorKind.WRONG_TYPE_AND_BOUNDARY: ErrorName(
        "wrong type and boundary",
        "tipo y límite erróneos",
        "⤨",
        Phrase("another type, too short or too long", "otro tipo, corto o largo"),
    ),
    ErrorKind.WRONG_TYPE: ErrorName(
        "wrong type", "tipo erróneo", "⇄", Phrase("hidden, but under another type", "oculto, pero con otro tipo")
    ),
    ErrorKind.FALSE_ALARM: ErrorName(
        "false alarm", "falsa alarma", "+", Phrase("nothing to protect here", "aquí no hay nada que proteger")
    ),
}

LABEL_NAMES: Mapping[str, Phrase] = {
    Label.NOMBRE_SUJETO_ASISTENCIA: Phrase("Patient's name", "Nombre del paciente"),
    Label.NOMBRE_PERSONAL_SANITARIO: Phrase("Clinician's name", "Nombre del sanitario"),
    Label.PROFESION: Phrase("Profession", "Profesión"),
    Label.HOSPITAL: Phrase("Hospital", "Hospital"),
    Label.INSTITUCION: Phrase("Institution", "Institución"),
    Label.CALLE: Phrase("Street address", "Calle"),
    Label.TERRITORIO: Phrase("Town, region, postcode", "Población, región, código postal"),
    Label.PAIS: Phrase("Country", "País"),
    Label.CENTRO_SALUD: Phrase("Health centre", "Centro de salud"),
    Label.EDAD_SUJETO_ASISTENCIA: Phrase("Patient's age", "Edad del paciente"),
    Label.FECHAS: Phrase("Date", "Fecha"),
    Label.NUMERO_TELEFONO: Phrase("Telephone", "Teléfono"),
    Label.NUMERO_FAX: Phrase("Fax", "Fax"),
    Label.CORREO_ELECTRONICO: Phrase("E-mail address", "Correo electrónico"),
    Label.URL_WEB: Phrase("Web address", "Dirección web"),
    Label.ID_ASEGURAMIENTO: Phrase("Insurance number", "Número de aseguramiento"),
    Label.ID_CONTACTO_ASISTENCIAL: Phrase("Episode number", "Número de episodio"),
    Label.NUMERO_BENEF_PLAN_SALUD: Phrase("Health plan number", "Número de plan de salud"),
    Label.IDENTIF_VEHICULOS_NRSERIE_PLACAS: Phrase("Vehicle or plate", "Vehículo o matrícula"),
    Label.IDENTIF_DISPOSITIVOS_NRSERIE: Phrase("Device serial number", "Número de dispositivo"),
    Label.IDENTIF_BIOMETRICOS: Phrase("Biometric identifier", "Identificador biométrico"),
    Label.ID_SUJETO_ASISTENCIA: Phrase("Patient's ID or record number", "Identificador del paciente"),
    Label.ID_TITULACION_PERSONAL_SANITARIO: Phrase("Clinician's licence number", "Número de colegiado"),
    Label.ID_EMPLEO_PERSONAL_SANITARIO: Phrase("Clinician's staff number", "Número de empleado"),
    Label.OTRO_NUMERO_IDENTIF: Phrase("Other identifying number", "Otro número identificativo"),
    Label.SEXO_SUJETO_ASISTENCIA: Phrase("Patient's sex", "Sexo del paciente"),
    Label.FAMILIARES_SUJETO_ASISTENCIA: Phrase("Patient's relatives", "Familiares del paciente"),
    Label.OTROS_SUJETO_ASISTENCIA: Phrase("Other about the patient", "Otros datos del paciente"),
    Label.DIREC_PROT_INTERNET: Phrase("Internet (IP) address", "Dirección IP"),
}

"""The meaning of CDA elements and attributes: which of them identify a person."""

from __future__ import annotations

from collections.abc import Sequence

from nadie.labels import Label

INLINE = frozenset("content sub sup linkHtml footnoteRef footnote".split())
CELLS = frozenset({"td", "th"})

_PEOPLE = {
    "assignedAuthor": Label.NOMBRE_PERSONAL_SANITARIO,
    "assignedEntity": Label.NOMBRE_PERSONAL_SANITARIO,
    "assignedPerson": Label.NOMBRE_PERSONAL_SANITARIO,
    "informationRecipient": Label.NOMBRE_PERSONAL_SANITARIO,
    "maintainingPerson": Label.NOMBRE_PERSONAL_SANITARIO,
    "associatedPerson": Label.NOMBRE_SUJETO_ASISTENCIA,
    "guardianPerson": Label.NOMBRE_SUJETO_ASISTENCIA,
    "patient": Label.NOMBRE_SUJETO_ASISTENCIA,
    "relatedPerson": Label.NOMBRE_SUJETO_ASISTENCIA,
    "relatedSubject": Label.NOMBRE_SUJETO_ASISTENCIA,
    "subject": Label.NOMBRE_SUJETO_ASISTENCIA,
    "location": Label.HOSPITAL,
    "place": Label.TERRITORIO,
}
_ADDRESS = {
    "additionalLocator": Label.CALLE,
    "houseNumber": Label.CALLE,
    "postBox": Label.CALLE,
    "streetAddressLine": Label.CALLE,
    "streetName": Label.CALLE,
    "streetNameType": Label.CALLE,
    "unitID": Label.CALLE,
    "censusTract": Label.TERRITORIO,
    "city": Label.TERRITORIO,
    "county": Label.TERRITORIO,
    "postalCode": Label.TERRITORIO,
    "precinct": Label.TERRITORIO,
    "state": Label.TERRITORIO,
    "country": Label.PAIS,
}
_IDS = {
    "patientRole": Label.ID_SUJETO_ASISTENCIA,
    "patient": Label.ID_SUJETO_ASISTENCIA,
    "guardian": Label.ID_SUJETO_ASISTENCIA,
    "subject": Label.ID_SUJETO_ASISTENCIA,
    "assignedAuthor": Label.ID_TITULACION_PERSONAL_SANITARIO,
    "assignedEntity": Label.ID_TITULACION_PERSONAL_SANITARIO,
    "associatedEntity": Label.ID_ASEGURAMIENTO,
    "intendedRecipient": Label.ID_TITULACION_PERSONAL_SANITARIO,
    "encompassingEncounter": Label.ID_CONTACTO_ASISTENCIAL,
    "encounter": Label.ID_CONTACTO_ASISTENCIAL,
    "participantRole": Label.IDENTIF_DISPOSITIVOS_NRSERIE,
}
TELECOM = {
    "tel": Label.NUMERO_TELEFONO,
    "fax": Label.NUMERO_FAX,
    "mailto": Label.CORREO_ELECTRONICO,
    "http": Label.URL_WEB,
    "https": Label.URL_WEB,
}
TECHNICAL = frozenset(
    "root code codeSystem codeSystemName codeSystemVersion classCode moodCode typeCode determinerCode nullFlavor use "
    "unit contextControlCode contextConductionInd type ID xsi:type mediaType representation language languageCode "
    "styleCode width height align valign border colspan rowspan cellpadding cellspacing span char charoff frame rules "
    "scope negationInd inversionInd operator institutionSpecified independentInd xsi:schemaLocation xml:lang listType "
    "referencedObject IDREF sdtc:type sequenceNumber codeSet compression qualifier partType inclusive xml:space "
    "integrityCheckAlgorithm validTime value-set sdtc:valueSet sdtc:valueSetVersion".split()
)
"""Attributes that are codes, layout or names of types. All others are searched."""


def label_of_text(stack: Sequence[str]) -> tuple[str | None, str]:
    """The label of the text inside the elements, the innermost last, and the caption; None if the text is searched."""
    if "addr" in stack:
        return _ADDRESS.get(stack[-1], Label.CALLE), ""
    part = stack[-1]
    if "name" not in stack[-2:]:
        return None, ""
    for element in reversed(stack[:-1]):
        if element.endswith("Organization"):
            return Label.HOSPITAL, ""
        if element in _PEOPLE:
            has_part = part in ("given", "family")
            is_title = part in ("prefix", "suffix", "delimiter")
            return (None, "") if is_title else (_PEOPLE[element], part if has_part else "")
    return None, ""


def label_of_id(stack: Sequence[str]) -> str | None:
    """The label of an `id` in the innermost element; None if it is not a person's, such as a document's."""
    return _IDS.get(stack[-1]) if stack else None


def is_time(stack: Sequence[str]) -> bool:
    """Whether a `value` in these elements is a point in time."""
    return any(element == "time" or element.endswith("Time") for element in stack[-3:])


def is_terminology(code_system: str) -> bool:
    """Whether it is one of HL7's code systems or one registered by HL7, such as SNOMED CT and LOINC."""
    return code_system.startswith(("2.16.840.1.113883.6.", "2.16.840.1.113883.5.", "2.16.840.1.113883.3.26.1."))

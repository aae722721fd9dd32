"""The meaning of CDA elements and attributes: which of them identify a person."""

from __future__ import annotations

from collections.abc import Sequence

from nadie.files.containers.health.identifiers import labels_by_word
from nadie.labels import Label

INLINE = frozenset("content sub sup linkHtml footnoteRef footnote".split())
CELLS = frozenset({"td", "th"})

_PEOPLE = labels_by_word(
    {
        Label.NOMBRE_PERSONAL_SANITARIO: "assignedAuthor assignedEntity assignedPerson informationRecipient "
        "maintainingPerson",
        Label.NOMBRE_SUJETO_ASISTENCIA: "associatedPerson guardianPerson patient relatedPerson relatedSubject subject",
        Label.HOSPITAL: "location",
        Label.TERRITORIO: "place",
    }
)
_ADDRESS = labels_by_word(
    {
        Label.CALLE: "additionalLocator houseNumber postBox streetAddressLine streetName streetNameType unitID",
        Label.TERRITORIO: "censusTract city county postalCode precinct state",
        Label.PAIS: "country",
    }
)
_IDS = labels_by_word(
    {
        Label.ID_SUJETO_ASISTENCIA: "patientRole patient guardian subject",
        Label.ID_TITULACION_PERSONAL_SANITARIO: "assignedAuthor assignedEntity intendedRecipient",
        Label.ID_ASEGURAMIENTO: "associatedEntity",
        Label.ID_CONTACTO_ASISTENCIAL: "encompassingEncounter encounter",
        Label.IDENTIF_DISPOSITIVOS_NRSERIE: "participantRole",
    }
)
TELECOM = labels_by_word(
    {
        Label.NUMERO_TELEFONO: "tel",
        Label.NUMERO_FAX: "fax",
        Label.CORREO_ELECTRONICO: "mailto",
        Label.URL_WEB: "http https",
    }
)
TECHNICAL = frozenset(
    "root code codeSystem codeSystemName codeSystemVersion classCode moodCode typeCode determinerCode nullFlavor use "
    "unit contextControlCode contextConductionInd type ID xsi:type mediaType representation language languageCode "
    "styleCode width height align valign border colspan rowspan cellpadding cellspacing span char charoff frame rules "
    "scope negationInd inversionInd operator institutionSpecified independentInd xsi:schemaLocation xml:lang listType "
    "referencedObject IDREF sdtc:type sequenceNumber codeSet compression qualifier partType inclusive xml:space "
    "integrityCheckAlgorithm validTime value-set sdtc:valueSet sdtc:valueSetVersion".split()
)
"""Attributes that are codes, layout or names of types. All others are searched."""

NUMBERED = frozenset("root code codeSystem codeSystemVersion ID IDREF sdtc:valueSet sdtc:valueSetVersion".split())
"""Those of them whose values may be long numbers."""


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

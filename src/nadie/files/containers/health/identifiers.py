"""The label of an identifier: by its type, from table 0203 of HL7 v2 and FHIR, or by its owner."""

from __future__ import annotations

from collections.abc import Mapping

from nadie.labels import Label


def labels_by_word(words: Mapping[Label, str]) -> dict[str, Label]:
    """The label of each word, from the words of each label."""
    return {word: label for label, of_label in words.items() for word in of_label.split()}


_LABEL_OF_TYPE = labels_by_word(
    {
        Label.ID_SUJETO_ASISTENCIA: "MR MRT PI PT PN PRN NI NNESP PPN DL CZ TAX IND NNxxx DS CC BC DR ANON",
        Label.ID_ASEGURAMIENTO: "SS NH NIIP HC JHN MC MA MCN SP NII",
        Label.NUMERO_BENEF_PLAN_SALUD: "MB SN PNT XX",
        Label.ID_CONTACTO_ASISTENCIAL: "VN AN AM PE ACSN FILL PLAC",
        Label.ID_TITULACION_PERSONAL_SANITARIO: "MD LN DN RN NP PA DO NPI DEA UPIN RPH L&I SL AMA GL",
        Label.ID_EMPLEO_PERSONAL_SANITARIO: "EI EN PRES",
        Label.IDENTIF_DISPOSITIVOS_NRSERIE: "SNO UDI SR DI DIDN MDI",
    }
)
_LABEL_OF_OWNER = labels_by_word(
    {
        Label.ID_SUJETO_ASISTENCIA: "Patient Person RelatedPerson",
        Label.ID_TITULACION_PERSONAL_SANITARIO: "Practitioner PractitionerRole",
        Label.ID_CONTACTO_ASISTENCIAL: "Encounter EpisodeOfCare Account",
        Label.ID_ASEGURAMIENTO: "Coverage",
        Label.IDENTIF_DISPOSITIVOS_NRSERIE: "Device",
    }
)


def label_of_identifier(type_code: str, owner: str) -> str:
    """The label by the code of table 0203, otherwise by the resource or segment of the identifier."""
    return _LABEL_OF_TYPE.get(type_code) or _LABEL_OF_OWNER.get(owner, Label.OTRO_NUMERO_IDENTIF)

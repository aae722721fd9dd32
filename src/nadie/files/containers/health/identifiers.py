"""The label of an identifier: by its type, from table 0203 of HL7 v2 and FHIR, or by its owner."""

from __future__ import annotations

from nadie.labels import Label

_TYPES: dict[Label, str] = {
    Label.ID_SUJETO_ASISTENCIA: "MR MRT PI PT PN PRN NI NNESP PPN DL CZ TAX IND NNxxx DS CC BC DR ANON",
    Label.ID_ASEGURAMIENTO: "SS NH NIIP HC JHN MC MA MCN SP NII",
    Label.NUMERO_BENEF_PLAN_SALUD: "MB SN PNT XX",
    Label.ID_CONTACTO_ASISTENCIAL: "VN AN AM PE ACSN FILL PLAC",
    Label.ID_TITULACION_PERSONAL_SANITARIO: "MD LN DN RN NP PA DO NPI DEA UPIN RPH L&I SL AMA GL",
    Label.ID_EMPLEO_PERSONAL_SANITARIO: "EI EN PRES",
    Label.IDENTIF_DISPOSITIVOS_NRSERIE: "SNO UDI SR DI DIDN MDI",
}
_LABEL_OF_TYPE = {code: label for label, codes in _TYPES.items() for code in codes.split()}
_LABEL_OF_OWNER: dict[str, Label] = {
    "Patient": Label.ID_SUJETO_ASISTENCIA,
    "Person": Label.ID_SUJETO_ASISTENCIA,
    "RelatedPerson": Label.ID_SUJETO_ASISTENCIA,
    "Practitioner": Label.ID_TITULACION_PERSONAL_SANITARIO,
    "PractitionerRole": Label.ID_TITULACION_PERSONAL_SANITARIO,
    "Encounter": Label.ID_CONTACTO_ASISTENCIAL,
    "EpisodeOfCare": Label.ID_CONTACTO_ASISTENCIAL,
    "Account": Label.ID_CONTACTO_ASISTENCIAL,
    "Coverage": Label.ID_ASEGURAMIENTO,
    "Device": Label.IDENTIF_DISPOSITIVOS_NRSERIE,
}


def label_of_identifier(type_code: str, owner: str) -> str:
    """The label by the code of table 0203, otherwise by the resource or segment of the identifier."""
    return _LABEL_OF_TYPE.get(type_code) or _LABEL_OF_OWNER.get(owner, Label.OTRO_NUMERO_IDENTIF)

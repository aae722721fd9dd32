"""Replaces a span by a short label and the number of the person or value."""

from __future__ import annotations

from nadie.anonymize.context import Context
from nadie.anonymize.operators.base import Traits
from nadie.document import Span
from nadie.labels import Label

SHORT = {
    Label.NOMBRE_SUJETO_ASISTENCIA: "NOMBRE", Label.NOMBRE_PERSONAL_SANITARIO: "SANITARIO",
    Label.FAMILIARES_SUJETO_ASISTENCIA: "FAMILIAR", Label.EDAD_SUJETO_ASISTENCIA: "EDAD",
    Label.SEXO_SUJETO_ASISTENCIA: "SEXO", Label.OTROS_SUJETO_ASISTENCIA: "OTRO", Label.FECHAS: "FECHA",
    Label.NUMERO_TELEFONO: "TELEFONO", Label.NUMERO_FAX: "FAX", Label.CORREO_ELECTRONICO: "CORREO",
    Label.URL_WEB: "WEB", Label.DIREC_PROT_INTERNET: "IP", Label.ID_SUJETO_ASISTENCIA: "ID",
    Label.ID_ASEGURAMIENTO: "SEGURO", Label.ID_CONTACTO_ASISTENCIAL: "EPISODIO",
    Label.ID_TITULACION_PERSONAL_SANITARIO: "COLEGIADO", Label.ID_EMPLEO_PERSONAL_SANITARIO: "EMPLEADO",
    Label.NUMERO_BENEF_PLAN_SALUD: "BENEFICIARIO", Label.IDENTIF_VEHICULOS_NRSERIE_PLACAS: "VEHICULO",
    Label.IDENTIF_DISPOSITIVOS_NRSERIE: "DISPOSITIVO", Label.IDENTIF_BIOMETRICOS: "BIOMETRICO",
    Label.OTRO_NUMERO_IDENTIF: "NUMERO",
}  # fmt: skip


class LabelNumberOperator:
    """`Ana Pérez ... Sra. Pérez` → `[NOMBRE_1] ... Sra. [NOMBRE_1]`.

    Numbers are per document, in order of appearance: without a table they cannot be consistent across documents.
    """

    name = "label-number"
    traits = Traits.CONSTANT

    def replace(self, value: str, span: Span, context: Context) -> str:
        short = SHORT.get(Label(span.label), span.label)
        return f"[{short}_{context.numbers[span]}]"

"""The operators that need no knowledge of names, places or dates: label, numbered label, mask, redact, keep, shift."""

from __future__ import annotations

from nadie.anonymize.context import Context
from nadie.anonymize.decision import KEEP, REFUSE, Outcome
from nadie.anonymize.operator import Traits
from nadie.document import Span
from nadie.errors import ConfigError
from nadie.labels import Label

_LONGEST_TEXT = 200


class LabelOperator:
    """`Ana Pérez` → `[NOMBRE_SUJETO_ASISTENCIA]`, or with `text = "paciente {number}"` → `paciente 1`.

    In a custom text, `{label}` is replaced by the label and `{number}` by the number of the person or value.
    """

    name = "label"
    traits = Traits.CONSTANT

    def __init__(self, *, text: str = "") -> None:
        if len(text) > _LONGEST_TEXT or not text.isprintable():
            raise ConfigError(f"label: the text must have at most {_LONGEST_TEXT} characters, all printable")
        self._text = text

    def replace(self, value: str, span: Span, context: Context) -> str:
        if not self._text:
            return marker(span.label)
        text = self._text.replace("{label}", span.label)
        return text.replace("{number}", str(context.numbers[span])) if "{number}" in text else text


def marker(label: str) -> str:
    return f"[{label}]"


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


class MaskOperator:
    """`Ana Pérez` → `*** *****`, or with `fixed = 6` → `******`, which hides the length as well.

    A mask that preserves the length keeps white space, so that lines and columns stay aligned.
    """

    name = "mask"
    traits = Traits.CONSTANT

    def __init__(self, *, sign: str = "*", fixed: int = 0) -> None:
        if len(sign) != 1 or sign.isalnum() or sign.isspace():
            raise ConfigError("mask: the sign must be one character, not a letter, digit or space")
        if not 0 <= fixed <= 100:
            raise ConfigError("mask: fixed must be a number of signs from 1 to 100, or 0 to preserve the length")
        self._sign = sign
        self._fixed = fixed

    def replace(self, value: str, span: Span, context: Context) -> str:
        if self._fixed:
            return self._sign * self._fixed
        return "".join(c if c.isspace() else self._sign for c in value)


class RedactOperator:
    """`Paciente: Ana Pérez.` → `Paciente: .`"""

    name = "redact"
    traits = Traits.CONSTANT

    def replace(self, value: str, span: Span, context: Context) -> str:
        return ""


class KeepOperator:
    """`mujer` → `mujer`. The audit counts what was kept."""

    name = "keep"
    traits = Traits.KEEPS

    def replace(self, value: str, span: Span, context: Context) -> Outcome:
        return KEEP


class ShiftOperator:
    """`3 de enero de 2020` → `7 de marzo de 2018`. Text that is not a possible date is refused."""

    name = "shift"
    traits = Traits.NONE

    def replace(self, value: str, span: Span, context: Context) -> Outcome:
        return context.moved_date(span) if span.label == Label.FECHAS else REFUSE

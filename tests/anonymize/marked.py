"""Documents written with their spans in them: `Nombre: {Ana|NOMBRE_SUJETO_ASISTENCIA}`."""

from __future__ import annotations

import re
from typing import Any

from nadie.anonymize.context import Context, PolicyOptions
from nadie.anonymize.engine import Anonymized, Engine
from nadie.anonymize.secret import Key
from nadie.document import Document, Span
from nadie.resolve.completing import complete
from nadie.resolve.values import identifying_values, values_of
from nadie.surrogates.originals import Originals

SHORT = {
    "P": "NOMBRE_SUJETO_ASISTENCIA",
    "S": "NOMBRE_PERSONAL_SANITARIO",
    "T": "TERRITORIO",
    "C": "CALLE",
    "H": "HOSPITAL",
    "D": "FECHAS",
    "E": "EDAD_SUJETO_ASISTENCIA",
    "X": "SEXO_SUJETO_ASISTENCIA",
    "ID": "ID_SUJETO_ASISTENCIA",
    "TEL": "NUMERO_TELEFONO",
    "MAIL": "CORREO_ELECTRONICO",
    "FAM": "FAMILIARES_SUJETO_ASISTENCIA",
    "PAIS": "PAIS",
}
KEY = Key(b"k" * 32)
OTHER_KEY = Key(b"z" * 32)
_MARK = re.compile(r"\{([^{}|]+)\|([A-Z_]+)\}")


def marked(text: str, name: str = "nota", **meta: str) -> Document:
    plain, spans, end = "", [], 0
    for match in _MARK.finditer(text):
        plain += text[end : match.start()]
        spans.append(Span(len(plain), len(plain) + len(match[1]), SHORT.get(match[2], match[2])))
        plain += match[1]
        end = match.end()
    return Document(name, plain + text[end:], tuple(spans), meta)


def context_of(document: Document, key: Key = KEY, **changes: Any) -> Context:
    originals = Originals(values_of(identifying_values(document)) | changes.pop("others", set()))
    return Context(
        document,
        key,
        scope=changes.pop("scope", "s"),
        patient=changes.pop("patient", "p"),
        options=changes.pop("options", PolicyOptions()),
        originals=originals,
    )


def anonymized(engine: Engine, document: Document) -> Anonymized:
    """The document completed and anonymized, as the pipeline does it."""
    return engine.run(complete(document, engine.kept))


def values(document: Document) -> list[str]:
    return [document.text_of(span) for span in document.spans]

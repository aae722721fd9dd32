"""The test vectors of surrogates: a note under one key through the policies that depend on it.

    python tests/surrogates/vectors.py     write them again, with a new version of nadie

Surrogates stay the same within a major version (before 1.0, a minor one). If the vectors change within one, say
so in the changelog under *Changed*: who anonymizes further notes of a patient gets other values.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import Key
from nadie.document import Document, Span

VECTORS = Path(__file__).with_name("vectors.json")
KEY = Key(bytes(range(32)))
PARTS = [
    ("Paciente: ", ""),
    ("Ana Pérez Soto", "NOMBRE_SUJETO_ASISTENCIA"),
    (", de ", ""),
    ("70 años", "EDAD_SUJETO_ASISTENCIA"),
    (". Domicilio: ", ""),
    ("Calle Mayor, 4", "CALLE"),
    (", ", ""),
    ("Lugo", "TERRITORIO"),
    (". NHC: ", ""),
    ("4471920", "ID_SUJETO_ASISTENCIA"),
    (". DNI: ", ""),
    ("12345678Z", "ID_SUJETO_ASISTENCIA"),
    (". Tel.: ", ""),
    ("612 345 678", "NUMERO_TELEFONO"),
    (". Ingresa el ", ""),
    ("3/11/2023", "FECHAS"),
    (" en el ", ""),
    ("Hospital Virgen de la Encina", "HOSPITAL"),
    (". Fdo.: Dra. ", ""),
    ("Elena Roca", "NOMBRE_PERSONAL_SANITARIO"),
    (".", ""),
]


def note() -> Document:
    text, spans = "", []
    for words, label in PARTS:
        if label:
            spans.append(Span(len(text), len(text) + len(words), label))
        text += words
    return Document("note", text, tuple(spans), {"patient": "4471920"})


def vectors() -> dict[str, str]:
    """The version that they hold for, and the output of each policy."""
    outputs = {name: Engine(read_policy(name), KEY).run(note()).text for name in ("gdpr-pseudonymise", "research")}
    return {"version": held_by(), **outputs}


def held_by() -> str:
    major, minor, *_ = version("nadie").split(".")
    return major if int(major) else f"{major}.{minor}"


if __name__ == "__main__":
    VECTORS.write_text(json.dumps(vectors(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")

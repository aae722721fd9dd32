"""nadie finds and removes what identifies a person in Spanish clinical text.

>>> import nadie
>>> model = nadie.load("fast")                       # doctest: +SKIP
>>> model.anonymize("Paciente: Ana Pérez Soto")      # doctest: +SKIP
'Paciente: [NOMBRE_SUJETO_ASISTENCIA]'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nadie.anonymize.secret import Secret
    from nadie.document import Document, Span
    from nadie.errors import NadieError
    from nadie.integrations.shield import shield
    from nadie.labels import Label
    from nadie.run.documents import load
    from nadie.run.files import anonymize_files
    from nadie.run.pipeline import Pipeline

    __version__: str

__all__ = [
    "Document",
    "Label",
    "NadieError",
    "Pipeline",
    "Secret",
    "Span",
    "__version__",
    "anonymize_files",
    "load",
    "shield",
]

_HOMES = {
    "Document": "nadie.document",
    "Span": "nadie.document",
    "Label": "nadie.labels",
    "NadieError": "nadie.errors",
    "Pipeline": "nadie.run.pipeline",
    "Secret": "nadie.anonymize.secret",
    "anonymize_files": "nadie.run.files",
    "load": "nadie.run.documents",
    "shield": "nadie.integrations.shield",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return import_module("importlib.metadata").version("nadie")
    if name not in _HOMES:
        raise AttributeError(f"module 'nadie' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)

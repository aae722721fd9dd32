"""Whose document it is: what dates are shifted by, and what identities of a patient's notes are keyed by."""

from __future__ import annotations

from collections.abc import Callable

import re2

from nadie.anonymize.squash import squash
from nadie.document import Document
from nadie.errors import ConfigError
from nadie.labels import Label

_HELP = "none, meta:FIELD, id:PATTERN or span"


def patient_by(rule: str) -> Callable[[Document], str]:
    """How to tell a document's patient.

    `none`          every document is its own patient
    `meta:FIELD`    by that field of the metadata, for formats that have any
    `id:PATTERN`    by what the pattern's first group finds in the document's id, such as `id:^([^/]+)/`
    `span`          by the first patient identifier that was found in the text

    Where a field, a match or a span is missing, the document is an error and not a patient of its own: dates shifted
    by another number of days than the patient's other notes would be wrong, and nobody would see it.
    """
    kind, _, argument = rule.partition(":")
    if kind == "none" and not argument:
        return lambda document: ""
    if kind == "meta" and argument:
        return lambda document: _told(document.meta.get(argument, ""), document, rule)
    if kind == "span" and not argument:
        return lambda document: _told(_first_identifier(document), document, rule)
    if kind == "id" and argument:
        return _by_pattern(argument, rule)
    raise ConfigError(f"the patient is told by {_HELP}, not by {rule[:60]!r}")


def _told(patient: str, document: Document, rule: str) -> str:
    if not patient:
        raise ConfigError(f"document {document.id[:80]!r}: {rule.partition(':')[0]} does not tell its patient")
    return f"patient {patient}"


def _first_identifier(document: Document) -> str:
    values = (squash(document.text_of(s)) for s in document.spans if s.label == Label.ID_SUJETO_ASISTENCIA)
    return next((value for value in values if any(c.isdigit() for c in value)), "")


def _by_pattern(pattern: str, rule: str) -> Callable[[Document], str]:
    try:
        compiled = re2.compile(pattern)
    except re2.error:
        raise ConfigError(f"the pattern of {rule[:60]!r} is not a regular expression that RE2 knows") from None

    def patient(document: Document) -> str:
        match = compiled.search(document.id)
        found = "" if match is None else match.group(1 if compiled.groups else 0)
        return _told(found or "", document, rule)

    return patient

"""The patient's date of birth by a number that tells it: a CURP or an RFC of Mexico."""

from __future__ import annotations

import re
from datetime import date

from nadie.document import Document
from nadie.labels import Label
from nadie.spanish.dates.atoms import some_day

_CODED = re.compile(
    r"[A-Z]{4}[ -]?(?P<year>\d\d)(?P<month>0[1-9]|1[0-2])(?P<day>[0-2]\d|3[01])[ -]?"
    r"(?:[HMX][A-Z]{5}(?P<century>[A-Z0-9])\d|[A-Z0-9]{3})"
)


def birth_by_number(document: Document, last_year: int) -> date | None:
    """The date, in a CURP with its century; in an RFC it is the latest one up to `last_year`."""
    numbers = (document.text_of(s) for s in document.spans if s.label == Label.ID_SUJETO_ASISTENCIA)
    for found in filter(None, map(_CODED.fullmatch, numbers)):
        year, month, day = (int(found[name]) for name in ("year", "month", "day"))
        is_later = found["century"].isalpha() if found["century"] else 2000 + year <= last_year
        return some_day((2000 if is_later else 1900) + year, month, day)
    return None

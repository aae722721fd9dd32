"""Every pattern, in the order of a story: who, which document, which care, what thing, how reached, when, where."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from nadie.detectors.patterns.base import Pattern

_MODULES = {
    "people": ("patient", "staff", "known_name", "relative", "sex", "profession", "group"),
    "documents": ("dni", "nie", "passport", "cif", "curp", "rfc", "rut", "cuit", "dni_argentina", "cedula", "cpf"),
    "care": ("history", "episode", "nass", "cip", "beneficiary", "collegiate", "employee", "biometric"),
    "things": ("iban", "card", "plate", "vin", "device", "record", "membership", "bare_number"),
    "contact": ("email", "url", "handle", "ip", "mac", "phone", "fax"),
    "time": ("numeric_date", "written_date", "roman_date", "weekday", "feast", "season", "decade", "year", "age"),
    "places": ("street", "postcode", "territory", "country", "hospital", "health_centre", "institution"),
}


@cache
def catalog() -> tuple[Pattern, ...]:
    """All patterns. Each module has its own in `PATTERNS`."""
    found: list[Pattern] = []
    for folder, modules in _MODULES.items():
        for module in modules:
            found.extend(import_module(f"{__package__}.{folder}.{module}").PATTERNS)
    return tuple(found)

"""Which patterns are of which countries; all others, such as those of IBANs and bank cards, hold everywhere."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from nadie.detectors.patterns.base import Pattern
from nadie.detectors.patterns.catalog import catalog
from nadie.errors import ConfigError

_SPAIN = (
    "dni dni_spaced dni_cued nie nie_cued passport_spain cif nass nass_plain nass_cued cip_sns cip cip_letters"
    " cip_galicia nuhsa health_card iban_spain ccc bank_plain plate plate_old collegiate collegiate_form"
)
_NAMES = {
    "AR": "cuit cbu dni_argentina dni_cued plate_mercosur",
    "BO": "cedula cedula_short",
    "BR": "cpf cpf_plain plate_mercosur",
    "CL": "rut rut_cued",
    "CO": "cedula cedula_short",
    "CR": "cedula_costa_rica cedula",
    "DO": "cedula_dominicana cedula",
    "EC": "cedula_ecuador cedula cedula_short",
    "ES": _SPAIN,
    "GT": "dpi cedula",
    "HN": "cedula_honduras cedula",
    "MX": "curp curp_cued elector elector_cued rfc nass nass_plain nass_cued",
    "NI": "cedula_nicaragua cedula",
    "PE": "dni_cued",
    "SV": "dui cedula",
    "UY": "uruguay cedula cedula_short",
    "VE": "venezuela cedula cedula_short",
}
COUNTRIES = tuple(_NAMES)


def names_of(countries: Collection[str]) -> frozenset[str]:
    """The names of the patterns of these countries, by their codes of two letters."""
    if unknown := sorted(set(countries) - set(COUNTRIES)):
        raise ConfigError(
            f"there are no patterns of the country {unknown[0][:20]!r}; there are: {', '.join(COUNTRIES)}"
        )
    return frozenset(name for country in countries for name in _NAMES[country].split())


def foreign(countries: Collection[str]) -> frozenset[str]:
    """The names of the patterns that are of other countries only; of none, if no country is named."""
    return names_of(COUNTRIES) - names_of(countries) if countries else frozenset()


@cache
def national(countries: tuple[str, ...]) -> tuple[Pattern, ...]:
    """The patterns of these countries, also those without check digits."""
    names = names_of(countries)
    return tuple(pattern for pattern in catalog() if pattern.name in names)

"""The user's own names and places for surrogates: a CSV file with the columns kind, value, sex and weight.

    kind,value,sex,weight
    given,Amaia,f,120
    surname,Etxeberria,,80
    town,Zarautz,,
    hospital,Hospital de la Ribera,,
    street,Mayor,,

The kinds in the file replace the built-in lists; other kinds are not affected. Sex is m or f, and required for first
names; the weight is the relative frequency of a value, by default 1.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from nadie.anonymize.csv_tables import read_table
from nadie.errors import ConfigError
from nadie.spanish.folding import key_of
from nadie.spanish.pools import Pool
from nadie.surrogates.own_values import OwnValues

_MOST_BYTES = 8 << 20
_FEWEST = 10
_LONGEST = 80
_KINDS = {
    "given": "given", "nombre": "given", "surname": "surname", "apellido": "surname", "town": "town",
    "localidad": "town", "municipio": "town", "hospital": "hospital", "health centre": "centre",
    "centro de salud": "centre", "street": "street", "calle": "street",
}  # fmt: skip
_SEXES = {"m": "m", "f": "f", "h": "m", "hombre": "m", "mujer": "f", "": ""}


def read_own_values(path: Path) -> OwnValues:
    """Read the values from a file; errors give the line."""
    table = read_table(path, _MOST_BYTES, path.name)
    head = table.columns
    if not {"kind", "value"} <= set(head) <= {"kind", "value", "sex", "weight"}:
        raise ConfigError(
            f"{path.name}: the first line must name the columns kind and value, and optionally sex and weight"
        )
    weights: dict[str, dict[str, int]] = defaultdict(dict)
    for line, row in table.lines:
        kind, value, weight = _parsed(dict(zip(head, row, strict=False)), f"{path.name}, line {line}")
        weights[kind][value] = weight
    for kind, values in weights.items():
        if len(values) < _FEWEST:
            raise ConfigError(
                f"{path.name}: {len(values)} values of the kind {kind!r} are too few: {_FEWEST} are needed"
            )
    if ("given m" in weights) != ("given f" in weights):
        raise ConfigError(f"{path.name}: first names are needed for both sexes")
    pools = {kind: Pool.of(values) for kind, values in weights.items()}
    return OwnValues(pools, table.digest)


def _parsed(cells: dict[str, str], where: str) -> tuple[str, str, int]:
    kind, sex, value = (
        _KINDS.get(cells["kind"].lower()),
        _SEXES.get(cells.get("sex", "").lower()),
        cells.get("value", ""),
    )
    if kind is None:
        raise ConfigError(f"{where}: the kind must be one of {', '.join(_KINDS)}")
    if sex is None or (kind == "given" and not sex):
        raise ConfigError(f"{where}: the sex of a first name must be m or f")
    if not key_of(value) or len(value) > _LONGEST or not value.isprintable():
        raise ConfigError(f"{where}: the value is not a name of at most {_LONGEST} characters")
    weight = cells.get("weight", "") or "1"
    if not weight.isdecimal() or not 0 < int(weight) < 10**9:
        raise ConfigError(f"{where}: the weight must be a whole number of at least 1")
    return f"{kind} {sex}" if kind == "given" else kind, value, int(weight)

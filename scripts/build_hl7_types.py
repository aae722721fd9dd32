"""Write the table of HL7 v2's segments and data types, with the types of their fields and components, from hl7apy.

    python scripts/build_hl7_types.py

One line for each: `segment` or `type`, its name, and the data types of its fields or components in order. The older
version (2.5.1) has precedence, and additions of the newer one (2.8.2) are appended.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

TARGET = Path(__file__).resolve().parent.parent / "src/nadie/files/containers/health/hl7_types.tsv"
VERSIONS = ("v2_5_1", "v2_8_2")


def main() -> None:
    segments: dict[str, list[str]] = {}
    types: dict[str, list[str]] = {}
    for version in VERSIONS:
        tables = importlib.import_module(f"hl7apy.{version}")
        for name, fields in tables.SEGMENTS.items():
            _extend(segments.setdefault(name, []), [_type(field[1], types) for field in fields[1]])
    lines = [f"segment\t{name}\t{' '.join(fields)}" for name, fields in sorted(segments.items()) if fields]
    lines += [f"type\t{name}\t{' '.join(components)}" for name, components in sorted(types.items())]
    TARGET.write_text("\n".join(lines) + "\n", encoding="ascii")


def _type(reference: Any, types: dict[str, list[str]]) -> str:
    """The name of a data type, whose components are recorded."""
    if reference is None:
        return "ST"
    kind, components, name = reference[0], reference[1], str(reference[2]).removesuffix("_SIMPLE")
    if kind == "sequence":
        _extend(types.setdefault(name, []), [_type(component[1], types) for component in components])
    return name


def _extend(known: list[str], found: list[str]) -> None:
    known += found[len(known) :]
    for place, kind in enumerate(found):
        if known[place] in ("ST", "None") and kind != "WD":  # withdrawn fields may still be sent
            known[place] = kind


if __name__ == "__main__":
    main()

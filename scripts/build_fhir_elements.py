"""Write the table of FHIR's elements and their data types, from the models of fhir.resources (R4B and R5).

    python scripts/build_fhir_elements.py

One line for each type: its name, then its elements by data type. Elements that every type has (`id`, `extension`, ...)
are left out, and all data types that need no handling (codes, numbers, quantities, ...) are called `keep`.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import fhir.resources
import fhir.resources.R4B

TARGET = Path(__file__).resolve().parent.parent / "src/nadie/files/containers/health/fhir_elements.tsv"
_PRIMITIVES = {
    "String": "text", "Markdown": "text", "Date": "date", "DateTime": "date", "Instant": "instant", "Id": "id",
    "Xhtml": "xhtml", "EncodedBytes": "base64", "Url": "url", "Uri": "uri", "UuidVersion": "uri", "Oid": "uri",
}  # fmt: skip
_EVERYWHERE = frozenset(
    "fhir_comments resourceType resource_type id extension modifierExtension meta contained language "
    "implicitRules".split()
)
# Strings that are clinical content or technical, and do not identify a person.
_TECHNICAL = frozenset({"Coding.version", "Meta.versionId", "Quantity.unit", "SampledData.data"})
_QUANTITIES = frozenset("Age Count Distance Duration SimpleQuantity".split())


def main() -> None:
    types: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for package in (fhir.resources, fhir.resources.R4B):
        for module in pkgutil.iter_modules(package.__path__):
            if not module.ispkg:
                _read(importlib.import_module(f"{package.__name__}.{module.name}"), types)
    lines = []
    for name, elements in sorted(types.items()):
        by_type: dict[str, list[str]] = defaultdict(list)
        for element, found in sorted(elements.items()):
            by_type[_one(found)].append(element)
        lines.append("\t".join([name, *(f"{kind}: {' '.join(of_kind)}" for kind, of_kind in sorted(by_type.items()))]))
    TARGET.write_text("\n".join(lines) + "\n", encoding="ascii")


def _read(module: Any, types: dict[str, dict[str, set[str]]]) -> None:
    for model in vars(module).values():
        if not (isinstance(model, type) and hasattr(model, "model_fields") and model.__module__ == module.__name__):
            continue
        for field in model.model_fields.values():
            element = str(field.alias or "")
            if not element or element.startswith("_") or element in _EVERYWHERE:
                continue
            name = "Quantity" if model.__name__ in _QUANTITIES else model.__name__
            is_technical = f"{name}.{element}" in _TECHNICAL
            types[model.__name__][element].add("keep" if is_technical else _type(str(field.annotation)))


def _type(annotation: str) -> str:
    """`Optional[Annotated[str, Id()]]` → `id`, `abc.HumanNameType | None` → `HumanName`."""
    primitive = re.search(r"(\w+)(?:\(| object)", annotation)
    if primitive:
        return _PRIMITIVES.get(primitive[1], "keep")
    model = re.search(r"(?:abc|fhirtypes)\.(\w+)Type\b", annotation)
    if model:
        return model[1]
    return "date" if re.search(r"\bdate", annotation) else "keep"


def _one(found: set[str]) -> str:
    """The type of an element; both types if they differ between versions."""
    return "|".join(sorted(found))


if __name__ == "__main__":
    main()

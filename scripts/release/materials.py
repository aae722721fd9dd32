"""The bill of materials (CycloneDX 1.6): nadie, the packages that it needs, and the models in the wheel."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from release.locking import compiled

_MODELS = "nadie/models/"


def bill_of_materials(wheel: Path, version: str) -> str:
    """The text of the bill, checked against the schema. It has no time and no serial number, so that builds compare."""
    packages = sorted(dict(_packages(compiled())).items())
    models = list(_models(wheel))
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {"type": "application", **_package("nadie", version), "licenses": _licence("Apache-2.0")}
        },
        "components": [*({"type": "library", **_package(name, of)} for name, of in packages), *models],
        "dependencies": [
            {"ref": f"pkg:pypi/nadie@{version}", "dependsOn": [f"pkg:pypi/{name}@{of}" for name, of in packages]}
        ],
    }
    text = json.dumps(bill, ensure_ascii=False, indent=1) + "\n"
    problem = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if problem:
        raise SystemExit(f"the bill of materials does not follow its schema: {problem}")
    return text


def _package(name: str, version: str) -> dict[str, str]:
    link = f"pkg:pypi/{name}@{version}"
    return {"name": name, "version": version, "purl": link, "bom-ref": link}


def _licence(name: str) -> list[Any]:
    return [{"license": {"id": name}}]


def _packages(requirements: str) -> Iterator[tuple[str, str]]:
    """Name and version of each requirement. Of a package with versions for several Pythons, the newest is named."""
    for line in requirements.splitlines():
        name, separator, rest = line.partition("==")
        if separator and not line.startswith((" ", "#")):
            yield name.strip(), rest.split(";")[0].rstrip(" \\")


def _models(wheel: Path) -> Iterator[dict[str, Any]]:
    """Each model folder of the wheel, with the SHA-256 of its checksums.json, which has that of every file."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        for name in sorted(names):
            if name.startswith(_MODELS) and name.endswith("/checksums.json"):
                model = name.removeprefix(_MODELS).partition("/")[0]
                card = f"{_MODELS}{model}/card.json"
                told = json.loads(archive.read(card)) if card in names else {}
                yield {
                    "type": "machine-learning-model",
                    "name": model,
                    "bom-ref": f"model:{model}",
                    "version": str(told.get("version", "")),
                    "description": str(told.get("purpose", "")),
                    "copyright": str(told.get("data_licence", "")),
                    "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(archive.read(name)).hexdigest()}],
                }

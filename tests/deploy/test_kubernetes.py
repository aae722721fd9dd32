"""The manifest for Kubernetes: valid for the current version, and as closed as the container allows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import kubernetes_validate
import yaml

ROOT = Path(__file__).resolve().parents[2]
OBJECTS = list(yaml.safe_load_all((ROOT / "deploy" / "kubernetes.yaml").read_text(encoding="utf-8")))


def _of(kind: str) -> Any:
    return next(found["spec"] for found in OBJECTS if found["kind"] == kind)


def test_every_object_follows_the_schema() -> None:
    for found in OBJECTS:
        kubernetes_validate.validate(found, kubernetes_validate.latest_version(), strict=True)


def test_the_container_has_no_rights_and_nothing_leaves() -> None:
    (container,) = _of("Deployment")["template"]["spec"]["containers"]
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert _of("NetworkPolicy")["egress"] == []


def test_every_mounted_volume_exists() -> None:
    pod = _of("Deployment")["template"]["spec"]
    mounted = {mount["name"] for mount in pod["containers"][0]["volumeMounts"]}
    assert mounted == {volume["name"] for volume in pod["volumes"]}

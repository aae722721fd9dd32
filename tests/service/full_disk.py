"""A service on a disk that fills up. Run as a script in a mount namespace of its own: see test_operation.py."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from nadie.service.http.app import create_app
from nadie.service.options import ServiceOptions

DOCUMENT = {"name": "a.txt", "text": "54 años", "spans": []}


def fill(disk: Path) -> None:
    with (disk / "filling").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 512)
        except OSError:
            pass


def main(model: str, disk: Path) -> dict[str, Any]:
    (disk / "passphrase").write_bytes(b"tres tristes tigres comen trigo")
    vault = {"vault": disk / "notes.vault", "vault_key_file": disk / "passphrase"}
    options = ServiceOptions(models=(model,), workers=1, project=disk / "review", **vault)  # type: ignore[arg-type]
    with TestClient(create_app(options), base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
        kept = client.post("/v1/project/documents", json=DOCUMENT).json()
        path = f"/v1/project/documents/{kept['id']}"
        fill(disk)
        state = {"state": "reviewed", "version": kept["version"]}
        written = {
            "add": client.post("/v1/project/documents", json={**DOCUMENT, "text": "nota " * 9000}),
            "review": client.put(f"{path}/state", json=state),
            "keep": client.post("/v1/anonymize", json={"text": "nota de 54 años " * 900, "keep": True}),
        }
        read = {
            "document": client.get(path).json() == kept,
            "list": len(client.get("/v1/project/documents").json()),
            "annotate": client.post("/v1/annotate", json={"text": "54 años"}).status_code,
            "ready": client.get("/ready").status_code,
        }
        (disk / "filling").unlink()
        again = client.put(f"{path}/state", json=state).status_code
    problems = {name: [answer.status_code, answer.json().get("type")] for name, answer in written.items()}
    return {"written": problems, "read": read, "again": again}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main(sys.argv[1], Path(sys.argv[2]))))

"""The vault behind /v1/restore: the original is restored byte for byte, only for authorized callers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from nadie.anonymize.secret import Secret
from nadie.errors import ConfigError, VaultError
from nadie.records.vault.reading import Vault
from nadie.service.http.vault import vault_of
from nadie.service.options import Limits, ServiceOptions
from nadie.service.tokens import Permission, new_token, write_tokens

from .conftest import NOTE, MakeClient

PASSPHRASE = b"tres tristes tigres comen trigo"


@pytest.fixture
def vault(tmp_path: Path) -> dict[str, Path]:
    (tmp_path / "passphrase").write_bytes(PASSPHRASE + b"\n")
    return {"vault": tmp_path / "notes.vault", "vault_key_file": tmp_path / "passphrase"}


@pytest.fixture
def client(make_client: MakeClient, vault: dict[str, Path]) -> TestClient:
    return make_client(**vault)


def anonymized(client: TestClient, **more: Any) -> Any:
    answer = client.post("/v1/anonymize", json={"id": "n1", "text": NOTE, "policy": "research", **more})
    assert answer.status_code == 200
    return answer.json()["text"]


def restored(client: TestClient, **body: Any) -> Any:
    return client.post("/v1/restore", json=body)


def test_what_was_kept_comes_back_byte_for_byte(client: TestClient, vault: dict[str, Path]) -> None:
    text = "\ufeff" + NOTE.replace("\n", "\r\n") + "😀\x00"
    output = client.post("/v1/anonymize", json={"text": text, "keep": True, "policy": "research"}).json()["text"]
    assert "Lucía" not in output
    assert restored(client, text=output).json()["text"] == text
    for number in range(3):
        anonymized(client, keep=True, id=f"n{number}")
    with Vault(vault["vault"], Secret(PASSPHRASE)) as opened:
        assert len(opened) == 4, "the command line reads what the service wrote, while the service runs"


def test_nothing_is_kept_unasked_and_nothing_else_comes_back(client: TestClient, vault: dict[str, Path]) -> None:
    output = anonymized(client)
    for text in (output, output + " ", NOTE, ""):
        answer = restored(client, id="n1", text=text)
        assert (answer.status_code, answer.json()["type"]) == (422, "urn:nadie:problem:not-restorable")
        assert "Lucía" not in answer.text
    kept = anonymized(client, keep=True)
    assert restored(client, id="n1", text=kept.replace(".", "!", 1)).status_code == 422


def test_batches(client: TestClient) -> None:
    kind = {"Content-Type": "application/x-ndjson"}
    notes = [NOTE.replace("54", str(number)) for number in range(20, 60)]
    lines = "\n".join(json.dumps({"id": str(n), "text": text, "keep": True}) for n, text in enumerate(notes))
    answers = client.post("/v1/anonymize/batch", content=lines, headers=kind).text.splitlines()
    back = [{"id": json.loads(line)["id"], "text": json.loads(line)["text"]} for line in answers]
    body = "\n".join(map(json.dumps, [*back, {"text": "nunca"}])) + "\n{"
    results = [
        json.loads(line) for line in client.post("/v1/restore/batch", content=body, headers=kind).text.splitlines()
    ]
    assert [result["text"] for result in results[:40]] == notes
    assert [result["problem"]["status"] for result in results[40:]] == [422, 422]


def test_a_service_without_a_vault_says_so(make_client: MakeClient) -> None:
    client = make_client()
    assert restored(client, text="x").status_code == 404
    assert client.post("/v1/anonymize", json={"text": NOTE, "keep": True}).status_code == 404


def test_restoring_needs_its_own_permission(make_client: MakeClient, vault: dict[str, Path], tmp_path: Path) -> None:
    tokens, secrets = {}, {}
    for name, permissions in {"both": ["annotate", "keep", "restore"], "one": ["annotate", "keep"]}.items():
        secrets[name], tokens[name] = new_token(name, permissions)
    write_tokens(tmp_path / "tokens.json", tokens)
    client = make_client(tokens=tmp_path / "tokens.json", **vault)
    headers = {name: {"Authorization": f"Bearer {secret}"} for name, secret in secrets.items()}
    body = {"text": NOTE, "keep": True}
    output = client.post("/v1/anonymize", json=body, headers=headers["one"]).json()["text"]
    assert client.post("/v1/restore", json={"text": output}, headers=headers["one"]).status_code == 403
    assert client.post("/v1/restore", json={"text": output}, headers=headers["both"]).json()["text"] == NOTE


def test_only_who_may_keep_can_add_to_the_vault(
    make_client: MakeClient, vault: dict[str, Path], tmp_path: Path
) -> None:
    """A second entry for a published text would make its restore fail, or give a forged original."""
    allowed: dict[str, list[str]] = {
        "archive": ["annotate", "keep", "restore"],
        "forger": [*set(Permission) - {"keep"}],
    }
    made = {name: new_token(name, permissions) for name, permissions in allowed.items()}
    write_tokens(tmp_path / "tokens.json", {name: token for name, (_, token) in made.items()})
    client = make_client(tokens=tmp_path / "tokens.json", **vault)
    headers = {name: {"Authorization": f"Bearer {secret}"} for name, (secret, _) in made.items()}
    output = client.post("/v1/anonymize", json={"text": NOTE, "keep": True}, headers=headers["archive"]).json()["text"]
    size = vault["vault"].stat().st_size
    forged = {"text": output, "keep": True, "spans": []}
    answer = client.post("/v1/anonymize", json=forged, headers=headers["forger"])
    assert (answer.status_code, answer.json()["permission"]) == (403, "keep")
    for body in (forged, {"text": NOTE.replace("54", "55"), "keep": True}):
        lines = json.dumps(body) + "\n"
        kind = {**headers["forger"], "Content-Type": "application/x-ndjson"}
        [line] = client.post("/v1/anonymize/batch", content=lines, headers=kind).text.splitlines()
        assert json.loads(line)["problem"]["permission"] == "keep"
        assert client.post("/v1/anonymize", json=body, headers=headers["forger"]).status_code == 403
    assert vault["vault"].stat().st_size == size
    assert client.post("/v1/restore", json={"text": output}, headers=headers["archive"]).json()["text"] == NOTE
    assert client.post("/v1/anonymize", json={"text": NOTE}, headers=headers["forger"]).status_code == 200


def test_a_wrong_key_or_a_cut_vault_keeps_the_service_from_starting(
    vault: dict[str, Path], model: Path, tmp_path: Path
) -> None:
    options = ServiceOptions(models=(str(model),), **vault)  # type: ignore[arg-type]
    assert vault_of(options) is not None
    whole = vault["vault"].read_bytes()
    vault["vault_key_file"].write_bytes(b"otra clave, que no es la de antes")
    with pytest.raises(VaultError, match="wrong key"):
        vault_of(options)
    vault["vault_key_file"].write_bytes(PASSPHRASE)
    vault["vault"].write_bytes(whole[:-3])
    with pytest.raises(VaultError, match="no valid end"):
        vault_of(options)
    with pytest.raises(ConfigError, match="vault_key_file"):
        vault_of(ServiceOptions(models=(str(model),), vault=vault["vault"]))
    with pytest.raises(ConfigError, match="cannot be read"):
        vault_of(ServiceOptions(models=(str(model),), vault=vault["vault"], vault_key_file=tmp_path / "none"))


def test_what_a_caller_keeps_counts_among_the_bytes_of_the_day(
    make_client: MakeClient, vault: dict[str, Path], tmp_path: Path
) -> None:
    secret, token = new_token("sistema", ["annotate", "keep"])
    write_tokens(tmp_path / "tokens.json", {"sistema": token})
    client = make_client(**vault, tokens=tmp_path / "tokens.json", limits=Limits(stored_bytes=5_000))
    headers, body = {"Authorization": f"Bearer {secret}"}, {"text": "a " * 1_000, "keep": True}
    answers = [client.post("/v1/anonymize", json=body, headers=headers).status_code for _ in range(3)]
    assert answers == [200, 200, 429]
    assert client.post("/v1/anonymize", json={**body, "keep": False}, headers=headers).status_code == 200

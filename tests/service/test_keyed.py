"""Keyed values are no oracle: keys apart, a permission for given spans, and a limit for each caller and day."""

from __future__ import annotations

import base64
import io
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from nadie.anonymize.secret import Secret
from nadie.service.options import Limits
from nadie.service.problems import ProblemError
from nadie.service.tokens import new_token, write_tokens
from nadie.service.usage import Usage

from .conftest import NOTE, MakeClient

HASHED = "gdpr-pseudonymise"
TEXT = "NHC 4471920, ingresa el 03/01/2024."
SPANS = [{"start": 4, "end": 11, "label": "ID_SUJETO_ASISTENCIA"}, {"start": 24, "end": 34, "label": "FECHAS"}]
ROLES = {
    "lector": ["annotate"],
    "otro": ["annotate"],
    "sistema": ["annotate", "keyed"],
    "ana": ["review"],
    "jefa": ["administer"],
}


class Team:
    def __init__(self, make_client: MakeClient, folder: Path, **limits: int) -> None:
        made = {name: new_token(name, roles) for name, roles in ROLES.items()}
        write_tokens(folder / "tokens.json", {name: token for name, (_, token) in made.items()})
        (folder / "key").write_text(Secret.random().to_text())
        (folder / "key").chmod(0o600)
        self._secrets = {name: secret for name, (secret, _) in made.items()}
        options = {"tokens": folder / "tokens.json", "project": folder / "review", "key_file": folder / "key"}
        self.client: TestClient = make_client(**options, limits=Limits(**limits))

    def post(self, who: str, path: str, **body: Any) -> Any:
        return self.call(who, "POST", path, body)

    def call(self, who: str, method: str, path: str, body: Any) -> Any:
        return self.client.request(method, path, json=body, headers={"Authorization": f"Bearer {self._secrets[who]}"})


@pytest.fixture(scope="module")
def team(make_client: MakeClient, tmp_path_factory: pytest.TempPathFactory) -> Team:
    return Team(make_client, tmp_path_factory.mktemp("keyed"))


def test_given_spans_under_a_keyed_policy_need_the_permission(team: Team) -> None:
    document = {"name": "n", "text": TEXT, "spans": SPANS}
    for who in ("lector", "ana"):
        for path, body in (
            ("/v1/anonymize", {"text": TEXT, "spans": SPANS, "policy": HASHED}),
            ("/v1/anonymize", {"text": TEXT, "deny": [{"term": "4471920"}], "policy": HASHED}),
            ("/v1/anonymize", {"text": TEXT, "known": [{"nhc": "4471920"}], "policy": HASHED}),
            ("/v1/export", {"documents": [document], "plan": {"policy": HASHED}}),
            (
                "/v1/export/original",
                {"files": [{"file": {"name": "n", "content": ""}, "documents": []}], "policy": HASHED},
            ),
        ):
            refused = team.post(who, path, **body)
            assert (refused.status_code, refused.json()["permission"]) == (403, "keyed"), path
    assert team.post("lector", "/v1/anonymize", text=TEXT, spans=SPANS).status_code == 200, "labels are no oracle"
    assert team.post("sistema", "/v1/anonymize", text=TEXT, spans=SPANS, policy=HASHED).status_code == 200


def test_the_keys_of_the_project_the_service_and_a_caller_are_others(team: Team) -> None:
    text = NOTE  # the detector finds names and dates in it, without given spans
    by_service = team.post("sistema", "/v1/anonymize", text=text, policy=HASHED, patient="7").json()["text"]
    by_reader = team.post("lector", "/v1/anonymize", text=text, policy=HASHED, patient="7").json()["text"]
    by_other = team.post("otro", "/v1/anonymize", text=text, policy=HASHED, patient="7").json()["text"]
    added = team.post("jefa", "/v1/project/documents", name="n", text=text).json()
    by_project = team.post("ana", f"/v1/project/documents/{added['id']}/preview", policy=HASHED).json()["text"]
    assert len({by_service, by_reader, by_other, by_project}) == 4
    again = team.post("lector", "/v1/anonymize", text=text, policy=HASHED, patient="7").json()["text"]
    assert again == by_reader
    exported = team.post("ana", "/v1/project/export", documents=[added["id"]], plan={"policy": HASHED})
    assert exported.text == by_project, "the preview is the export"


def test_the_key_of_a_project_is_no_oracle_for_its_reviewers(team: Team) -> None:
    own = team.post("ana", "/v1/project/documents", name="own", text=TEXT, spans=SPANS).json()["id"]
    others = team.post("jefa", "/v1/project/documents", name="other", text=TEXT, spans=SPANS).json()["id"]
    content = base64.b64encode(TEXT.encode()).decode()
    file = {"file": {"name": "own.txt", "content": content}, "documents": [own]}
    assert team.post("ana", "/v1/project/files", **file).status_code == 204

    def asked(document: int) -> list[int]:
        numbers, path = [document], f"/v1/project/documents/{document}/preview"
        return [
            team.post("ana", path, policy=HASHED).status_code,
            team.post("ana", "/v1/project/export", documents=numbers, plan={"policy": HASHED}).status_code,
            team.post("ana", "/v1/project/export/original", documents=numbers, policy=HASHED).status_code,
            team.post("ana", path).status_code,
        ]

    assert asked(own) == [403, 403, 403, 200], "a text of her choice"
    assert asked(others) == [200, 200, 404, 200]
    body = {"documents": [others], "patient": "4471920"}
    assert team.call("ana", "PUT", "/v1/project/patients", body).status_code == 204
    assert asked(others) == [403, 403, 404, 200], "the dates of a patient of her choice"
    assert team.post("jefa", f"/v1/project/documents/{own}/preview", policy=HASHED).status_code == 200


def test_a_caller_stores_a_limited_number_of_bytes_a_day(make_client: MakeClient, tmp_path: Path) -> None:
    small = Team(make_client, tmp_path, stored_bytes=10_000)
    answers = [small.post("ana", "/v1/project/documents", name=f"n{number}", text="x" * 2000) for number in range(5)]
    assert [answer.status_code for answer in answers] == [201, 201, 201, 429, 429]
    assert answers[-1].json()["type"].endswith("too-many-bytes")
    assert 0 < int(answers[-1].headers["Retry-After"]) <= 86_400
    file = {"file": {"name": "n.txt", "content": base64.b64encode(b"x" * 2000).decode()}, "documents": [1]}
    assert small.post("ana", "/v1/project/files", **file).status_code == 429
    assert small.post("jefa", "/v1/project/files", **file).status_code == 204, "each has their own limit"


def test_a_file_that_unpacks_to_too_much_is_not_stored(make_client: MakeClient, tmp_path: Path) -> None:
    small = Team(make_client, tmp_path, unpacked=1_000_000)
    document = small.post("ana", "/v1/project/documents", name="n", text="x").json()["id"]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", b"0" * 2_000_000)
    file = {"name": "n.docx", "content": base64.b64encode(packed.getvalue()).decode()}
    refused = small.post("ana", "/v1/project/files", file=file, documents=[document])
    assert (refused.status_code, refused.json()["limit"]) == (413, 1_000_000)


def test_a_caller_gets_a_limited_number_of_keyed_values_a_day(make_client: MakeClient, tmp_path: Path) -> None:
    small = Team(make_client, tmp_path, keyed_values=30)

    def number(value: int) -> Any:
        return small.post(
            "sistema", "/v1/anonymize", text=f"NHC {value}", policy=HASHED,
            spans=[{"start": 4, "end": 11, "label": "ID_SUJETO_ASISTENCIA"}],
        )  # fmt: skip

    statuses = [number(1000000 + value).status_code for value in range(40)]
    assert statuses == [200] * 30 + [429] * 10
    assert number(1000000).status_code == 200, "what the caller has got already is no news"
    refused = number(2000000)
    assert refused.json()["type"].endswith("too-many-values")
    assert 0 < int(refused.headers["Retry-After"]) <= 86_400
    lines = b"".join(
        b'{"text": "NHC %d", "policy": "%s", "spans": [{"start": 4, "end": 11, "label": "ID_SUJETO_ASISTENCIA"}]}\n'
        % (value, HASHED.encode())
        for value in range(3000000, 3000040)
    )
    batch = small.client.post(
        "/v1/anonymize/batch",
        content=lines,
        headers={"Authorization": f"Bearer {small._secrets['sistema']}", "Content-Type": "application/x-ndjson"},
    )
    assert batch.text.count("too-many-values") == 40
    restarted = make_client(
        tokens=tmp_path / "tokens.json", project=tmp_path / "review", key_file=tmp_path / "key",
        limits=Limits(keyed_values=30),
    )  # fmt: skip
    small.client = restarted
    assert (number(1000000).status_code, number(4000000).status_code) == (200, 429), "a restart forgets nothing"


def test_the_next_day_is_another(tmp_path: Path) -> None:
    now = [datetime(2026, 1, 1, 23, 59, 30, tzinfo=UTC)]
    usage = Usage(tmp_path / "usage.sqlite3", lambda: now[0])
    usage.spend("ana", {b"1", b"2"}, 2)
    with pytest.raises(ProblemError) as refused:
        usage.spend("ana", {b"3"}, 2)
    assert refused.value.retry_after == 31
    usage.spend("luis", {b"3"}, 2)
    now[0] = datetime(2026, 1, 2, 0, 0, 1, tzinfo=UTC)
    usage.spend("ana", {b"3", b"4"}, 2)


def test_a_second_reading_of_a_text_of_ones_own_is_no_oracle(make_client: MakeClient, tmp_path: Path) -> None:
    team = Team(make_client, tmp_path)
    own = team.post("ana", "/v1/project/documents", name="own", text=TEXT, spans=SPANS).json()["id"]
    team.post("jefa", "/v1/project/assignments", reviewers=["jefa", "ana"], twice=1.0)
    [reading] = team.call("ana", "GET", "/v1/project/documents", None).json()
    assert reading["id"] != own
    refused = team.post("ana", f"/v1/project/documents/{reading['id']}/preview", policy=HASHED)
    assert (refused.status_code, refused.json()["permission"]) == (403, "keyed")


def test_a_number_that_joins_the_documents_of_a_patient_is_no_oracle(make_client: MakeClient, tmp_path: Path) -> None:
    """Whoever adds a document with the field of a patient and a record number decides on the dates of all of them."""
    team = Team(make_client, tmp_path)
    note = {"text": TEXT, "spans": SPANS[1:], "patient_field": "p1"}
    others = team.post("jefa", "/v1/project/documents", name="nota", **note).json()["id"]
    path = f"/v1/project/documents/{others}/preview"
    assert team.post("ana", path, policy=HASHED).status_code == 200
    number = {"name": "mía", "text": TEXT, "spans": [{**SPANS[0], "source": "field"}], "patient_field": "p1"}
    given = team.post("ana", "/v1/project/documents", **number)
    joined = team.call("ana", "GET", f"/v1/project/documents/{others}", None).json()
    assert (given.status_code, joined["patient"]) == (201, "4471920")
    refused = team.post("ana", path, policy=HASHED)
    assert (refused.status_code, refused.json()["permission"]) == (403, "keyed")


def test_nobody_gives_a_file_for_documents_that_somebody_else_added(make_client: MakeClient, tmp_path: Path) -> None:
    """The columns of a table, with values of one's choice, would be written with the key of the project."""
    team = Team(make_client, tmp_path)
    document = team.post("jefa", "/v1/project/documents", name="t.csv", text="4471920\nAcude hoy.").json()["id"]
    table = base64.b64encode(b"NHC;nota\r\n4471920;Acude hoy.\r\n").decode()
    given = {"file": {"name": "t.csv", "content": table, "patient_field": "NHC"}, "documents": [document]}
    refused = team.post("ana", "/v1/project/files", **given)
    assert (refused.status_code, refused.json()["permission"]) == (403, "administer")
    body = {"documents": [document], "patient": "7"}
    assert team.call("ana", "PUT", "/v1/project/patients", body).status_code == 204
    assert team.post("ana", "/v1/project/files", **given).status_code == 403, "its patient is hers, its text is not"
    assert team.post("jefa", "/v1/project/files", **given).status_code == 204

"""FHIR: nothing that was planted is left in any encoding, links resolve, the result is valid, and all else stays."""

from __future__ import annotations

import base64
import copy
import hashlib
import html
import io
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from fhir.resources.bundle import Bundle as BundleR5
from fhir.resources.R4B.bundle import Bundle
from fhir.resources.R4B.patient import Patient

from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import Key
from nadie.files.container import OpenOptions
from nadie.files.containers.health.fhir_links import Links
from nadie.files.containers.health.pseudonyms import Pseudonyms
from nadie.run.rewriting import Rewritten

from .fhir_files import NOTE, PLANTED, base64_of, bundle, document, in_json, ndjson, observation, patient
from .helpers import anonymized, check_refused, opened, run_files, run_with_policy, texts_of
from .test_html import split_by_markup

FIXED = OpenOptions(secret=b"k" * 32)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> dict[tuple[Any, ...], Any]:
    if isinstance(value, dict):
        return {k: v for name, item in value.items() for k, v in leaves(item, (*path, name)).items()}
    if isinstance(value, list):
        return {k: v for n, item in enumerate(value) for k, v in leaves(item, (*path, n)).items()}
    return {path: value}


def run(resource: dict[str, Any], tmp_path: Path, policy: str, name: str = "a.json") -> tuple[bytes, Rewritten]:
    return run_with_policy(in_json(resource), name, tmp_path, policy)


def everything(content: bytes) -> str:
    """The file, and all that is in base64 in it."""
    text = content.decode()
    found = re.findall(r'"((?:[A-Za-z0-9+/]{4}){4,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)"', text)
    packed = [base64.b64decode(each) for each in found]
    return "\n".join([text, *(part.decode("utf-8", "replace") for part in packed), html.unescape(text)])


@pytest.mark.parametrize("policy", ["default", "research", "gdpr-pseudonymise", "hipaa-safe-harbor"])
def test_nothing_planted_is_left_and_the_result_is_valid(policy: str, tmp_path: Path) -> None:
    assert all(value in everything(in_json(bundle())) for value in PLANTED)
    content, done = run(bundle(), tmp_path, policy)
    told = everything(content)
    assert [value for value in PLANTED if value in told] == []
    assert done.account.failures == []
    assert done.account.remarks == ["1 photos, videos or audio files removed"]
    Bundle.model_validate_json(content)


def test_a_bundle_of_r5(tmp_path: Path) -> None:
    resource = bundle()
    resource["entry"] = [e for e in resource["entry"] if e["resource"]["resourceType"] in ("Patient", "Observation")]
    content, _ = run(resource, tmp_path, "research")
    BundleR5.model_validate_json(content)
    assert [value for value in PLANTED if value in everything(content)] == []


def test_codes_quantities_and_all_else_are_as_they_were(tmp_path: Path) -> None:
    before, after = leaves(bundle()), leaves(json.loads(run(bundle(), tmp_path, "research")[0]))
    changed = {path for path in before if after.get(path) != before[path]}
    names = {next(part for part in reversed(path) if isinstance(part, str)) for path in changed}
    assert names == {
        "authorString", "birthDate", "city", "creation", "data", "date", "description", "display", "div", "end",
        "family", "fullUrl", "given", "hash", "id", "lastUpdated", "line", "postalCode", "reference", "serialNumber",
        "size", "start", "text", "time", "timestamp", "title", "url", "value", "valueDateTime", "name",
    }  # fmt: skip
    assert not any("coding" in path or "valueQuantity" in path or "gender" in path for path in changed)
    assert {path for path in after if path not in before} == {
        ("entry", 0, "resource", "photo", 0, "_data", "extension", 0, "url"),
        ("entry", 0, "resource", "photo", 0, "_data", "extension", 0, "valueCode"),
    }


def test_the_spelling_of_what_stays_is_kept() -> None:
    raw = '\ufeff{ "resourceType" : "Observation",\r\n\t"valueQuantity":{"value":12.50},"status":"\\u0066inal"}\r\n'
    assert anonymized(raw.encode(), "a.json", {})[0] == raw.encode()


def test_links_resolve_as_before(tmp_path: Path) -> None:
    content = json.loads(run(bundle(), tmp_path, "default")[0])
    addresses = {entry.get("fullUrl") for entry in content["entry"]}
    own = {f"{e['resource']['resourceType']}/{e['resource']['id']}" for e in content["entry"]}
    references = [v for path, v in leaves(content).items() if path[-1] == "reference"]
    assert len(references) == 8
    local = content["entry"][4]["resource"]
    for reference in references:
        is_local = reference == f"#{local['contained'][0]['id']}"
        assert is_local or reference in addresses or reference in own, reference
    assert addresses - {None} == {
        e["fullUrl"] for e in content["entry"] if "fullUrl" in e and (e["fullUrl"].startswith("urn:uuid:")
        or e["fullUrl"].endswith(f"/{e['resource']['resourceType']}/{e['resource']['id']}"))
    }  # fmt: skip


def test_attachments_tell_the_truth_about_themselves(tmp_path: Path) -> None:
    content = json.loads(run(document(), tmp_path, "research")[0])
    attachment = content["content"][0]["attachment"]
    data = base64.b64decode(attachment["data"])
    assert data.decode() != NOTE
    assert attachment["size"] == len(data)
    assert base64.b64decode(attachment["hash"]) == hashlib.sha1(data).digest()
    assert "fiebre de 38,5 ºC" in data.decode()


def test_text_and_fields_get_the_same_surrogates_and_the_same_shift(tmp_path: Path) -> None:
    content = json.loads(run(bundle(), tmp_path, "research")[0])
    person, note = content["entry"][0]["resource"], content["entry"][1]["resource"]
    text = base64.b64decode(note["content"][0]["attachment"]["data"]).decode()
    name = f"{person['name'][0]['given'][0]} {person['name'][0]['family']}"
    assert text.startswith(f"Paciente {name}, NHC {person['identifier'][0]['value']}.")
    assert person["name"][0]["text"] == name
    assert name in html.unescape(re.sub("<.*?>", "", person["text"]["div"]))
    year, month, day = note["date"][:10].split("-")
    assert f"Ingresa el {day}/{month}/{year}" in text
    assert note["content"][0]["attachment"]["creation"] == note["date"][:10]


def test_bulk_data_are_consistent_over_files_and_lines(tmp_path: Path) -> None:
    (tmp_path / "Patient.ndjson").write_bytes(ndjson(patient(), patient() | {"id": "22"}))
    report = document() | {"subject": {"reference": "Patient/7654321"}}
    (tmp_path / "Other.ndjson").write_bytes(ndjson(observation(), report) + b"\n")
    engine = Engine(read_policy("research"), Key(b"k" * 32))
    done = list(run_files([tmp_path / "Patient.ndjson", tmp_path / "Other.ndjson"], tmp_path / "out", engine=engine))
    assert [item.texts for item in done] == [2, 2]
    first, second = ((tmp_path / "out" / name).read_bytes() for name in ("Patient.ndjson", "Other.ndjson"))
    persons = [json.loads(line) for line in first.splitlines()]
    others = [json.loads(line) for line in second.splitlines() if line]
    assert second.endswith(b"}\n\n")
    assert others[0]["subject"]["reference"] == others[1]["subject"]["reference"] == f"Patient/{persons[0]['id']}"
    assert persons[0]["id"] != persons[1]["id"]
    assert persons[0]["meta"]["lastUpdated"][:10] == others[1]["date"][:10]  # both were the same day
    assert [v for v in PLANTED if v in everything(first) and v not in ("2024-05",)] == []
    Patient.model_validate(persons[0])


def test_bulk_data_with_one_line_or_with_long_ones() -> None:
    note = document() | {"description": "fiebre " * 20_000}
    for resources in ([note], [note, note]):
        copy = anonymized(ndjson(*resources), "a.ndjson", {})[0]
        assert [json.loads(line)["resourceType"] for line in copy.splitlines()] == ["DocumentReference"] * len(
            resources
        )


def test_a_line_that_fails_is_left_out(tmp_path: Path) -> None:
    content = ndjson(patient(), observation())
    container = opened(content, "a.ndjson")
    out = io.BytesIO()
    texts = list(container.texts())
    container.write(iter([None, []]), out)
    assert len(texts) == 2
    assert [json.loads(line)["resourceType"] for line in out.getvalue().splitlines()] == ["Observation"]


def test_what_cannot_be_read_inside_is_masked_and_told() -> None:
    resource = document()
    resource["content"] = [
        {"attachment": {"contentType": "application/octet-stream", "data": base64_of(b"\0\1Ana")}},
        {"attachment": {"contentType": "text/plain", "data": "no base64!"}},
        {"attachment": {"contentType": "application/pdf", "data": base64_of("Ana")}},
    ]
    content, account = anonymized(in_json(resource), "a.json", {})
    assert len(account.failures) == 3
    assert all(failure.reason.endswith("it is left out of the copy") for failure in account.failures)
    assert not any("Ana" in str(failure) for failure in account.failures)
    for item in json.loads(content)["content"]:
        assert item["attachment"]["_data"]["extension"][0]["valueCode"] == "masked"
        assert "data" not in item["attachment"]


def test_attachments_in_other_encodings_and_in_one_another() -> None:
    inner = in_json({"resourceType": "Observation", "status": "final", "note": [{"text": "Vista Ana Muñoz"}]})
    resource = document()
    latin = "Ana Muñoz, é".encode("latin-1")
    resource["content"] = [
        {"attachment": {"contentType": "text/plain; charset=ISO-8859-1", "data": base64_of(latin)}},
        {"attachment": {"contentType": "application/fhir+json", "data": base64_of(inner)}},
    ]  # fmt: skip
    content, account = anonymized(in_json(resource), "a.json", {"Ana Muñoz": "Eva Peña"})
    assert account.failures == []
    first, second = (base64.b64decode(e["attachment"]["data"]) for e in json.loads(content)["content"])
    assert first == "Eva Peña, é".encode("latin-1")
    assert json.loads(second)["note"][0]["text"] == "Vista Eva Peña"


def test_what_fhir_does_not_define_is_searched() -> None:
    resource = {
        "resourceType": "Visita",
        "nota": "Ana Muñoz",
        "mas": [{"y": ["Ana Muñoz", {"cuando": "2024-05-03", "nhc": 7654321}]}],
        "archivo": base64_of(
            "Vista hoy Ana Muñoz en la consulta de enfermería, sin otros datos de interés para el caso."
        ),
        "extension": [{"url": "http://x.org/a", "valueString": "Ana Muñoz"}],
    }
    content = anonymized(in_json(resource), "a.json", {"Ana Muñoz": "X", "7654321": "1"})[0]
    assert "Muñoz" not in everything(content)
    found = json.loads(content)
    assert found["mas"][0]["y"][1]["nhc"] == "1"
    assert "2024" not in content.decode()


def test_identifiers_where_codes_belong_are_searched() -> None:
    resource = {
        "resourceType": "Patient",
        "language": "DNI 11111111H",
        "implicitRules": "12345678Z",
        "communication": [{"language": {"text": "Ana Muñoz", "coding": [{"code": "87654321X"}]}}],
        "photo": [{"contentType": "text/plain; charset=utf-8", "title": "x"}],
    }
    [text] = texts_of(json.dumps(resource).encode(), "a.json")
    for value in ("11111111H", "12345678Z", "Ana Muñoz", "87654321X"):
        assert value in text
    assert "charset" not in text


def test_codings_of_public_systems_stay_and_others_are_searched() -> None:
    resource = copy.deepcopy(observation())
    resource["code"]["coding"] = [
        {"system": "http://snomed.info/sct", "code": "1", "display": "Fractura de tibia"},
        {"system": "http://snomed.info/sct", "code": "1", "display": "Ana Muñoz"},
        {"system": "http://hosp.es/x", "code": "2", "display": "Consulta de Ana Muñoz"},
    ]
    content = json.loads(anonymized(in_json(resource), "a.json", {"Ana Muñoz": "X", "tibia": "Y"})[0])
    assert [c["display"] for c in content["code"]["coding"]] == ["Fractura de tibia", "X", "Consulta de X"]


def _planted(name: str, seed: int) -> dict[str, Any]:
    """A resource with a name in one of many places and spellings."""
    chance = random.Random(seed)
    text = f"Paciente: {name}, de 70 años. Vive en Lugo."
    markup = f"<p>Paciente: {split_by_markup(name, seed)}, de 70 años. Vive en Lugo.</p>"
    attached = chance.choice((("text/plain", text), ("text/html", f"<html><body>{markup}</body></html>")))
    return chance.choice(
        (
            {
                "resourceType": "Observation",
                "text": {"div": f'<div xmlns="http://www.w3.org/1999/xhtml">{markup}</div>'},
            },
            {"resourceType": "Observation", "note": [{"text": text}]},
            {"resourceType": "Condition", "extension": [{"url": "x", "valueString": text}]},
            {"resourceType": "Binary", "contentType": attached[0], "data": base64_of(attached[1])},
            {"resourceType": "Media", "content": {"contentType": attached[0], "data": base64_of(attached[1])}},
            {"resourceType": "Otra", "nota": [text]},
        )
    )


@pytest.mark.parametrize("seed", range(200))
def test_a_planted_name_is_found_however_it_is_packed(seed: int) -> None:
    name = ("Ana Muñoz", "José Mª Peña-Güell", "María del Mar Íñiguez O'Shea", "Dra. Núria Roçà")[seed % 4]
    raw = json.dumps(_planted(name, seed), ensure_ascii=bool(seed % 2)).encode()
    [text] = texts_of(raw, "a.json")
    assert f"Paciente: {name}, de 70 años. Vive en Lugo." in text
    content = anonymized(raw, "a.json", {name: "[NOMBRE]"})[0]
    parsed = leaves(json.loads(content))
    shown = [everything(json.dumps(value, ensure_ascii=False).encode()) for value in parsed.values()]
    assert any("[NOMBRE]" in re.sub("<.*?>", "", each) for each in shown)
    assert not any(part in each for part in name.split() if len(part) > 3 for each in shown)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b'{"resourceType": "Patient", "id": "Ana"', "not JSON"),
        (b'{"resourceType": "Patient", "id": "Ana", "id": "Eva"}', "duplicate name"),
        (b'{\n"a": {"resourceType": "Patient"}}', "no resource type"),
        (b'{"resourceType": "Patient", "x": ' + b"[" * 200 + b"]" * 200 + b"}", "nests too deep"),
        (b'{"resourceType": "Patient", "x": "\xf1"}', "UTF-8"),
        (b'{"resourceType": 3, "id": "Ana"}', "no resource type"),
    ],
)
def test_what_is_refused(content: bytes, told: str) -> None:
    check_refused(content, "a.json", told)


@pytest.mark.parametrize(
    ("link", "new"),
    [
        ("Patient/ID", "Patient/NEW"),
        ("Patient/ID/_history/2", "Patient/NEW/_history/2"),
        ("http://example.org/fhir/Patient/ID", "http://example.org/fhir/Patient/NEW"),
        ("Patient", "Patient"),
        ("Patient?_count=5", "Patient?_count=5"),
        ("#ID", "#NEW"),
        ("", ""),
    ],
)
def test_links(link: str, new: str) -> None:
    links = Links(Pseudonyms(b"k" * 32))
    number = links.new_id("ID")
    assert links.rewritten(link) == new.replace("NEW", number)


def test_no_link_keeps_its_ids_or_its_host() -> None:
    links = Links(Pseudonyms(b"k" * 32))
    for link in (
        "http://hosp-lucus.es/fhir/Patient/7654321", "http://hosp-lucus.es:8080/Patient/7654321#f7654321",
        "urn:oid:1.2.724.7654321", "Patient?identifier=urn:x|7654321", "hosp-lucus 7654321", "x" * 5000 + "7654321",
        "https://hosp-lucus.es/x/7654321?y=7654321", "cid:7654321@hosp-lucus",
    ):  # fmt: skip
        new = links.rewritten(link)
        assert "7654321" not in new
        assert "lucus" not in new


def test_ids_depend_on_the_secret_alone() -> None:
    content = in_json(observation())
    first, again = (anonymized(content, "a.json", {}, FIXED)[0] for _ in range(2))
    assert first == again
    assert first != anonymized(content, "a.json", {}, OpenOptions(secret=b"x" * 32))[0]

"""The API against its own description: schemathesis makes requests of every kind and checks what comes back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx2
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from nadie.service.http.app import create_app
from nadie.service.options import ServiceOptions

from .browsing import PATIENCE
from .conftest import NOTE, StartServer


@schemathesis.serializer("application/x-ndjson")
def _ndjson(context: Any, value: Any) -> bytes:
    return str(value).encode("utf-8", "replace")


@pytest.fixture(scope="module")
def described(start_server: StartServer, tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("schemathesis")
    config = folder / "serve.toml"
    config.write_text(
        "[limits]\ntext = 5000\nbody = 900000\nbatch_body = 900000\nbatch_documents = 20\nseconds = 5.0\n"
    )
    server = start_server("--project", str(folder / "review"), "--config", str(config))
    new = {"name": "nota", "text": NOTE}
    httpx2.post(f"{server.url}/v1/project/documents", json=new, trust_env=False, timeout=PATIENCE).raise_for_status()
    return schemathesis.openapi.from_url(f"{server.url}/openapi.json")


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["valid", "invalid"])
def test_every_answer_is_as_described(described: Any, mode: GenerationMode) -> None:
    tried = 0
    for result in described.get_all_operations():
        operation = result.ok()
        takes_something = operation.body or operation.query or operation.path_parameters
        # A batch takes any lines: what is wrong with one is said in the answer's line.
        if mode is GenerationMode.NEGATIVE and (not takes_something or operation.path.endswith("/batch")):
            continue

        @settings(
            max_examples=15, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck)
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def holds(case: Any) -> None:
            # That a span has to lie inside of its text is nothing a schema can say.
            answer = case.call(timeout=PATIENCE)
            # A body over the limit is refused for its size, whatever else is wrong with it.
            unsaid = [positive_data_acceptance, *([negative_data_rejection] if answer.status_code == 413 else [])]
            case.validate_response(answer, excluded_checks=unsaid)

        holds()
        tried += 1
    assert tried >= 8


def test_the_description_has_an_example_for_every_body(model: Path) -> None:
    schema = create_app(ServiceOptions(models=(str(model),), workers=1)).openapi()
    for path in ("/v1/annotate", "/v1/anonymize", "/v1/open"):
        reference = schema["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]["$ref"]
        assert schema["components"]["schemas"][reference.rpartition("/")[2]]["examples"]
    assert "HTTPValidationError" not in json.dumps(schema)

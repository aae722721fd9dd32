"""Write docs/en/reference/clients.md: clients in Python, JavaScript and Java, from the OpenAPI description.

    python scripts/build_client_examples.py

Paths, media types and the example document come from the description, so the page changes with the API. The tests
run each of the clients against a service: tests/service/test_clients.py.
"""

from __future__ import annotations

import json
from pathlib import Path
from string import Template
from typing import Any

from nadie.service.http.app import create_app
from nadie.service.options import ServiceOptions

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "en" / "reference" / "clients.md"
TEMPLATES = Path(__file__).resolve().parent / "clients"
LANGUAGES = {"py": "Python", "js": "JavaScript", "java": "Java"}

_INTRODUCTION = """# Clients

This page is written by `scripts/build_client_examples.py` from the OpenAPI description of the service. Each client
annotates a document, anonymizes a batch, and tells a problem by its type; none needs a library beyond what comes with
the language. They read the address and the token from the environment:

```text
export NADIE_URL=http://127.0.0.1:8000
export NADIE_TOKEN=nadie_...            # see `nadie tokens add`; not needed where the service has no tokens
```

In Python there are also `Client` and, for programs with an event loop, `AsyncClient` of `nadie.integrations.client`
(the extra `client`), with the methods `annotate`, `anonymize`, `anonymize_all`, `anonymize_file` and `restore`:

```text
from nadie.integrations.client import AsyncClient

async with AsyncClient("http://127.0.0.1:8000", token) as client:
    text = await client.anonymize(note, policy="research")
```

Python counts code points, as the service does. JavaScript and Java count UTF-16 units, so their clients ask for
`"offsets": "utf16"`; without it a character such as 😀 would move every span after it.
"""
_HOW = {
    "py": "`python client.py`",
    "js": "`node client.mjs`, with Node.js 18 or newer; in a browser the same, from a page of the same origin",
    "java": "`java Client.java`, with a JDK 17 or newer",
}


def page() -> str:
    values = _values(create_app(ServiceOptions(workers=1)).openapi())
    parts = [_INTRODUCTION]
    for suffix, name in LANGUAGES.items():
        code = Template((TEMPLATES / f"client.{suffix}.txt").read_text(encoding="utf-8")).substitute(values)
        parts.append(f"\n## {name}\n\nRun it with {_HOW[suffix]}.\n\n```{suffix}\n{code}```\n")
    return "".join(parts)


def _values(schema: dict[str, Any]) -> dict[str, str]:
    """Path and media type of each operation that the clients call, and the text of the example."""
    values: dict[str, str] = {}
    for name, path in {"annotate": "/v1/annotate", "batch": "/v1/anonymize/batch"}.items():
        [media_type] = schema["paths"][path]["post"]["requestBody"]["content"]
        values |= {f"{name}_path": path, f"{name}_type": media_type}
    example = schema["components"]["schemas"]["AnnotateRequest"]["examples"][0]
    return {**values, "text": json.dumps("😀 " + example["text"], ensure_ascii=False)}


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

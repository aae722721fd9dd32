"""Write docs/en/reference/policies.md: the example notes anonymized with every policy.

    python scripts/build_policy_examples.py

The notes are those of examples/, with the annotations of docs/policies/annotations; the key is fixed, so that the page
is the same each time.
"""

from __future__ import annotations

from pathlib import Path

from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import Policy, read_policy, shipped
from nadie.anonymize.secret import OLD_SALT, Secret
from nadie.document import Document, Span
from nadie.resolve.completing import complete

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "en" / "reference" / "policies.md"
SECRET = Secret(b"the key of the examples in the docs", salt=OLD_SALT)
NOTES = ("alta", "carta", "urgencias")

_INTRODUCTION = """# The policies, on the example notes

This page is written by `scripts/build_policy_examples.py`: three invented notes, annotated by hand, go through every
policy that ships with nadie, and through the examples of policy files in [docs/policies](../../policies). What the
operators do and how to write a policy is in [anonymize.md](anonymize.md).
"""


def notes() -> list[Document]:
    found = []
    for name in NOTES:
        text = (ROOT / "examples" / f"{name}.txt").read_bytes().decode("utf-8")
        rows = (ROOT / "docs" / "policies" / "annotations" / f"{name}.ann").read_text(encoding="utf-8").splitlines()
        marks = [row.split("\t")[1].split() for row in rows]
        found.append(Document(name, text, tuple(Span(int(start), int(end), label) for label, start, end in marks)))
    return found


def page() -> str:
    documents = notes()
    files = sorted((ROOT / "docs" / "policies").glob("*.toml"))
    parts = [_INTRODUCTION]
    parts += [f"- [`{name}`](#{name}): {description}" for name, description in shipped().items()]
    parts += [f"- [`{path.stem}`](#{path.stem}), a [file](../../policies/{path.name})" for path in files]
    parts += ["", "## The notes as they are", *(_block(document.text) for document in documents)]
    for policy in [*(read_policy(name) for name in shipped()), *(read_policy(path) for path in files)]:
        parts += ["", f"## {policy.name}", policy.description, *_through(policy, documents)]
    return "\n".join(parts) + "\n"


def _through(policy: Policy, documents: list[Document]) -> list[str]:
    engine = Engine(policy, SECRET.key())
    return [_block(engine.run(complete(document, engine.kept)).text) for document in documents]


def _block(text: str) -> str:
    return f"\n```text\n{text.rstrip()}\n```"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

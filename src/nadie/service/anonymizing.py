"""The anonymization engine as the service uses it: one engine for each policy, all with the same key."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import read_policy, shipped
from nadie.anonymize.secret import Secret
from nadie.document import Document
from nadie.service.schemas import PolicyBody


def policies_of(default: str) -> dict[str, PolicyBody]:
    """The policies that can be asked for, by name or file, the default first."""
    first = read_policy(default)
    bodies = {default: PolicyBody(name=default, default=True, description=first.description)}
    for name, description in shipped().items():
        bodies.setdefault(name, PolicyBody(name=name, default=False, description=description))
    return bodies


class Anonymizer:
    """Replaces the spans of documents by the policy that is asked for."""

    def __init__(self, secret: str) -> None:
        key = Secret(bytes.fromhex(secret)).key()
        self._engine = lru_cache(maxsize=None)(lambda policy: Engine(read_policy(policy), key))

    def __call__(self, document: Document, policy: str) -> dict[str, Any]:
        """The new text, what was replaced, and where its replacements stand.

        The engine looks for what was found once in the rest of the text as well, so there may be more spans than the
        document had.
        """
        done = self._engine(policy).run(document)
        return {
            "text": done.text,
            "spans": [[r.span.start, r.span.end, r.span.label, r.span.score, r.span.source] for r in done.replaced],
            "replacements": [[r.start, r.end, r.operator, r.kept, r.refused] for r in done.replaced],
        }

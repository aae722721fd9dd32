"""Replaces a span by a keyed hash: equal values stay equal, and they cannot be guessed without the key."""

from __future__ import annotations

from nadie.anonymize.context import Context
from nadie.anonymize.operators.base import Traits
from nadie.document import Span
from nadie.errors import ConfigError
from nadie.labels import Label, Parent
from nadie.spanish.squashing import squash


class HashOperator:
    """`4471920` → `[ID_SUJETO_ASISTENCIA:9f2c41d07a3be815]`, the beginning of an HMAC-SHA256.

    Case, accents, spacing and punctuation are ignored, and so is the label of a value within its class. All written
    forms of one person's name in a document have the hash of the fullest one. The scope of the policy is part of the
    input of the hash.
    """

    name = "hash"
    traits = Traits.CONSTANT | Traits.NEEDS_KEY

    def __init__(self, *, length: int = 16) -> None:
        if not 12 <= length <= 64:
            raise ConfigError("hash: length must be from 12 to 64 hexadecimal digits")
        self._length = length

    def replace(self, value: str, span: Span, context: Context) -> str:
        person = context.people.person(span) if Label(span.label).parent is Parent.NAME else None
        identity = (person.identity if person else "") or squash(value)
        digest = context.key.digest("hash", context.scope_of(span.label), Label(span.label).parent, identity).hex()
        return f"[{span.label}:{digest[: self._length]}]"

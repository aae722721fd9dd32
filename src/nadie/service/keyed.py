"""Keyed values: hashes, surrogates and shifted dates. Whoever gets them for values of their choice can test guesses.

With the key of a release, a record number can be recovered from its published hash by hashing every number, and the
shift of a patient's dates by shifting one date. Therefore:

- the key of a project is not that of the API, and a caller without the permission `keyed` has a key of their own;
- values that a caller chooses (given spans, `deny`, `known`, documents that they added to a project or whose patient
  they set) need that permission under a policy with keyed values;
- each caller gets a limited number of different keyed values a day.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Protocol

from nadie.anonymize.engine import Anonymized
from nadie.anonymize.policy import Policy
from nadie.anonymize.secret import Key, Secret
from nadie.service.tokens import Permission

SERVICE, PROJECT = "service", "project"
_OWN = "caller "
_UNKEYED = frozenset({"label", "label-number", "mask", "redact", "keep", "generalize", "person"})


class Holder(Protocol):
    """A caller, as far as keys are concerned."""

    @property
    def name(self) -> str: ...
    @property
    def permissions(self) -> frozenset[Permission]: ...


def key_of(caller: Holder) -> str:
    """The name of the key for requests of a caller to the API: that of the service, or their own."""
    return SERVICE if Permission.KEYED in caller.permissions else f"{_OWN}{caller.name}"


class Keys:
    """The keys of a worker by their names."""

    def __init__(self, service: Secret, project: Secret | None, release: str) -> None:
        self._known = {SERVICE: service.key(release)}
        if project is not None:
            self._known[PROJECT] = project.key(release)

    def named(self, name: str) -> Key:
        """The key with that name. A caller's own key is derived from that of the service, and reveals nothing of it."""
        return self._known[name] if name in self._known else Key(self._known[SERVICE].derive(name))


def is_keyed(policy: Policy) -> bool:
    """Whether an operator of the policy gives values that depend on the key. One that is not known does."""
    return any(operator.name not in _UNKEYED for operator in policy.operators().values())


def digest_key(secret: Secret) -> bytes:
    """The key of `digests`, from the secret of the service."""
    return hashlib.sha256(secret.to_text().encode()).digest()


def digests(key: bytes, name: str, results: Iterable[Anonymized]) -> set[bytes]:
    """A digest for each different keyed value of the results; `name` is that of the key with which they were made."""
    return {
        hashlib.blake2b(
            "\0".join((name, document.meta.get("patient", ""), each.span.label, document.text_of(each.span))).encode(),
            key=key,
            digest_size=12,
        ).digest()
        for result in results
        for document in (result.document,)
        for each in result.replaced
        if each.operator not in _UNKEYED and not each.kept and not each.refused
    }

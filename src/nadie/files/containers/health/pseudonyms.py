"""Replacements for the ids that link resources: the same for the same id in all files of a run, so that links resolve.

They are derived from a secret, which the key of the run gives, and do not depend on the policy: a label in their place
would make all ids equal and break every link.
"""

from __future__ import annotations

import hmac
import re
import uuid

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_OID = re.compile(r"[0-2](?:\.(?:0|[1-9]\d*)){3,}")
_LENGTH = 20


class Pseudonyms:
    """Generates ids from a secret of 32 bytes."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def of(self, value: str) -> str:
        """A new id in the form of the original: a UUID for a UUID, an OID for an OID, otherwise letters and digits."""
        if _UUID.fullmatch(value):
            new = str(self.uuid_of(value))
            return new.upper() if value.isupper() else new
        if _OID.fullmatch(value):
            return f"2.25.{self.uuid_of(value).int}"  # the ISO arc for UUIDs as OIDs
        return f"n{self._digest(value).hex()[: _LENGTH - 1]}"

    def uuid_of(self, value: str) -> uuid.UUID:
        return uuid.UUID(bytes=self._digest(value)[:16], version=4)

    def _digest(self, value: str) -> bytes:
        return hmac.digest(self._secret, value.lower().encode("utf-8", "surrogatepass"), "sha256")

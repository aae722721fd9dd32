"""Encrypts a span in place; it can be decrypted with the key."""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING

from nadie.anonymize.context import Context
from nadie.anonymize.operators.base import Traits
from nadie.anonymize.secret import Key
from nadie.document import Span
from nadie.errors import VaultError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

_TOKEN = re.compile(r"\[([A-Z_]{3,40}):cif1\.([A-Za-z0-9_-]+)\]")


class EncryptOperator:
    """`Ana Pérez` → `[NOMBRE_SUJETO_ASISTENCIA:cif1.0q3x...]` by AES-SIV (RFC 5297).

    AES-SIV needs no random number: the same value in the same scope always gives the same text, so the output is
    deterministic, and any change of it is detected. The length of the value is visible.
    """

    name = "encrypt"
    traits = Traits.CONSTANT | Traits.NEEDS_KEY

    def replace(self, value: str, span: Span, context: Context) -> str:
        sealed = _cipher(context.key).encrypt(value.encode("utf-8", "surrogatepass"), [span.label.encode()])
        return f"[{span.label}:cif1.{base64.urlsafe_b64encode(sealed).decode().rstrip('=')}]"


def decrypt(text: str, key: Key) -> str:
    """Decrypt every encrypted span of the text; a span that cannot be decrypted with the key is an error."""
    cipher = _cipher(key)
    return _TOKEN.sub(lambda match: _open(cipher, match), text)


def is_encrypted(text: str) -> bool:
    return _TOKEN.search(text) is not None


def _open(cipher: AESSIV, match: re.Match[str]) -> str:
    from cryptography.exceptions import InvalidTag

    try:
        sealed = base64.urlsafe_b64decode(match[2] + "=" * (-len(match[2]) % 4))
        return cipher.decrypt(sealed, [match[1].encode()]).decode("utf-8", "surrogatepass")
    except (InvalidTag, binascii.Error, ValueError):
        raise VaultError(f"the span at {match.start()} cannot be decrypted: wrong key or changed text") from None


def _cipher(key: Key) -> AESSIV:
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV  # on demand: loading it takes time

    return AESSIV(key.derive("aes-siv, first half") + key.derive("aes-siv, second half"))

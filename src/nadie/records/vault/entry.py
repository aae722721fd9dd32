"""One entry of the vault: the data for restoring the text of a document from its output."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from nadie.anonymize.engine import Anonymized
from nadie.errors import VaultError


def digest(text: str) -> str:
    """SHA-256 of the text in UTF-8."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Entry:
    """For the document `id`, the hashes of its text and of its output, and the original values by their offsets."""

    id: str
    text: str
    output: str
    pieces: tuple[tuple[int, int, str], ...]

    @classmethod
    def of(cls, anonymized: Anonymized) -> Entry:
        document = anonymized.document
        return cls(document.id, digest(document.text), digest(anonymized.text), tuple(anonymized.originals()))

    def restore(self, output: str) -> str:
        """Restore the original text from the output for which this entry was made."""
        parts: list[str] = []
        end = 0
        for start, stop, original in self.pieces:
            parts += [output[end:start], original]
            end = stop
        text = "".join((*parts, output[end:]))
        if digest(text) != self.text:
            raise VaultError(
                f"the document {self.id[:80]!r} cannot be restored: its text is not the one that was written"
            )
        return text

    def to_bytes(self) -> bytes:
        content = {"id": self.id, "text": self.text, "output": self.output, "pieces": self.pieces}
        return json.dumps(content, separators=(",", ":")).encode("ascii")

    @classmethod
    def from_bytes(cls, content: bytes) -> Entry:
        found = json.loads(content)
        pieces = tuple((int(start), int(end), str(text)) for start, end, text in found["pieces"])
        return cls(found["id"], found["text"], found["output"], pieces)

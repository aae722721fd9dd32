"""One entry of the vault: the data for restoring the text of a document from its output."""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from nadie.anonymize.engine import Anonymized
from nadie.errors import VaultError

_SHORT = 4  # characters: a shorter value is placed in an edited text only where it stands once


def digest(text: str) -> str:
    """SHA-256 of the text in UTF-8."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class Piece(NamedTuple):
    """The original of `output[start:end]`, with its label and what was written there; vaults of old have neither."""

    start: int
    end: int
    original: str
    label: str = ""
    written: str = ""


class Restored(NamedTuple):
    """A text with originals, and the labels of those that could not be placed."""

    text: str
    unplaced: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """For the document `id`, the hashes of its text and of its output, and the original values by their offsets."""

    id: str
    text: str
    output: str
    pieces: tuple[Piece, ...]

    @classmethod
    def of(cls, anonymized: Anonymized) -> Entry:
        document, written = anonymized.document, anonymized.text
        pieces = tuple(
            Piece(
                r.start,
                r.end,
                document.text[r.span.start : r.span.end + r.taken],
                r.span.label,
                written[r.start : r.end],
            )
            for r in anonymized.replaced
            if not r.kept
        )
        return cls(document.id, digest(document.text), digest(written), pieces)

    def restore(self, output: str, only: Collection[str] = ()) -> str:
        """Restore the original text, or only values of some labels, from the output that this entry was made for."""
        parts: list[str] = []
        end = 0
        for piece in self.pieces:
            if not only or piece.label in only:
                parts += [output[end : piece.start], piece.original]
                end = piece.end
        text = "".join((*parts, output[end:]))
        if not only and digest(text) != self.text:
            raise VaultError("cannot be restored: its text is not the one that was written", where=self.id)
        return text

    def restore_edited(self, text: str, only: Collection[str] = ()) -> Restored:
        """Put the originals into an edited output, wherever it is certain which one belongs there.

        A value that stands for one original is restored wherever it stands as a whole word; one that stands for
        several, or is very short, only where the text has it as often as the output had.
        """
        wanted = [piece for piece in self.pieces if not only or piece.label in only]
        originals: dict[str, list[Piece]] = defaultdict(list)
        for piece in wanted:
            originals[piece.written].append(piece)
        places: dict[int, tuple[int, str]] = {}
        taken = bytearray(len(text))
        unplaced: list[str] = []
        for written, pieces in sorted(originals.items(), key=lambda item: -len(item[0])):
            found = [m.span() for m in _whole(written).finditer(text)] if written.strip() else []
            found = [(start, end) for start, end in found if not any(taken[start:end])]
            is_one = len({piece.original for piece in pieces}) == 1 and len(written) >= _SHORT
            if not found or (len(found) != len(pieces) and not is_one):
                unplaced += [piece.label for piece in pieces]
                continue
            for at, (start, end) in enumerate(found):
                places[start] = (end, pieces[min(at, len(pieces) - 1)].original)
                taken[start:end] = b"x" * (end - start)
        return Restored(_with(text, places), tuple(unplaced))

    def to_bytes(self) -> bytes:
        content = {"id": self.id, "text": self.text, "output": self.output, "pieces": self.pieces}
        return json.dumps(content, separators=(",", ":")).encode("ascii")

    @classmethod
    def from_bytes(cls, content: bytes) -> Entry:
        found = json.loads(content)
        pieces = tuple(Piece(int(start), int(end), *map(str, rest)) for start, end, *rest in found["pieces"])
        return cls(found["id"], found["text"], found["output"], pieces)


def _whole(written: str) -> re.Pattern[str]:
    """The value as a whole word, with any spaces between its words."""
    body = r"\s+".join(map(re.escape, written.split()))
    return re.compile(rf"(?<!\w){body}(?!\w)" if written[0].isalnum() else body)


def _with(text: str, places: dict[int, tuple[int, str]]) -> str:
    parts: list[str] = []
    done = 0
    for start, (end, original) in sorted(places.items()):
        parts += [text[done:start], original]
        done = end
    return "".join((*parts, text[done:]))

"""Files embedded in records, in base64 or as text: opened by their format, and written back in the same format."""

from __future__ import annotations

import base64
import binascii
import codecs
import io
import mimetypes
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from nadie.errors import Failure, FormatError, NadieError
from nadie.files.container import Account, Edits, Opened, OpenOptions, Uncovered
from nadie.files.containers.health.record import Change, HealthRecord, RecordValue
from nadie.files.mapped import MappedText
from nadie.files.recognition import open_as, recognise, texts_of
from nadie.files.source import Source

_CHARSET = re.compile(r"""charset\s*=\s*["']?([\w.:-]+)""", re.IGNORECASE)
_PHOTOS = ("image/", "video/", "audio/")
_PHOTOS_REMOVED = "{} photos, videos or audio files removed"
_SUFFIXES = {"text/plain": "", "text/rtf": ".rtf", "application/rtf": ".rtf", "application/xml": "", "text/xml": ""}


@dataclass
class Embedded:
    """An open file embedded in a record, with all its texts."""

    opened: Opened
    texts: list[MappedText[Any]]
    encoding: str

    def rewritten(self, edits: Sequence[Edits]) -> bytes:
        """The content of its copy."""
        out = io.BytesIO()
        self.opened.write(iter(edits), out)
        content = out.getvalue()
        return content.decode("utf-8").encode(self.encoding, "replace") if self.encoding else content


class Files:
    """Opens the files embedded in one record file, and reports the results in its account."""

    def __init__(self, source: Source, options: OpenOptions, account: Account) -> None:
        self._source = source
        self._options = options
        self._account = account
        self._count = self._photos = 0

    def embed(
        self,
        record: HealthRecord,
        content: bytes | None,
        content_type: str,
        put: Callable[[bytes], Iterable[Change]],
        without: Sequence[Change],
    ) -> None:
        """Add the texts of a file to the record; `content` is None if it could not be decoded.

        `put` returns the changes that write a new content in its place, `without` are those that remove it.
        """
        if content == b"":
            return
        self._count += 1
        place = f"attachment {self._count}"
        if content is None:
            self._leave_out(FormatError("cannot be decoded", where=f"{self._source.where}!{place}"), place)
        embedded = None if content is None else self._opened(content, content_type, place)
        if embedded is None:
            record.fixed += without
            return

        def changed(edits: Sequence[Edits]) -> Iterable[Change]:
            new = self._rewritten(embedded, edits, place)
            return without if new is None else () if new == content else put(new)

        record.embed(RecordValue(changed, len(embedded.texts)), embedded.texts)

    def _opened(self, content: bytes, content_type: str, place: str) -> Embedded | None:
        """The file, or None if it must be left out, which is reported in the account."""
        media_type = content_type.partition(";")[0].strip().lower()
        try:
            if not media_type.startswith(_PHOTOS):
                self._source.budget.spend(len(content), self._source.where)
                content, encoding = _as_utf8(content, content_type, f"{self._source.where}!{place}")
                suffix = _SUFFIXES.get(media_type, mimetypes.guess_extension(media_type) or "")
                inner = self._source.inside(f"{place}{suffix}", content)
                if (form := recognise(inner)) not in ("image", "media"):
                    opened = open_as(form, inner, self._options)
                    return Embedded(opened, texts_of(opened, form, inner.where), encoding)
        except NadieError as error:
            self._leave_out(error, place)
            return None
        self._photos += 1
        if self._photos > 1:
            self._account.remarks.remove(_PHOTOS_REMOVED.format(self._photos - 1))
        self._account.remarks.append(_PHOTOS_REMOVED.format(self._photos))
        return None

    def _leave_out(self, error: NadieError, place: str) -> None:
        self._account.leave_out(Failure.of(error, f"{self._source.where}!{place}"))

    def _rewritten(self, embedded: Embedded, edits: Sequence[Edits], place: str) -> bytes | None:
        """The content of the file's copy, or None if it must be left out; both are reported in the account."""
        try:
            content = embedded.rewritten(edits)
        except NadieError as error:
            self._leave_out(error, place)
            return None
        of_file = embedded.opened.account
        self._account.uncovered += [Uncovered(f"{place}, {inner}", why) for inner, why in of_file.uncovered]
        self._account.failures += of_file.failures
        return content


def from_base64(text: str) -> bytes | None:
    """The content, or None where the text is not base64."""
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return None


def to_base64(content: bytes) -> str:
    return base64.b64encode(content).decode()


def _as_utf8(content: bytes, content_type: str, where: str) -> tuple[bytes, str]:
    """Plain text of another encoding in UTF-8, and the original encoding."""
    declared = _CHARSET.search(content_type)
    if declared is None or not content_type.lower().startswith("text/plain"):
        return content, ""
    try:
        name = codecs.lookup(declared[1]).name
        return (content, "") if name == "utf-8" else (content.decode(name).encode(), name)
    except (LookupError, ValueError, UnicodeError):
        pass
    raise FormatError("is not in the encoding that its type declares", where=where)

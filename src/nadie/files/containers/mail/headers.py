"""The headers of an e-mail: people, addresses, subject, dates and ids are searched, the rest is kept or left out.

Unknown headers may name servers, addresses and people, so they are left out.
"""

from __future__ import annotations

import datetime
import re
from email.headerregistry import Address
from email.message import Message
from email.policy import EmailPolicy
from email.utils import format_datetime, getaddresses, parsedate_to_datetime
from typing import Any, NamedTuple

from nadie.errors import FormatError
from nadie.files.containers.mail.text import decoded_words
from nadie.files.containers.names import is_code
from nadie.files.mapped import MappedText, TextBuilder
from nadie.labels import Label

NOWHERE = "anonymized.invalid"
CONTENT_ID = "content-id"
_MAX_LENGTH = 1 << 14
_MAX_CONTENT = 1 << 11
_RESENT = ("resent-from", "resent-to", "resent-cc", "resent-bcc", "resent-sender")
_ADDRESSES = frozenset({"from", "to", "cc", "bcc", "reply-to", "sender", *_RESENT})
_TEXTS = frozenset({"subject", "thread-topic", "comments", "keywords", "organization", "content-description"})
_DATES = frozenset({"date", "resent-date", "delivery-date"})
_IDS = frozenset({"message-id", "in-reply-to", "references", "resent-message-id"})
_WORD = "(?:high|low|normal|highest|lowest|urgent|non-urgent)"
_LEVEL = rf"(?:[1-5](?: \({_WORD}\))?|{_WORD})"
_USUAL = {
    "mime-version": ".*",
    "content-language": r"[a-z]{2,3}(?:-[a-z]{2})?",
    "importance": _LEVEL,
    "priority": _LEVEL,
    "x-priority": _LEVEL,
    "x-msmail-priority": _LEVEL,
    "sensitivity": "personal|private|company-confidential|normal",
    "auto-submitted": "no|auto-generated|auto-replied",
    "precedence": "bulk|list|junk",
}
"""Headers that are kept if they have a usual value, and left out otherwise."""
_KEPT = frozenset({"content-type", "content-transfer-encoding", "content-disposition", CONTENT_ID, *_USUAL})
_PARAMETERS = frozenset(
    "charset boundary name filename format delsp type start report-type smime-type protocol micalg method".split()
)
_MAIN_TYPES = frozenset("application audio chemical font image message model multipart text video".split())
_READ = _ADDRESSES | _TEXTS | _DATES | _IDS | _KEPT
_ID = re.compile(r"<[^<>]*>")
_FOLD = re.compile(r"\r?\n(?=[ \t])|[\r\n]+")
_POLICY = EmailPolicy()


class HeaderPart(NamedTuple):
    """The address of a text: the number of the header, the number within it, and the type of value."""

    header: int
    item: int
    kind: str


class Headers:
    """The headers of one message or part."""

    def __init__(self, message: Message, where: str) -> None:
        self._message = message
        self._items = [(name, _decoded(value)) for name, value in message.raw_items()]
        self._raw = [value for _, value in message.raw_items()]
        self._parsed: dict[int, Any] = {}
        self._rebuilt: set[int] = set()  # headers whose comments would be kept otherwise
        self.left_out: list[str] = []
        self.length = 0
        for name, value in self._items:
            most = _MAX_CONTENT if name.lower() in _KEPT else _MAX_LENGTH
            if name.lower() in _READ:
                self.length += len(value)
                if len(value) > most:
                    raise FormatError(f"has a header of more than {most} characters", where=where)

    def text(self) -> MappedText[HeaderPart]:
        builder: TextBuilder[HeaderPart] = TextBuilder()
        for number, (name, value) in enumerate(self._items):
            kind = name.lower()
            builder.cut()
            if kind in _ADDRESSES:
                self._add_addresses(builder, number, value)
            elif kind in _TEXTS:
                builder.add(str(_POLICY.header_factory(name, value)), HeaderPart(number, 0, "text"))
            elif kind in _DATES:
                self._add_date(builder, number, value)
            elif kind in _IDS:
                for item, match in enumerate(_ID.finditer(value) if "<" in value else re.finditer(r"\S+", value)):
                    builder.cut(" ")
                    builder.add(match[0], HeaderPart(number, item, "id"), Label.OTRO_NUMERO_IDENTIF)
            elif not _is_kept(kind, value):
                self.left_out.append(name)
        return builder.build()

    def write(self, text: MappedText[HeaderPart], edits: Any) -> None:
        """Write the headers of the message with the edits, in order."""
        news: dict[int, dict[HeaderPart, str]] = {number: {} for number in self._rebuilt}
        for segment, new in text.changes(edits):
            news.setdefault(segment.address.header, {})[segment.address] = new
        for name in {name for name, _ in self._items}:
            del self._message[name]
        for number, (name, value) in enumerate(self._items):
            kind = name.lower()
            if kind == "mime-version":
                self._message.set_raw(name, "1.0")
                continue
            if kind not in _READ or (kind in _KEPT and not _is_kept(kind, value)):
                continue
            if number not in news:
                self._message.set_raw(name, self._raw[number])
                continue
            new = self._new(number, kind, value, news[number])
            if new is not None:
                self._message.set_raw(name, _POLICY.header_factory(name, new))

    def _add_addresses(self, builder: TextBuilder[HeaderPart], number: int, value: str) -> None:
        found = [(decoded_words(name), address) for name, address in getaddresses([value])]
        if not all("@" in address for _, address in found):
            self._parsed[number] = None
            builder.add(decoded_words(value).strip(), HeaderPart(number, 0, "whole"), Label.CORREO_ELECTRONICO)
            return
        self._parsed[number] = found
        if "(" in value or ":" in value:  # comments and names of groups are not kept
            self._rebuilt.add(number)
        for item, (name, address) in enumerate(found):
            builder.cut()
            builder.add(name, HeaderPart(number, item, "name"), Label.NOMBRE_PERSONAL_SANITARIO)
            builder.cut(" ")
            builder.add(address, HeaderPart(number, item, "address"), Label.CORREO_ELECTRONICO)

    def _add_date(self, builder: TextBuilder[HeaderPart], number: int, value: str) -> None:
        try:
            moment = parsedate_to_datetime(re.sub(r"\([^()]*\)", "", value))
        except (ValueError, TypeError, IndexError, OverflowError):
            builder.add(value.strip(), HeaderPart(number, 0, "date"), Label.FECHAS)
            return
        self._parsed[number] = moment.tzinfo
        self._rebuilt.add(number) if "(" in value else None
        builder.add(moment.replace(tzinfo=None).isoformat(" "), HeaderPart(number, 0, "date"), Label.FECHAS)

    def _new(self, number: int, kind: str, value: str, news: dict[HeaderPart, str]) -> Any:
        """The new value of a header; None if it has none and is left out."""
        if kind in _TEXTS:
            return _one_line(next(iter(news.values())))
        if kind in _DATES:
            return self._date(number, value, news)
        if kind in _IDS:
            ids = [match[0] for match in (_ID.finditer(value) if "<" in value else re.finditer(r"\S+", value))]
            return " ".join(
                f"<{_local(new)}@{NOWHERE}>" if (new := news.get(HeaderPart(number, item, "id"))) is not None else old
                for item, old in enumerate(ids)
            )
        if self._parsed[number] is None:
            return [Address(addr_spec=address_from(next(iter(news.values()))))]
        return [self._mailbox(HeaderPart(number, item, ""), old, news) for item, old in enumerate(self._parsed[number])]

    def _mailbox(self, mailbox: HeaderPart, old: tuple[str, str], news: dict[HeaderPart, str]) -> Address:
        name = news.get(mailbox._replace(kind="name"), old[0])
        address = news.get(mailbox._replace(kind="address"))
        return Address(_one_line(name), addr_spec=old[1] if address is None else address_from(address))

    def _date(self, number: int, value: str, news: dict[HeaderPart, str]) -> str | None:
        if not news:
            return re.sub(r"\([^()]*\)", "", value).strip()
        try:
            moment = datetime.datetime.fromisoformat(next(iter(news.values())).strip())
        except ValueError:
            return None
        return format_datetime(moment.replace(tzinfo=self._parsed.get(number)))


def unknown_parameters(part: Message) -> list[tuple[str, str]]:
    """Headers and parameters that no program needs and that may contain anything."""
    return [
        (header, name)
        for header in ("content-type", "content-disposition")
        for name, _ in (part.get_params(header=header) or [])[1:]
        if name.lower() not in _PARAMETERS
    ]


def is_usual_type(kind: str) -> bool:
    """Whether a media type is one of the registered main types, with a name that is nobody's."""
    return kind.partition("/")[0].lower() in _MAIN_TYPES and is_code(kind)


def is_encrypted(part: Message) -> bool:
    kind = part.get_content_type()
    enveloped = kind.startswith("application/") and kind.endswith("pkcs7-mime")
    return kind == "multipart/encrypted" or (enveloped and part.get_param("smime-type") != "signed-data")


def _decoded(value: str) -> str:
    """A header without its folds; bytes without a declared encoding are UTF-8 or Windows-1252."""
    raw = _FOLD.sub("", str(value)).encode("utf-8", "surrogateescape")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def _is_kept(kind: str, value: str) -> bool:
    """Whether a header is kept unchanged: it is needed to read the message, or has a usual value."""
    usual = _USUAL.get(kind, "(?s:.*)")
    return kind in _KEPT and re.fullmatch(usual, value.strip(), re.IGNORECASE) is not None


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def _local(new: str) -> str:
    return re.sub(r"[^A-Za-z0-9_+-]", "", new.partition("@")[0]) or "x"


def address_from(new: str) -> str:
    """A valid address for a header, whatever replacement the policy gave."""
    found = re.fullmatch(r"[A-Za-z0-9._+-]+@[A-Za-z0-9.-]+", new.strip())
    return found[0] if found else f"{_local(new)}@{NOWHERE}"

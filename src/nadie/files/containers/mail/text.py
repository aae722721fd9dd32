"""The content of a part of an e-mail: decoding and encoding."""

from __future__ import annotations

import base64
import binascii
import io
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import collapse_rfc2231_value

from nadie.errors import FormatError
from nadie.files.recognition import sniffed

_TRANSFERS = frozenset({"", "7bit", "8bit", "binary", "base64", "quoted-printable", "uuencode", "x-uuencode", "x-uue"})
_GUESSED = frozenset({"", "us-ascii", "ascii", "unknown-8bit", "default"})
_LATIN = frozenset({"iso-8859-1", "latin1", "latin-1", "iso8859-1"})
NAMES = (("content-disposition", "filename"), ("content-type", "name"))


def transfer_of(part: Message) -> str:
    return str(part.get("content-transfer-encoding", "")).strip().lower()


def content_of(part: Message, where: str) -> bytes:
    """The decoded bytes of a part."""
    if transfer_of(part) not in _TRANSFERS:
        raise FormatError("has a part in an unknown transfer encoding", where=where)
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""


def has_more_than(part: Message, content: bytes) -> bool:
    """Whether the encoded part has more than the decoded content, such as a line after the end of base64."""
    if transfer_of(part) in ("", "7bit", "8bit", "binary", "quoted-printable"):
        return False
    payload = "".join(str(part.get_payload()).split())
    return payload != base64.b64encode(content).decode("ascii")


def text_of(part: Message, where: str) -> tuple[str, str]:
    """The text of a part and its encoding."""
    content = content_of(part, where)
    charset = (part.get_content_charset() or "").lower()
    if charset in _GUESSED:
        encoding = sniffed(io.BytesIO(content), where)[0]
        return content.decode(encoding), encoding
    encoding = "cp1252" if charset in _LATIN else charset
    problem = ""
    try:
        return content.decode(encoding), encoding
    except LookupError:
        problem = f"declares the encoding {charset[:40]!r}, which is unknown"
    except UnicodeDecodeError:
        if encoding == "cp1252":
            return content.decode("latin-1"), "latin-1"
        problem = f"is not {charset[:40].upper()}, as it says"
    # Raised outside the handler, because the decoding error contains the bytes of the document.
    raise FormatError(problem, where=where)


def put_text(part: Message, text: str, encoding: str, errors: str = "strict") -> None:
    """Set the text of a part, in its encoding if that has all letters, otherwise in UTF-8."""
    try:
        content = text.encode(encoding, errors)
    except UnicodeEncodeError:
        content, encoding = text.encode("utf-8"), "utf-8"
    declared = (part.get_content_charset() or "").lower()
    if not content.isascii() and (declared in _GUESSED or (encoding == "utf-8" and declared != "utf-8")):
        if "content-type" not in part:
            part["Content-Type"] = "text/plain"
        part.set_param("charset", "windows-1252" if encoding == "cp1252" else encoding, replace=True)
    put_content(part, content)


def put_content(part: Message, content: bytes) -> None:
    """Set the bytes of a part, in its transfer encoding if that can represent them."""
    transfer = transfer_of(part)
    is_text = part.get_content_maintype() == "text"
    if transfer == "quoted-printable" or (transfer in ("", "7bit") and is_text and not content.isascii()):
        _set(part, "quoted-printable", binascii.b2a_qp(content, istext=True).decode("ascii"))
    elif transfer in ("", "7bit", "8bit") and is_text:
        part.set_payload(content.decode("ascii", "surrogateescape"))
    else:
        _set(part, "base64", base64.encodebytes(content).decode("ascii"))


def leave_out(part: Message) -> None:
    """Replace a part that cannot be covered by a note."""
    for header in ("content-disposition", "content-id", "content-description", "content-transfer-encoding"):
        del part[header]
    del part["content-type"]
    part["Content-Type"] = 'text/plain; charset="us-ascii"'
    part["Content-Disposition"] = "attachment"
    part.set_payload("[attachment left out]\n")


def name_in(part: Message, header: str, parameter: str) -> str:
    """The name that a part has in one of its headers, in any encoding."""
    value = part.get_param(parameter, header=header)
    if value is None:
        return ""
    name = collapse_rfc2231_value(value)
    return decoded_words(name)


def decoded_words(text: str) -> str:
    """A header text with its encoded words decoded, or unchanged if they cannot be decoded."""
    try:
        return str(make_header(decode_header(text))) if "=?" in text else text
    except (LookupError, UnicodeError, HeaderParseError):
        return text


def put_name(part: Message, header: str, parameter: str, new: str) -> None:
    part.set_param(parameter, new, header=header, charset="" if new.isascii() else "utf-8", replace=True)


def _set(part: Message, transfer: str, payload: str) -> None:
    del part["content-transfer-encoding"]
    part["Content-Transfer-Encoding"] = transfer
    part.set_payload(payload)

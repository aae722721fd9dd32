"""RTF documents: the text, notes, comments and properties; everything else is unchanged, byte for byte.

There is no well-maintained library that writes RTF back, so it is tokenized exactly (`rtf_tokens`), read once
(`rtf_reader`), and only the replaced characters change.
"""

from __future__ import annotations

import datetime
import re

from nadie.files.container import Account, Container, Edits, OneText, OpenOptions, Uncovered
from nadie.files.containers.office.rtf_reader import AUTHORS, DATE_WORDS, DATES, Reader, RtfPiece, Stream
from nadie.files.containers.office.rtf_tokens import spelled
from nadie.files.containers.prose import is_prose
from nadie.files.containers.raw import Range, spliced
from nadie.files.mapped import TextBuilder
from nadie.files.source import Source
from nadie.labels import Label

_NOBODY = frozenset({"", "Unknown"})
_LABELS = {
    **dict.fromkeys(AUTHORS, Label.NOMBRE_PERSONAL_SANITARIO),
    **dict.fromkeys(DATES, Label.FECHAS),
    "template": Label.URL_WEB,
}
_WORDS = re.compile(r"[^\W\d_]{2}")
_TECHNICAL = frozenset({"sv", "stylesheet", "listtable", "generator", "xmlnstbl"})


class Rtf(Container):
    """`.rtf`, and `.doc` files that are RTF."""

    name = "rtf"
    title = "an RTF document"

    def open(self, source: Source, options: OpenOptions) -> OneText[Range]:
        raw = source.read().decode("latin-1")
        reader = Reader(raw, source.where)
        builder: TextBuilder[Range] = TextBuilder()
        dates: set[int] = set()
        for stream in reader.streams:
            builder.cut()
            if stream.destination in _LABELS:
                _add_field(builder, stream, dates)
            elif _is_searched(stream):
                _add(builder, stream.pieces, was=False)
                if any(piece.deleted for piece in stream.pieces):
                    builder.cut()
                    _add(builder, stream.pieces, was=True)
        text = builder.build()

        def escaped(new: str, bounds: Range) -> str:
            written = _date(new) if bounds[0] in dates else spelled(new)
            return f" {written}" if bounds[0] in reader.bare else written

        account = Account()
        if reader.pictures:
            account.uncovered.append(Uncovered(f"{reader.pictures} images", "not changed"))

        def rewritten(edits: Edits) -> bytes:
            return spliced(raw, text, edits, escaped, reader.forgotten).encode("latin-1")

        return OneText(text, rewritten, account)


def _is_searched(stream: Stream) -> bool:
    """Whether a stream is searched: tables of programs only if they contain human text."""
    if stream.destination not in _TECHNICAL:
        return True
    text = "".join(piece.text for piece in stream.pieces)
    return bool(_WORDS.search(text)) if stream.destination == "sv" else is_prose(text)


def _add(builder: TextBuilder[Range], pieces: list[RtfPiece], *, was: bool) -> None:
    """Add the pieces in the current version, without deleted text, or in the previous one, without inserted text."""
    for piece in pieces:
        if piece.bounds is None:
            builder.cut(piece.text)
        elif not (piece.inserted if was else piece.deleted):
            builder.add(piece.text, piece.bounds)


def _add_field(builder: TextBuilder[Range], stream: Stream, dates: set[int]) -> None:
    """Add the whole text of a stream as one field."""
    ranges = [piece.bounds for piece in stream.pieces if piece.bounds]
    text = "".join(piece.text for piece in stream.pieces if piece.bounds)
    if stream.destination in DATES:
        text = _moment(text)
        dates.update(start for start, _ in ranges)
    elif stream.destination == "revtbl" and text.endswith(";"):
        text, ranges = text[:-1], [*ranges[:-1], (ranges[-1][0], ranges[-1][1] - 1)]
    if ranges and text.strip() not in _NOBODY:
        builder.add(text, (ranges[0][0], ranges[-1][1]), _LABELS[stream.destination])


def _moment(said: str) -> str:
    """The ISO date of a date in control words; empty if they are not a date."""
    numbers = dict(zip(said.split()[::2], said.split()[1::2], strict=False))
    try:
        year, month, day, hour, minute, second = (int(numbers.get(word, "0")) for word in DATE_WORDS)
        return datetime.datetime(year, month, day, hour, minute, second).isoformat(" ")
    except ValueError:
        return ""


def _date(new: str) -> str:
    """A date in RTF control words; any other value is left out."""
    try:
        moment = datetime.datetime.fromisoformat(new.strip())
    except ValueError:
        return ""
    values = (moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second)
    return "".join(f"\\{word}{value}" for word, value in zip(DATE_WORDS, values, strict=True))

"""RTF documents: the text, notes, comments and properties; everything else is unchanged, byte for byte.

There is no well-maintained library that writes RTF back, so it is tokenized exactly (`rtf_tokens`), read once
(`rtf_reader`), and only the replaced characters change.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator

from nadie.errors import Failure, FormatError
from nadie.files.container import Account, Container, Edits, OneText, OpenOptions, Uncovered
from nadie.files.containers.names import Names, is_code
from nadie.files.containers.office.coded import arguments
from nadie.files.containers.office.rtf_reader import AUTHORS, DATE_WORDS, DATES, Reader, RtfPiece, Stream
from nadie.files.containers.office.rtf_tokens import spelled
from nadie.files.containers.prose import is_identifier, is_prose
from nadie.files.containers.raw import Range, spliced
from nadie.files.mapped import TextBuilder
from nadie.files.source import Source
from nadie.labels import Label

_NAMES = {"bkmkstart": "bookmark", "bkmkend": "bookmark", "ffname": "bookmark", "propname": "property "}
_LISTS = {"stylesheet": "Style ", "listname": "List "}
"""Names that a program resolves, by destination, each with the beginning of the names that replace them."""
_NOBODY = frozenset({"", "Unknown"})
_LABELS = {
    **dict.fromkeys(AUTHORS, Label.NOMBRE_PERSONAL_SANITARIO),
    **dict.fromkeys(DATES, Label.FECHAS),
    "template": Label.URL_WEB,
}
_WORDS = re.compile(r"[^\W\d_]{2}")
_TECHNICAL = frozenset({"sv", "listtable", "generator", "xmlnstbl"})


class _Names:
    """The names that fields, links and programs resolve: bookmarks, form fields, properties and styles."""

    def __init__(self) -> None:
        self._names = {prefix: Names(prefix) for prefix in (*_NAMES.values(), *_LISTS.values())}
        self._at: list[tuple[Names, list[RtfPiece]]] = []

    def add(self, stream: Stream) -> None:
        """Add the name in a stream, or the names, each of which ends with a semicolon."""
        if prefix := _NAMES.get(stream.destination):
            self.note(prefix, stream.pieces)
            return
        name: list[RtfPiece] = []
        for piece in (each for whole in stream.pieces for each in _characters(whole)):
            if piece.text == ";":
                self.note(_LISTS[stream.destination], name)
                name = []
            elif piece.bounds:
                name.append(piece)
        self.note(_LISTS[stream.destination], name)

    def note(self, prefix: str, pieces: list[RtfPiece]) -> None:
        placed = [piece for piece in pieces if piece.bounds]
        if any(piece.text.strip() for piece in placed):
            self._at.append((self._names[prefix], placed))

    def changes(self) -> Iterator[tuple[int, int, str]]:
        for names, pieces in self._at:
            old = "".join(piece.text for piece in pieces)
            if (new := names.of(old.strip())) != old.strip():
                for number, piece in enumerate(pieces):
                    yield (*(piece.bounds or (0, 0)), "" if number else spelled(new))


class Rtf(Container):
    """`.rtf`, and `.doc` files that are RTF."""

    name = "rtf"
    title = "an RTF document"

    def open(self, source: Source, options: OpenOptions) -> OneText[Range]:
        raw = source.read().decode("latin-1")
        reader = Reader(raw, source.where)
        builder: TextBuilder[Range] = TextBuilder()
        dates: set[int] = set()
        names = _Names()
        for stream in reader.streams:
            builder.cut()
            if stream.destination in _LABELS:
                _add_field(builder, stream, dates)
            elif stream.destination in _NAMES or stream.destination in _LISTS:
                names.add(stream)
            elif stream.destination == "fldinst":
                _add_instruction(builder, stream, names)
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
        if reader.objects:
            problem = FormatError(f"has {reader.objects} embedded objects, which are not supported", where=source.where)
            account.leave_out(Failure.of(problem))
        if reader.pictures:
            account.uncovered.append(Uncovered(f"{reader.pictures} images", "not changed"))

        def rewritten(edits: Edits) -> bytes:
            return spliced(raw, text, edits, escaped, [*reader.forgotten, *names.changes()]).encode("latin-1")

        return OneText(text, rewritten, account)


def _is_searched(stream: Stream) -> bool:
    """Whether a stream is searched: tables of programs only if they contain human text."""
    if stream.destination not in _TECHNICAL:
        return True
    text = "".join(piece.text for piece in stream.pieces)
    is_text = bool(_WORDS.search(text)) or is_identifier(text)
    return is_text if stream.destination == "sv" else is_prose(text) or not is_code(text)


def _add(builder: TextBuilder[Range], pieces: list[RtfPiece], *, was: bool) -> None:
    """Add the pieces in the current version, without deleted text, or in the previous one, without inserted text."""
    for piece in pieces:
        if piece.bounds is None:
            builder.cut(piece.text)
        elif not (piece.inserted if was else piece.deleted):
            builder.add(piece.text, piece.bounds)


def _characters(piece: RtfPiece) -> Iterator[RtfPiece]:
    """The characters of a piece, one by one if they are spelled as they are in the file."""
    start, end = piece.bounds or (0, 0)
    if end - start != len(piece.text):
        yield piece
    else:
        for n, character in enumerate(piece.text):
            yield piece._replace(text=character, bounds=(start + n, start + n + 1))


def _add_instruction(builder: TextBuilder[Range], stream: Stream, names: _Names) -> None:
    """Add the prose in the instruction of a field; bookmarks and styles in it are names."""
    pieces = [each for piece in stream.pieces if piece.bounds for each in _characters(piece)]
    owners = [piece for piece in pieces for _ in piece.text]
    for start, end, kind in arguments("".join(piece.text for piece in pieces)):
        within = list(dict.fromkeys(owners[start:end]))
        if kind != "prose":
            names.note("bookmark" if kind == "bookmark" else "Style ", within)
            continue
        builder.cut()
        for piece in within:
            if piece.bounds:
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

"""The text of an RTF document by stream: the body, and each note, header, comment and property."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field, replace
from typing import NamedTuple, NoReturn

from nadie.errors import FormatError
from nadie.files.containers.code_pages import encoding_of_page
from nadie.files.containers.names import is_code
from nadie.files.containers.office.rtf_tokens import RtfToken, encoding_of_charset, tokens
from nadie.files.containers.raw import Range

MAX_DEPTH = 500
_MOST_UNREAD = 10_000
_SKIPPED = frozenset(
    "fonttbl colortbl listoverridetable rsidtbl latentstyles mmathPr wgrffmtfilter "
    "expandedcolortbl fchars lchars panose fontemb password passwordhash pict blipuid sn defchp defpap pgptbl "
    "levelnumbers leveltext listid".split()
)
_BESIDE = frozenset(
    "header headerl headerr headerf footer footerl footerr footerf footnote annotation info title subject author "
    "manager company operator category keywords comment doccomm hlinkbase shptxt sp sv xe tc tcn txe rxe propname "
    "staticval linkval template atnref creatim revtim printim buptim ud shprslt dptxbxtext ftnsep ftnsepc ftncn "
    "aftnsep aftnsepc aftncn stylesheet listtable listname generator xmlnstbl oldcprops oldpprops oldsprops "
    "oldtprops".split()
)
AUTHORS = frozenset({"author", "manager", "operator", "atnauthor", "revtbl"})
DATES = frozenset({"creatim", "revtim", "printim", "buptim"})
DATE_WORDS = ("yr", "mo", "dy", "hr", "min", "sec")
_INLINE = frozenset({"shppict", "listpicture", "shpinst", "nonesttables", "picprop", "do"})
_KEPT = frozenset({"fonttbl", "pict"})
"""Destinations that are kept whatever is in them: names of fonts, and the bytes of images."""
_REMOVED = frozenset({"datastore", "datafield", "objdata", "themedata", "colorschememapping"})
_EMPTIED = {"atnid": "", "atndate": "0", "atntime": "0"}
_ENDS = {"par": "\n", "line": "\n", "sect": "\n", "page": "\n", "row": "\n", "nestrow": "\n", "column": "\n",
         "softline": "\n", "lbr": "\n", "cell": "\t", "nestcell": "\t", "tab": "\t"}  # fmt: skip
_CHARACTERS = {"emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
               "bullet": "•", "emspace": " ", "enspace": " ", "qmspace": " "}  # fmt: skip
_SYMBOLS = {"~": "\xa0", "_": "-", "\\": "\\", "{": "{", "}": "}"}
_FORGOTTEN = frozenset({"revdttm", "revdttmdel", "crdate", "prdate", "srdate", "trdate", "mvdate"})
_WESTERN = "cp1252"
_ASCII = re.compile(r"[\x00-\x7f]+|[\x80-\xff]")


class RtfPiece(NamedTuple):
    """Characters and their place; without a range, a separator."""

    text: str
    bounds: Range | None
    deleted: bool = False
    inserted: bool = False


@dataclass
class Stream:
    """The pieces of one destination, in order."""

    destination: str
    pieces: list[RtfPiece] = field(default_factory=list)


@dataclass
class _State:
    """The state of a group, which ends with it."""

    stream: Stream
    destination: str = ""
    start: int = 0
    content_start: int = 0  # the start of its content, after its name
    skipped: bool = False
    unread: list[str] = field(default_factory=list)  # the text of a group that is skipped
    encoding: str = ""
    uc: int = 1
    deleted: bool = False
    inserted: bool = False
    font: int | None = None


class Reader:
    """Passes through the tokens once. Afterwards `streams` has the texts, and the other attributes the rest."""

    def __init__(self, raw: str, where: str) -> None:
        self.streams = [Stream("")]
        self.bare: set[int] = set()  # the ends of control words without a space after them
        self.forgotten: list[tuple[int, int, str]] = []
        self.pictures = self.objects = 0
        self._raw = raw
        self._where = where
        self._fonts: dict[int, str] = {}
        self._page = _WESTERN
        self._default_font: int | None = None
        self._stack: list[_State] = []
        self._state = _State(self.streams[0])
        self._star = False
        self._to_skip = 0  # fallback characters after a \u
        # The encoding, the start and the bytes of an incomplete character.
        self._half: tuple[str, int, bytes] | None = None
        self._read()

    def _read(self) -> None:
        is_over = False
        for token in tokens(self._raw):
            if is_over and not (token.kind == "line" or not token.value.strip()):
                self._fail("has content after its end")
            self._take(token)
            if token.bare:
                self.bare.add(token.end)
            is_over = is_over or (token.kind == "close" and not self._stack)
        if not is_over:
            self._fail("is damaged or truncated")

    def _take(self, token: RtfToken) -> None:
        if token.kind == "open":
            self._open(token)
        elif token.kind == "close":
            self._close(token)
        elif token.kind == "word":
            self._word(token)
        elif token.kind == "symbol":
            self._symbol(token)
        elif token.kind == "hex" and not self._is_fallback(token, 1):
            self._bytes(bytes([int(token.value, 16)]), (token.start, token.end))
        elif token.kind == "text":
            self._text(token)

    def _open(self, token: RtfToken) -> None:
        if len(self._stack) >= MAX_DEPTH:
            self._fail(f"nests groups more than {MAX_DEPTH} deep")
        self._to_skip, self._star = 0, False
        self._stack.append(self._state)
        self._state = replace(self._state, start=token.start, destination="")
        if self._stack[-1].destination == "revtbl":
            self._beside("revtbl")

    def _close(self, token: RtfToken) -> None:
        self._to_skip, self._half = 0, None
        if not self._stack:
            self._fail("is damaged: it closes a group that was never opened")
        state = self._state
        if state.destination in _REMOVED or self._is_unread_prose(state):
            self.forgotten.append((state.start, token.end, ""))
        elif state.destination in _EMPTIED:
            self.forgotten.append((state.content_start, token.start, _EMPTIED[state.destination]))
        self._state = self._stack.pop()

    def _is_unread_prose(self, state: _State) -> bool:
        """Whether a table of programs has the name of a person or a long number, so that it is removed."""
        is_whole = state.destination in _SKIPPED - _KEPT and not self._stack[-1].skipped
        return is_whole and (len(state.unread) >= _MOST_UNREAD or not all(map(is_code, state.unread)))

    def _word(self, token: RtfToken) -> None:
        word, number, state = token.value, token.number, self._state
        if word == "u" and number is not None:
            self._unicode(token, number)
        elif self._is_fallback(token, 1):
            return
        elif word in _ENDS:
            self._piece(RtfPiece(_ENDS[word], None))
        elif word in _CHARACTERS:
            self._characters(_CHARACTERS[word], (token.start, token.end))
        elif word in _FORGOTTEN and number is not None:
            self.forgotten.append((token.start + 1 + len(word), token.end - (not token.bare), "0"))
        elif word in ("deleted", "revised"):
            setattr(state, "inserted" if word == "revised" else word, number != 0)
        elif word in ("uc", "f", "deff", "ansicpg", "mac", "pc", "pca", "fcharset", "cpg", "plain"):
            self._code(word, number)
        elif word in DATE_WORDS and state.stream.destination in DATES:
            state.stream.pieces.append(RtfPiece(f"{word} {number} ", (token.start, token.end)))
        elif not state.destination:
            self._name(word)
            state.content_start = token.end

    def _name(self, word: str) -> None:
        """Set the destination of a group, which its first word may name."""
        state = self._state
        if word == "objdata":
            self.objects += 1
        if word == "pict":
            self.pictures += 1
        if word in _REMOVED or word in _SKIPPED or word in _EMPTIED:
            state.unread = state.unread if state.skipped else []
            state.destination, state.skipped = word, True
        elif word in AUTHORS or word in _BESIDE or (self._star and word not in _INLINE):
            self._beside(word)
        elif self._star:
            state.destination, state.skipped = word, state.skipped and word != "picprop"
        self._star = False

    def _beside(self, destination: str) -> None:
        state = self._state
        state.destination, state.stream = destination, Stream(destination)
        self.streams.append(state.stream)

    def _code(self, word: str, number: int | None) -> None:
        state = self._state
        if word == "uc":
            state.uc = min(max(number or 0, 0), 32)
        elif word == "plain":
            state.font, state.deleted, state.inserted = self._default_font, False, False
        elif word == "f":
            state.font = number
        elif word == "deff":
            self._default_font = state.font = number
        elif word in ("mac", "pc", "pca"):
            self._page = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850"}[word]
        elif word == "ansicpg" and number:
            page = encoding_of_page(number)
            if page is None:
                self._fail(f"has the code page {number}, which is unknown")
            self._page = page
        elif word == "fcharset" and number is not None and state.font is not None and number != 1:
            self._fonts[state.font] = encoding_of_charset(number)
        elif word == "cpg" and number and state.font is not None:
            self._fonts[state.font] = encoding_of_page(number) or self._page

    def _symbol(self, token: RtfToken) -> None:
        if token.value == "*":
            self._star = True
        elif self._is_fallback(token, 1):
            return
        elif token.value in "\r\n":
            self._piece(RtfPiece("\n", None))
        elif token.value in _SYMBOLS:
            self._characters(_SYMBOLS[token.value], (token.start, token.end))

    def _text(self, token: RtfToken) -> None:
        start = token.start
        if self._to_skip:
            count = min(self._to_skip, token.end - start)
            self._is_fallback(token, count)
            start += count
        # The first character after a control word is a separate piece: its replacement needs a space before it.
        is_first = token.start in self.bare
        for match in _ASCII.finditer(self._raw, start, token.end):
            at, end = match.span()
            if self._raw[at] >= "\x80":
                self._bytes(match[0].encode("latin-1"), (at, end))
                continue
            if self._half:
                self._bytes(self._raw[at].encode("ascii"), (at, at + 1))
                at += 1
            if is_first and at == token.start:
                self._characters(self._raw[at], (at, at + 1))
                at += 1
            self._characters(self._raw[at:end], (at, end))

    def _bytes(self, more: bytes, bounds: Range) -> None:
        """Add bytes of the code page, of which one or two are a character."""
        self._decode(self._encoding, more, bounds)

    def _unicode(self, token: RtfToken, number: int) -> None:
        self._decode("utf-16-le", (number % 65536).to_bytes(2, "little"), (token.start, token.end))
        self._to_skip = self._state.uc

    def _decode(self, encoding: str, more: bytes, bounds: Range) -> None:
        start = bounds[0]
        if self._half and self._half[0] == encoding:
            _, start, held = self._half
            more = held + more
        text = codecs.getincrementaldecoder(encoding)("replace").decode(more)
        self._half = None if text else (encoding, start, more)
        self._characters(text, (start, bounds[1]))

    def _is_fallback(self, token: RtfToken, count: int) -> bool:
        """Whether the token is the fallback of a preceding \\u; it then belongs to the place of that character."""
        if not self._to_skip:
            return False
        self._to_skip -= count
        end = token.start + count if token.kind == "text" else token.end
        pieces = self._state.stream.pieces
        if pieces and pieces[-1].bounds and not self._state.skipped and not self._half:
            pieces[-1] = pieces[-1]._replace(bounds=(pieces[-1].bounds[0], end))
        return True

    @property
    def _encoding(self) -> str:
        font = self._state.font
        return self._fonts.get(font, self._page) if font is not None else self._page

    def _characters(self, text: str, bounds: Range) -> None:
        if text and bounds[0] < bounds[1]:
            self._piece(RtfPiece(text, bounds, self._state.deleted, self._state.inserted))

    def _piece(self, piece: RtfPiece) -> None:
        if not self._state.skipped:
            self._state.stream.pieces.append(piece)
        elif len(self._state.unread) < _MOST_UNREAD:
            self._state.unread.append(piece.text)

    def _fail(self, problem: str) -> NoReturn:
        raise FormatError(problem, where=self._where)

"""All objects of a PDF except the page contents: every string with text is part of the text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from nadie.errors import FormatError
from nadie.files.containers.names import is_code
from nadie.files.containers.pdf.cleaning import Cleaner
from nadie.files.containers.pdf.object_types import is_array, is_dictionary, is_stream, is_string
from nadie.files.containers.pdf.pictures import strip_metadata
from nadie.files.containers.prose import is_prose
from nadie.labels import Label

MAX_OBJECTS = 1_000_000
_BINARY = frozenset("/CharSet /Panose /Digest /DigestValue /Lookup /ID /Limits".split())
_TECHNICAL = _BINARY | frozenset(
    "/Lang /DA /DS /Registry /Ordering /OutputCondition /OutputConditionIdentifier /RegistryName /Trapped".split()
)
_NAMED_BY_USERS = frozenset(
    "/Font /XObject /ExtGState /ColorSpace /Pattern /Shading /Properties /CharProcs /RoleMap /ClassMap /N /D /R".split()
)
"""Dictionaries whose keys are arbitrary names, not defined by the standard."""
_FIRST = {key: n for n, key in enumerate(("/Title", "/T", "/TU", "/TM", "/V", "/DV", "/Subj", "/Contents"))}
_TECHNICAL_STREAMS = frozenset(
    "/FontFile /FontFile2 /FontFile3 /ToUnicode /Encoding /UseCMap /CIDToGIDMap /CIDSet /SMask /Mask /JBIG2Globals "
    "/DestOutputProfile /Function /Functions /TR /TR2 /HT /BG /BG2 /UCR /UCR2".split()
)
_CONTENT = frozenset({"/AP", "/CharProcs"})


@dataclass(frozen=True, eq=False, slots=True)
class PdfSlot:
    """The address of a string: its dictionary or array."""

    holder: Any
    key: str | int


@dataclass(frozen=True, eq=False, slots=True)
class FoundString:
    """A string that is part of the text. `is_value` is true if it follows the name of its field."""

    slot: PdfSlot
    text: str
    label: Label | None = None
    is_value: bool = False


@dataclass
class Objects:
    """The objects found: strings, streams with operators (and their resources), attachments, images."""

    strings: list[FoundString] = field(default_factory=list)
    contents: list[tuple[Any, Any]] = field(default_factory=list)
    attachments: list[Any] = field(default_factory=list)
    emptied: int = 0
    stripped: int = 0


def walk(pdf: Any, cleaner: Cleaner, where: str) -> Objects:
    """Visit all objects reachable from the root, clean them, and collect their strings."""
    found = Objects()
    seen: set[tuple[int, int]] = set()
    pages = {page.objgen for page in pdf.pages}
    info = pdf.trailer.get("/Info", None)
    if is_dictionary(info):
        _note_strings(found, info, "/Info")
    # The queue: the object, the keys that lead to it, and the resources around it.
    stack: list[tuple[Any, tuple[str, ...], Any]] = [(pdf.Root, (), None)]
    count = 0
    while stack:
        thing, way, resources = stack.pop()
        count += 1
        if count > MAX_OBJECTS:
            raise FormatError(f"has more than {MAX_OBJECTS} objects", where=where)
        if thing.is_indirect:
            if thing.objgen in seen:
                continue
            seen.add(thing.objgen)
        if is_array(thing):
            _note_items(found, thing, way)
            stack += [(each, way, resources) for each in reversed(list(thing)) if _is_composite(each)]
            continue
        if way[-1:] == () or way[-1] not in _NAMED_BY_USERS:
            cleaner.clean(thing)
        if "/Contents" in thing and not is_string(thing["/Contents"]) and thing.objgen not in pages:
            _empty(thing)  # a removed page that a link still points to
        resources = thing.get("/Resources", resources)
        if is_stream(thing):
            _note_stream(found, thing, way, resources)
        if "/EF" in thing:
            found.attachments.append(thing)
        _note_strings(found, thing, way[-1] if way else "/Root")
        inner = [(value, (*way[-3:], key), resources) for key, value in thing.items() if _is_composite(value)]
        stack += reversed([each for each in inner if each[1][-1] not in ("/EF", "/Parent", "/Prev")])
        stack += reversed([each for each in inner if each[1][-1] in ("/Parent", "/Prev")])
    return found


def _empty(page: Any) -> None:
    for key in ("/Contents", "/Annots", "/Resources"):
        if key in page:
            del page[key]


def _note_strings(found: Objects, thing: Any, key_of_thing: str) -> None:
    strings = [key for key, value in thing.items() if is_string(value) and _is_searched(key, str(value))]
    for key in sorted(strings, key=lambda each: (_FIRST.get(each, len(_FIRST)), each)):
        text = str(thing[key])
        if text.strip():
            is_value = key == "/V" and ("/T" in strings or "/TU" in strings)
            found.strings.append(FoundString(PdfSlot(thing, key), text, _label(thing, key, key_of_thing), is_value))


def _is_searched(key: str, value: str) -> bool:
    """Whether a string is searched; strings written by programs only if they look like human text."""
    return key not in _TECHNICAL or (key not in _BINARY and (is_prose(value) or not is_code(value)))


def _label(thing: Any, key: str, key_of_thing: str) -> Label | None:
    """Authors of a file or of a comment are fields: they are replaced without detection."""
    is_author = key == "/Author" and key_of_thing == "/Info"
    is_commenter = key == "/T" and "/Rect" in thing and str(thing.get("/Subtype", "")) != "/Widget"
    return Label.NOMBRE_PERSONAL_SANITARIO if is_author or is_commenter else None


def _note_items(found: Objects, items: Any, way: tuple[str, ...]) -> None:
    if way and way[-1] in _TECHNICAL:
        return
    if len(items) and str(items[0]) in ("/Indexed", "/I"):  # a table of colours
        return
    for n, item in enumerate(items):
        if is_string(item) and str(item).strip() and not _is_key_of_names(way, n):
            found.strings.append(FoundString(PdfSlot(items, n), str(item)))


def _is_key_of_names(way: tuple[str, ...], n: int) -> bool:
    """Whether it is a key of a name tree, which was replaced by a number."""
    return "/Names" in way[-2:] and n % 2 == 0


def _note_stream(found: Objects, stream: Any, way: tuple[str, ...], resources: Any) -> None:
    if str(stream.get("/Subtype", "")) == "/Image" and strip_metadata(stream):
        found.stripped += 1
    if _is_content(stream, way):
        found.contents.append((stream, resources))
    elif not _is_technical(stream, way):
        stream.write(b"")
        found.emptied += 1


def _is_content(stream: Any, way: tuple[str, ...]) -> bool:
    is_form = str(stream.get("/Subtype", "")) == "/Form" or "/PatternType" in stream
    return is_form or any(key in _CONTENT for key in way[-3:]) or way[-1:] == ("/G",)


def _is_technical(stream: Any, way: tuple[str, ...]) -> bool:
    """Whether a stream is an image, a font, a colour profile or a function, or the operators of a page."""
    if str(stream.get("/Subtype", "")) == "/Image" or any(key in _TECHNICAL_STREAMS for key in way[-2:]):
        return True
    is_colour = "/N" in stream and "/Subtype" not in stream and "/Type" not in stream
    keys = ("/FunctionType", "/ShadingType", "/HalftoneType")
    is_colour = is_colour or any(key in ("/ColorSpace", "/CS", "/DefaultRGB") for key in way[-2:])
    return is_colour or way[-1:] == ("/Contents",) or any(key in stream for key in keys)


def _is_composite(value: Any) -> bool:
    return is_array(value) or is_dictionary(value) or is_stream(value)


def attachments_of(found: Objects) -> Iterator[tuple[Any, str, Any]]:
    """Each attached file once: its description, its name, and its stream."""
    for spec in found.attachments:
        files = spec["/EF"]
        stream = next((files[key] for key in ("/UF", "/F") if key in files), None)
        name = next((str(spec[key]) for key in ("/UF", "/F") if key in spec and is_string(spec[key])), "attachment")
        yield spec, name, stream

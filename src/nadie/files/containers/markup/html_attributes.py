"""HTML attributes that may contain personal data, and links with their escapes decoded."""

from __future__ import annotations

import re

from nadie.files.containers.markup.html_pieces import add_text
from nadie.files.containers.names import is_personal
from nadie.files.containers.prose import has_letters, is_prose, unquoted
from nadie.files.containers.raw import Range
from nadie.files.mapped import TextBuilder

REFERENCES = frozenset(
    "action archive background cite classid codebase data formaction href longdesc manifest ping poster profile src "
    "srcset usemap".split()
)
_LAYOUT = frozenset(
    "accept accept-charset align alink allow async autocomplete bgcolor border cellpadding cellspacing charset checked "
    "class clear color cols colspan contenteditable coords crossorigin decoding defer dir disabled draggable enctype "
    "face fetchpriority for frame frameborder headers height hidden hreflang hspace http-equiv id integrity kind lang "
    "link loading marginheight marginwidth maxlength media method min minlength multiple name nonce noshade novalidate "
    "nowrap pattern preload prefix property readonly referrerpolicy rel required rev role rows rowspan rules sandbox "
    "scope scrolling selected shape size sizes span spellcheck start step style tabindex target text translate type "
    "typeof valign version viewbox vlink vspace width wrap".split()
)
_OF_LINKS = frozenset({"a", "area", "form", "button", "input", "blockquote", "q", "del", "ins"})
_PERSONAL = re.compile(r"[?%@]|\d{5}|[^\W\d_a-zA-Z]|^(?:mailto|tel|sms|callto|whatsapp|file):", re.IGNORECASE)
_IN_STYLE = re.compile(r"[\"']|url\(", re.IGNORECASE)
_ESCAPES = re.compile(r"(?:%[0-9A-Fa-f]{2})+")


def is_searched(element: str, attribute: str, value: str) -> bool:
    """Whether an attribute is searched: all except layout attributes, and those too if they have words or numbers."""
    name = attribute.rpartition(":")[2]
    if attribute.startswith("xmlns"):
        return False
    if is_personal(value):
        return True
    if name in REFERENCES:
        return (element in _OF_LINKS and has_letters(value)) or _PERSONAL.search(value) is not None
    if name == "style":
        return _IN_STYLE.search(value) is not None
    if name in ("id", "name", "class", "for", "target"):
        is_phrase = name in ("id", "name", "target") and " " in value.strip()  # of a bookmark: programs write one word
        return is_phrase or _PERSONAL.search(value) is not None
    return name not in _LAYOUT or is_prose(value)


def add_link(builder: TextBuilder[Range], raw: str, bounds: Range) -> None:
    """Add a link with its percent escapes decoded."""
    start, end = bounds
    at = start
    for escapes in _ESCAPES.finditer(raw, start, end):
        add_text(builder, raw, (at, escapes.start()), collapse=False)
        builder.add(unquoted(escapes[0]), escapes.span())
        at = escapes.end()
    add_text(builder, raw, (at, end), collapse=False)

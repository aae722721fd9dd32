"""XML parts of containers, parsed without entities, document types or network, and written back in their encoding."""

from __future__ import annotations

import re
from typing import Any, cast

from lxml import etree

from nadie.errors import FormatError
from nadie.files.containers.names import shows_person
from nadie.files.containers.prose import is_identifier

MAX_DEPTH = 200
_LONGEST_TYPE = 400
_PLAIN_TYPE = re.compile(
    rb"(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?(?:\s|(?><\?.*?\?>)|(?><!--.*?-->))*+<!DOCTYPE[^\[<>]*>", re.DOTALL
)


def parse(content: bytes, where: str, *, lenient: bool = False) -> etree._ElementTree:
    """Parse an XML document; an entity, declarations in the document or too deep nesting is an error.

    The name of a document type is accepted; the type itself is never read.

    A `lenient` parser skips text that is not well-formed: the tree must then be written back even if nothing changed.
    """
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=False,
        remove_blank_text=False, strip_cdata=False, recover=lenient,
    )  # fmt: skip
    problem = ""
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError):
        problem = "is not well-formed XML"
    # Raised outside the handler, because the parser's error may quote the text.
    if problem or root is None:
        raise FormatError(problem or "is not XML", where=where)
    tree = root.getroottree()
    if tree.docinfo.internalDTD is not None:
        _check_type(content.replace(b"\0", b""), tree.docinfo.internalDTD, where)
    if next(root.iter(etree.Entity), None) is not None:
        raise FormatError("has entities that its document type would define", where=where)
    _check_depth(root, where)
    return tree


def serialized(tree: etree._ElementTree) -> bytes:
    """The bytes of a tree, with its original declaration."""
    info = tree.docinfo
    standalone: dict[str, Any] = {"standalone": True} if info.standalone else {}
    content = etree.tostring(tree, xml_declaration=True, encoding=info.encoding or "UTF-8", **standalone)
    return cast(bytes, content)


def _check_type(content: bytes, declared: Any, where: str) -> None:
    """Fail unless the document type is a name only, and not a person's: what is in it would not be searched."""
    if not _PLAIN_TYPE.match(content):
        raise FormatError("has a document type with declarations, which is not accepted", where=where)
    named = f"{declared.name or ''} {declared.external_id or ''} {declared.system_url or ''}"
    if len(named) > _LONGEST_TYPE or shows_person(named) or is_identifier(named):
        raise FormatError("has a document type whose name may be a person's, which is not accepted", where=where)


def _check_depth(root: etree._Element, where: str) -> None:
    depth = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > MAX_DEPTH:
            raise FormatError(f"nests XML elements more than {MAX_DEPTH} deep", where=where)

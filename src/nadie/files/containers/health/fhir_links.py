"""Links between FHIR resources: their targets, and their form with new ids."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import quote, unquote

from nadie.files.containers.health.fhir_elements import types
from nadie.files.containers.health.pseudonyms import Pseudonyms
from nadie.files.containers.names import shows_person

_URL = re.compile(
    r"(?:(?P<scheme>https?)://(?P<host>[^/?#]*)(?P<path>/[^?#]*?)?/?(?=[A-Z][A-Za-z]+(?:[/?#]|$)))?"
    r"(?P<type>[A-Z][A-Za-z]+)(?:/(?P<id>[A-Za-z0-9.-]{1,64}))?(?P<version>/_history/[A-Za-z0-9.-]{1,64})?"
    r"(?:\?(?P<query>[^#]*))?(?:#(?P<fragment>[A-Za-z0-9.-]+))?"
)
_LONGEST = 2000
_URN = re.compile(r"urn:(uuid|oid):(.+)", re.IGNORECASE)
_FRAGMENT = re.compile(r"#(.+)")
_PUBLIC = ("hl7.org", "example.org", "example.com", "localhost", "snomed.info", "loinc.org", "w3.org")
_ABOUT_RESULTS = frozenset(
    "_count _format _include _revinclude _pretty _sort _summary _elements _total _offset _type _contained".split()
)
# Definitions have public addresses; none of them is a person's record.
_DEFINITION = re.compile(
    r"\w+Definition|CodeSystem|ValueSet|ConceptMap|StructureMap|NamingSystem|Questionnaire|Measure|Library"
    r"|ImplementationGuide|SearchParameter|CapabilityStatement|GraphDefinition|CompartmentDefinition|TerminologyCapabilities"
)


class LinkTarget(NamedTuple):
    """The target of a link; the type is empty if the link does not show it."""

    type: str
    id: str


class Links:
    """Rewrites links with the pseudonyms of their ids and hosts."""

    def __init__(self, pseudonyms: Pseudonyms) -> None:
        self._pseudonyms = pseudonyms

    def new_id(self, value: str) -> str:
        return self._pseudonyms.of(value)

    def rewritten(self, link: str) -> str:
        """The link with new ids. An unknown form of link is replaced by an id as a whole."""
        if not link:
            return link
        if match := _URN.fullmatch(link):
            return link[: match.start(2)] + self.new_id(match[2])
        if match := _FRAGMENT.fullmatch(link):
            return f"#{self.new_id(match[1])}"
        match = _matched(link)
        if match is not None:
            return self._url(match)
        if plain := re.fullmatch(r"(https?)://([^/?#]+)([^?#]*)(?:\?([^#]*))?(?:#.*)?", link):
            query = f"?{self._query(plain[4])}" if plain[4] else ""
            return f"{plain[1]}://{self._host(plain[2])}{self._path(plain[3])}{query}"
        return f"urn:uuid:{self._pseudonyms.uuid_of(link)}"

    def is_record(self, uri: str) -> bool:
        """Whether a URI points to somebody's record, and not to a definition, a code system or a namespace."""
        if _URN.fullmatch(uri):
            return uri.lower().startswith("urn:uuid:")
        match = _matched(uri)
        return match is not None and bool(match["id"]) and not _DEFINITION.fullmatch(match["type"])

    def _url(self, match: re.Match[str]) -> str:
        base = ""
        if match["scheme"]:
            base = f"{match['scheme']}://{self._host(match['host'])}{(match['path'] or '').rstrip('/')}/"
        query = f"?{self._query(match['query'])}" if match["query"] else ""
        fragment = f"#{self.new_id(match['fragment'])}" if match["fragment"] else ""
        own = f"/{self.new_id(match['id'])}" if match["id"] else ""
        return f"{base}{match['type']}{own}{match['version'] or ''}{query}{fragment}"

    def _host(self, host: str) -> str:
        name = host.partition(":")[0].lower()
        is_public = name.endswith(".example") or any(name == end or name.endswith(f".{end}") for end in _PUBLIC)
        return host if is_public else f"{self.new_id(name)}.invalid"

    def _path(self, path: str) -> str:
        parts = path.split("/")
        return "/".join(self._part(part, before) for part, before in zip(parts, ["", *parts], strict=False))

    def _part(self, part: str, before: str) -> str:
        """A part of a path: ids are replaced, which follow the type of a resource or have digits, and so are names."""
        is_own = before in types() or any(map(str.isdigit, part)) or shows_person(part)
        return self.new_id(part) if part and is_own else part

    def _query(self, query: str) -> str:
        pairs = [part.partition("=") for part in query.split("&")]
        return "&".join(name + equals + self._parameter(name, unquote(value)) for name, equals, value in pairs)

    def _parameter(self, name: str, value: str) -> str:
        if not value or name in _ABOUT_RESULTS:
            return quote(value, safe="/:,.-_")
        if self.is_record(value):
            return quote(self.rewritten(value), safe="/:")
        return self.new_id(value)


def target_of(link: str) -> LinkTarget:
    """The resource that a link points to."""
    if match := _URN.fullmatch(link):
        return LinkTarget("", match[2])
    if match := _FRAGMENT.fullmatch(link):
        return LinkTarget("", match[1])
    found = _matched(link)
    return LinkTarget(found["type"], found["id"] or "") if found else LinkTarget("", "")


def _matched(link: str) -> re.Match[str] | None:
    match = _URL.fullmatch(link) if len(link) <= _LONGEST else None
    return match if match and match["type"] in types() else None

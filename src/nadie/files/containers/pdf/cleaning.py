"""Removal of PDF content that is not searched: scripts, copies of the text, dates, previews, unknown streams."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pikepdf

from nadie.files.containers.names import Names, is_code
from nadie.files.containers.pdf.object_types import is_array, is_dictionary, is_string, listed, name_of

_ALWAYS = {
    "/Metadata": "XMP metadata", "/PieceInfo": "private data of programs", "/Thumb": "previews of pages",
    "/AA": "actions", "/JS": "scripts", "/XFA": "XFA forms", "/Perms": "signatures", "/DSS": "signatures",
    "/Legal": "signatures", "/SpiderInfo": "private data of programs", "/Requirements": "", "/RC": "", "/RV": "",
    "/NM": "", "/IDTree": "", "/CreationDate": "", "/ModDate": "", "/LastModified": "", "/CheckSum": "",
    "/NeedsRendering": "", "/SigFlags": "",
}  # fmt: skip
_IN_SIGNATURES = ("/Contents", "/Cert", "/Name", "/Reason", "/Location", "/ContactInfo", "/Prop_Build", "/Reference")
_ACTIONS_KEPT = frozenset({"/URI", "/GoTo", "/Named"})
_MEDIA = frozenset({"/3D", "/RichMedia", "/Movie", "/Sound", "/Screen", "/Projection"})
_NAMES_KEPT = frozenset({"/Dests", "/EmbeddedFiles"})
_INFO_KEPT = frozenset({"/Title", "/Author", "/Subject", "/Keywords", "/Creator", "/Producer", "/Trapped"})

_ROOT_KEPT = frozenset(
    "/Type /Version /Pages /PageLabels /Names /Dests /ViewerPreferences /PageLayout /PageMode /Outlines /Threads "
    "/OpenAction /URI /AcroForm /StructTreeRoot /MarkInfo /Lang /OutputIntents /OCProperties /Metadata /PieceInfo /AA "
    "/Perms /DSS /Legal /SpiderInfo /Requirements /NeedsRendering".split()
)
_STATES = ("/N", "/D", "/R")
_REFERENCES = ("/AS", "/V", "/DV", "/C")


class Cleaner:
    """Cleans one file, and counts the removed items by type."""

    def __init__(self, pdf: Any) -> None:
        self.removed: Counter[str] = Counter()
        self._clean_file(pdf)
        _rename_attachments(pdf)
        self._names = Names("Name")
        self._destinations = _rename_destinations(pdf)
        self._new_names = frozenset(self._destinations.values())

    def clean(self, thing: Any) -> None:
        """Remove the forbidden entries of a dictionary, and those of a page that may be named after a person."""
        for key, title in _ALWAYS.items():
            if key in thing:
                del thing[key]
                self.removed.update([title] if title else [])
        if "/M" in thing and is_string(thing["/M"]):
            del thing["/M"]
        if "/ID" in thing and is_string(thing["/ID"]):  # the id of a page or a structure element
            del thing["/ID"]
        if is_dictionary(thing.get("/Ref", None)):  # a page of another file, shown in place of a form
            del thing["/Ref"]
        if "/O" in thing and "/Headers" in thing:
            del thing["/Headers"]
        if thing.get("/Type", None) == "/Page":
            for key in [key for key in thing.keys() if not is_code(key)]:  # noqa: SIM118
                del thing[key]
        self._clean_names(thing)
        self._clean_actions(thing)
        self._clean_signature(thing)
        self._clean_media(thing)

    def _clean_file(self, pdf: Any) -> None:
        """Remove dates and private entries of `Info`, name lists, and the file's id."""
        trailer = pdf.trailer
        for key in [key for key in trailer.keys() if key not in ("/Root", "/Info", "/Size", "/Prev")]:  # noqa: SIM118
            del trailer[key]
        info = trailer.get("/Info", None)
        for key in list(info.keys()) if is_dictionary(info) else []:
            if key not in _INFO_KEPT:
                del info[key]
        for key in [key for key in pdf.Root.keys() if key not in _ROOT_KEPT]:  # noqa: SIM118
            del pdf.Root[key]
        names = pdf.Root.get("/Names", None)
        for key in list(names.keys()) if is_dictionary(names) else []:
            if key not in _NAMES_KEPT:
                self.removed["scripts" if key == "/JavaScript" else "lists of names"] += 1
                del names[key]

    def _clean_names(self, thing: Any) -> None:
        """Number the states of buttons and the tags and classes of the structure that may be a person's name."""
        if "/Name" in thing and isinstance(thing["/Name"], pikepdf.Name) and not is_code(name_of(thing["/Name"])):
            del thing["/Name"]
        shown = thing.get("/AP", None)
        for key in _STATES if is_dictionary(shown) else ():
            self._rename_keys(shown.get(key, None))
        for key in ("/RoleMap", "/ClassMap"):
            self._rename_keys(thing.get(key, None))
        is_element = str(thing.get("/Type", "")) == "/StructElem" or ("/P" in thing and "/K" in thing)
        for key in (*_REFERENCES, "/S") if is_element else _REFERENCES:
            values = [self._renamed(value) for value in listed(thing.get(key, None))]
            if values and all(isinstance(value, pikepdf.Name) for value in values):
                thing[key] = values[0] if len(values) == 1 else pikepdf.Array(values)

    def _rename_keys(self, names: Any) -> None:
        for key, value in list(names.items()) if is_dictionary(names) else ():
            new, new_value = str(self._renamed(pikepdf.Name(key))), self._renamed(value)
            if new != key or new_value is not value:
                del names[key]
                names[new] = new_value

    def _renamed(self, value: Any) -> Any:
        if not isinstance(value, pikepdf.Name) or is_code(name_of(value)):
            return value
        return pikepdf.Name("/" + self._names.of(name_of(value)))

    def _clean_actions(self, thing: Any) -> None:
        self._point(thing, "/Dest")
        for key in ("/A", "/PA", "/OpenAction"):
            action = thing.get(key, None)
            if is_dictionary(action) and "/S" in action and "/O" not in action:
                if "/Next" in action:
                    del action["/Next"]
                if str(action["/S"]) not in _ACTIONS_KEPT:
                    del thing[key]
                    self.removed["actions"] += 1
                elif str(action["/S"]) == "/GoTo":
                    self._point(action, "/D")

    def _point(self, thing: Any, key: str) -> None:
        """Point a link to the new name of its destination."""
        value = thing.get(key, None)
        is_named = is_string(value) or isinstance(value, pikepdf.Name)
        if is_named and str(value) not in self._new_names:  # an action shared by two links is visited twice
            thing[key] = pikepdf.String(self._destinations.get(str(value).lstrip("/"), "none"))

    def _clean_signature(self, thing: Any) -> None:
        if str(thing.get("/FT", "")) == "/Sig" and "/V" in thing:
            del thing["/V"]
            self.removed["signatures"] += 1
        for key in _IN_SIGNATURES if "/ByteRange" in thing else ():
            if key in thing:
                del thing[key]

    def _clean_media(self, thing: Any) -> None:
        shown = thing.get("/Annots", None)
        if is_array(shown):
            kept = [each for each in shown if not (is_dictionary(each) and str(each.get("/Subtype", "")) in _MEDIA)]
            if len(kept) < len(shown):
                self.removed["sounds and videos"] += len(shown) - len(kept)
                thing["/Annots"] = kept


def _rename_attachments(pdf: Any) -> None:
    """Replace the names of attached files in the name list by numbers; the file's own name is in its description."""
    names = pdf.Root.get("/Names", None)
    tree = names.get("/EmbeddedFiles", None) if is_dictionary(names) else None
    if tree is not None:
        names["/EmbeddedFiles"] = _numbered("a", [value for _, value in _items_of_tree(tree)])


def _rename_destinations(pdf: Any) -> dict[str, str]:
    """Replace the names of destinations, which are made from headings, by numbers; return the numbers by name."""
    root = pdf.Root
    places: list[tuple[str, Any]] = []
    names = root.get("/Names", None)
    tree = names.get("/Dests", None) if is_dictionary(names) else None
    if tree is not None:
        places += _items_of_tree(tree)
    old = root.get("/Dests", None)
    if is_dictionary(old):
        places += [(str(key).lstrip("/"), value) for key, value in old.items()]
        del root["/Dests"]
    known = {name: f"d{number:06d}" for number, (name, _) in enumerate(places)}
    if places:
        if names is None:
            names = root["/Names"] = pikepdf.Dictionary()
        names["/Dests"] = _numbered("d", [place for _, place in places])
    return known


def _items_of_tree(tree: Any) -> list[tuple[str, Any]]:
    return [(str(key), value) for key, value in pikepdf.NameTree(tree).items()]


def _numbered(letter: str, values: list[Any]) -> Any:
    """A name tree with numbers as names."""
    flat: list[Any] = []
    for number, value in enumerate(values):
        flat += [pikepdf.String(f"{letter}{number:06d}"), value]
    return pikepdf.Dictionary(Names=pikepdf.Array(flat))

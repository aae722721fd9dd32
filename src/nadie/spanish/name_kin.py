"""Names that go together: the language of a name, and whether it is usual in Spain, in America or in both.

An invented name is drawn among names of the same kin, so that a person from Colombia gets no name that only Catalans
have, and nobody gets a first name of one origin with a surname of another. The kin of a name depends on the name alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from nadie.spanish import tables
from nadie.spanish.folding import same_length
from nadie.spanish.word_lists import Lists
from nadie.spanish.word_tables import WordTable

_EVERYWHERE = "es"
_MANY = 15_000  # bearers in Spain: such a name has no origin that a reader would notice
_AT_HOME = 300
_USUAL = 60  # bearers in Chile
_REMEMBERED = 1 << 14
_IN_BASQUE = re.compile(r"k|t[sxz]|egi|[aeo]gi")
_FAR = {origin: origin for origin in ("zh", "in", "af")}  # whose first names and surnames look alike
_USUAL_ABROAD = 30
_RATHER_HERE = 50
_TIMES = 8  # as many bearers in Spain as in Chile: a name of Spain's other languages, or of immigrants
_FAR_AND_ARABIC = ("zh", "in", "af", "ar")
_NATIVE = Lists("native_surnames")
_ORIGINS = Lists("name_origins")
NATIVE = frozenset(("andean", "kichwa", "mapuche", "maya", "yucatec", "nahua", "cauca", "wayuu"))
"""Regions whose first peoples have surnames of their own."""
_OWN_LISTS = frozenset(("ca", "eu", "gl", "zh", "in", "af")) | NATIVE
WESTERN = ("en", "de", "fr")
_FOREIGN = ("af", "ar", "zh", "in", "ro", "uk", "tr", "vi", "ea", *WESTERN)
ABROAD = frozenset((*_FOREIGN, "we", "it", "pt"))
"""Origins that have lists of names to draw from."""
_WIDESPREAD = ("we", "ro", "uk")  # lists that have names of all Europe, such as Daniel
_OF_IMMIGRANTS = ("sl", "it", "ca", "de", "ar")  # the shapes to try for names that are not Spanish
_LANGUAGES = (
    "eu",
    "italian",
    "ca",
    "gl",
    "ar",
)  # of rare names in Spain
_ELSEWHERE = ("vas", "it", "sl")


@cache
def _american() -> WordTable:
    """First names with their sex and bearers in Chile, and surnames, usual (`s`) and rare ones."""
    return WordTable(tables.text("american_names.tsv.gz"))


def american_sex(key: str) -> str:
    """`m` or `f` for a folded first name of America, else empty."""
    return next((sex for sex, *count in _american()[key] if count), "")


@lru_cache(_REMEMBERED)
def american_bearers(key: str) -> int:
    """How many people in Chile have the folded first name."""
    return next((int(count[0]) for _, *count in _american()[key] if count), 0)


@cache
def _american_surnames() -> frozenset[str]:
    """The usual surnames."""
    return frozenset(re.findall(r"^(.*)\ts$", tables.text("american_names.tsv.gz"), re.MULTILINE))


@cache
def _shapes(among: tuple[str, ...]) -> tuple[tuple[str, ...], re.Pattern[str]]:
    """Some origins, and one expression with a group for each that tells how its names are written."""
    rows = [(origin, shape) for origin, shape in tables.rows("name_shapes.tsv") if origin in among]
    return tuple(origin for origin, _ in rows), re.compile("|".join(f"({shape})" for _, shape in rows))


def shape_of(key: str, among: tuple[str, ...]) -> str:
    """The origin that the spelling of a folded name suggests, of those given; empty if none."""
    origins, shapes = _shapes(among)
    match = shapes.fullmatch(key)
    found = origins[match.lastindex - 1] if match and match.lastindex else ""
    return "it" if found == "italian" else found


@cache
def _lists(table: str) -> tuple[list[str], ...]:
    """The rows of a table that are of lists of one origin: the name, the sex of first names, and the origin."""
    cells = r"\t[mf]?\t" if table == "given_names" else r"\t"
    found = re.findall(rf"^[^\t\n]+{cells}[a-z]+$", tables.text(f"{table}.tsv.gz"), re.MULTILINE)
    return tuple(row.split("\t") for row in found)


@cache
def _certain(table: str) -> dict[str, str]:
    """Folded name → origin, where that is certain."""
    kinds, found = "s" if table == "surnames" else "mf", dict[str, str]()
    for name in _ORIGINS.names():
        origin, kind = name.split()
        if kind in kinds:
            found |= {tables.key(each): origin for each in _ORIGINS[name]}
    return found


@cache
def _listed(table: str) -> dict[str, str]:
    """Folded name → origin, of the names that lists of one origin have."""
    keyed = ((tables.key(row[0]), row[-1]) for row in _lists(table) if row[-1] not in ("es", "la"))
    found = {key: origin for key, origin in keyed if not _is_usual_in_america(key, origin)} | _certain(table)
    return found | _native() if table == "surnames" else found


@cache
def _sexes() -> dict[str, str]:
    """Folded first name of a list → the sex that bears it, or `either`."""
    found: dict[str, str] = {}
    by_hand = ([name, kind[-1], kind] for kind in _ORIGINS.names() if kind[-1] != "s" for name in _ORIGINS[kind])
    for name, sex, _ in (*_lists("given_names"), *by_hand):
        key = tables.key(name)
        found[key] = sex if found.get(key, sex) == sex else "either"
    return found


def listed_sex(key: str) -> str:
    """`m` or `f` for a folded first name that the lists of other origins know for one sex only, else empty."""
    return _sexes().get(key, "").removeprefix("either")


@cache
def _native() -> dict[str, str]:
    """Folded surname → region, of the first peoples of America."""
    return {tables.key(name): region for region in NATIVE for name in _NATIVE[region]}


@cache
def _of_europe() -> frozenset[str]:
    rows = (row for row in tables.rows("given_names.tsv.gz") if len(row) == 3 and row[2] in _WIDESPREAD)
    return frozenset(tables.key(row[0]) for row in rows)


def is_of_europe(key: str) -> bool:
    """Whether the lists of other countries of Europe have a folded first name, however usual it is elsewhere."""
    return key in _of_europe()


def _is_usual_in_america(key: str, origin: str) -> bool:
    """Whether a name of a list is so usual there that it tells no origin."""
    if origin in _WIDESPREAD and key in _american_surnames():
        return True
    is_of_immigrants = origin in _WIDESPREAD or origin in _FAR_AND_ARABIC  # `Yahir`
    return is_of_immigrants and american_bearers(key) >= _USUAL_ABROAD


def is_known_in_america(key: str) -> bool:
    """Whether anybody there has the folded name: in Spain only immigrants have the other ones that are so rare."""
    return bool(_american()[key])


@lru_cache(_REMEMBERED)
def given_kin(key: str, origin: str, bearers: int) -> str:
    """The kin of a folded first name of Spain's census, whose `origin` the table has."""
    if certain := _certain("given_names").get(key):
        return certain
    american, of_list = american_bearers(key), _listed("given_names").get(key, "")
    if of_list in _FAR_AND_ARABIC and american < bearers:
        return of_list
    if of_list and _TIMES * american < bearers and (bearers < _MANY or of_list not in _WIDESPREAD):
        return of_list
    if origin != _EVERYWHERE:
        return "american" if american >= _USUAL_ABROAD and _RATHER_HERE * american >= bearers else origin
    if bearers >= _MANY or american >= _USUAL:
        return _EVERYWHERE
    return shape_of(key, _LANGUAGES) or "es only"


def _basque(key: str) -> str:
    """The kin of a Basque surname: those in Basque spelling are few outside the Basque Country."""
    return "eu" if _IN_BASQUE.search(key) else "vas"


@lru_cache(_REMEMBERED)
def surname_kin(key: str, origin: str, bearers: int) -> str:
    """The kin of a folded surname of Spain's census, whose `origin` the table has."""
    if certain := _certain("surnames").get(key):
        return _basque(key) if certain == "eu" else certain
    is_american = key in _american_surnames()
    of_list = "zh" if shape_of(key, ("vi",)) else _listed("surnames").get(key, "")
    as_given = _listed("given_names").get(key, "")
    if bearers < _MANY and (of_list == "eu" or (not of_list and shape_of(key, ("vas",)))):
        return _basque(key)
    if is_american and bearers >= _AT_HOME and of_list not in _OWN_LISTS - {"af"}:
        return _EVERYWHERE  # `Bello`, `Reyna`
    if as_given in _FAR_AND_ARABIC and bearers < _MANY:
        return as_given  # `Ahmed`
    if of_list in _OWN_LISTS or (of_list and not is_american and of_list not in _WIDESPREAD):
        return of_list
    if origin == _EVERYWHERE and (is_american or bearers >= _MANY):
        return _EVERYWHERE
    if origin == _EVERYWHERE:
        return shape_of(key, _LANGUAGES[1:]) or "es only"
    found = next((shape for each in _OF_IMMIGRANTS if (shape := shape_of(key, (each,)))), origin)
    return _EVERYWHERE if found == "ar" and american_bearers(key) else found  # `Albán`


@cache
def _everywhere() -> tuple[WordTable, ...]:
    """First names and surnames, of all countries."""
    ours = (WordTable(same_length(tables.text(f"{table}.tsv.gz"))) for table in ("given_names", "surnames"))
    return (*ours, _american())


def is_native(key: str) -> bool:
    """Whether a folded word is a surname of the first peoples of America."""
    return key in _native()


def is_listed(key: str) -> bool:
    """Whether a list of any country has the folded word as a first name or a surname."""
    return key in _native() or any(key in names for names in _everywhere())


@lru_cache(_REMEMBERED)
def kin_elsewhere(key: str, table: str) -> str:
    """The kin of a name that the census of Spain does not have: an origin, or `es` for the names of America."""
    if of_list := _listed(table).get(key) or _FAR.get(_listed("surnames").get(key, "")):
        return of_list
    if shape_of(key, ("vi",)):
        return "zh"
    if table == "given_names":
        return _EVERYWHERE
    if (as_given := _listed("given_names").get(key)) in _FAR_AND_ARABIC:
        return as_given  # `Khalid`
    found = shape_of(key, _ELSEWHERE)
    return _basque(key) if found == "vas" else {"sl": "ea"}.get(found, found) or _EVERYWHERE


def certain_kin(keys: Iterable[str]) -> str:
    """The origin of a person that one of the folded names gives away; empty if none does."""
    return _certain_kin(tuple(keys))


@lru_cache(_REMEMBERED)
def _certain_kin(keys: tuple[str, ...]) -> str:
    lists = (_listed(table) for table in ("given_names", "surnames"))
    keys = tuple(key for key in keys if _listed("surnames").get(key) != _EVERYWHERE)  # `Petro`, `Cámara`
    known = (names[key] for names in lists for key in keys if key in names)
    return next((origin for origin in known if origin in _FOREIGN), "")


def listed(table: str, origin: str, sex: str = "") -> tuple[str, ...]:
    """The names of lists of one origin, first names of that sex."""
    if origin == _EVERYWHERE:
        return ()
    if origin in NATIVE:
        return _NATIVE[origin] if table == "surnames" else ()
    names = (row[0] for row in _lists(table) if row[-1] == origin and (not sex or row[1] == sex))
    return (*names, *_ORIGINS.get(f"{origin} {sex or 's'}"))

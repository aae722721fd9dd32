"""Invented streets in the form of the original: `C/ Hilera, 13 2.º B` → `C/ Río Sil, 47 3.º D`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, partial

from nadie.spanish import tables
from nadie.spanish.folding import key_of, words_of
from nadie.spanish.pools import Pool
from nadie.spanish.word_lists import Lists
from nadie.surrogates.draws import Draws
from nadie.surrogates.originals import Originals
from nadie.surrogates.own_values import OwnValues
from nadie.surrogates.quarters import quarters
from nadie.surrogates.spelling import in_case_of, spelled_like
from nadie.surrogates.ways import is_house, is_way, is_way_in_capitals, landmark, ways_like

_LISTS = Lists("streets", "nadie.surrogates")

_KINDS = _LISTS.pattern("kinds")
_KIND = re.compile(rf"\s*(?:(?:{_KINDS})\b[.,/\\]*|[ckp][/\\]\.?)\s*", re.IGNORECASE)
_PARTICLE = re.compile(r"(?:de las|de los|de la|del|de l'|de|d')\s*", re.IGNORECASE)
# Where the name ends and number, floor and door begin.
_TAIL = re.compile(
    r"\s*,|\s+(?=s/n|s\.n|sn\b|sin n|núm|num\b|n\.?º|nº|n°|no\.? ?\d|número|km|portal|bloque|blq|piso|planta|bajo\b|#|"
    r"(?:mz|mza|manz|manzana|lt|lote)\b|(?:casi )?esq(?:uina|\.)?\s|entre\s|casi\s)"
    r"|\s*(?=\d)",
    re.IGNORECASE,
)
# A road by its letters and number, and an address of the United States.
_ROAD = re.compile(
    r"([Cc]arr(?:etera|\.)? ?|[Rr]uta (?:[A-Z]{1,3}[- ]?)?|[A-Z]{1,3}[- ])"
    r"(?:\d{1,4}\b(?!\s+[A-Za-z]{3,})|(?<=\s)(?=km\b))"
)
_ENGLISH = re.compile(
    r"(?P<number>\d{1,5})(?P<between> (?:[NSEW]\.? )?)(?P<name>(?:[A-Z]\w+|\d{1,3}(?:st|nd|rd|th))(?: [A-Z]\w+)?)"
    r"(?P<after> (?:Ave|Avenue|St|Street|Rd|Road|Blvd|Dr|Drive|Ln|Lane|Ct|Court|Way|Pl)\b.*)"
)
_ROAD_WORD = re.compile(r"(?i)\b(?:ctra|carretera|carr|ruta|autovía)\b")
# What has figures and roads in the place of a name, or is no street at all: nothing natural is known for it.
_NO_STREET = re.compile(r"(?i)\d|^[A-Z]-[IVX]+$|\b(?:carr|fed|ctra|autopista|rampa|p\.?k|lot|mobile|park|bldg)\b")
_LONG_WAY = 9  # spaces
_WAY_IN_CAPITALS = re.compile(rf"{_LISTS.pattern('ways in capitals')}\b")
_CATALAN = re.compile(r"(?i)(?:carrer|camí|passeig|plaça|avinguda)\b")
_BASQUE = re.compile(r"(?i)(?P<name>[^\W\d_]+(?: [^\W\d_]+)?) (?:kalea|kale|bidea|etorbidea|plaza|auzoa|enparantza)\b")
_WITH_ADJECTIVE = re.compile(r"(?i)\s*(?:c\b|cal|cll?\b|av|pl|pza|plza|ronda|rda|trav)")
_GALICIAN = re.compile(r"(?i)(?:rúa|praza|camiño)\b")
_OF_SPAIN = re.compile(_LISTS.pattern("of Spain"))
_TRIES = 8
_USUAL = 6  # times as many streets are called so
_NUMBER = re.compile(
    r"(?!1/2)(?<!1/)(?<![a-zñáéíóú])\d+(?!\d|(?:ta|da|ra|ma|va|na|do|ro|to|mo|vo|no|er|st|nd|rd|th|"
    r"[rnt](?= \d[aª]))\b)|(?<=1/)(?!2)\d+"
)  # half a block is no number of a house
_ORDINAL = re.compile(r"(?<!\d)([456])(?=ta\b)")
_DOOR = re.compile(
    r"(?<![A-Za-zÀ-ÿ])[A-H](?![A-Za-zÀ-ÿºª/]|\s+(?:ESPALDAS|MANO|LA|LOS|UNA?|DOS|TRES|MEDIA)\b)|"
    r"(?<=[0-9ºª])(?<![1-5][rnt] [1-9])(?!c[. ]|c$|a[.]? (?:calle|av|casa|entrada|puerta|y \d))[a-h](?![A-Za-zÀ-ÿºª])"
    r"|(?<=[0-9ºª] )[b-d](?=\s*$)"
)
_WORDS = re.compile(r"[A-Za-zÀ-ÿ]{3,}(?:[ .'’-]+[A-Za-zÀ-ÿ]{2,})*")
_BOX = re.compile(r"(?i)(?:apartado(?: de correos)?|apdo\.?|p\.? ?o\.? box)\s+(?=\d)")
_CODED = re.compile(r"[a-zñáéíóú]+ [A-Z]{0,2}-?\d{1,4}")  # `carpa B12`
_ESTATE = re.compile(
    r"(?i)(?:casa\b|caserío|cortijo|baserria|masía|finca|hacienda|quinta|rancho|alquería|agrup|sector\b|lugar\b|colonia\b|barrio\b|paraje\b|partida\b|residencial\b|"
    r"urb\b|urbanización\b|conjunto\b|aa\.? ?hh|pp\.? ?jj)"
)
_SIDE = re.compile(r"\b(?:dcha|izda|izq|dch|derecha|izquierda)\b", re.IGNORECASE)
_SIDES = {"dcha": "izda", "izda": "dcha", "izq": "dch", "dch": "izq", "derecha": "izquierda", "izquierda": "derecha"}


class Streets:
    """Invents addresses in one scope."""

    def __init__(
        self, key: Draws, scope: str, originals: Originals, own: OwnValues | None = None, country: str = "ES"
    ) -> None:
        """Streets are called as in that country; as in all of them if it is empty."""
        self._country = country
        self._key = key
        self._scope = scope
        self._originals = originals
        self._own = (own or OwnValues()).get("street")

    def rewrite(self, value: str, before: str = "") -> str | None:
        """Another address in the form of the original; `before` is the text before it."""
        if road := _ROAD.match(value):
            return self._numbered(value, road.end(1))
        if box := _BOX.match(value):
            return self._numbered(value, box.end())
        if _CODED.fullmatch(value):
            return self._numbered(value, value.index(" ") + 1)
        if english := _ENGLISH.fullmatch(value):
            return self._in_english(value, english)
        if all(word in _LISTS.words("indoors") or len(word) == 1 or word.isdigit() for word in words_of(value)):
            return self._numbered(value, 0)  # the street stands elsewhere
        if basque := _BASQUE.match(value):
            return self._in_basque(value, basque.end("name"))
        kind = _KIND.match(value)
        start = kind.end() if kind and kind.end() < len(value) else 0
        if value[start : start + 1].isdigit():
            return self._numbered(value, start)
        is_described = (value[:1].islower() and not start and value.count(" ") >= _LONG_WAY) or (
            value.islower() and (not start or value.count(" ") >= _LONG_WAY)
        )
        is_described = is_described or (value.islower() and is_house(value))
        if is_described or (is_way(value) and (not start or value[:1].islower())) or is_way_in_capitals(value):
            has_number = _NUMBER.search(value) is not None
            if has_number and value.isupper():
                new = self._numbered(value.lower(), 0)
                return new and new.upper()
            return self._numbered(value, 0) if has_number else self._described(value, before)
        particle = _PARTICLE.match(value, start)
        tail = _TAIL.search(value, start + 1)
        end = tail.start() if tail else len(value)
        name = value[start:end]
        if len(_core(name)) <= 1:
            return self._numbered(value, start)  # `Mz. D lote 14`
        if _NO_STREET.search(name) or (self._country == "US" and not kind):
            return None
        names = self._own.values if self._own else _names_like(value, self._country, has_particle=particle is not None)
        pool = self._own or _by_use(names)
        for attempt in range(_TRIES):
            rest = self._numbers(value[end:], f"{_core(name)} {attempt}")
            chosen = self._choose(pool, value[:start], rest, _core(name))
            if chosen is not None:
                return f"{value[:start]}{spelled_like(chosen, name)}{rest}"
        return None

    def _in_basque(self, value: str, end: int) -> str | None:
        """`Loiola bidea 12, 3. ezk` → `Iturri bidea 34, 2. ezk`."""
        rest = self._numbers(value[end:], _core(value))
        name = self._choose(_by_use(_LISTS["Basque names"]), "", rest, _core(value[:end]))
        return name and spelled_like(name, value[:end]) + rest

    def _in_english(self, value: str, parts: re.Match[str]) -> str | None:
        """`1140 E Olive Ave Apt 7` → `2216 E Cedar Ave Apt 4`."""
        for attempt in range(_TRIES):
            name = self._choose(_by_use(_LISTS["English names"]), "", parts["after"], _core(parts["name"]))
            pick = self._picker(f"{_core(value)} {attempt}")
            number, after = (_NUMBER.sub(partial(_other_number, pick), parts[p]) for p in ("number", "after"))
            is_ordinal = parts["name"][0].isdigit()  # `38th`
            street = name if is_ordinal else spelled_like(name or "", parts["name"])
            new = f"{number}{parts['between']}{street}{after}"
            if name and not self._originals.within(new):
                return new
        return None

    def _described(self, value: str, before: str) -> str | None:
        """Other directions to a house, for `tercera casa después de la gallera`."""
        pool = ways_like(value, before)
        new = self._key.choose(pool, lambda d: key_of(d) != key_of(value), "way", self._scope, key_of(value))
        return None if new is None or self._originals.within(new) else in_case_of(new, value)

    def _numbered(self, value: str, start: int) -> str | None:
        """`Calle 64 A No. 52-53`: streets that have numbers for names."""
        made = (
            value[:start] + self._numbers(value[start:], f"{' '.join(_NUMBER.findall(value))} {n}")
            for n in range(_TRIES)
        )
        return next((new for new in made if not self._originals.within(new)), None)

    def _choose(self, pool: Pool, head: str, rest: str, identity: str) -> str | None:
        def is_free(name: str) -> bool:
            return not self._originals.within(f"{head}{name}{rest}")

        return self._key.draw(pool, is_free, "street", self._scope, identity)

    def _numbers(self, rest: str, identity: str) -> str:
        """House, floor and door: other numbers of about the same size, other letters, the other side."""

        pick = self._picker(identity)
        rest = _WORDS.sub(lambda match: self._outdoors(match.group(), identity), rest)
        rest = _ORDINAL.sub(lambda match: _ordinal(match.group(1), pick), rest)
        rest = _NUMBER.sub(partial(_other_number, pick), rest)
        rest = _DOOR.sub(lambda match: _letter(match.group(), pick), rest)
        return _SIDE.sub(lambda match: spelled_like(_SIDES[match.group().lower()], match.group()), rest)

    def _picker(self, identity: str) -> Callable[[int, str], int]:
        return lambda bound, old: self._key.number(bound, "door", self._scope, identity, old)

    def _outdoors(self, run: str, identity: str) -> str:
        """The replacement of a second name in the address, such as that of a quarter or a building."""
        if (
            run.islower()
            or _ROAD_WORD.search(run)
            or _WAY_IN_CAPITALS.match(run)
            or all(word in _LISTS.words("indoors") for word in words_of(run))
        ):
            return run  # `frente a la cancha` is everywhere
        words = run.split()
        if words[0].islower():  # `tres cuadras de la YPF`
            start = next(n for n, word in enumerate(words) if not word.islower())
            end = max(n for n, word in enumerate(words) if not word.islower()) + 1
            pick = self._key.number(1000, "landmark", self._scope, key_of(run))
            return " ".join((*words[:start], landmark(words[start - 1], pick), *words[end:]))
        kind = f"{words[0]} " if len(words) > 1 and key_of(words[0]) in _LISTS.words("parts") else ""
        identities = ("quarter", self._scope, identity, key_of(run))
        new = self._key.choose(quarters(), lambda name: not self._originals.within(name), *identities)
        return kind + in_case_of(new or "", run)


def _core(name: str) -> str:
    """The street's name without words that are often omitted."""
    return " ".join(word for word in words_of(name) if word not in _LISTS.words("left out"))


def _number(digits: str, pick: Callable[[int, str], int]) -> str:
    """Another number with the same count of digits."""
    low, high = max(1, 10 ** (len(digits) - 1)), 10 ** len(digits) - 1
    drawn = low + pick(high - low, digits)
    return str(drawn + 1 if low <= int(digits) <= drawn else drawn)


def _other_number(pick: Callable[[int, str], int], match: re.Match[str]) -> str:
    return _number(match.group(), pick)


def _ordinal(digit: str, pick: Callable[[int, str], int]) -> str:
    """Another digit of those that take the ending -ta: 4ta, 5ta, 6ta."""
    return [other for other in "456" if other != digit][pick(2, digit)]


def _letter(letter: str, pick: Callable[[int, str], int]) -> str:
    others = [c for c in "ABCDEF" if c != letter.upper()]
    chosen = others[pick(len(others), letter.upper())]
    return chosen if letter.isupper() else chosen.lower()


def _names_like(value: str, country: str, *, has_particle: bool) -> tuple[str, ...]:
    """The names to draw for a street, in the language of its kind: `Carrer de la Font`, `Rúa do Sol`."""
    if _CATALAN.match(value):
        return _LISTS["Catalan names"]
    if _GALICIAN.match(value):
        return _LISTS["Galician names"]
    if _ESTATE.match(value):
        return quarters()
    names = _with_particle(country) if has_particle else _without_particle(country)
    if _WITH_ADJECTIVE.match(value):
        return names
    return tuple(name for name in names if name not in _LISTS.words("adjectives"))  # `Jr. Nueva`, `Real 766`


@cache
def _with_particle(country: str) -> tuple[str, ...]:
    names = (name for name in _streets() if _PARTICLE.match(name) and name[0] == "d")
    if country == "ES":
        return tuple(name for name in names if name not in _heroes())
    return tuple(name for name in names if not _OF_SPAIN.fullmatch(name))


@cache
def _without_particle(country: str) -> tuple[str, ...]:
    """Spain has no streets after the heroes of America, and America none after the rivers and poets of Spain."""
    if country == "ES":
        return tuple(name for name in _streets() if name[0] != "d" and name not in _heroes())
    return (*_LISTS["everywhere"], *(name for name in _LISTS.get(f"of {country}") if name[0] != "d"))


@cache
def _heroes() -> frozenset[str]:
    """What streets of single countries of America are called after."""
    return frozenset(name for of in _LISTS.names() if re.fullmatch("of [A-Z]{2}", of) for name in _LISTS[of])


def _streets() -> Iterator[str]:
    """The names to draw from, without those that have digits: `20 de Noviembre` looks like a date or a house number."""
    names = (name for name in tables.lines("streets.txt") if name not in _LISTS["of one town"])
    return (name for name in names if not any(map(str.isdigit, name)))


@cache
def _by_use(names: tuple[str, ...]) -> Pool:
    """The names with weights: those that most towns have are drawn more often."""
    return Pool.of({name: _USUAL if name in _LISTS["usual"] else 1 for name in names})

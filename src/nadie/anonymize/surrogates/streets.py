"""Invented streets in the form of the original: `C/ Hilera, 13 2.º B` → `C/ Río Sil, 47 3.º D`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from nadie.anonymize.originals import Originals
from nadie.anonymize.secret import Key
from nadie.anonymize.surrogates.spelling import spelled_like
from nadie.spanish import tables
from nadie.spanish.folding import key_of, words_of

_KINDS = (
    "calle|c|cl|cll|carrer|cr|rúa|rua|r|kalea|avenida|avda|avd|avgda|avinguda|av|plaza|plaça|praza|pza|plza|pz|pl|"
    "paseo|passeig|pº|po|pso|carretera|ctra|crta|crt|cra|camino|camí|camiño|cno|ronda|rda|glorieta|gta|travesía|"
    "trav|tr|urbanización|urb|barrio|bº|polígono|pol|pasaje|pje|cuesta|costanilla|vía|via|callejón|bulevar|alameda|"
    "autovía|apartado|colonia|col|cerrada|prolongación|calzada|carrera|diagonal|transversal|jirón|partida|lugar|"
    "rambla|raval|travessera|rondilla|explanada|muelle|parque|paraje|plazuela|sector|pasarela|p|a"
)
_KIND = re.compile(rf"\s*(?:(?:{_KINDS})\b[.,/\\]*|[ckp][/\\]\.?)\s*", re.IGNORECASE)
_PARTICLE = re.compile(r"(?:de las|de los|de la|del|de l'|de|d')\s*", re.IGNORECASE)
# Where the name ends and number, floor and door begin.
_TAIL = re.compile(
    r"\s*,|\s+(?=s/n|s\.n|sn\b|núm|num\b|n\.?º|nº|n°|no\.? ?\d|número|km|portal|bloque|blq|piso|planta|bajo\b|#)"
    r"|\s*(?=\d)",
    re.IGNORECASE,
)
_TRIES = 8
_NUMBER = re.compile(r"\d+")
_DOOR = re.compile(r"(?<![A-Za-zÀ-ÿ])[A-Ha-h](?![A-Za-zÀ-ÿºª])")
_WORDS = re.compile(r"[A-Za-zÀ-ÿ]{3,}(?:[ .'’-]+[A-Za-zÀ-ÿ]{2,})*")
# What may stay in what follows the name, because it says where in the house and not which house.
_INDOORS = frozenset(
    "num numero no piso planta bajo bajos portal bloque bloq blq escalera esc puerta pta atico sotano entresuelo "
    "entlo principal ppal local nave casa chalet edificio edif suite interior int ext exterior derecha dcha dch "
    "dcho der drch izquierda izda izq izdo centro ctro letra despacho oficina torre parcela modulo km kilometro "
    "apartado apdo de y primero primera segundo segunda tercero tercera cuarto cuarta quinto sexto".split()
)
_SIDE = re.compile(r"\b(?:dcha|izda|izq|dch|derecha|izquierda)\b", re.IGNORECASE)
_SIDES = {"dcha": "izda", "izda": "dcha", "izq": "dch", "dch": "izq", "derecha": "izquierda", "izquierda": "derecha"}


class Streets:
    """Invents addresses in one scope."""

    def __init__(self, key: Key, scope: str, originals: Originals) -> None:
        self._key = key
        self._scope = scope
        self._originals = originals

    def rewrite(self, value: str) -> str | None:
        kind = _KIND.match(value)
        start = kind.end() if kind and kind.end() < len(value) else 0
        if value[start : start + 1].isdigit():
            return self._numbered(value, start)
        particle = _PARTICLE.match(value, start)
        tail = _TAIL.search(value, start + 1)
        end = tail.start() if tail else len(value)
        name = value[start:end]
        pool = _with_particle() if particle else _without_particle()
        for attempt in range(_TRIES):
            rest = self._numbers(value[end:], f"{key_of(value)} {attempt}")
            chosen = self._choose(pool, value[:start], rest, key_of(name))
            if chosen is not None:
                return f"{value[:start]}{spelled_like(chosen, name)}{rest}"
        return None

    def _numbered(self, value: str, start: int) -> str | None:
        """`Calle 64 A No. 52-53`: streets that have numbers for names."""
        made = (value[:start] + self._numbers(value[start:], f"{key_of(value)} {n}") for n in range(_TRIES))
        return next((new for new in made if not self._originals.within(new)), None)

    def _choose(self, pool: tuple[str, ...], head: str, rest: str, identity: str) -> str | None:
        def is_free(name: str) -> bool:
            return not self._originals.within(f"{head}{name}{rest}")

        return self._key.choose(pool, is_free, "street", self._scope, identity)

    def _numbers(self, rest: str, identity: str) -> str:
        """House, floor and door: other numbers of about the same size, other letters, the other side."""
        place = 0

        def pick(bound: int) -> int:
            nonlocal place
            place += 1
            return self._key.number(bound, "door", self._scope, identity, str(place))

        rest = _WORDS.sub(lambda match: self._outdoors(match.group(), identity), rest)
        rest = _NUMBER.sub(lambda match: _number(match.group(), pick), rest)
        rest = _DOOR.sub(lambda match: _letter(match.group(), pick), rest)
        return _SIDE.sub(lambda match: spelled_like(_SIDES[match.group().lower()], match.group()), rest)

    def _outdoors(self, run: str, identity: str) -> str:
        """A second name in the address, such as a quarter or a building, gives way to another one."""
        if all(word in _INDOORS for word in words_of(run)):
            return run
        return (
            self._key.choose(
                tables.lines("centres.txt"),
                lambda name: not self._originals.within(name),
                *("quarter", self._scope, identity, key_of(run)),
            )
            or ""
        )


def _number(digits: str, pick: Callable[[int], int]) -> str:
    """One digit stays one digit, two stay two, and no number stays the same."""
    low, high = max(1, 10 ** (len(digits) - 1)), 10 ** len(digits) - 1
    drawn = low + pick(high - low)
    return str(drawn + 1 if low <= int(digits) <= drawn else drawn)


def _letter(letter: str, pick: Callable[[int], int]) -> str:
    others = [c for c in "ABCDEF" if c != letter.upper()]
    chosen = others[pick(len(others))]
    return chosen if letter.isupper() else chosen.lower()


@cache
def _with_particle() -> tuple[str, ...]:
    return tuple(name for name in _streets() if _PARTICLE.match(name) and name[0] == "d")


@cache
def _without_particle() -> tuple[str, ...]:
    return tuple(name for name in _streets() if name[0] != "d")


def _streets() -> Iterator[str]:
    """The names to draw; `20 de Noviembre` could be taken for a date or a house."""
    return (name for name in tables.lines("streets.txt") if not any(map(str.isdigit, name)))

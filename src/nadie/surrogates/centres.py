"""Invented hospitals, health centres and institutions: the words for the kind are kept, the proper name changes.

`Hospital General Universitario Gregorio Marañón` → `Hospital General Universitario Virgen del Espino`;
`Complejo Hospitalario de Navarra` → `Complejo Hospitalario de` and the surrogate of Navarra.
"""

from __future__ import annotations

import re
from functools import cached_property

from nadie.labels import Label
from nadie.spanish import tables
from nadie.spanish.centre_words import KINDS
from nadie.spanish.folding import key_of, same_length, words_of
from nadie.spanish.lexicon import UNKNOWN, Lexicon
from nadie.spanish.name_pools import surname_pool
from nadie.spanish.pools import Pool
from nadie.spanish.population import bearers, surname_bearers
from nadie.spanish.word_lists import Lists
from nadie.surrogates.addresses import Address
from nadie.surrogates.bodies import is_body, number_in
from nadie.surrogates.centre_kinds import (
    LINK,
    MEDICAL,
    Centre,
    has_short_head,
    initials_of,
    is_acronym,
    is_bare_kind,
    is_called_by_kind,
    is_named_after,
    is_of_town,
    is_prison,
    is_short_kind,
    known_like,
    short_kind,
    split,
)
from nadie.surrogates.draws import Draws
from nadie.surrogates.originals import Originals
from nadie.surrogates.places import Places
from nadie.surrogates.quarters import quarters
from nadie.surrogates.rules import Rule, by_first
from nadie.surrogates.spelling import in_case_of, spelled_like

_LISTS = Lists("centres", "nadie.surrogates")

_NUMBERED = re.compile(
    r"((?:[A-Z]{2,6}|(?:[A-Z]\.){2,4}|(?i:notaría|juzgado|comisaría|escuela|unidad|consultorio|jardín))"
    r"[ -](?:[Nn][.oº°]+ ?)?)(\d{1,6})"
)
_NUMBERED_OF_TOWN = re.compile(
    r"(?i)((?:juzgado|notaría|comisaría|escuela|centro)\D{0,40}?)(\d{1,3})\s+de\s+(\D{3,40})"
)
_NAMED_AFTER = re.compile(r"(?i)(?:san|santa|santo|nuestra|virgen|dr|dra|doctor|doctora|padre|sor|el|la|los|las)\b")
_ENGLISH = re.compile(rf".+?((?: {_LISTS.pattern('English institutions')})+\.?)")
_ESTATE = re.compile(r"(?:El|La|Los|Las|EL|LA|LOS|LAS) [^\W\d_]+$")  # `La Porfiada`
_LONGEST_LETTERS = 4
_OWN: dict[str, str] = {Label.HOSPITAL: "hospital", Label.CENTRO_SALUD: "centre"}
_FEMALE_ARTICLE = re.compile(r"\b(?:la|una|las)\s$")
_HOSPITAL_LETTERS = re.compile(r"HGU|HCU|HU|HG|HR|HC|HM|CHU|CH|H|CS|C")
_SAINT = re.compile(r"(?i)(?:san|santa|santo|virgen)\b")
_EMERGENCY = re.compile(r"(112|061) ([^\d,]{3,30})")
_QUOTED = re.compile(r"(?P<kind>[^\"«“]{3,60}?)(?P<open> ?[\"«“])(?P<name>[^\"»”]{2,60})(?P<close>[\"»”]?)")
_KIND_WORDS = "|".join(sorted(KINDS, key=len, reverse=True))
_KIND_BEFORE = re.compile(
    rf"(?i)\b(?:{_KIND_WORDS}|htal|hosp|sanat|clin)\b\.?(?: del?(?: la| los| las)?)?[\s\"'«“]{{1,3}}$"
)
_ORDINARY = 6  # of the lexicon's rarity: `Molino`, `Harinas`


class Centres:
    """Invents names of places where people are treated, study or work."""

    def __init__(self, key: Draws, scope: str, originals: Originals, places: Places) -> None:
        self._key = key
        self._scope = scope
        self._originals = originals
        self._places = places

    def rewrite(self, value: str, label: str, address: Address, before: str = "") -> str | None:
        """Another centre of the same kind. `before` is the text before the span; its article gives the gender."""
        parts = split(value, is_body=label == Label.INSTITUCION and is_body(words_of(value)))
        return by_first(self._rules, Centre(value, label, address, before, *parts))

    @cached_property
    def _rules(self) -> tuple[Rule[Centre], ...]:
        return (
            (lambda c: self._places.own.get(_OWN.get(c.label, "")), self._own),
            (lambda c: _NUMBERED_OF_TOWN.fullmatch(c.value), self._numbered_of_town),
            (lambda c: _EMERGENCY.fullmatch(c.value), self._emergency),
            (
                lambda c: c.label == Label.INSTITUCION and number_in(c.value),
                lambda c, found: self._numbered(found[1], found[2]),
            ),
            (known_like, lambda c, known: self._choose("", known, c.value)),
            (lambda c: c.label in MEDICAL and _QUOTED.fullmatch(c.value), self._quoted),
            (lambda c: is_acronym(c.value), lambda c, _: self._by_initials(c)),
            (lambda c: _NUMBERED.fullmatch(c.value), lambda c, found: self._numbered(*found.groups())),
            (short_kind, lambda c, short: self._after_short_kind(c.value, short.end(), c.address)),
            (lambda c: is_acronym(c.tail) and not c.value.isupper(), self._called_by_acronym),
            (lambda c: not c.head and c.label not in MEDICAL, lambda c, _: self.firm(c.value)),
            (is_called_by_kind, lambda c, _: self._named("", c)),
            (is_bare_kind, lambda c, _: self._named(c.head, c)),
            (is_prison, lambda c, _: self._after_short_kind(c.value, len(c.head) + 1, c.address)),
            (is_of_town, self._of_town),
            (is_named_after, lambda c, _: self._named(c.head, c)),
        )

    @cached_property
    def _names(self) -> tuple[str, ...]:
        """What centres are called after; outside Spain nobody has heard of its queens, valleys and local saints."""
        return tables.lines("centres.txt") if self._places.country == "ES" else _LISTS["of any country"]

    def _own(self, centre: Centre, own: Pool) -> str | None:
        value = centre.value
        drawn = self._key.draw(own, lambda name: not self._originals.within(name), "own", self._scope, key_of(value))
        return None if drawn is None else spelled_like(drawn, value)

    def _quoted(self, centre: Centre, found: re.Match[str]) -> str | None:
        """Another name within the quotation marks: `HGZ No. 20 "La Margarita"`, or after the only one."""
        numbered = re.fullmatch(r"(\D+)(\d{1,6})", found["kind"])
        kind = self._numbered(*numbered.groups()) if numbered else found["kind"]
        name = self._choose("", self._names, found["name"])
        return name and f"{kind}{found['open']}{name}{found['close']}"

    def _numbered_of_town(self, centre: Centre, found: re.Match[str]) -> str | None:
        town = self._places.town(found[3], centre.address)
        between = centre.value[found.end(2) : found.start(3)]
        return town and self._numbered(found[1], found[2]) + between + town

    def _emergency(self, centre: Centre, called: re.Match[str]) -> str | None:
        town = self._places.town(called[2], centre.address)
        return town and f"{called[1]} {town}"

    def _called_by_acronym(self, centre: Centre, _: object) -> str | None:
        """Another acronym after the kind: `obra social OSPAT`."""
        is_known = centre.label != Label.INSTITUCION or " " in centre.head
        new = self._acronym(centre.tail) if is_known else None  # `Centros FRIAT`: no reader knows another one
        return new and f"{centre.head}{centre.link or ' '}{new}"

    def _of_town(self, centre: Centre, _: object) -> str | None:
        value, tail, address = centre.value, centre.tail, centre.address
        town = self._places.town(tail, address) if tail else self._any_town(address, value)
        joined = f"{centre.head}{' ' if has_short_head(centre) else in_case_of(' de ', value)}{town}"
        is_free = town and not self._originals.within(joined)
        return joined if is_free else self._named(centre.head, centre)

    def _after_short_kind(self, value: str, start: int, address: Address) -> str | None:
        """Another name after an abbreviated kind: `CPN de Imbert`, `Fcia. San Blas`; a long acronym changes too."""
        head, link = value[:start], LINK.match(value, start)
        begin = link.end() if link else start
        if len(head.strip()) > _LONGEST_LETTERS + 1 and not is_short_kind(head.strip()):
            head = f"{self._acronym(head.strip())} "
        tail = value[begin:]
        if _NAMED_AFTER.match(tail):
            return self._choose(head, self._names, value)
        town = self._places.town(tail, address)
        return town and f"{head}{value[start:begin]}{town}"

    def firm(self, value: str) -> str | None:
        """An invented firm of the same trade (`Harinas Lezana` → `Harinas` and another surname), school or saint.

        None if the name shows no trade: an invented brand would be one that no reader knows.
        """
        if english := _ENGLISH.fullmatch(value):
            return f"{in_case_of(self._surname(value) or 'Sun', value)}{english[1]}"
        if _ESTATE.match(value):
            return self._choose("", quarters(), value)
        if _SAINT.match(value):
            return self._choose("", tuple(name for name in self._names if _SAINT.match(name)), value)
        head, _, rest = value.partition(" ")
        names = words_of(rest)
        is_named = _ESTATE.match(rest) or any(bearers(w) or surname_bearers(w) for w in names)  # not `Médicas`
        name = self._surname(value, head) if is_named and self._is_trade(head) else None
        return name and f"{head} {in_case_of(name, rest)}"

    def _surname(self, value: str, head: str | None = None) -> str | None:
        """The surname in the surrogate of a firm; after `head` it gives no original value."""
        pool = surname_pool("soto", with_particle=False)
        identity = ("firm", self._scope, key_of(value))
        return self._key.draw(pool, lambda n: head is None or not self._originals.within(f"{head} {n}"), *identity)

    @staticmethod
    def _is_trade(word: str) -> bool:
        folded = key_of(word)
        if len(word) <= 3 or bearers(folded) or folded in _LISTS.words("of places") | _LISTS.words("no trade"):
            return False
        if folded in tables.country_codes():
            return False
        if folded in tables.town_codes() or folded.endswith(_LISTS["endings of people"]):
            return False  # `Defensores de la Fe`
        is_known = Lexicon.shared().rarity(word.lower()) < UNKNOWN
        is_goods = word.endswith("s") and is_known and not surname_bearers(folded)  # `Toneles`
        return is_goods or folded in _LISTS.words("trades") or word.lower().endswith(_LISTS["endings of trades"])

    def _named(self, head: str, centre: Centre) -> str | None:
        """Another name after the kind; a hospital that is named without its kind gets one that fits the article."""
        if not (head := head.rstrip()) and _KIND_BEFORE.search(same_length(centre.before)):
            return self._choose("", self._names, centre.value)
        if not head:
            is_female = _FEMALE_ARTICLE.search(centre.before.lower()) is not None
            hospital = "Clínica" if is_female else "Hospital"
            head = in_case_of("Centro de Salud" if centre.label == Label.CENTRO_SALUD else hospital, centre.value)
        return self._choose(f"{head} ", self._names, centre.value)

    def _by_initials(self, centre: Centre) -> str | None:
        """Initials of an invented hospital for `HUNSC`, a hospital's name for other letters; no institution has any."""
        value, kind = centre.value, _HOSPITAL_LETTERS.match(centre.value)
        if centre.label == Label.INSTITUCION:
            return None
        if kind is None or len(value) <= len(kind.group()):
            return self._acronym(value) if centre.label == Label.CENTRO_SALUD else self._named("", centre)
        name = self._choose("", self._names, value)
        return name and kind.group() + initials_of(name)

    def _acronym(self, value: str) -> str | None:
        for attempt in range(20):
            identity = ("acronym", self._scope, value, str(attempt))
            vowels = iter(self._key.characters("AEIOU", len(value), *identity, "vowels"))
            others = iter(self._key.characters("BCDFGHLMNPRST", len(value), *identity))
            is_word = len(value) > _LONGEST_LETTERS  # such a one is spoken, and needs its vowels
            at_vowel = [place % 2 == 1 if is_word else c in "AEIOU" for place, c in enumerate(value)]
            new = "".join(next(vowels if vowel else others) for vowel in at_vowel)
            is_taken = new.lower() in tables.words("acronyms") or self._originals.within(new)
            if new != value and not is_taken and Lexicon.shared().rarity(new.lower()) > _ORDINARY:
                return new
        return None

    def _numbered(self, head: str, number: str) -> str:
        low = 10 ** (len(number) - 1)
        drawn = low + self._key.number(9 * low - 1, "numbered", self._scope, head, number)
        return f"{head}{drawn + (drawn >= int(number))}"

    def _choose(self, head: str, pool: tuple[str, ...], value: str) -> str | None:
        identity = ("centre", self._scope, key_of(split(value)[2]) or key_of(value))  # one name in all its writings
        chosen = self._key.choose(pool, lambda c: not self._originals.within(head + c), *identity)
        if chosen is None or (is_acronym(value) and not head):  # `OSDE` → `Swiss Medical`
            return chosen
        return head + spelled_like(in_case_of(chosen, value), value)

    def _any_town(self, address: Address, value: str) -> str | None:
        known = next((town for town in address.towns if town in tables.town_codes()), None)
        return self._places.town(in_case_of((known or key_of(value)).title(), value), address)

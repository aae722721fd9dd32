"""Invented hospitals, health centres and institutions: the kind stays, what it is called after changes.

`Hospital General Universitario Gregorio Marañón` → `Hospital General Universitario Virgen del Espino`;
`Complejo Hospitalario de Navarra` → `Complejo Hospitalario de` and the place that Navarra gave way to.
"""

from __future__ import annotations

import re
from functools import cache

from nadie.labels import Label
from nadie.spanish import tables
from nadie.spanish.centre_words import KINDS, LINKS, is_only_kind
from nadie.spanish.folding import key_of, words_of
from nadie.spanish.lexicon import Lexicon
from nadie.spanish.population import bearers, surname_bearers, surname_pool
from nadie.surrogates.addresses import Address
from nadie.surrogates.bodies import bodies_like, is_body, is_body_word, number_in
from nadie.surrogates.draws import Draws
from nadie.surrogates.lists import Lists
from nadie.surrogates.originals import Originals
from nadie.surrogates.places import Places
from nadie.surrogates.quarters import quarters
from nadie.surrogates.spelling import in_case_of, spelled_like

_LISTS = Lists("centres")

_LINK = re.compile(r"(?:de las|de los|de la|del|de)\s+", re.IGNORECASE)
_LINK_WITHIN = re.compile(r"\s+(?:de la|del|de)\s+", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:['’.][^\W\d_]+)*|\d+")
_NUMBERED = re.compile(
    r"((?:[A-Z]{2,6}|(?:[A-Z]\.){2,4}|Notaría|Juzgado|Comisaría|Escuela|Unidad|[Cc]onsultorio)[ -](?:[Nn][.oº°]+ "
    r"?)?)(\d{1,6})"
)
_NUMBERED_OF_TOWN = re.compile(
    r"(?i)((?:juzgado|notaría|comisaría|escuela|centro)\D{0,40}?)(\d{1,3})\s+de\s+(\D{3,40})"
)
_SHORT_KIND = re.compile(r"(?:[A-ZÑ]{2,8}|[A-ZÑ][a-zñ]{2,7}\.)\s+(?=[^\W\d_]{2,}\D*$)(?![A-ZÑ]{2,}\b)")
_NAMED_AFTER = re.compile(r"(?i)(?:san|santa|santo|nuestra|virgen|dr|dra|doctor|doctora|padre|sor|el|la|los|las)\b")
_ENGLISH = re.compile(
    r".+?((?: (?:Elementary|Middle|High|School|Hospice|Clinic|Center|Church|Farms?|Shop|Store|Market|Ranch|Supply|"
    r"Head Start|Academy|Regional|Community|Medical|Group|Fire|Department|Police|County|Examiner|HealthPlan|"
    r"Health|Plan|"
    r"Sheriff|College|University|Library|Farm|Bakery|Drywall|Packing|Cattle|Trucking|Roofing|LLC|Inc))+\.?)"
)
_ESTATE = re.compile(r"(?:El|La|Los|Las|EL|LA|LOS|LAS) [^\W\d_]+$")  # `La Porfiada`
_LONGEST_ACRONYM = 9
_LONGEST_LETTERS = 4
_OWN: dict[str, str] = {Label.HOSPITAL: "hospital", Label.CENTRO_SALUD: "centre"}
_INSURER = re.compile(r"(?i)\b(?:isapre|eps|mutual)\b")
_MALE_ARTICLE = re.compile(r"\b(?:el|al|del|un|los)\s$")
_SAINT = re.compile(r"(?i)(?:san|santa|santo|virgen)\b")
_EMERGENCY = re.compile(r"(112|061) ([^\d,]{3,30})")
_ORDINARY = 6  # of the lexicon's rarity: `Molino`, `Harinas`
_UNKNOWN = 10  # the rarity of words that the lexicon does not have
_MEDICAL = (Label.HOSPITAL, Label.CENTRO_SALUD)


class Centres:
    """Invents names of places where people are treated, study or work."""

    def __init__(self, key: Draws, scope: str, originals: Originals, places: Places) -> None:
        self._key = key
        self._scope = scope
        self._originals = originals
        self._places = places

    def rewrite(self, value: str, label: str, address: Address, before: str = "") -> str | None:
        """Another centre of the same kind. `before` is the text before the span; its article gives the gender."""
        own = self._places.own.get(_OWN.get(label, ""))
        if own is not None:
            drawn = self._key.draw(
                own, lambda name: not self._originals.within(name), "own", self._scope, key_of(value)
            )
            return None if drawn is None else spelled_like(drawn, value)
        if numbered := _NUMBERED_OF_TOWN.fullmatch(value):
            town = self._places.town(numbered[3], address)
            return town and self._numbered(numbered[1], numbered[2]) + value[numbered.end(2) : numbered.start(3)] + town
        if called := _EMERGENCY.fullmatch(value):
            town = self._places.town(called[2], address)
            return town and f"{called[1]} {town}"
        if label == Label.INSTITUCION and (number := number_in(value)):
            return self._numbered(number[1], number[2])
        head, link, tail = _split(value, is_body=label == Label.INSTITUCION and is_body(words_of(value)))
        if not tail and key_of(head).split(" de ")[0] in ("facultad", "departamento", "catedra"):
            return self._choose(head.split()[0] + " de ", _LISTS["faculties"], value)
        if known := _known_like(value, head, tail, label):
            return self._choose("", known, value)
        if value.isupper() and value.isalpha() and len(value) <= _LONGEST_ACRONYM:
            return self._acronym(value)
        if numbered := _NUMBERED.fullmatch(value):
            return self._numbered(*numbered.groups())
        if (
            not head
            and (short := _SHORT_KIND.match(value))
            and (label != Label.HOSPITAL or value[:2] in _LISTS["hospital initials"])
        ):
            return self._after_short_kind(value, short.end(), address)
        if tail.isupper() and tail.isalpha() and len(tail) <= _LONGEST_ACRONYM and not value.isupper():
            new = self._acronym(tail)  # `obra social OSPAT`
            return new and f"{head}{link or ' '}{new}"
        if not head and label not in _MEDICAL:
            return self.firm(value) if label != Label.INSTITUCION else self._association(value, before)
        if label == Label.HOSPITAL and key_of(value) in _LISTS.words("called by a kind"):
            return self._named("", value, label)  # `al Escuela`: the hospital that is called so
        if not tail and len(words_of(head)) == 1 and not address.towns and label in _MEDICAL:
            return self._named(head, value, label)  # `el comarcal`
        is_of_town = bool(link) and (key_of(tail) in tables.town_codes() or is_body(words_of(head)))
        is_prison = head == "CP" and key_of(tail) in tables.town_codes()
        if is_prison:
            return self._after_short_kind(value, len(head) + 1, address)
        if not tail or is_of_town:
            town = self._places.town(tail, address) if tail else self._any_town(address, value)
            joined = f"{head}{in_case_of(' de ', value)}{town}"
            return joined if town and not self._originals.within(joined) else self._named(head, value, label)
        return self._named(head, value, label)

    def _after_short_kind(self, value: str, start: int, address: Address) -> str | None:
        """`CPN de Imbert`, `Fcia. San Blas`, `SITRAMIN Lahuaytambo`: what it is called after changes, and a name."""
        head, link = value[:start], _LINK.match(value, start)
        begin = link.end() if link else start
        is_kind = head.strip().lower() in tables.words("acronyms") or head.strip() in _LISTS["bodies"]
        if len(head.strip()) > _LONGEST_LETTERS + 1 and head.strip().isupper() and not is_kind:
            head = f"{self._acronym(head.strip())} "
        tail = value[begin:]
        if _NAMED_AFTER.match(tail):
            return self._choose(head, tables.lines("centres.txt"), value)
        town = self._places.town(tail, address)
        return town and f"{head}{value[start:begin]}{town}"

    def _association(self, value: str, before: str) -> str | None:
        """An invented institution of the same trade or kind, or a foundation if the name shows neither."""
        if " " not in value or _ENGLISH.fullmatch(value) or _ESTATE.match(value) or self._is_trade(value.split()[0]):
            return self.firm(value)
        if _SAINT.match(value):
            return self._choose("", tuple(name for name in tables.lines("centres.txt") if _SAINT.match(name)), value)
        name = self._key.draw(surname_pool("soto", with_particle=False), bool, "firm", self._scope, key_of(value))
        is_male = _MALE_ARTICLE.search(before.lower()) is not None
        kinds = ("Instituto", "Centro") if is_male else ("Fundación", "Asociación")
        return self._choose("", tuple(f"{kind} {name}" for kind in kinds), value)

    def firm(self, value: str) -> str | None:
        """An invented firm: `Harinas Lezana` → `Harinas` and another surname."""
        if english := _ENGLISH.fullmatch(value):
            name = self._key.draw(surname_pool("soto", with_particle=False), bool, "firm", self._scope, key_of(value))
            return f"{in_case_of(name or 'Sun', value)}{english[1]}"
        if _ESTATE.match(value):
            return self._choose("", quarters(), value)
        head, _, rest = value.partition(" ")
        if not rest:
            return self._choose("", _single_words(), value)
        if self._is_trade(head):
            pool = surname_pool("soto", with_particle=False)
            identity = ("firm", self._scope, key_of(value))
            name = self._key.draw(pool, lambda n: not self._originals.within(f"{head} {n}"), *identity)
            return None if name is None else f"{head} {in_case_of(name, rest)}"
        name = self._key.draw(surname_pool("soto", with_particle=False), bool, "firm", self._scope, key_of(value))
        trades = tuple(f"{trade} {name}" for trade in _LISTS["trades"])
        return self._choose("", trades, value)

    @staticmethod
    def _is_trade(word: str) -> bool:
        folded = key_of(word)
        if len(word) <= 3 or bearers(folded) or folded in _LISTS.words("of places"):
            return False
        rarity = Lexicon.shared().rarity(word.lower())
        is_known = rarity < _UNKNOWN and not surname_bearers(folded) and folded not in tables.town_codes()
        return word.lower().endswith(_LISTS["endings of trades"]) or rarity <= _ORDINARY or is_known

    def _named(self, head: str, value: str, label: str) -> str | None:
        head = head.rstrip()
        if not head:
            head = in_case_of("Centro de Salud" if label == Label.CENTRO_SALUD else "Hospital", value)
        return self._choose(f"{head} ", tables.lines("centres.txt"), value)

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
        identity = ("centre", self._scope, key_of(value))
        chosen = self._key.choose(pool, lambda c: not self._originals.within(head + c), *identity)
        return None if chosen is None else head + spelled_like(in_case_of(chosen, value), value)

    def _any_town(self, address: Address, value: str) -> str | None:
        known = next((town for town in address.towns if town in tables.town_codes()), None)
        return self._places.town(in_case_of((known or key_of(value)).title(), value), address)


def _may_be_kind(value: str, label: str) -> bool:
    return label != Label.HOSPITAL or value[:2] in _LISTS["hospital initials"]


def _known_like(value: str, head: str, tail: str, label: str) -> tuple[str, ...]:
    """Health services, police and insurers of the same kind, where the value is one of these."""
    folded, insurers = key_of(value), tuple(_insurers().values())
    if folded in _health_services():
        return tuple(name for own, name in _health_services().items() if folded not in own)
    if label == Label.INSTITUCION and (alike := bodies_like(value)):
        return alike
    if folded in _insurers():
        return insurers
    if key_of(head) == "mutua" and tail:
        return tuple(name for name in insurers if name.startswith("Mutua") and tail not in name)
    if insured := _INSURER.search(value):
        kind = insured.group().lower()
        elsewhere = (name for name in _insurers_elsewhere() if kind in name.lower())
        return tuple(name for name in elsewhere if key_of(name) != folded) or insurers
    return ()


@cache
def _insurers_elsewhere() -> tuple[str, ...]:
    rows = (row[2] for row in tables.rows("institutions.tsv") if row[:2] == ["LA", "insurer"])
    return tuple(name for names in rows for name in names.split("|"))


@cache
def _health_services() -> dict[str, str]:
    """Folded name → name of the health services of Spain's regions."""
    return {key_of(name): name for name in _LISTS["health services"]}


@cache
def _single_words() -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.split()[0] for name in tables.lines("invented_firms.txt")))


@cache
def _insurers() -> dict[str, str]:
    """Folded name → name of the insurers of Spain: they have millions of members, and tell nothing of one."""
    rows = (row[2] for row in tables.rows("institutions.tsv") if row[:2] == ["ES", "insurer"])
    return {key_of(name): name for names in rows for name in names.split("|")}


def _split(value: str, *, is_body: bool = False) -> tuple[str, str, str]:
    """The words that say what kind of place it is, the particle after them, and what it is called after."""
    for link in _LINK_WITHIN.finditer(value):
        head, town = value[: link.start()], value[link.end() :]
        if is_only_kind(words_of(head)) and key_of(town) in tables.town_codes():
            return head, link.group(), town
    end = 0
    for match in _WORD.finditer(value):
        word = key_of(match.group()).replace(" ", "")  # I.E. is ie
        if word not in KINDS and word not in LINKS and not (is_body and is_body_word(word)):
            return _cut(value, end)
        end = end if word in LINKS else match.end()
    return value[:end].rstrip(), "", ""


def _cut(value: str, end: int) -> tuple[str, str, str]:
    end += value[end : end + 1] == "."
    rest = value[end:].lstrip(" \"'-,")
    link = _LINK.match(rest)
    tail = rest[link.end() :] if link else rest
    return value[:end], f" {link.group().strip()} " if link else "", tail.strip(" \"'")

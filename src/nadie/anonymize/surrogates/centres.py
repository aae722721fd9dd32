"""Invented hospitals, health centres and institutions: the kind stays, what it is called after changes.

`Hospital General Universitario Gregorio Marañón` → `Hospital General Universitario Virgen del Espino`;
`Complejo Hospitalario de Navarra` → `Complejo Hospitalario de` and the place that Navarra gave way to.
"""

from __future__ import annotations

import re
from functools import cache

from nadie.anonymize.originals import Originals
from nadie.anonymize.secret import Key
from nadie.anonymize.surrogates.addresses import Address
from nadie.anonymize.surrogates.centre_words import KINDS, LINKS, is_only_kind
from nadie.anonymize.surrogates.places import Places
from nadie.anonymize.surrogates.quarters import QUARTERS
from nadie.anonymize.surrogates.spelling import in_case_of, spelled_like
from nadie.labels import Label
from nadie.spanish import tables
from nadie.spanish.folding import key_of, words_of
from nadie.spanish.lexicon import Lexicon
from nadie.spanish.population import bearers, surname_pool

_LINK = re.compile(r"(?:de las|de los|de la|del|de)\s+", re.IGNORECASE)
_LINK_WITHIN = re.compile(r"\s+(?:de la|del|de)\s+", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:['’.][^\W\d_]+)*|\d+")
_FACULTIES = ("Medicina", "Farmacia", "Enfermería", "Biología", "Química", "Psicología", "Derecho", "Veterinaria")
_NUMBERED = re.compile(
    r"((?:[A-Z]{2,6}|I\.E\.|Notaría|Juzgado|Comisaría|Escuela|Unidad|[Cc]onsultorio)[ -](?:[Nn][.oº°]+ ?)?)(\d{1,6})"
)
_NUMBERED_OF_TOWN = re.compile(
    r"(?i)((?:juzgado|notaría|comisaría|escuela|centro)\D{0,40}?)(\d{1,3})\s+de\s+(\D{3,40})"
)
_SHORT_KIND = re.compile(r"(?:[A-ZÑ]{2,8}|[A-ZÑ][a-zñ]{2,7}\.)\s+(?=[^\W\d_]{2,}\D*$)(?![A-ZÑ]{2,}\b)")
_HOSPITALS = ("HG", "HR", "HU", "HC", "HM", "HN", "HP", "HO", "CD", "Ho", "Cl", "Ce")  # `JM Casal` is a person
_BODIES = ("DIRESA", "DIRIS", "GERESA", "SEDES", "SEREMI", "CESSA", "CESFAM", "CECOSF")
_NAMED_AFTER = re.compile(r"(?i)(?:san|santa|santo|nuestra|virgen|dr|dra|doctor|doctora|padre|sor|el|la|los|las)\b")
_ENGLISH = re.compile(
    r".+?((?: (?:Elementary|Middle|High|School|Hospice|Clinic|Center|Church|Farms?|Shop|Store|Market|Ranch|Supply|"
    r"Head Start|Academy|Regional|Community|Medical|Group))+)"
)
_ESTATE = re.compile(r"(?:El|La|Los|Las|EL|LA|LOS|LAS) [^\W\d_]+$")  # `La Porfiada`
_LONGEST_ACRONYM = 9
_LONGEST_LETTERS = 4
_OWN: dict[str, str] = {Label.HOSPITAL: "hospital", Label.CENTRO_SALUD: "centre"}
_INSURER = re.compile(r"(?i)\b(?:isapre|eps|mutual)\b")
_OF_A_TOWN = frozenset(
    "serenazgo fiscalia policia bomberos ayuntamiento alcaldia municipalidad juzgado guardia proteccion".split()
)
_ORDINARY = 6  # of the lexicon's rarity: `Molino`, `Harinas`
_TRADES = ("Grupo", "Comercial", "Industrias", "Almacenes", "Hermanos", "Suministros", "Talleres", "Transportes")
_TRADE_ENDINGS = ("ería", "erias", "erías", "dora", "oras")
_MEDICAL = (Label.HOSPITAL, Label.CENTRO_SALUD)


class Centres:
    """Invents names of places where people are treated, study or work."""

    def __init__(self, key: Key, scope: str, originals: Originals, places: Places) -> None:
        self._key = key
        self._scope = scope
        self._originals = originals
        self._places = places

    def rewrite(self, value: str, label: str, address: Address) -> str | None:
        own = self._places.own.get(_OWN.get(label, ""))
        if own is not None:
            drawn = self._key.draw(
                own, lambda name: not self._originals.within(name), "own", self._scope, key_of(value)
            )
            return None if drawn is None else spelled_like(drawn, value)
        if numbered := _NUMBERED_OF_TOWN.fullmatch(value):
            town = self._places.town(numbered[3], address)
            return town and self._numbered(numbered[1], numbered[2]) + value[numbered.end(2) : numbered.start(3)] + town
        head, link, tail = _split(value)
        if not tail and key_of(head).split(" de ")[0] in ("facultad", "departamento", "catedra"):
            return self._choose(head.split()[0] + " de ", _FACULTIES, value)
        if key_of(value) in _health_services():
            others = (name for own, name in _health_services().items() if key_of(value) not in own)
            return self._choose("", tuple(others), value)
        if key_of(value) in _insurers():
            return self._choose("", tuple(_insurers().values()), value)
        if insured := _INSURER.search(value):
            kind = insured.group().lower()
            alike = tuple(n for n in _insurers_elsewhere() if kind in n.lower() and key_of(n) != key_of(value))
            return self._choose("", alike or tuple(_insurers().values()), value)
        if value.isupper() and value.isalpha() and len(value) <= _LONGEST_ACRONYM:
            return self._acronym(value)
        if numbered := _NUMBERED.fullmatch(value):
            return self._numbered(*numbered.groups())
        if not head and (short := _SHORT_KIND.match(value)) and (label != Label.HOSPITAL or value[:2] in _HOSPITALS):
            return self._after_short_kind(value, short.end(), address)
        if not head and label not in _MEDICAL:
            return self.firm(value)
        if not tail and len(words_of(head)) == 1 and not address.towns and label in _MEDICAL:
            return self._named(head, value, label)  # `el comarcal`
        if not tail or (link and (key_of(tail) in tables.town_codes() or _OF_A_TOWN & set(words_of(head)))):
            town = self._places.town(tail, address) if tail else self._any_town(address, value)
            joined = f"{head}{link or in_case_of(' de ', value)}{town}"
            return joined if town and not self._originals.within(joined) else self._named(head, value, label)
        return self._named(head, value, label)

    def _after_short_kind(self, value: str, start: int, address: Address) -> str | None:
        """`CPN de Imbert`, `Fcia. San Blas`, `SITRAMIN Lahuaytambo`: what it is called after changes, and a name."""
        head, link = value[:start], _LINK.match(value, start)
        begin = link.end() if link else start
        is_kind = head.strip().lower() in tables.words("acronyms") or head.strip() in _BODIES
        if len(head.strip()) > _LONGEST_LETTERS + 1 and head.strip().isupper() and not is_kind:
            head = f"{self._acronym(head.strip())} "
        tail = value[begin:]
        if _NAMED_AFTER.match(tail):
            return self._choose(head, tables.lines("centres.txt"), value)
        town = self._places.town(tail, address)
        return town and f"{head}{value[start:begin]}{town}"

    def firm(self, value: str) -> str | None:
        """An invented firm: `Harinas Lezana` → `Harinas` and another surname."""
        if english := _ENGLISH.fullmatch(value):
            name = self._key.draw(surname_pool("soto", with_particle=False), bool, "firm", self._scope, key_of(value))
            return f"{in_case_of(name or 'Sun', value)}{english[1]}"
        if _ESTATE.match(value):
            return self._choose("", QUARTERS, value)
        head, _, rest = value.partition(" ")
        if not rest:
            return self._choose("", _single_words(), value)
        is_trade = head.lower().endswith(_TRADE_ENDINGS) or Lexicon.shared().rarity(head.lower()) <= _ORDINARY
        if len(head) > 3 and is_trade and not bearers(key_of(head)):
            pool = surname_pool("soto", with_particle=False)
            identity = ("firm", self._scope, key_of(value))
            name = self._key.draw(pool, lambda n: not self._originals.within(f"{head} {n}"), *identity)
            return None if name is None else f"{head} {in_case_of(name, rest)}"
        name = self._key.draw(surname_pool("soto", with_particle=False), bool, "firm", self._scope, key_of(value))
        trades = tuple(f"{trade} {name}" for trade in _TRADES)
        return self._choose("", trades, value)

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


@cache
def _insurers_elsewhere() -> tuple[str, ...]:
    rows = (row[2] for row in tables.rows("institutions.tsv") if row[:2] == ["LA", "insurer"])
    return tuple(name for names in rows for name in names.split("|"))


@cache
def _health_services() -> dict[str, str]:
    """Folded name → name of the health services of Spain's regions."""
    names = "SAS SERGAS SESCAM SACYL SES SESPA Osakidetza CatSalut Osasunbidea SERMAS SMS INGESA"
    return {key_of(name): name for name in names.split()}


@cache
def _single_words() -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.split()[0] for name in tables.lines("invented_firms.txt")))


@cache
def _insurers() -> dict[str, str]:
    """Folded name → name of the insurers of Spain: they have millions of members, and tell nothing of one."""
    rows = (row[2] for row in tables.rows("institutions.tsv") if row[:2] == ["ES", "insurer"])
    return {key_of(name): name for names in rows for name in names.split("|")}


def _split(value: str) -> tuple[str, str, str]:
    """The words that say what kind of place it is, the particle after them, and what it is called after."""
    for link in _LINK_WITHIN.finditer(value):
        head, town = value[: link.start()], value[link.end() :]
        if is_only_kind(words_of(head)) and key_of(town) in tables.town_codes():
            return head, link.group(), town
    end = 0
    for match in _WORD.finditer(value):
        word = key_of(match.group()).replace(" ", "")  # I.E. is ie
        if word not in KINDS and word not in LINKS:
            return _cut(value, end)
        end = end if word in LINKS else match.end()
    return value[:end].rstrip(), "", ""


def _cut(value: str, end: int) -> tuple[str, str, str]:
    end += value[end : end + 1] == "."
    rest = value[end:].lstrip(" \"'-,")
    link = _LINK.match(rest)
    tail = rest[link.end() :] if link else rest
    return value[:end], f" {link.group().strip()} " if link else "", tail.strip(" \"'")

"""Invented towns, provinces and postcodes that agree with one another.

A province is replaced by another one, always the same in a scope, its towns by towns of the new province, and its
postcodes and telephone prefixes by those of the new province. Towns abroad are replaced by towns of the same country.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cache, cached_property

from nadie.document import Document, Span
from nadie.persons.mending import as_letters
from nadie.spanish import tables
from nadie.spanish.country_cues import country_by_words, nationalities
from nadie.spanish.folding import key_of, letters_of, same_length
from nadie.spanish.pools import Pool
from nadie.spanish.sentence_language import PROVINCES_OF, language_of
from nadie.spanish.towns import (
    ARGENTINE_POSTCODES,
    FAMOUS_TOWNS,
    MEXICAN_POSTCODES,
    SAINTS,
    SHORT_STATES,
    TOWNS_OF_AMERICA,
    country_of,
    country_voted_by,
    is_state,
    is_state_abroad,
    mexican_state,
    provinces_by_inhabitants,
    states_with_towns,
    towns_abroad,
    towns_of,
    towns_of_state,
)
from nadie.spanish.word_lists import Lists
from nadie.surrogates.addresses import Address, addresses
from nadie.surrogates.dates.editions import names_classification
from nadie.surrogates.decision import KEEP, REFUSE, Outcome
from nadie.surrogates.draws import Draws
from nadie.surrogates.originals import Originals
from nadie.surrogates.own_values import OwnValues
from nadie.surrogates.quarters import is_after_kind, kind_within, quarters, regions_after
from nadie.surrogates.spelling import spelled_like

_LISTS = Lists("places", "nadie.surrogates")
_POSTCODE = re.compile(r"(?<!\d)\d{5}(?!\d)")
_POSTCODE_WORD = re.compile(r"(?i)\b(?:c\.?\s?p\b\.?|c[oó]d(?:igo|\.)? ?postal)\W*")
_BREAK = re.compile(r"\s*[,;()/]\s*|\s+-\s+")
_PROVINCE_BEFORE = re.compile(r"(?<!localidad/ )(?<!localidad/)(?:provincia|prov)(?: de)?\W*$")
_OF_STATE = re.compile(
    r"(?i)(?:edo\.?|estado(?: de)?|prov\.?|provincia(?: de)?|dp?to\.?|departamento(?: de)?)\s+(?=\w{3})"
)
_VOWEL = re.compile("[aeiou]")
_ARGENTINE = re.compile(r"[A-Z]\d{4}")
_ZONES = 12
_LONGEST_CODE, _LONGEST_PREFIX = 3, 2  # the E of E-28012
_LETTERS = "ABCDEFGHILMNOPRSTUV"
_VOTES_OF_WORDS = 3
_BEGINNING = 4000
_EVERYWHERE = (*SAINTS, "bella ", "buena ", "villa ", "puerto ", "nueva ", "nuevo ", "los ", "las ")
_JOURNEY_BEFORE = 80
_AFTER = 80
_JOURNEY = re.compile(
    r"\b(?:viaj\w+|viaje|estancia|crucero|turistic\w+|turismo|vacaciones|expedicion|safari|"
    r"contagi\w+|infect\w+|endemic\w+|brote|picadura\w*|mordedura\w*|adquirid[oa])\b[^.;\n]{0,60}$"
)
_CAUGHT_THERE = re.compile(
    r"[^.;\n]{0,20}\b(?:donde|en la que|en el que) [^.;\n]{0,30}\b(?:contagi|infect|adquiri|pic[oa]|mordi)"
)
_COUNTRY_BEFORE = re.compile(r"\bpais(?: de (?:origen|nacimiento|procedencia))? ?: ?$")
_ONE_TOWN = ("51", "52")  # Ceuta and Melilla have no second town to draw


class Places:
    """The surrogates of the places of one document. With `within` = `province`, places stay in their province."""

    def __init__(
        self,
        document: Document,
        key: Draws,
        scope: str,
        originals: Originals,
        within: str,
        own: OwnValues | None = None,
    ) -> None:
        self.document = document
        self.key = key
        self.scope = scope
        self.originals = originals
        self.within = within
        self.own = own or OwnValues()
        self._addresses = addresses(document)
        self._codes: dict[str, str] = {}
        self._around = {a.towns[0]: a.towns[1:] for a in self._addresses.values() if len(a.towns) > 1}
        self._countries = {town: a.country for a in self._addresses.values() if a.country for town in a.towns}

    def address(self, span: Span) -> Address:
        """The address that a place span is part of."""
        return self._addresses.get(span, Address(()))

    def new_code(self, code: str) -> str:
        """The code of the province that replaces a province."""
        if code not in self._codes:
            self._codes[code] = self._choose_code(code)
        return self._codes[code]

    def _choose_code(self, code: str) -> str:
        if self.within == "province" and code not in _ONE_TOWN:
            return code
        region, spoken = tables.provinces()[code].region, PROVINCES_OF.get(self._language, ())
        others = [p for p in tables.provinces().values() if p.code in spoken and p.code != code]
        others = others or [p for p in tables.provinces().values() if p.region != region and p.code not in _ONE_TOWN]
        if own := self.own.provinces:
            others = [p for p in others if p.code in own] or others

        def is_free(code: str) -> bool:
            return not self.originals.within("{0.name}. {0.capital}".format(tables.provinces()[code]))

        pool = provinces_by_inhabitants(tuple(province.code for province in others))
        return self.key.draw(pool, is_free, *self._of(code)) or others[0].code

    def _of(self, *identity: str) -> tuple[str, ...]:
        return ("place", self.scope, *identity)

    @cached_property
    def _language(self) -> str:
        language = language_of(self.document.text)
        words = Counter(letters_of(self.document.text[:_BEGINNING]))
        told = Counter(
            {
                code: sum(words[word] for word in words.keys() & _LISTS.words(f"words of {code}"))
                for code in PROVINCES_OF
            }
        )
        best, count = told.most_common(1)[0]
        return best if language == "es" and count else language

    def territory(self, span: Span) -> Outcome:
        """The replacement of a span with the label TERRITORIO."""
        value = as_letters(self.document.text_of(span))
        if names_classification(self.document.text, span.start, span.end):
            return KEEP
        before = same_length(self.document.text[max(0, span.start - _JOURNEY_BEFORE) : span.start])
        if key_of(value) in tables.country_codes() and _COUNTRY_BEFORE.search(before):
            return KEEP  # `País: España`
        is_away = _JOURNEY.search(before) or _CAUGHT_THERE.match(same_length(self.document.text[span.end :][:_AFTER]))
        if self._is_far_away(value, is_away=is_away is not None):
            return REFUSE
        new = self._rewrite(value, self.address(span), self.document.text[max(0, span.start - 30) : span.start])
        if new is None:
            return REFUSE
        return KEEP if new == value and self.within == "province" else new

    def _is_far_away(self, value: str, *, is_away: bool) -> bool:
        """Whether an unknown place is part of the world, or where somebody travelled or fell ill.

        A town of Spain would be false there.
        """
        words = key_of(value).split()
        if any(word in nationalities() or word in _LISTS.words("parts of the world") for word in words):
            return key_of(value) not in tables.town_codes() and not kind_within(value)
        return is_away and not _is_placed(key_of(value)) and not self._home

    def _rewrite(self, value: str, address: Address, before: str) -> str | None:
        pieces = _BREAK.split(value) if key_of(value) not in tables.town_codes() else [value]
        for piece in filter(None, pieces):
            new: str | None = piece
            for code in _POSTCODE.findall(piece):
                new = new and new.replace(code, self.postcode(code, address))
            name = _POSTCODE_WORD.sub("", _POSTCODE.sub("", piece)).strip()
            if self._home == "AR" and (argentine := _ARGENTINE.fullmatch(name)):
                new = self._argentine_postcode(argentine, address)
            elif any(c.isdigit() for c in name) and sum(map(str.isalpha, name)) <= _LONGEST_CODE:
                digits = self.key.characters("0123456789", 20, *self._of("code", key_of(value)))
                new = new and "".join(digits[i % 20] if c.isdigit() else c for i, c in enumerate(new))
            elif key_of(name) in _LISTS.words("of a capital district"):
                return None  # `D.C.`, of Bogotá alone
            elif name and (name == piece or len(key_of(name)) > _LONGEST_PREFIX):
                town = self.town(name, address, before)
                new = new and town and new.replace(name, town)
            if new is None:
                return None
            value = value.replace(piece, new, 1)
        return value

    def _argentine_postcode(self, code: re.Match[str], address: Address) -> str:
        """Another postcode, with the letter of the new province, or without one if the address names none."""
        digits = self.key.characters("123456789", 4, *self._of("code", code.group()))
        own = next((town for town in address.towns if is_state(town, "AR")), None)
        state = (self._state(own, "AR") if own else None) or ""
        return ARGENTINE_POSTCODES.get(key_of(state), "") + digits

    def town(self, name: str, address: Address, before: str = "") -> str | None:
        """The town, province or region that replaces `name`."""
        start = kind_within(name)
        if start or is_after_kind(before) or self._is_quarter(key_of(name), address):
            return self._quarter(name, start)
        if (titled := _OF_STATE.match(name)) and key_of(name) not in SHORT_STATES:
            own = name[titled.end() :]
            state = self.town(own, replace(address, towns=(*address.towns, key_of(own))), before)
            return state and titled.group() + state
        folded = key_of(name)
        if folded in _LISTS.words("quarters of cities"):
            return self._draw(name, Pool.evenly(quarters()), f"quarter {folded}")
        if folded in _LISTS.words("capitals by letters"):
            name = name.title()  # another city has no letters by which everybody knows it
        if (regions := regions_after(before)) and folded not in tables.town_codes():
            return self._draw(name, Pool.evenly(regions), folded)
        if address.country is None:
            address = replace(address, country=self._country(folded, address))
        is_short_state = folded in SHORT_STATES and self._home == "MX"
        if name.isupper() and name.isalpha() and len(name) <= _LONGEST_CODE and not is_short_state:
            return self._letters(name)
        if folded in tables.regions() and folded not in tables.province_codes():
            return spelled_like(self._region(folded, address), name)
        if folded in SHORT_STATES and name[0].isupper() and address.towns[:1] != (folded,):
            return self._short_state(name, folded)
        code = tables.town_codes().get(folded)
        if folded in _states_of_america() and code is None and not is_state(folded, self._home or ""):
            return self._american_state(name, folded)
        short, towns = SHORT_STATES if self._home == "MX" else (), (folded, *address.towns)
        in_state = self._home and any(town in short or is_state(town, self._home or "") for town in towns)
        if in_state and address.country in (None, self._home):
            code, address = None, replace(address, country=self._home)
        if code is None and folded not in tables.regions():
            code = None if self._home else address.province
        country = self._abroad(folded, code, address)
        if country is not None:
            return self._town_abroad(name, country, address)
        if code is None and not self._votes and not self.own.get("town"):  # the country is unknown
            return self._draw(name, Pool.evenly(quarters()), folded)
        if code is None:
            return self._draw(name, self._towns(self._anywhere(folded)), folded)
        province = tables.provinces()[self.new_code(code)]
        if self._is_province(folded, address, before):
            return spelled_like(province.name, name, tables.provinces()[code].name)
        is_capital = folded in tables.capital_codes() and self.within == "country" and not self.own.get("town")
        if is_capital and not self.originals.within(province.capital):
            return spelled_like(province.capital, name, tables.provinces()[code].capital)
        return self._draw(name, self._towns(province.code), f"capital of {code}" if is_capital else folded)

    def _quarter(self, name: str, start: int) -> str | None:
        """Another quarter after the word for it, which ends at `start`: `Barrio Sajonia`, `Zona 10`."""
        if start and (number := name[start:]).isdigit():
            return name[:start] + str(1 + (int(number) + self.key.number(_ZONES - 1, *self._of(name))) % _ZONES)
        quarter = self._draw(name[start:], Pool.evenly(quarters()), f"quarter {key_of(name[start:])}")
        return quarter and name[:start] + quarter

    def _country(self, folded: str, address: Address) -> str | None:
        """The country named for a town in the note, or by the letters behind it: `Fresno, CA` in a note from Mexico."""
        is_american = any(town.upper() in TOWNS_OF_AMERICA and len(town) == 2 for town in address.towns[1:])
        return "US" if is_american and self._home in (None, "MX", "US") else self._countries.get(folded)

    def _short_state(self, name: str, folded: str) -> str:
        """A state of Mexico by a short name such as `Gto.`"""
        state = self._state(key_of(SHORT_STATES[folded]), "MX")
        short = next(short for short, full in SHORT_STATES.items() if full == state and short.isalpha())
        short = short.capitalize() if _VOWEL.search(short) else short.upper()  # `SLP`
        return spelled_like(short, name) if name.isalpha() and not short.isupper() else short + "." * ("." in name)

    def _american_state(self, name: str, folded: str) -> str | None:
        """A state of the United States, the one that its letters are replaced by if towns of it are known."""
        of_code = {code: state for state, code in _LISTS.pairs("codes of states")}
        own = next((code for code, state in of_code.items() if key_of(state) == folded), "")
        new = of_code.get(self._letters(own) or "") if own in TOWNS_OF_AMERICA else None
        return spelled_like(new, name) if new else self._draw(name, Pool.evenly(_states_of_america().values()), folded)

    def _is_quarter(self, folded: str, address: Address) -> bool:
        """Whether an unknown name comes before a known town, and so is part of that town: `Villa Flores, Coacalco`."""
        if folded not in address.towns[:1] or len(address.towns) < 2 or _is_known(folded):
            return False
        following = address.towns[1]
        is_region = any(is_state(following, country) for country in tables.states()) or following in tables.regions()
        is_region = is_region or following in _states_of_america()
        return not is_region and following not in tables.province_codes() and _is_known(following)

    def _town_abroad(self, name: str, country: str, address: Address) -> str | None:
        """Another town of the country, in the state that replaces the one in the address; for a state, that state."""
        folded = key_of(name)
        called = {key_of(name): code for name, code in _LISTS.pairs("codes of states")}
        codes = (called.get(town, town.upper()) for town in address.towns[1:])
        code = next((code for code in codes if code in TOWNS_OF_AMERICA), None)
        if country == "US" and code and folded != code.lower() and (new := self._letters(code)) in TOWNS_OF_AMERICA:
            return self._draw(name, Pool.evenly(TOWNS_OF_AMERICA[new or code]), folded)
        is_region = is_state(folded, country) and (folded in address.towns[1:] or country_of(folded) != country)
        around = (*address.towns[1:], *self._around.get(folded, ()))
        around = tuple(key_of(SHORT_STATES.get(town, town)) if country == "MX" else town for town in around)
        of_code = (key_of(state) for code in address.postcodes if country == "MX" and (state := mexican_state(code)))
        named = folded if is_region else next((t for t in around if is_state(t, country)), next(of_code, None))
        if named is None and is_state(folded, country):
            named = folded  # `Mendoza`, with the postcode of its province
        state = named and self._state(named, country)
        if is_region:
            return state and spelled_like(state, name)
        towns = towns_of_state(state, country) if state else None
        return self._draw(name, towns if towns and towns.values else towns_abroad(country), folded)

    def _state(self, folded: str, country: str) -> str | None:
        """The region, state or province that replaces another one."""
        pool = states_with_towns(country) or tables.states()[country]
        if country == "MX":
            pool = tuple(dict.fromkeys(full for short, full in SHORT_STATES.items() if short.isalpha()))
        return self.key.choose(
            pool, lambda s: key_of(s) != folded and not self.originals.within(s), *self._of("state", folded)
        )

    def _abroad(self, folded: str, code: str | None, address: Address) -> str | None:
        """The country of a town outside Spain, by its address, the tables or the other towns; None for Spain."""
        if address.country not in (None, "ES"):
            return address.country
        known = country_of(folded) or tables.country_codes().get(folded)
        if code is not None:  # a town of Spain, or one that is called so as well
            is_small = folded not in tables.capital_codes() and folded not in tables.province_codes()
            if self._home and known not in (None, "ES") and known in tables.states() and not is_small:
                return known  # `Guadalajara` in a note of the United States
            return self._home if is_small or known == self._home else None
        is_famous = folded in tables.country_codes() or (
            folded in FAMOUS_TOWNS and not self._is_called_so_at_home(folded)
        )
        known = known if is_famous or known in tables.states() else None  # `Santa María` of Brazil is meant nowhere
        known = (known if is_famous else None) or self._home or (None if folded.startswith(_EVERYWHERE) else known)
        return None if known == "ES" else known

    def _is_called_so_at_home(self, folded: str) -> bool:
        """Whether a famous town is meant at home: `Casablanca` in Chile, unless Morocco is named."""
        if f"{folded}/{self._home}" not in _LISTS.words("famous names at home"):
            return False
        abroad = country_of(folded)
        names = (key_of(country.name) for country in tables.countries() if country.code == abroad)
        return not any(name in same_length(self.document.text) for name in names)

    @cached_property
    def _home(self) -> str | None:
        """The country in which most places of the document lie, if that is not Spain."""
        country = max(sorted(self._votes), key=self._votes.__getitem__, default="ES")
        return None if country == "ES" else country

    @property
    def country(self) -> str:
        """That country, or `ES`; empty if nothing tells it."""
        return self._home or ("ES" if self._votes else "")

    @cached_property
    def _votes(self) -> Counter[str]:
        """The number of places and of other words that indicate each country."""
        named = [a.country for a in dict.fromkeys(self._addresses.values()) if a.country and a.towns]
        towns = [t for a in dict.fromkeys(self._addresses.values()) if not a.country for t in a.towns]
        votes = Counter([*named, *filter(None, map(country_voted_by, towns))])
        places = (self.document.text_of(span) for span in self._addresses)
        votes.update("AR" for place in places if _ARGENTINE.fullmatch(place))
        for state in filter(is_state_abroad, towns):
            votes[country_voted_by(state) or "ES"] += 1
        if told := country_by_words(self.document.text) or ("US" if self._language == "en" else None):
            votes[told] += _VOTES_OF_WORDS
        return votes

    def _letters(self, name: str) -> str | None:
        """The replacement of a region's code: another state of the United States for `CA`, other letters for `SLP`."""
        if name in TOWNS_OF_AMERICA and (self._home == "US" or self.document.text.count(name) == 1):
            return self.key.choose(
                tuple(TOWNS_OF_AMERICA), lambda c: c != name and not self.originals.within(c), *self._of(name)
            )
        if self._home == "BO" and name in _LISTS["departments of Bolivia"]:
            return self.key.choose(_LISTS["departments of Bolivia"], lambda c: c != name, *self._of(name))
        drawn = (self.key.characters(_LETTERS, len(name), *self._of("letters", name, str(n))) for n in range(20))
        return next((code for code in drawn if code != name and not self.originals.within(code)), None)

    def _draw(self, name: str, pool: Pool, identity: str) -> str | None:
        """A town of the pool that the document does not name."""
        own = key_of(name)
        free = self.key.draw(pool, lambda c: key_of(c) != own and not self.originals.within(c), *self._of(identity))
        return None if free is None else spelled_like(free, name)

    def _towns(self, province: str) -> Pool:
        return self.own.towns_of(province) or towns_of(province)

    def _anywhere(self, folded: str) -> str:
        pool = Pool.of({code: count for code, count in tables.inhabitants().items() if code not in _ONE_TOWN})
        return pool.at(self.key.number(pool.total, *self._of("anywhere", folded)))

    def _is_province(self, folded: str, address: Address, before: str) -> bool:
        """Whether the name means the province and not its capital, as after `provincia` or in `Móstoles, Madrid`."""
        if folded not in tables.province_codes():
            return False
        if folded not in tables.capital_codes() or _PROVINCE_BEFORE.search(same_length(before)):
            return True
        return any(t != folded and tables.town_codes().get(t) == tables.town_codes()[folded] for t in address.towns)

    def _region(self, folded: str, address: Address) -> str:
        own = tables.regions()[folded]
        codes = [p.code for p in tables.provinces().values() if p.region == own]
        if address.province in codes:
            return tables.provinces()[self.new_code(address.province or "")].region
        weights = Counter[str]()
        for code, province in tables.provinces().items():
            if province.region != own and key_of(province.region) not in tables.town_codes():
                weights[province.region] += tables.inhabitants()[code]
        pool = Pool.of(weights)
        return self.key.draw(pool, lambda r: not self.originals.within(r), *self._of(folded)) or pool.values[0]

    def postcode(self, code: str, address: Address) -> str:
        """A postcode of the new province: of its capital (0xx) for a capital, otherwise one for each town."""
        if self._home == "MX" and (state := mexican_state(code)):
            own = next((town for town in address.towns if is_state(town, "MX")), key_of(state))
            if new := self._state(own, "MX"):
                start = next(figures for figures, name in MEXICAN_POSTCODES.items() if name == new)
                return _code(start, self.key.number(1000, *self._of("postcode", code)))
        is_abroad = address.country not in (None, "ES") or self._home is not None or not "01" <= code[:2] <= "52"
        start = code[0] if is_abroad else self.new_code(address.province or code[:2])
        known = [name for name in address.towns if name in tables.town_codes()] or address.towns[:1]  # no quarter
        town = self.town(known[0], address) if known and not is_abroad else None
        capital = town is not None and key_of(town) == key_of(tables.provinces()[start].capital)
        every = range(10000) if is_abroad else range(100, 1000)
        usual = every if is_abroad else range(1, 31) if capital else range(100, 1000, 10)
        identity = self._of("postcode", code if capital or town is None else key_of(town))
        for pool in (usual, every):
            free = self.key.choose(pool, lambda n: not self.originals.within(_code(start, n)), *identity)
            if free is not None:
                return _code(start, free)
        return _code(start, every[0])


def _is_placed(folded: str) -> bool:
    """Whether a known place gets one of the same country."""
    country = country_of(folded)
    return (
        folded in tables.town_codes() or folded in FAMOUS_TOWNS or (country is not None and country in tables.states())
    )


def _is_known(folded: str) -> bool:
    return folded in tables.town_codes() or country_of(folded) is not None


@cache
def _states_of_america() -> dict[str, str]:
    """The states of the United States by their folded names."""
    return {key_of(state): state for state in _LISTS["states of America"]}


def _code(start: str, number: int) -> str:
    return f"{start}{number:0{5 - len(start)}d}"

"""Invented names, one identity for each person, drawn by the frequency of names in the population.

Each first name and each surname is drawn separately, from the key, the scope and the folded name. So `García` has the
same surrogate alone and in `Juan García López`, in every document of the scope, relatives keep a common surname, and no
table has to be stored. A surrogate is never the person's own name or a value that occurs in the document.
"""

from __future__ import annotations

import re
from functools import lru_cache, partial

from nadie.persons.joined import Named
from nadie.persons.parsing import Kind
from nadie.persons.people import Mention
from nadie.persons.person import STAFF, Person
from nadie.spanish.folding import key_of, words_of
from nadie.spanish.name_forms import full_name
from nadie.spanish.name_kin import american_bearers, certain_kin
from nadie.spanish.name_pools import foreign_pool, given_pool, seconds, surname_pool, surnames_after_de
from nadie.spanish.name_use import use_of
from nadie.spanish.pools import Pool
from nadie.spanish.population import bearers, is_named_elsewhere, sex_of, surname_bearers
from nadie.spanish.word_lists import Lists
from nadie.surrogates.draws import Draws
from nadie.surrogates.name_writing import written
from nadie.surrogates.originals import Originals
from nadie.surrogates.own_values import OwnValues

_LISTS = Lists("names", "nadie.surrogates")

_LETTERS = "ABCDEFGHIJLMNPRSTV"
_TRIES = 6
_FEW_BEARERS = 8_000
_USUAL_WORD = 2  # of the lexicon's rarity
_UNUSUAL_WORD = 8
_RATHER_GIVEN = 4
_CHILE = 3  # as many people live in Spain as in Chile
_SPACED = re.compile(r"(?:\w ){3,}\w|.*[^\W\d_]  [^\W\d_]{1,3}\b.*")  # `S O T O`, `GERM  N`
_FOREIGN_SIGNS = frozenset("çßøåœâêèûî")
_FILLER = "maria"  # part of half of all double names (M.ª Teresa): kept there, because it identifies nobody

Invented = dict[Named, str]


class Inventor:
    """Gives persons new names."""

    def __init__(
        self,
        key: Draws,
        scope: str,
        originals: Originals,
        own: OwnValues | None = None,
        staff_scope: str | None = None,
    ) -> None:
        self._key = key
        self._scope = scope
        self.staff_scope = scope if staff_scope is None else staff_scope
        self._originals = originals
        self._own = own or OwnValues()
        self._invented: dict[Person, Invented | None] = {}
        self._calls: dict[str, str] = {}  # what somebody is called alone → the name that it replaces

    def scope_of(self, person: Person | None) -> str:
        return self.staff_scope if person is not None and person.role == STAFF else self._scope

    def names_of(self, person: Person) -> Invented | None:
        """The surrogate of each name of a person; None if the tables have no acceptable one."""
        if person not in self._invented:
            self._invented[person] = self._invent(person)
        return self._invented[person]

    def rewrite(self, value: str, mention: Mention) -> str | None:
        """`value`, the text of the mention, with the person's invented name in the same written form."""
        invented = self.names_of(mention.person)
        if invented is None or not mention.name.parts or _SPACED.fullmatch(value):
            return None
        new = written(value, mention, invented, partial(self.letter, scope=self.scope_of(mention.person)))
        return None if self._originals.within(new) else new

    def letter(self, letter: str, kind: Kind, scope: str | None = None) -> str:
        """Another letter for an initial whose full name does not occur."""
        identity = ("initial", self._scope if scope is None else scope, kind.value, letter)
        return self._key.choose(_LETTERS, lambda c: key_of(c) != letter, *identity) or "X"

    def _invent(self, person: Person) -> Invented | None:
        for attempt in range(_TRIES):
            again = str(attempt) if attempt else ""
            new: Invented = {}
            for named in person.names:
                is_last = named == person.names[-1]
                chosen = self._choose(named, person, new, again if is_last else "")
                if chosen is None:
                    return None
                new[named] = _of_sex(chosen, person.sex) if named[0] is Kind.SURNAME else chosen
            if not self._repeats(new, person) and not self._is_of_another(new):
                self._calls |= {key_of(new[named]): named[1] for named in person.names[:1]}
                return new
        return None

    def _is_of_another(self, new: Invented) -> bool:
        """Whether somebody else in the document already has exactly these invented names."""
        names = {key_of(name) for name in new.values()}
        others = (other for other in self._invented.values() if other and other.keys() != new.keys())
        return any({key_of(name) for name in other.values()} == names for other in others)

    def _choose(self, named: Named, person: Person, new: Invented, again: str) -> str | None:
        kind, key = named
        if (
            kind is Kind.GIVEN
            and full_name(key) == _FILLER
            and len(person.given) > 1
            and not self._originals.within(key)
        ):
            return "María"
        own = {name for _, name in person.names} | {full_name(n) for n in person.given}
        taken = {key_of(name) for name in new.values()}

        def is_free(name: str) -> bool:
            if not _is_plain(name, kind):
                return False
            core = key_of(name).split()[-1]
            if named == person.names[0] and self._calls.get(key_of(name), key) != key:
                return False  # `Dunia` and `Cintia` would be one person
            if kind is Kind.GIVEN and key == person.given[0] and person.sex and sex_of(core) not in ("", person.sex):
                return False
            return core not in own and core not in taken and not self._originals.has(key_of(name).replace(" ", ""))

        identity = (kind.value, self.scope_of(person), key if kind is Kind.SURNAME else full_name(key), again)
        return self._key.draw(self._pool(named, person, new), is_free, *identity)

    def _pool(self, named: Named, person: Person, new: Invented) -> Pool:
        kind, key = named
        kin = certain_kin(name for _, name in person.names)
        if kind is Kind.SURNAME:
            foreign = foreign_pool(key, kin) if kin else None
            after_de = surnames_after_de() if key in person.after_de else None
            return (
                self._own.get("surname")
                or foreign
                or after_de
                or surname_pool(key, with_particle=key in person.with_particle)
            )
        sex = person.sex or "mf"[self._key.number(2, "sex", self.scope_of(person), key)]
        if _is_nickname(person):
            return Pool.evenly(_LISTS[f"nicknames {sex}"])
        if own := self._own.get(f"given {sex}"):
            return own
        place = person.given.index(key)
        if place:
            joined = seconds(key_of(new[Kind.GIVEN, person.given[place - 1]]), sex)
            if joined.values:
                return joined
        return (foreign_pool(key, kin, sex) if kin else None) or given_pool(full_name(key), sex)

    def _repeats(self, new: Invented, person: Person) -> bool:
        """Whether the new names, in any usual order, contain an original value, or have the old initials."""
        initials = [key_of(new[named]).split()[-1][0] for named in person.names]
        if len(initials) > 1 and initials == [key[0] for _, key in person.names]:
            return True
        given = words_of(" ".join(new[Kind.GIVEN, name] for name in person.given))
        surnames = words_of(" ".join(new[Kind.SURNAME, name] for name in person.surnames))
        orders = [given + surnames, surnames + given, given[:1] + surnames[:1], given[:1] + surnames]
        return any(self._originals.side_by_side(order) for order in orders)


@lru_cache(1 << 14)
def _is_plain(name: str, kind: Kind) -> bool:
    """Whether a name may be drawn for anybody: a reader would stumble over others."""
    core = key_of(name).split()[-1]
    has = bearers(core) if kind is Kind.GIVEN else surname_bearers(core)
    if has < _FEW_BEARERS and use_of(core).as_word <= _USUAL_WORD:
        return False  # `Igual`, `Vivo`
    if core in _LISTS.words("rude") or core in _LISTS.words("not drawn") or not _FOREIGN_SIGNS.isdisjoint(name):
        return False
    if kind is Kind.GIVEN:
        return core not in _LISTS.words("of either sex")
    as_given = bearers(core) + _CHILE * american_bearers(core)
    return as_given <= _RATHER_GIVEN * surname_bearers(core)  # not `Elena`


def _is_nickname(person: Person) -> bool:
    """Whether the document names the person only by a word that is not a name: `el Chispa`."""
    if len(person.names) != 1:
        return False
    key = person.names[0][1]
    is_name = bearers(key) or surname_bearers(key) or is_named_elsewhere(key) or full_name(key) != key
    return not is_name and use_of(key).as_word < _UNUSUAL_WORD


def _of_sex(surname: str, sex: str) -> str:
    """Slavic surnames have a form for women: `Ivanov`, `Ivanova`."""
    if sex == "f" and surname.endswith(("ov", "ev")):
        return f"{surname}a"
    return surname[:-1] if sex == "m" and surname.endswith(("ova", "eva")) and len(surname) > 6 else surname

"""Invented names for the persons of a document.

Each first name and each surname is mapped by itself, from the key, the scope, the role and the folded part: so `García`
alone gets the surname that it has in `Juan García López`, in this document and in every other of the scope, and
nothing has to be remembered. Patients and staff draw from different halves of the tables and never share a name.
"""

from __future__ import annotations

from collections.abc import Sequence

from nadie.anonymize.originals import Originals
from nadie.anonymize.secret import Key
from nadie.anonymize.squash import squash
from nadie.anonymize.surrogates.name_parts import Kind, Name, Part
from nadie.anonymize.surrogates.people import STAFF, Person
from nadie.anonymize.surrogates.spelling import carelessly, in_case_of, is_careless
from nadie.spanish import tables
from nadie.spanish.folding import key_of, words_of

_LETTERS = "ABCDEFGHIJLMNPRSTV"
_TRIES = 6
_FILLER = "maria"  # half of all double names have it: in them it stays, as in M.ª Teresa, and tells nothing

Invented = dict[tuple[Kind, str], str]


class Inventor:
    """Gives persons new names."""

    def __init__(self, key: Key, scope: str, originals: Originals) -> None:
        self._key = key
        self._scope = scope
        self._originals = originals
        self._invented: dict[tuple[Person, int], Invented | None] = {}

    def parts_of(self, person: Person) -> Invented | None:
        """The new parts of a person's name, or None when the tables have none left that may be used."""
        known = (person, len(person.given) + len(person.surnames))  # a person may become better known later
        if known not in self._invented:
            self._invented[known] = self._invent(person)
        return self._invented[known]

    def rewrite(self, value: str, name: Name, person: Person) -> str | None:
        """`value`, which is `name` as it is written, with the person's new name in the same writing."""
        invented = self.parts_of(person)
        if invented is None or not name.parts:
            return None
        plain = any(is_careless(part.raw, _spelled(part)) for part in name.parts)
        for part in reversed(name.parts):
            new = self._initial(part, person, invented) if part.initial else _written(part, invented, person)
            new = carelessly(new) if plain else new
            value = value[: part.start] + new + value[part.end :]
        return None if self._originals.within(value) else value

    def _invent(self, person: Person) -> Invented | None:
        for attempt in range(_TRIES):
            again = str(attempt) if attempt else ""
            new: Invented = {}
            for kind, keys in ((Kind.GIVEN, person.given), (Kind.SURNAME, person.surnames)):
                for place, part in enumerate(keys):
                    last = place == len(keys) - 1
                    chosen = self._choose(kind, part, person, again if last else "")
                    if chosen is None:
                        return None
                    new[kind, part] = chosen
            if not self._repeats(new, person):
                return new
        return None

    def _choose(self, kind: Kind, part: str, person: Person, again: str) -> str | None:
        if kind is Kind.GIVEN and part == _FILLER and len(person.given) > 1 and not self._originals.within(part):
            return "María"
        own = {*person.given, *person.surnames}
        pool = _pool(kind, person)
        identity = (kind.value, _half(person), self._scope, person.sex if kind is Kind.GIVEN else "", part, again)
        return self._key.choose(
            pool, lambda c: tables.key(c) not in own and not self._originals.has(tables.key(c)), *identity
        )

    def _repeats(self, new: Invented, person: Person) -> bool:
        """Whether the new parts, side by side in any usual order, are an original."""
        given = words_of(" ".join(new[Kind.GIVEN, part] for part in person.given))
        surnames = words_of(" ".join(new[Kind.SURNAME, part] for part in person.surnames))
        orders = [given + surnames, surnames + given, given[:1] + surnames[:1], given[:1] + surnames]
        return any(self._originals.side_by_side(order) for order in orders)

    def _initial(self, part: Part, person: Person, invented: Invented) -> str:
        known = person.given if part.kind is Kind.GIVEN else person.surnames
        full = next((key for key in known if key.startswith(part.key)), None)
        if full is not None:
            letter = invented[part.kind, full][0]
        else:
            identity = ("initial", _half(person), self._scope, part.kind.value, part.key)
            letter = self._key.choose(_LETTERS, lambda c: key_of(c) != part.key, *identity) or "X"
        return part.raw.replace(part.raw[0], letter if part.raw[0].isupper() else letter.lower(), 1)


def _pool(kind: Kind, person: Person) -> Sequence[str]:
    pool = tables.drawn_given_names(person.sex) if kind is Kind.GIVEN else tables.drawn_surnames()
    return pool[1::2] if person.role == STAFF else pool[0::2]


def _half(person: Person) -> str:
    """Patients and their relatives share surnames, staff has its own."""
    return "staff" if person.role == STAFF else "family"


def _written(part: Part, invented: Invented, person: Person) -> str:
    new = invented.get((part.kind, part.key)) or _by_beginning(part, invented, person)
    if part.abbreviated:
        return part.raw if squash(new) == part.key else in_case_of(_abbreviate(new, part), part.raw)
    return in_case_of(new, part.raw)


def _spelled(part: Part) -> str | None:
    known = tables.given_names().get(part.key)
    return known.spelled if part.kind is Kind.GIVEN and known else tables.surnames().get(part.key)


def _by_beginning(part: Part, invented: Invented, person: Person) -> str:
    """`Pérez` of a person who is known as `Pérez de Inestrosa`."""
    keys = person.given if part.kind is Kind.GIVEN else person.surnames
    return invented[part.kind, next(key for key in keys if key.startswith(f"{part.key} "))]


def _abbreviate(name: str, part: Part) -> str:
    """As Spanish cuts names short: `Rodrigo` → `Rgo.`, `Benítez` → `Btez.`, others by their first letters."""
    if part.raw.endswith(("ª", "º")):
        return name
    folded = key_of(name)
    stop = "." if part.raw.endswith(".") else ""
    ending = 3 if folded.endswith("ez") else 2 if folded[-1] in "oa" else 0
    if ending and len(folded) > ending + 1 and folded[-ending] not in "aeiou":
        return name[0] + name[-ending:] + stop
    return name[:3] + stop

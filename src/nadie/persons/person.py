"""A person of a document, with all names from the spans."""

from __future__ import annotations

from dataclasses import dataclass, field

from nadie.persons.joined import Named
from nadie.persons.parsing import Kind, Name, Part
from nadie.spanish.name_forms import full_name, is_slip
from nadie.spanish.population import bearers

PATIENT = "patient"
STAFF = "staff"
RELATIVE = "relative"
_SHORTEST_CUT = 4
_MARY = "maria"  # part of half of all double names
_MOST_SURNAMES = 2
_FEW_BEARERS = 1_000


@dataclass(eq=False)
class Person:
    """A person's first names and surnames, folded, in the order of the fullest mention."""

    role: str
    given: list[str] = field(default_factory=list)
    surnames: list[str] = field(default_factory=list)
    with_particle: set[str] = field(default_factory=set)
    after_de: set[str] = field(default_factory=set)
    sex: str = ""
    title_sex: str = ""
    is_doctor: bool = False

    @property
    def identity(self) -> str:
        """All known names, in a fixed order."""
        return " ".join((*self.given, *self.surnames))

    @property
    def names(self) -> list[Named]:
        return [(Kind.GIVEN, key) for key in self.given] + [(Kind.SURNAME, key) for key in self.surnames]

    def known(self, kind: Kind) -> list[str]:
        return self.given if kind is Kind.GIVEN else self.surnames

    def add(self, name: Name) -> None:
        """Add the names of a mention of this person, and set for each part which of the person's names it is."""
        used: set[Named] = set()
        for part in name.full:
            found = self.match(part, used)
            if found is None:
                self.known(part.kind).append(part.key)
                found = (part.kind, part.key)
            used.add(found)
            part.kind, part.of = found
            if part.has_particle:
                self.with_particle.add(part.of)
            if part.is_after_de:
                self.after_de.add(part.of)
        order = self._in_order(name)
        for place, part in enumerate(name.initials):
            found = order[place] if order else self.match_initial(part, used)
            if found is not None:
                used.add(found)
                part.kind, part.of = found
        self.title_sex = self.title_sex or name.sex
        self.is_doctor = self.is_doctor or name.is_titled

    def match(self, part: Part, used: set[Named]) -> Named | None:
        """The person's name that a part stands for: the same, its pet name, or one with a typing error."""
        free = [named for named in self.names if named not in used]
        free.sort(key=lambda named: named[0] is not part.kind)
        full = full_name(part.key)
        for kind, key in free:
            if key in (part.key, full) or full_name(key) == full:
                return kind, key
        for kind, key in free:
            if kind is part.kind and is_slip(part.key, key):
                return kind, key
        return None

    def match_initial(self, part: Part, used: set[Named]) -> Named | None:
        free = [named for named in self.names if named not in used and named[1][0] == part.key]
        return min(free, key=lambda named: named[0] is not part.kind, default=None)

    def _in_order(self, name: Name) -> list[Named] | None:
        """The names with these initials, with the first names or the surnames first; None if the initials differ."""
        if name.full:
            return None
        given = [(Kind.GIVEN, key) for key in self.given]
        surnames = [(Kind.SURNAME, key) for key in self.surnames]
        written = [part.key for part in name.initials]
        orders = (given + surnames, surnames + given, given[:1] + surnames, surnames + given[:1])
        fit = (order for order in orders if [key[0] for _, key in order[: len(written)]] == written)
        return next(fit, None)

    def has_initials(self, name: Name) -> bool:
        """Whether a name of initials alone matches this person."""
        return bool(name.initials) and self._in_order(name) is not None

    def fits(self, name: Name, role: str) -> int:
        """The number of parts that a name shares with this person; 0 if it cannot be this person's."""
        used: set[Named] = set()
        extra: list[Part] = []
        for part in name.full:
            found = self.match(part, used)
            if found is None:
                extra.append(part)
            else:
                used.add(found)
        shared = len(used)
        is_only_mary = all(full_name(key) == _MARY for _, key in used)
        if not shared or (extra and is_only_mary) or not all(self._may_have(part, name) for part in extra):
            return 0
        for part in name.initials:
            found = self.match_initial(part, used)
            if found is None and self.known(part.kind):
                return 0
            used.update([found] if found else [])
        if role != self.role and (len(used) < 2 or extra):
            return 0
        is_other = name.sex and self.sex and name.sex != self.sex and not name.keys(Kind.GIVEN)
        return 0 if is_other else shared

    def _may_have(self, part: Part, name: Name) -> bool:
        """Whether an unknown part may be another name of this person."""
        known = self.known(part.kind)
        if not known:
            return True
        if part.kind is Kind.GIVEN:
            return any(self.match(other, set()) for other in name.full if other.kind is Kind.GIVEN)
        return len(known) < _MOST_SURNAMES and name.keys(Kind.SURNAME)[:1] == tuple(known)

    def may_be_cut(self, part: Part) -> Named | None:
        """The first name that a part abbreviates, such as `Conra` for Conrado or `Remi` for Remberto."""
        if len(part.key) < _SHORTEST_CUT - (self.role == PATIENT):
            return None
        starts = [part.key]
        if len(part.key) >= _SHORTEST_CUT and part.key[-1] in "aeiouy" and bearers(part.key) < _FEW_BEARERS:
            starts.append(part.key[:-1])
            if self.role == PATIENT and any(part.key[:-1] in key for key in self.given):
                return next((Kind.GIVEN, key) for key in self.given if part.key[:-1] in key)  # `Gini` of Higinio
        return next(((Kind.GIVEN, key) for key in self.given if key.startswith(tuple(starts))), None)

    def may_complete(self, name: Name) -> bool:
        """Whether the name has the first names of a person of whom only surnames are known, or the other way round."""
        given, surnames = name.keys(Kind.GIVEN), name.keys(Kind.SURNAME)
        return bool(given and not surnames and not self.given) or bool(surnames and not given and not self.surnames)

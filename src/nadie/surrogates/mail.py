"""Invented mail addresses, user names and handles, formed from the surrogate name as the original was from the name.

`asalgado@hospital.es` of Antonio Salgado, who becomes Manuel Ríos, is `mrios@hospital.example`. Domains are reserved
ones, which nobody can own (RFC 2606, RFC 6761), so no mail reaches anybody.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from nadie.persons.joined import NamePiece, cut, explained, is_joined
from nadie.persons.person import Person
from nadie.spanish.folding import key_of
from nadie.spanish.squashing import squash
from nadie.spanish.word_lists import Lists
from nadie.surrogates.draws import Draws
from nadie.surrogates.name_writing import joined
from nadie.surrogates.names import Inventor
from nadie.surrogates.originals import Originals
from nadie.surrogates.spelling import in_case_of

_LISTS = Lists("mail", "nadie.surrogates")

_RUN = re.compile(r"[^\W\d_]+|\d+|[\W_]+")
_DIGITS = "0123456789"
_TRIES = 20
_FEWEST_LETTERS = 3
_TITLE = re.compile(r"(?i)dra?(?=[^\W\d_]{3})")
# Everybody has an address there; other domains name an employer.
_PROVIDERS = re.compile(
    r"(?i)(?:gmail|hotmail|yahoo|outlook|telefonica|icloud|live|msn|terra|ono|movistar|wanadoo|orange|gmx|proton\w*)\."
)


class Mails:
    """Invents addresses and names of accounts in one scope."""

    def __init__(self, key: Draws, scope: str, originals: Originals, inventor: Inventor) -> None:
        self._key = key
        self._scope = scope
        self._originals = originals
        self._inventor = inventor

    def mail(self, value: str, persons: Sequence[Person]) -> str | None:
        local, at, domain = value.rpartition("@")
        if not at or not local or not domain:
            return None
        is_private = _PROVIDERS.match(domain) is not None
        pool = _LISTS["private domains" if is_private else "employers' domains"]
        scope = self._scope if is_private else self._inventor.staff_scope
        identity = ("domain", scope, key_of(domain))
        free = self._key.choose(pool, lambda d: not self._originals.within(d), *identity)
        if free is None:
            return None
        if _is_shared(local):
            return None if squash(f"{local}{free}") == squash(value) else f"{local}@{free}"
        made = self.account(local, persons, scope)
        return None if made is None else f"{made}@{free}"

    def account(self, value: str, persons: Sequence[Person], scope: str | None = None) -> str | None:
        """Another account name, user name or handle; of nobody in the document, it is of the scope."""
        for attempt in range(_TRIES):
            made = self._made(value, persons, self._scope if scope is None else scope, str(attempt))
            if made and squash(made) != squash(value) and not self._originals.within(made):
                return made
        return None

    def is_of(self, value: str, persons: Sequence[Person]) -> bool:
        """Whether an account name is formed from the name of one of the persons."""
        return self._whose(value, persons) is not None

    def _whose(self, value: str, persons: Sequence[Person]) -> Person | None:
        runs = [key_of(run) for run in _RUN.findall(value) if run[0].isalpha()]
        fits = [(sum(_fit(cut(run, person.names)) for run in runs), -n, person) for n, person in enumerate(persons)]
        best = max(fits, default=None, key=lambda fit: fit[:2])
        own = sum(len(run) for run in runs if run not in _LISTS.words("shared"))
        return best[2] if best and best[0] >= _FEWEST_LETTERS and 2 * best[0] >= own else None

    def _made(self, value: str, persons: Sequence[Person], scope: str, attempt: str) -> str:
        person = self._whose(value, persons)
        scope = self._inventor.scope_of(person) if person else scope
        invented = self._inventor.names_of(person) if person else None
        runs = _RUN.findall(value)
        if invented is None and not any(self._is_known(run, persons) for run in runs):
            return self._neutral(value, scope, attempt)
        made: list[str] = []
        for run in runs:
            if run[0].isdigit():
                identity = ("account", scope, key_of(value), attempt)
                made.append(self._key.characters(_DIGITS, min(len(run), 12), *identity))
            elif not run[0].isalpha() or key_of(run) in _LISTS.words("shared"):
                made.append(run)
            else:
                title = _title(run, person) if person else ""
                made.append(title)
                run = run.removeprefix(title)
                pieces = _pieces(key_of(run), person) if person else []
                is_name = invented is not None and _fit(pieces) >= _FEWEST_LETTERS
                is_letters = invented is not None and len(run) <= 4 and all(piece.of for piece in pieces)
                if is_name or is_letters:
                    new = joined(_merged(pieces), invented or {}, partial(self._inventor.letter, scope=scope))
                else:
                    new = self._somebody(run, persons) or self._letters(run, scope)
                made.append(in_case_of(new, run))
        extra = self._key.characters(_DIGITS, 2, "account", scope, key_of(value), attempt, "extra")
        return "".join(made) + (extra if attempt != "0" else "")

    def _is_known(self, run: str, persons: Sequence[Person]) -> bool:
        return key_of(run) in _LISTS.words("shared") or bool(self._somebody(run, persons))

    def _neutral(self, value: str, scope: str, attempt: str) -> str:
        """The account of nobody in the document: any name would contradict the names beside it."""
        number = self._key.characters(_DIGITS, 5, "account", scope, key_of(value), attempt)
        handle = "@" if value.startswith("@") else ""
        return handle + ("U" if value.isupper() else "u") + number

    def _somebody(self, run: str, persons: Sequence[Person]) -> str:
        """The surrogate for a run of letters that is the name of another person; empty if there is none."""
        for person in persons:
            for named in person.names:
                if named[1] == key_of(run) and (invented := self._inventor.names_of(person)):
                    return squash(invented[named])
        return ""

    def _letters(self, run: str, scope: str) -> str:
        """A word or letters for those in an account that belong to no name: of an office, or of a second person."""
        if len(run) > 3:
            return self._key.choose(_LISTS["offices"], lambda w: w != key_of(run), "office", scope, key_of(run)) or "u"
        return self._key.characters("bcdfghlmnprst", len(run), "letters", scope, key_of(run))


def _title(run: str, person: Person) -> str:
    """The `dr` in `drsuarez`, of a person called Suárez."""
    title = _TITLE.match(run)
    is_before_name = title and any(key_of(run[title.end() :]).startswith(name) for _, name in person.names)
    return title.group() if title and is_before_name else ""


def _pieces(run: str, person: Person) -> list[NamePiece]:
    """The names in a run of letters; two letters alone may be the beginning of a first name: `lu_suarez`."""
    begun = (named for named in person.names if len(run) == 2 and named[1].startswith(run))
    return [NamePiece(run, named) for named in begun][:1] or cut(run, person.names)


def _fit(pieces: Sequence[NamePiece]) -> int:
    """The number of letters that a person's names explain; initials count if they leave no letter unexplained."""
    return sum(len(piece.text) for piece in pieces) if is_joined(pieces) else explained(pieces)


def _merged(pieces: Sequence[NamePiece]) -> list[NamePiece]:
    """The pieces without unexplained letters, except for an initial at the beginning."""
    return [piece for place, piece in enumerate(pieces) if piece.of is not None or place < 2]


def _is_shared(local: str) -> bool:
    runs = [key_of(run) for run in _RUN.findall(local) if run[0].isalpha()]
    return bool(runs) and all(run in _LISTS.words("shared") for run in runs)

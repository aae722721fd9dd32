"""What is told of a patient's family: kinship stays, for heredity is clinical, and who they are changes.

`madre` stays; `madre Teresa Rodríguez` gets a new name; `hijo de 27 años` gets a new age. A word that is none of these
is not understood, and then the whole span is refused.
"""

from __future__ import annotations

import re

from nadie.anonymize.decision import KEEP, REFUSE, Outcome
from nadie.anonymize.surrogates.ages import Ages
from nadie.anonymize.surrogates.name_parts import parse
from nadie.anonymize.surrogates.names import Inventor
from nadie.anonymize.surrogates.people import RELATIVE, People
from nadie.spanish.folding import same_length
from nadie.spanish.kinship import OTHER_RELATIVES, RELATIVES, SIDES
from nadie.spanish.numbers import NUMBERS

_KIN = (
    RELATIVES
    | OTHER_RELATIVES
    | SIDES
    | set(
        "nino nina ninos ninas varon varones neonato recien nacido nacida feto rama linea grado unico unica joven "
        "jovenes primer primero primera segundo segunda tercer tercero tercera ultimo ultima otro otra otros otras "
        "ambos ambas miembros miembro adoptado adoptada fallecido fallecida vivo viva sano sana sanos sanas masculino "
        "masculina femenino femenina invidente de del la el los las lo un una unos unas su sus y o e con en a por al "
        "que es".split()
    )
)
_WORD = re.compile(r"[^\W\d_]+")
_NAME = re.compile(r"[A-ZÀ-ÖØ-Þ][^\W\d_]+(?:(?: (?:de|del|la|los|las))* [A-ZÀ-ÖØ-Þ][^\W\d_]+)*")
_AGE = re.compile(
    r"\d{1,3}\s*(?:anos|ano|meses|mes|semanas|semana|dias|dia|a)(?![^\W\d_])|(?<=de )\d{1,3}(?!\d)|(?<=\()\d{1,3}(?=\))"
    rf"|\b(?:{'|'.join(NUMBERS)})\s+(?:anos|meses|semanas|dias)\b"
)


class Relatives:
    """Rewrites what is told of relatives, who get their names from the half of the tables that patients have."""

    def __init__(self, people: People, inventor: Inventor, ages: Ages) -> None:
        self._people = people
        self._inventor = inventor
        self._ages = ages

    def rewrite(self, value: str) -> Outcome:
        if value.strip().isdigit():
            return self._ages.rewrite(value, own=False)
        new = self._with_new_ages(value)
        new = _NAME.sub(lambda match: self._named(match.group(), at_start=match.start() == 0), new)
        if "\0" in new:
            return REFUSE
        return KEEP if new == value else new

    def _with_new_ages(self, value: str) -> str:
        for match in reversed(list(_AGE.finditer(same_length(value)))):
            outcome = self._ages.rewrite(value[match.start() : match.end()], own=False)
            new = outcome if isinstance(outcome, str) else value[match.start() : match.end()]
            value = value[: match.start()] + new + value[match.end() :]
        return value if all(self._is_known(word) for word in _WORD.findall(value)) else value + "\0"

    def _is_known(self, word: str) -> bool:
        folded = same_length(word)
        return word[0].isupper() or folded in _KIN or folded in NUMBERS or folded in _UNITS

    def _named(self, run: str, *, at_start: bool) -> str:
        """A run of capitalised words is a name, but for a word of kinship that begins the text."""
        first, space, rest = run.partition(" ")
        if at_start and same_length(first) in _KIN:
            return first + space + (self._named(rest, at_start=False) if rest else "")
        name = parse(run)
        return self._inventor.rewrite(run, name, self._people.join(name, RELATIVE)) or "\0"


_UNITS = frozenset("anos ano meses mes semanas semana dias dia edad medio a".split())

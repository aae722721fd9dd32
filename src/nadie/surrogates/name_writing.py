"""Writing an invented name like the original: in its order, case, accents, initials, abbreviations and joins."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from nadie.persons.joined import Named, NamePiece
from nadie.persons.parsing import Kind, Part
from nadie.persons.people import Mention
from nadie.persons.person import Person
from nadie.spanish.folding import key_of
from nadie.spanish.name_forms import full_name, pet_name
from nadie.spanish.population import spelled_given, spelled_surname
from nadie.spanish.squashing import squash
from nadie.surrogates.spelling import carelessly, in_case_of, is_careless

_SHORTEST_CUT = 3
_CUT_SHORT = frozenset("fernando francisco rodrigo francisca gustavo santiago".split())
_CUT = 2  # letters that a name lacks which is cut short: fewer are a slip
Letter = Callable[[str, Kind], str]
"""Another letter for an initial of an unknown name."""


def written(value: str, mention: Mention, invented: Mapping[Named, str], letter: Letter) -> str:
    """`value`, the text of the mention, with the invented names."""
    parts = mention.name.parts
    if mention.pieces:
        part = parts[0]
        new = _in_case_of_pieces(mention.pieces, invented, letter, part.raw)
        return value[: part.start] + new + value[part.end :]
    plain = "_" in value or any(is_careless(part.raw, _spelled(part)) for part in parts)
    for part in reversed(parts):
        if part.is_initial and value[part.end : part.end + 1] in ("'", "’"):
            continue  # `D' Angelo`
        if part.is_initial:
            new = _initial(part, invented, letter)
        else:
            new = _word(part, invented[part.kind, part.of or part.key], mention.person)
        value = value[: part.start] + (carelessly(new) if plain else new) + value[part.end :]
    return value


def _in_case_of_pieces(pieces: Sequence[NamePiece], invented: Mapping[Named, str], letter: Letter, raw: str) -> str:
    """The new names run together, each with a capital letter where the old one has it: `RubioGilAna`."""
    if raw.isupper() or raw.islower() or raw[1:].islower():
        return in_case_of(joined(pieces, invented, letter), raw)
    made, at = "", 0
    for piece in pieces:
        made += in_case_of(joined([piece], invented, letter), raw[at : at + len(piece.text)])
        at += len(piece.text)
    return made


def joined(pieces: Sequence[NamePiece], invented: Mapping[Named, str], letter: Letter) -> str:
    """The new names run together as the old ones were, in lower case without accents."""
    made = ""
    for piece in pieces:
        if piece.of is None:
            made += letter(piece.text, Kind.GIVEN).lower() if piece.text.isalpha() else piece.text
        else:
            new = squash(invented[piece.of])
            made += new if piece.is_whole else new[: len(piece.text)]
    return made


def _initial(part: Part, invented: Mapping[Named, str], letter: Letter) -> str:
    new = invented[part.kind, part.of] if part.of else ""
    core = new.split()[-1] if part.kind is Kind.SURNAME and new else new
    drawn = key_of(core)[0].upper() if core else letter(part.key, part.kind)
    first = part.raw[0]
    return part.raw.replace(first, drawn if first.isupper() else drawn.lower(), 1)


def _word(part: Part, new: str, person: Person) -> str:
    is_cut = len(key_of(part.raw)) <= len(part.key) - _CUT and not part.is_initial
    if part.kind is Kind.GIVEN and not part.is_short and (is_cut or part.key != full_name(part.key)):
        pet = pet_name(new)
        return in_case_of(_cut(new) if pet == new and is_cut else pet, part.raw)
    if part.is_short:
        return part.raw if squash(new) == part.key else in_case_of(_abbreviate(new, part), part.raw)
    if part.kind is Kind.SURNAME and " " in new and not part.has_particle:
        new = new.split()[-1]
    if part.raw[:1].isupper() and part.raw[1:2].islower():
        new = new[:1].upper() + new[1:]
    return in_case_of(new, part.raw)


def _cut(name: str) -> str:
    """A name that has no pet name, cut after its second vowel: `Valentina` → `Vale`."""
    vowels = [place for place, letter in enumerate(key_of(name)) if letter in "aeiou"]
    return name[: vowels[1] + 1] if len(vowels) > 2 and " " not in name else name[:_SHORTEST_CUT]


def _spelled(part: Part) -> str | None:
    return spelled_given(part.key) if part.kind is Kind.GIVEN else spelled_surname(part.key)


def _abbreviate(name: str, part: Part) -> str:
    """The usual abbreviation of a name that has one, else the name: `Rodrigo` → `Rgo.`, `Benítez` → `Btez.`."""
    if part.raw.endswith(("ª", "º")):
        return name
    folded = key_of(name)
    ending = 3 if folded.endswith("ez") else 2 if folded in _CUT_SHORT else 0
    if not ending or len(folded) <= ending + 1 or folded[-ending] in "aeiou":
        return name
    return name[0] + name[-ending:] + ("." if part.raw.endswith(".") else "")

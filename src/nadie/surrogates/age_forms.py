"""Ages as they are written: `70 años`, `siete años`, `2 años y 3 meses`, `un mes y medio`, `68a`, `70`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from nadie.spanish.folding import same_length
from nadie.spanish.numbers import NUMBERS, before_noun
from nadie.spanish.word_lists import Lists
from nadie.surrogates.spelling import in_case_of

_LISTS = Lists("ages", "nadie.surrogates")
_UNITS = {form: unit for unit in _LISTS.names() for form in _LISTS[unit]}
_PLURALS = {"ano": "anos", "mes": "meses", "semana": "semanas", "dia": "dias", "hora": "horas"}
_SPELLED = {"ano": "año", "anos": "años", "dia": "día", "dias": "días"}
_WORDS = "|".join(sorted(NUMBERS, key=len, reverse=True))
_AGE = re.compile(
    rf"(?<![^\W_])(?P<number>\d{{1,3}}|{_WORDS})(?P<between>\s*(?:y\s+medi[oa]\s+)?)"
    rf"(?P<unit>{'|'.join(sorted(_UNITS, key=len, reverse=True))})?(?![^\W\d_])"
)
_STAGES = re.compile(
    r"\b(?:recien nacid[oa]s?|neonatos?|lactantes?|adolescentes?|nin[oa]s?|jovenes|joven|ancian[oa]s?|adult[oa]s?|"
    r"bebes?|prematur[oa]s?|escolar|preescolar|adulto mayor|mes|ano|dia|cuarentena|cincuentena|treintena|veintena)\b"
)
_AROUND = re.compile(
    r"(?:\s|[,.;:()/+-]|\b(?:de|edad|y|o|a|los|las|medio|media|vida|unos|casi|mas|pico|nacid[oa]|old|i|d|cumplidos|"
    r"(?:primer|segundo|tercer|cuarto|quinto|sexto|septimo)(?= +(?:de )?vida))\b)*"
)


@dataclass(frozen=True, slots=True)
class Age:
    """One number of an age with its unit: `year`, `month`, `week`, `day` or `hour`."""

    start: int
    end: int
    number: int
    unit: str
    is_word: bool
    unit_start: int
    unit_end: int


def read(text: str) -> list[Age] | None:
    """The ages in a text; empty if it has only a stage of life; None if it has anything else."""
    folded = same_length(text)
    ages = [_age(match) for match in _AGE.finditer(folded)]
    rest = folded
    for age in reversed(ages):
        rest = rest[: age.start] + " " + rest[max(age.end, age.unit_end) :]
    return ages if _AROUND.fullmatch(_STAGES.sub(" ", rest)) else None


def _age(match: re.Match[str]) -> Age:
    number = match["number"]
    value = int(number) if number.isdigit() else NUMBERS[number]
    unit = _UNITS[match["unit"]] if match["unit"] else "year"
    place = match.span("unit") if match["unit"] else (match.end("number"), match.end("number"))
    return Age(match.start("number"), match.end("number"), value, unit, not number.isdigit(), *place)


def write(text: str, age: Age, number: int) -> str:
    """The text with another number for that age, and its unit in the singular or plural accordingly."""
    unit = text[age.unit_start : age.unit_end]
    text = text[: age.unit_start] + _agreeing(unit, number) + text[age.unit_end :]
    old = text[age.start : age.end]
    new = before_noun(number, feminine=age.unit in ("week", "hour")) if age.is_word else str(number)
    return text[: age.start] + in_case_of(new, old) + text[age.end :]


def _agreeing(unit: str, number: int) -> str:
    folded = same_length(unit)
    singular = next((one for one, many in _PLURALS.items() if folded in (one, many)), None)
    if singular is None:
        return unit
    wanted = singular if number == 1 else _PLURALS[singular]
    if wanted == folded:
        return unit
    plain = folded == unit.lower() and folded not in _SPELLED.values() and folded in _SPELLED
    word = wanted if plain else _SPELLED.get(wanted, wanted)
    return in_case_of(word, unit)

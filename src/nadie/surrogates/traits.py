"""What a patient is by a word: marital status, nationality, religion, language, ethnic group, sexual orientation.

Such a word is never replaced by another one, which would be a false statement about the patient and may change a
clinical fact (`testigo de Jehová`, `askenazí`). The policy says for each kind whether it is kept, generalized
(`guna` → `indígena`), or replaced by its label.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from nadie.spanish import tables
from nadie.spanish.conditions import is_condition
from nadie.spanish.folding import key_of, same_length
from nadie.spanish.word_lists import Lists
from nadie.surrogates.decision import KEEP, REFUSE, Outcome
from nadie.surrogates.spelling import in_case_of

_LISTS = Lists("traits", "nadie.surrogates")
_PEOPLES = ("indígena", "afrodescendiente", "africano")  # each list is named by the general word
_LANGUAGES = ("lengua indígena", "lengua africana", "otra lengua")
_CODES = frozenset("SMDWVCU")  # of marital status in HL7, and initials of the Spanish words
_SPEAKS = re.compile(r"\b(?:hablan?|idiomas?|lengua|lengua materna|interprete de|hablante de|en)(?: es el)?\W*$")
_SAYS_WHAT = re.compile(
    r"(?:(?:refugiad[oa]|solicitante de asilo|migrante|inmigrante|"
    r"nacionalidad|origen|etnia|raza|pueblo|religi[oó]n|creencias?|estado civil|idioma|lengua materna|habla|"
    r"de|es|son|confesi[oó]n)\s*:?\s+)+",
    re.IGNORECASE,
)
_CODE = re.compile(r"[A-Z]{2,3}")  # of a country
_NATION_BEFORE = re.compile(r"\b(?:nacionalidad|nac\.|pais)\W*$")
_JOINT = re.compile(r"[\s/-]+")
KINDS = ("marital_status", "nationality", "religion", "language", "ethnic_group", "sexual_orientation")
CHOICES = ("keep", "generalize", "label")


@dataclass(frozen=True, slots=True)
class TraitRules:
    """What happens to each kind of trait under the operator `surrogate`: `keep`, `generalize` or `label`.

    `profession` may also be `another`: another profession of the same group of occupations.
    """

    marital_status: str = "keep"
    nationality: str = "keep"
    religion: str = "generalize"
    language: str = "generalize"
    ethnic_group: str = "generalize"
    sexual_orientation: str = "keep"
    profession: str = "generalize"


def trait_outcome(value: str, before: str, rules: TraitRules) -> Outcome | None:
    """The decision for a value that is a trait; None if it is no known trait.

    The text `before` distinguishes a language from a nationality. Words of a condition (`lactante`) are always kept.
    """
    if is_condition(value) or value.strip(". ") in _CODES:
        return KEEP
    cue = _SAYS_WHAT.match(value)
    start = cue.end() if cue else 0
    word = value[start:]
    if rules.nationality == "keep" and _CODE.fullmatch(value) and _NATION_BEFORE.search(same_length(before)):
        return KEEP
    kind, known = _kind_of(word, _SPEAKS.search(same_length(before + value[:start])) is not None)
    if kind is None:
        return None
    rule: str = getattr(rules, kind)
    if rule == "label":
        return REFUSE
    general = _general(known, kind) if rule == "generalize" else known
    if general == known:
        return KEEP if known == word else value[:start] + known
    return value[:start] + in_case_of(general, word)


def _kind_of(word: str, is_spoken: bool) -> tuple[str | None, str]:
    """The kind of a trait, and as much of its beginning as is known: of `rumana de Cluj` it is `rumana`."""
    found = _known(word, is_spoken)
    if found:
        return found, word
    if found := _known(_JOINT.sub("", word), is_spoken):  # `viu da`, after OCR
        return found, word
    parts = [part for part in _JOINT.split(word) if part]
    if len(parts) > 1 and (first := _known(parts[0], is_spoken)):
        is_all_known = all(_known(part, is_spoken) for part in parts[1:])  # `judía askenazí`, `palestino-hondureño`
        return first, word if is_all_known else parts[0]
    return None, word


def _known(word: str, is_spoken: bool) -> str | None:
    folded = key_of(word)
    forms = (folded, folded.removesuffix("s"), folded.removesuffix("es"))
    kinds = [kind for form in forms for kind in _kinds().get(form, ())]
    if is_spoken and "language" in kinds:
        return "language"
    return kinds[0] if kinds else None


def _general(word: str, kind: str) -> str:
    """The larger group that a trait belongs to; the word itself if it is large enough."""
    folded = {key_of(part) for part in (word, *_JOINT.split(word))}
    if kind == "religion":
        return next((larger for small, larger in _LISTS.pairs("larger") if key_of(small) in folded), word)
    lists = _LANGUAGES if kind == "language" else _PEOPLES if kind == "ethnic_group" else ()
    general = next((name for name in lists if not _folded(name).isdisjoint(folded | _singular(folded))), None)
    if general is None:
        return word
    if general == "africano" and word.endswith(("a", "as")):
        general = "africana"
    is_plural = kind == "ethnic_group" and word.endswith("s") and folded.isdisjoint(_folded_all(lists))
    return f"{general}s" if is_plural else general


def _singular(words: set[str]) -> set[str]:
    return {form for word in words for form in (word.removesuffix("s"), word.removesuffix("es"))}


@cache
def _folded(name: str) -> frozenset[str]:
    return frozenset(key_of(word) for pair in _LISTS.pairs(name) for word in pair)


def _folded_all(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset().union(*map(_folded, names))


@cache
def _kinds() -> dict[str, list[str]]:
    """The kinds of each folded word, the likeliest first."""
    found: dict[str, list[str]] = {}
    nations = (name for country in tables.countries() for name in (country.masculine, country.feminine) if name)
    words = {
        "marital_status": _folded("marital_status"),
        "nationality": _folded("nationality") | {key_of(name) for name in nations},
        "religion": _folded("religion"),
        "sexual_orientation": _folded("sexual_orientation"),
        "ethnic_group": _folded("ethnic_group") | _folded_all(_PEOPLES),
        "language": _folded("language") | _folded_all(_LANGUAGES),
    }
    for kind, entries in words.items():
        for word in entries:
            found.setdefault(word, []).append(kind)
    return found

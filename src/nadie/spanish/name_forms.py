"""Other forms of a known name: pet names, initials, joined names, similar sounds, and misspellings.

All forms are folded. They are looked for in completing spans, for the persons of a document, and by the detector of
known identities, for the persons of a list.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from nadie.expressions import compiled
from nadie.spanish import population, tables
from nadie.spanish.folding import fold, key_of

_SHORTEST_JOIN = 5
_FEWEST_INITIALS = 3
_SHORTEST_FOR_SLIPS = 6
_REMEMBERED = 1 << 13
_SOUNDS = (
    (re.compile(r"ch"), "%"),
    (re.compile(r"h"), ""),
    (re.compile(r"qu(?=[ei])|q|k|c(?![ei])"), "c"),
    (re.compile(r"c(?=[ei])|z"), "s"),
    (re.compile(r"gu(?=[ei])"), "g"),
    (re.compile(r"g(?=[ei])|x"), "j"),
    (re.compile(r"v|w"), "b"),
    (re.compile(r"ll|y(?=[aeiou])"), "y"),
    (re.compile(r"y\b"), "i"),
    (re.compile(r"(.)\1+"), r"\1"),
)
# Words after which a single word is a name, whatever else it may mean.
_TITLE = (
    r"\b(?:sr\.?/(?:sr)?a|d\.?/dna|sr|sra|srta|dr|dra|d|dna|don|dona|senora?|senorita|doctora?|prof|profa|lic|licda|lcda|lcdo|pac|pcte|paciente|"
    r"familia|apellidos?|usuari[oa]|enf)\b[.:]{0,2}[ \t]{1,3}(?:(?:de|del|de[ ]la)[ ])?"
)
TITLED = re.compile(rf"{_TITLE}(?P<word>[^\W\d_]{{2,40}})\b")
_TITLE_BEFORE = re.compile(f"{_TITLE}$")
_LONGEST_TITLE = 24


@cache
def _full_names() -> dict[str, str]:
    """Folded pet name → folded name; of two names with one pet name, the first counts."""
    full: dict[str, str] = {}
    for name, pets in tables.rows("pet_names.tsv"):
        for pet in pets.split():
            full.setdefault(fold(pet), fold(name))
    return full


@cache
def _usual_pet_names() -> dict[str, str]:
    """Folded name → its first pet name as it is spelled."""
    return {fold(name): pets.split()[0] for name, pets in tables.rows("pet_names.tsv")}


@lru_cache(_REMEMBERED)
def full_name(key: str) -> str:
    """The folded first name that a pet name is short for, and any other one as it is."""
    if key in _full_names():
        return _full_names()[key]
    for ending, plain in (("cita", "z"), ("cito", "z"), ("ita", "a"), ("ito", "o"), ("ita", ""), ("ito", "")):
        stem = key.removesuffix(ending)
        if stem != key and len(stem) > 2 and population.bearers(stem + plain) > 20 * population.bearers(key):
            return stem + plain
    return key


def pet_names(key: str) -> frozenset[str]:
    """The folded pet names of a folded first name."""
    return _pets().get(key, frozenset())


@cache
def _pets() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for short, name in _full_names().items():
        found[name].add(short)
    return {name: frozenset(shorts) for name, shorts in found.items()}


def is_pet_name(key: str) -> bool:
    return full_name(key) != key


def pet_name(name: str) -> str:
    """A pet name for a first name: the usual one, or else the name with a diminutive."""
    key = key_of(name)
    if key in _usual_pet_names():
        return _usual_pet_names()[key]
    if name.endswith(("a", "o")) and len(name) > 3 and name[-2] not in "aeiouáéíóúcgz":
        return f"{name[:-1]}it{name[-1]}"
    return name


def joins(given: Sequence[str], surnames: Sequence[str]) -> Iterator[str]:
    """The joined names `anaperez`, `perezana`, `anaperezsoto`, ..., the longest first, without short ambiguous ones."""
    if not given or not surnames:
        if len(surnames) > 1:
            yield "".join(surnames)
        return
    first, family = given[0], surnames[0]
    whole, all_given = "".join(surnames), "".join(given)
    forms = {all_given + whole, whole + all_given, first + whole, whole + first}
    forms |= {all_given + family, family + all_given, first + family, family + first}
    forms |= {first + name for name in surnames[1:]} | ({whole} if len(surnames) > 1 else set())
    yield from (form for form in sorted(forms, key=lambda f: (-len(f), f)) if len(form) >= _SHORTEST_JOIN)


def logins(given: Sequence[str], surnames: Sequence[str]) -> set[str]:
    """The account names `aperez`, `anap`, which count only after a word such as `usuario`."""
    if not given or not surnames:
        return set()
    initials = "".join(name[0] for name in given)
    forms = {given[0][0] + surnames[0], initials + surnames[0], given[0] + surnames[0][0], surnames[0] + given[0][0]}
    if len(surnames) > 1:
        forms |= {f"{form}{surnames[1][0]}" for form in forms} | {given[0][0] + surnames[0] + surnames[1]}
    return {form for form in forms if len(form) > 2}


_LOGIN_BEFORE = re.compile(
    r"\b(?:usuari[oa]|user|usr|login|cuenta|digita|registra|graba|op|firma|sesion)\b[^\w\n]{1,4}$"
)


def is_login(before: str) -> bool:
    """Whether the folded text before a word ends in a cue for the name of an account."""
    return _LOGIN_BEFORE.search(before[-24:]) is not None


def initials_of(given: Sequence[str], surnames: Sequence[str]) -> set[str]:
    """The initials of a name: `aps`, `psa`, `ap`."""
    first, last = "".join(name[0] for name in given), "".join(name[0] for name in surnames)
    if not first or not last:
        return set()
    return {first + last, last + first, first[:1] + last, last + first[:1], first[:1] + last[:1]}


_CAPITALS = re.compile(r"[A-Z](?<![\w@][A-Z])[A-Z]{2,4}(?![\w@])")  # a class of characters first: searching is fast


def capitals_in(text: str) -> Iterator[tuple[int, int, str]]:
    """Where three letters or more in capitals stand that may be initials, and the folded letters: `LFO`, not `TAC`."""
    for match in _CAPITALS.finditer(text):
        if (folded := match.group().lower()) not in tables.words("acronyms"):
            yield *match.span(), folded


_INITIAL_FIRST = re.compile(r"(?<![\w.])(?P<initial>[^\W\d_])(?:\. ?| )(?P<word>[^\W\d_]{2,40})(?!\w)")
_INITIAL_LAST = re.compile(
    r"(?<!\w)(?P<word>[^\W\d_]{2,40}),? (?P<initial>[^\W\d_])(?:\.|(?= ?[^\w ]))(?: ?[^\W\d_]\.)?"
)


def cut_names_in(text: str, folded: str) -> Iterator[tuple[int, int, str, str]]:
    """Where a word stands beside an initial in capitals, with the folded word and letter: `A. Rubio`, `Ana R.`"""
    for pattern in (_INITIAL_FIRST, _INITIAL_LAST):
        for match in pattern.finditer(folded):
            if text[match.start("initial")].isupper():
                yield *match.span(), match["word"], match["initial"]


_INITIAL_BEFORE = re.compile(r"(?<!\w)(?P<initial>[^\W\d_])(?:\. ?| )$")
_INITIAL_AFTER = re.compile(r",? (?P<initial>[^\W\d_])(?!\w)")


def has_title_or_initial(text: str, folded: str, start: int, end: int) -> bool:
    """Whether `TITLED` or `cut_names_in` may find the word at this place."""
    if _TITLE_BEFORE.search(folded, max(0, start - _LONGEST_TITLE), start):
        return True
    beside = _INITIAL_BEFORE.search(folded, max(0, start - 4), start), _INITIAL_AFTER.match(folded, end)
    return any(match and text[match.start("initial")].isupper() for match in beside)


_DOTTED = re.compile(
    r"(?<![\w.])[^\W\d_](?:(?:\. ?|[ -])[^\W\d_]){1,5}\.(?!\w)|(?<![\w.])[^\W\d_](?:\. ?[^\W\d_]){1,5}(?![\w.])"
)
_LETTER = r"[\pL\p{No}\p{Nl}]"
_MAY_BE_DOTTED = (
    rf"(?:^|[^\pL\pN_.]){_LETTER}(?:(?:(?:\. ?|[ -]){_LETTER}){{1,5}}\.|(?:\. ?{_LETTER}){{1,5}}(?:$|[^\pL\pN_.]))"
)
_PERSON_BEFORE = re.compile(r"\b(?:iniciales|pacientes?|pac|pcte|sr|sra|dona|don|firmado|fdo)\b[.:]{0,2}\s{0,3}$")
_BARE = re.compile(  # a class of characters first: searching is fast
    r"[fips](?<!\w[fips])(?:(?<=i)nic(?:iales)?|(?<=p)(?:ac(?:ientes?)?|cte|te)|(?<=s)ra?|(?<=f)(?:irma)?do)\b"
    r"[.:]{0,2}[ \t]{1,3}(?P<letters>[^\W\d_]{2,5})(?![\w@])"
)


def initials_in(folded: str) -> Iterator[tuple[int, int, str]]:
    """Where initials stand in a folded text, and their letters; two letters count only after a word for a person."""
    encoded = folded.encode("utf-8", "replace")
    first = compiled(_MAY_BE_DOTTED).search(encoded)  # RE2 tells sooner whether and where the first ones may be
    for match in _DOTTED.finditer(folded, len(encoded[: first.start()].decode())) if first else ():
        letters = "".join(c for c in match.group() if c.isalpha())
        if len(letters) >= _FEWEST_INITIALS or _PERSON_BEFORE.search(folded, max(0, match.start() - 20), match.start()):
            yield match.start(), match.end(), letters
    for match in _BARE.finditer(folded):
        yield *match.span("letters"), match["letters"]


def sound(folded: str) -> str:
    """A key that is equal for words that sound alike in Spanish: Giménez and Jiménez, Valdés and Baldes."""
    for pattern, letter in _SOUNDS:
        folded = pattern.sub(letter, folded)
    return folded


@lru_cache(_REMEMBERED)
def one_letter_less(folded: str) -> frozenset[str]:
    """The word, and, unless it is short, the word without each of its letters."""
    if len(folded) < _SHORTEST_FOR_SLIPS:
        return frozenset((folded,))
    return frozenset((folded, *(folded[:i] + folded[i + 1 :] for i in range(len(folded)))))


def is_slip(one: str, other: str) -> bool:
    """Whether two words differ by one typing error: a letter added, left out or replaced, or two exchanged."""
    if one == other:
        return True
    if abs(len(one) - len(other)) > 1 or min(len(one), len(other)) < _SHORTEST_FOR_SLIPS - 1:
        return False
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    rest, others = one[start:], other[start:]
    exchanged = rest[:2] == others[1::-1] and rest[2:] == others[2:]
    return rest[1:] == others[1:] or rest[1:] == others or rest == others[1:] or exchanged

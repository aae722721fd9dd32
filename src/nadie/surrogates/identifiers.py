"""Invented numbers of documents, cards, accounts and machines, in the form of the original.

The numbers of one form are permuted under the key: without it neither number can be inferred from the other, and two
different numbers never become the same one. Numbers with check digits get valid ones; in other numbers digits are
replaced by digits and letters by letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from string import ascii_uppercase

from nadie.labels import Label
from nadie.spanish.folding import fold, same_length
from nadie.spanish.lexicon import UNKNOWN, Lexicon
from nadie.spanish.population import surname_bearers
from nadie.spanish.squashing import squash
from nadie.spanish.word_lists import Lists
from nadie.surrogates.check_digits import Accept, Draw, NumberForm, form_of, with_birthday, without_name
from nadie.surrogates.draws import Draws
from nadie.surrogates.originals import Originals
from nadie.surrogates.places import Places
from nadie.surrogates.spoken import respoken
from nadie.surrogates.told_times import ToldTimes, has_birthday_in

_LISTS = Lists("identifiers", "nadie.surrogates")
_MEASURE = rf"\d{{1,4}}(?:[.,]\d{{1,2}})? ?(?:%|{_LISTS.pattern('units')}(?:/(?:24 ?h|h|dia|ano|dl|min|m2))?)"
_RESULT = r" ?\([+-]\)| (?:positiv|negativ|mutad)[oa]"
_FINDING = re.compile(
    rf"{_MEASURE}|{_LISTS.pattern('findings')}[ *-]?(?:[a-z]{{1,4}}[ *-]{{0,2}})?\d{{1,2}}(?:[*:]\d\d)*(?:{_RESULT})?"
)
_AMOUNT = re.compile(r"[\d.,]{1,9}")
_AFTER_ANALYTE = re.compile(rf"\b(?:{_LISTS.pattern('analytes')})[ :=(]{{1,3}}$")
_DIGITS = "0123456789"
_TRIES = 30
_MOST_STEPS = 1_000
_READ_AS = str.maketrans("OoIl", "0011")  # after OCR: `44O18`, `4l8`
_LOWER = re.compile(r"(?<![\w.@-])[^\W\d_]{4,}(?![\w.@-])")
_VENEZUELAN = re.compile(r"[VE][- ]?\d{1,2}\.\d{3}\.\d{3}")  # the letter distinguishes nationals from foreigners
_ANDALUSIAN = re.compile(r"AN[\dO]{10}")  # the NUHSA
_BOLIVIAN = re.compile(r"\d{5,8}[ -]?(?:CH|LP|CB|OR|PT|TJ|SC|BE|PD|PA|BN)")  # the department
_DEPARTMENTS = ("CH", "LP", "CB", "OR", "PT", "TJ", "SC", "BE", "PD")
_CHILEAN = re.compile(r"\d{1,2}\.\d{3}\.\d{3}-[Kk]")  # no other letter is a check digit
_SCANNED = re.compile(
    r"(?<![^\W\d_])[OolI]*\d[\dOolI]*(?=[A-Z]?(?![^\W\d_]))"
    r"|(?<![^\W\d_])[Ool]{1,3}(?=[.-]\d)|(?<=\d[.-])[Ool]{1,3}(?![^\W\d_])|(?<=\d )[Ol]{1,3}(?= \d|$)|^[Ol]{1,3}(?= \d)"
)
_MODEL = re.compile(r"(?<![^\W\d_])[A-Z][a-z]{2,}[A-Za-z]*")
_CAPITALS = re.compile(r"(?<![^\W\d_])[A-Z]{5,}(?![^\W\d_])")  # `PC-TRIAJE-07`
_MASKED = re.compile(r"(?<!\w)(?:x{2,}|X{2,})(?!\w)")  # `xxx-xx-7710`
_LETTERS = 4  # the most in a plate
_USUAL = 6  # of the lexicon's rarity
_KINDS = re.compile(
    r"(?<![^\W\d_])(?:NHC|HC|HCU|DNI|NIE|NIF|CIP|SIP|TIS|NUSS|NSS|NASS|EXP|Exp|REF|Ref|RX|TC|RM|CEIm|CEIC|CEI|SN|Rec|Folio|"
    r"FOLIO|CIPA|CURP|RFC|RUT|RUN|CUIL|CUIT|DUI|DPI|INE|EPS|NIT|CC|TI|MRN)(?![^\W\d_])"
)
# What a sample is, or what is looked for in it, before its number.
_SAMPLES = re.compile(
    r"^(?:BAL|BAS|BAG|LCR|OR|ORI|UR|URO|EX|ESP|HEM|HEMO|HEC|HLA|FN|FF|CIT|AP|PAP|BX|SER|PCR|COP|MIC|MI|MB)"
    r"(?=[ /.-]*[\dOoIl]{2})"
)


class Identifiers:
    """Invents numbers in one scope: the same number is replaced by the same one in the whole scope.

    `places` gives the new provinces of numbers that begin with one, and `times` moves the days that numbers tell.
    """

    def __init__(self, key: Draws, scope: str, originals: Originals, places: Places, times: ToldTimes) -> None:
        self._key = key
        self._scope = scope
        self._originals = originals
        self._places = places
        self._times = times

    def rewrite(self, value: str, label: str, before: str = "") -> str | None:
        """Another number in the same form; None if the value has no digit, or is a result by the text before it."""
        value = _SCANNED.sub(lambda found: found.group().translate(_READ_AS), value)
        if is_finding(value) or is_result(value, before):
            return None
        rest = without_name(value)
        if rest != value and form_of(rest, label):
            new = self.rewrite(rest, label)
            return new and value.removesuffix(rest) + new
        compact = squash(value).upper()
        if not any(c.isdigit() for c in compact):
            return respoken(value, self._key, self._scope)
        if len(compact) < 3:
            return None
        form = form_of(value, label)
        for attempt in range(_TRIES):
            if form:
                written = self._of_form(form, value, label, attempt)
            else:
                written = _fill(value, self._like(value, compact, label, self._draw("", attempt)))
            is_same_shape = form is None or attempt > _TRIES // 2 or _shape(written) == _shape(value)
            if is_same_shape and squash(written) != squash(value) and not self._originals.within(written):
                return written
        return None

    def _of_form(self, form: NumberForm, value: str, label: str, attempt: int) -> str:
        """Another number of the form. One that is also of a form that comes first is permuted once more."""
        written = value
        for _ in range(_MOST_STEPS):
            new = form.invent(squash(written).upper(), self._draw(form.name, attempt))
            if form.name == "curp" and (moved := self._times.moved(squash(value)[4:10])):
                new = with_birthday(new, moved)
            written = _fill(value, new)
            if form.is_valid is None or form_of(written, label) is form:
                break
        return written

    def _draw(self, form: str, attempt: int) -> Draw:
        """Characters by a permutation of all strings over the same alphabets, repeated until one is accepted.

        Characters that are not of their alphabet, after a wrong reading, take no part and are drawn.
        """
        place = 0

        def draw(alphabets: Sequence[str], old: str, accept: Accept) -> str:
            nonlocal place
            place += 1
            identity = ("number", self._scope, form, f"{attempt}.{place}", " ".join(alphabets))
            if any(sign not in alphabet for sign, alphabet in zip(old, alphabets, strict=True)):
                drawn = (self._key.number(len(each), *identity, old, str(n)) for n, each in enumerate(alphabets))
                return "".join([each[at] for each, at in zip(alphabets, drawn, strict=True)])
            number, size = _rank(old, alphabets)
            for _ in range(_MOST_STEPS):
                number = self._key.permuted(number, size, *identity)
                if accept(new := _unranked(number, alphabets)):
                    return new
            return old  # rejected by the caller, who tries another permutation

        return draw

    def _like(self, value: str, compact: str, label: str, draw: Draw) -> str:
        """Digits for digits, letters for letters; a college's number begins with the code of a province."""
        alphabets = [_DIGITS if sign.isdigit() else ascii_uppercase for sign in compact]
        for place in self._fixed(value, compact, label):
            alphabets[place] = compact[place]
        first = next((place for place, alphabet in enumerate(alphabets) if alphabet == _DIGITS), None)
        if first is not None:
            alphabets[first] = "0" if compact[first] == "0" else "123456789"
        has_birthday = has_birthday_in(compact)
        if told := self._times.told(value, compact):
            place, moved = told
            compact = compact[:place] + moved + compact[place + len(moved) :]
            alphabets[place : place + len(moved)] = moved

        def accept(drawn: str) -> bool:
            if has_birthday and not has_birthday_in(drawn):
                return False
            return form_of(_fill(value, drawn), label) is None

        new = draw(alphabets, compact, accept)
        if _BOLIVIAN.fullmatch(value):
            place = self._key.number(len(_DEPARTMENTS), "department", self._scope, compact[-2:])
            new = new[:-2] + _DEPARTMENTS[place]
        return _college(compact, new, self._places) if _is_college(compact, label) else new

    def _fixed(self, value: str, compact: str, label: str) -> Iterable[int]:
        """The places of signs that stay: words, and letters that are check digits or tell nationals from foreigners."""
        signs = [place for place, sign in enumerate(value) if sign.isalnum() and sign not in "ºª"]
        words = _words(value, label)
        if len(signs) == len(compact):
            yield from (n for n, place in enumerate(signs) if place in words)
        if _ANDALUSIAN.match(compact):
            yield from (0, 1)
        if _VENEZUELAN.fullmatch(value):
            yield 0
        if _CHILEAN.fullmatch(value):
            yield len(compact) - 1


def is_finding(value: str) -> bool:
    """Whether a value is rather a measure or a result: `170 cm`, `HLA-B27`, `BRCA1 positivo`, `CDR 2`."""
    return _FINDING.fullmatch(same_length(value).strip(" .,;")) is not None


def is_result(value: str, before: str) -> bool:
    """Whether a number stands after what a laboratory measures: `Plaquetas 250000`, `CK: 1.840`."""
    return _AMOUNT.fullmatch(value) is not None and _AFTER_ANALYTE.search(same_length(before)) is not None


def _rank(text: str, alphabets: Sequence[str]) -> tuple[int, int]:
    """The number of a string among all strings over these alphabets, and how many there are."""
    number, size = 0, 1
    for sign, alphabet in zip(text, alphabets, strict=True):
        number, size = number * len(alphabet) + alphabet.index(sign), size * len(alphabet)
    return number, size


def _unranked(number: int, alphabets: Sequence[str]) -> str:
    signs = []
    for alphabet in reversed(alphabets):
        number, at = divmod(number, len(alphabet))
        signs.append(alphabet[at])
    return "".join(reversed(signs))


def _shape(value: str) -> list[bool]:
    """Which characters are digits. Surrogates keep it: a rare check letter would reveal the form of a number."""
    return [character.isdigit() for character in value]


def _is_college(compact: str, label: str) -> bool:
    return label == Label.ID_TITULACION_PERSONAL_SANITARIO and len(compact) >= 7 and compact.isdigit()


def _college(compact: str, new: str, places: Places) -> str:
    """`28 28 70973`: the province of the college, that of the first inscription, the number."""
    codes = [compact[0:2], compact[2:4] if len(compact) >= 8 else ""]
    start = ""
    for code in codes:
        start += places.new_code(code) if "01" <= code <= "52" else new[len(start) : len(start) + len(code)]
    return start + new[len(start) :]


def _words(value: str, label: str) -> frozenset[int]:
    """The positions of common words that name the kind of number and identify nobody: `huella 44-AB`.

    The names of devices stay as well: `IntelliVue-60962`.
    """
    found = [m for m in _LOWER.finditer(value) if Lexicon.shared().rarity(m.group()) <= _USUAL]
    found += _MASKED.finditer(value)
    found += _KINDS.finditer(value)
    if label == Label.ID_CONTACTO_ASISTENCIAL:
        found += _SAMPLES.finditer(value)
    if label == Label.IDENTIF_VEHICULOS_NRSERIE_PLACAS:
        found += (m for m in _MODEL.finditer(value) if _is_word(m.group()))  # `Medic 14`
    if label == Label.IDENTIF_DISPOSITIVOS_NRSERIE:
        found += _MODEL.finditer(value)
        found += (m for m in _CAPITALS.finditer(value) if Lexicon.shared().rarity(m.group().lower()) <= _USUAL)
    return frozenset(place for match in found for place in range(*match.span()))


def _is_word(word: str) -> bool:
    """Whether a capitalised word is rather a word than the letters of a plate, and nobody's surname."""
    return Lexicon.shared().rarity(word.lower()) < UNKNOWN or (len(word) > _LETTERS and not surname_bearers(fold(word)))


def _fill(value: str, new: str) -> str:
    """`value` with its letters and digits, one after the other, replaced by those of `new`, in the same case."""
    rest = iter(new)
    made = []
    for character in value:
        if not character.isalnum() or character in "ºª":
            made.append(character)
            continue
        drawn = next(rest, "0")
        made.append(drawn.lower() if character.islower() else drawn)
    return "".join(made)

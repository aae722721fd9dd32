"""What the cells of a column are, judged by its name and by the cells of the first rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from nadie.files.containers.names import is_name_word, is_usual, words_of
from nadie.files.containers.tables import column_limits, harmless
from nadie.files.containers.tables.column_names import Meaning, codes_of_name, label_of_name, meaning_of_name
from nadie.labels import Label
from nadie.spanish import tables
from nadie.spanish.folding import fold, key_of
from nadie.spanish.name_use import is_ordinary_word
from nadie.spanish.names import PARTICLES

_FORMS: tuple[tuple[re.Pattern[str], Label], ...] = (
    (re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+"), Label.CORREO_ELECTRONICO),
    (re.compile(r"(?:https?://|www\.)\S+", re.I), Label.URL_WEB),
    (re.compile(r"[XYZ]?\d{7,8}[- ]?[A-Z]", re.I), Label.ID_SUJETO_ASISTENCIA),
    (re.compile(r"\d{4}[-/.]\d\d?[-/.]\d\d?(?:[ T][\d:.+Z-]+)?"), Label.FECHAS),
    (re.compile(r"\d\d?[-/.]\d\d?[-/.](?:\d{4}|\d\d)(?: [\d:]+)?"), Label.FECHAS),
    (re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])"), Label.FECHAS),
    (re.compile(r"(?:(?:\+|00)?34[ .-]?)?[6789]\d\d(?:(?:[ .-]?\d\d){3}|(?:[ .-]?\d{3}){2})"), Label.NUMERO_TELEFONO),
    (re.compile(r"\+\d[\d .-]{7,16}"), Label.NUMERO_TELEFONO),
    (re.compile(r"(?:dra?|doctora?)\.?\s+\S.*", re.I), Label.NOMBRE_PERSONAL_SANITARIO),
    (re.compile(r"(?:[^\W\d_]\. ?){2,5}(?:[^\W\d_]\.?)?"), Label.NOMBRE_SUJETO_ASISTENCIA),
)
_DAY_AND_MONTH = re.compile(r"(?:0?[1-9]|[12]\d|3[01])[.,](?:0?[1-9]|1[0-2])")
_SEXES = frozenset("f m h v hombre mujer varon femenino masculino male female fem masc home dona".split())
_AGE = re.compile(r"\d{1,3}(?:[.,]\d)?\s*(?:a|años?|anys?|years?|m|mes(?:es)?|d|días?|sem(?:anas)?|h|horas?)?\.?", re.I)
_CAPITALISED = re.compile(r"\b[^\W\d_a-z][^\W\d_A-Z]+\b")
_BETWEEN_WORDS = re.compile(r"[\s,;:/()]+")
BY_NAME = "by its name"


@dataclass(frozen=True)
class Judgement:
    """What the cells of a column are: with a proof harmless, with a label identifying, with neither free text.

    `is_known` is false if nothing is known of the cells but that they may identify somebody; `reason` says why.
    """

    label: Label | None
    reason: str
    proof: harmless.Proof | None = None
    is_known: bool = True


def judge(name: str, cells: Iterable[str]) -> Judgement:
    """Judge a column by its name and its cells: harmless if all cells are proven to be, free text if they are language.

    Everything else may identify somebody.
    """
    values = [cell.strip() for cell in cells if not harmless.is_missing(cell)]
    if label := label_of_name(name):
        return Judgement(label, BY_NAME, is_known=label != Label.OTROS_SUJETO_ASISTENCIA)
    if not values:
        return Judgement(None, "empty at first")
    # Each value counts once: in a column that mostly says `no`, the names are few.
    telling = list(dict.fromkeys(value for value in values if not harmless.is_answer(value))) or values
    if label := _label_by_content(telling):
        return Judgement(label, "by its content")
    if meaning_of_name(name) is not Meaning.TEXT and _share(telling, _is_name) > column_limits.LIMITS.name_share:
        return Judgement(Label.NOMBRE_SUJETO_ASISTENCIA, "by its content")
    if proven := _proven(name, values):
        return Judgement(None, *proven)
    if _is_text(name, telling):
        return Judgement(None, "text")
    return Judgement(Label.OTROS_SUJETO_ASISTENCIA, "not proven harmless", is_known=False)


def form_of(value: str) -> Label | None:
    """The label of a cell that has an unmistakable form, such as an e-mail address or a date."""
    return next((label for pattern, label in _FORMS if pattern.fullmatch(value.strip())), None)


def has_words(value: str) -> bool:
    """Whether a cell has a word that a detector can read, and is not only a number, a code or initials."""
    words = (word.strip(".-") for word in _BETWEEN_WORDS.split(value))
    return any(word.isalpha() and (len(word) > 2 or (len(word) == 2 and word.islower())) for word in words)


def is_harmless_in_text(value: str) -> bool:
    """Whether a cell of a column of free text is harmless although a detector cannot read it."""
    is_decimal = harmless.is_number(value) and bool(harmless.decimals_of(value))
    return is_decimal or harmless.is_answer(value) or harmless.is_quantity(value)


def is_of(label: Label, value: str) -> bool:
    """Whether a cell is what the label says: a policy may keep these labels, but does not mean any other value."""
    if label == Label.FECHAS:
        return any(map(str.isdigit, value))
    if label == Label.SEXO_SUJETO_ASISTENCIA:
        return fold(value.strip()) in _SEXES
    if label == Label.EDAD_SUJETO_ASISTENCIA:
        return bool(_AGE.fullmatch(value.strip()))
    if label == Label.PAIS:
        return key_of(value) in tables.country_codes()
    if label == Label.PROFESION:
        return fold(value.strip()) in tables.known_professions(tables.LEXICON)
    return True


def may_be_data(name: str) -> bool:
    """Whether the name of a column may be data, or the name of a patient in a table with a column for each.

    A name of ordinary words is a heading, and a single word that says what the column is, or that is not written as a
    name (`K`, `hb_alta`), cannot be data.
    """
    if shows_person(name):
        return True
    if len(name.split()) > 1:
        return len(name.split()) > column_limits.LIMITS.heading_words or not is_usual(name)
    is_known = label_of_name(name) or codes_of_name(name) or meaning_of_name(name) is not Meaning.UNKNOWN
    return not is_known and any(not is_ordinary_word(fold(word)) for word in _CAPITALISED.findall(name))


def shows_person(name: str) -> bool:
    """Whether the name of a column may be shown to nobody: it has a person's name, a long number or an address."""
    is_named = any(map(is_name_word, _words(name))) and label_of_name(name) is None
    return is_named or has_long_number(name) or "@" in name


def is_full_name(name: str) -> bool:
    """Whether it is the name of a person with at least two words."""
    return len(_words(name)) > 1 and _is_name(name) and label_of_name(name) is None


def has_long_number(value: str) -> bool:
    """Whether a cell has a number that may be an identifier."""
    return re.search(rf"\d{{{column_limits.LIMITS.number_digits}}}", value) is not None


def _label_by_content(values: Sequence[str]) -> Label | None:
    limits = column_limits.LIMITS
    sexes = {fold(value) for value in values}
    if sexes <= _SEXES and (len(sexes) > 1 or len(min(sexes)) > 1):  # one letter alone may be an initial
        return Label.SEXO_SUJETO_ASISTENCIA
    forms = Counter(form_of(value) for value in values)
    for label, count in forms.most_common():
        if label is not None and count > len(values) * limits.form_share:
            return label
    if _share(values, lambda value: key_of(value) in tables.town_codes()) > limits.form_share:
        return Label.TERRITORIO
    return None


def _proven(name: str, values: Sequence[str]) -> tuple[str, harmless.Proof] | None:
    """The reason why a column is harmless, and the proof that every cell must meet."""
    meaning = meaning_of_name(name)
    if _are(harmless.is_answer, values) and _are_answers(values):
        return "answers such as yes and no", harmless.is_answer
    if meaning is Meaning.UNITS and _are(harmless.is_unit, values):
        return "units", harmless.is_unit
    if (system := codes_of_name(name)) and _are(proof := harmless.is_code_of(system), values):
        return f"codes ({system.upper()})", proof
    if meaning is Meaning.COUNTED and _are(harmless.is_count, values):
        return "counts", harmless.is_count
    if meaning is Meaning.MEASURED and _are(harmless.is_measurement, values):
        return "measurements", harmless.is_measurement
    if _are(harmless.is_quantity, values):
        return "numbers with units", harmless.is_quantity
    if _are(harmless.is_number, values) and _have_decimals(values):
        return "numbers with decimals", harmless.is_number
    if closed := _closed_digits(values):
        return "few single digits", lambda value: value.strip() in closed or harmless.is_missing(value)
    return None


def _are(proof: harmless.Proof, values: Sequence[str]) -> bool:
    return _share(values, proof) >= column_limits.LIMITS.proven_share


def _are_answers(values: Sequence[str]) -> bool:
    """Whether answers are not the initials of persons: single letters count only as the pairs S and N, Y and N."""
    different = {fold(value) for value in values}
    return not all(len(value) == 1 and value.isalpha() for value in different) or different in ({"s", "n"}, {"y", "n"})


def _have_decimals(values: Sequence[str]) -> bool:
    """Whether numbers are measurements, and neither whole numbers, grouped thousands (`12.345`) nor days of a month."""
    fractions = [harmless.decimals_of(value) for value in values]
    is_grouped = all(len(fraction) in (0, 3) for fraction in fractions)
    are_days = all(map(_DAY_AND_MONTH.fullmatch, values))
    is_enough = sum(map(bool, fractions)) >= len(values) * column_limits.LIMITS.decimal_share
    return is_enough and not is_grouped and not are_days


def _closed_digits(values: Sequence[str]) -> frozenset[str]:
    counts = Counter(values)
    limits = column_limits.LIMITS
    are_digits = all(len(value) == 1 and value in "0123456789" for value in counts)
    is_closed = are_digits and len(values) >= limits.digit_rows and min(counts.values()) >= limits.digit_repeats
    return frozenset(counts) if is_closed else frozenset()


def _is_text(name: str, values: Sequence[str]) -> bool:
    limits = column_limits.LIMITS
    if _share(values, lambda value: len(value.split()) >= limits.prose_words) >= limits.prose_share:
        return True
    is_language = has_words if meaning_of_name(name) is Meaning.TEXT else _is_language
    return _share(values, is_language) >= limits.language_share


def _is_language(value: str) -> bool:
    words = [word for word in _words(value) if len(word) >= column_limits.LIMITS.word_letters]
    known = sum(map(is_ordinary_word, words))
    return bool(words) and known >= len(words) * column_limits.LIMITS.language_words


def _is_name(value: str) -> bool:
    words = _words(value)
    names = sum(map(is_name_word, words))
    return bool(names) and names >= len(words) * column_limits.LIMITS.name_words


def _words(value: str) -> list[str]:
    """The folded words of a cell, without the particles of names."""
    words = [word for word in words_of(value) if len(word) > 1][: column_limits.LIMITS.words_read]
    return [word for word in words if word not in PARTICLES]


def _share(values: Sequence[str], has: Callable[[str], bool]) -> float:
    return sum(map(has, values)) / len(values)

"""Replaces a span by a surrogate: an invented value with the same label."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable

from nadie.anonymize.context import Context
from nadie.anonymize.operators.base import Traits
from nadie.anonymize.other_values import another_value
from nadie.document import Span
from nadie.labels import Label, Parent
from nadie.persons.mending import as_letters
from nadie.persons.person import STAFF
from nadie.spanish import tables
from nadie.spanish.centre_words import is_only_kind
from nadie.spanish.conditions import LABELS as CONDITION_LABELS
from nadie.spanish.conditions import begins_condition, is_condition
from nadie.spanish.dates.corrections import as_figures
from nadie.spanish.folding import key_of, same_length, words_of
from nadie.spanish.kinship import FEMALE, MALE, RELATIVES
from nadie.spanish.names import PARTICLES
from nadie.spanish.sentence_language import language_around
from nadie.surrogates.addresses import Address
from nadie.surrogates.bodies import is_everywhere
from nadie.surrogates.centre_kinds import is_faculty
from nadie.surrogates.centre_writings import as_part, is_kind_of_one, whole_name
from nadie.surrogates.check_digits import form_of, is_certainly_number, without_name
from nadie.surrogates.clinical_ages import is_clinical
from nadie.surrogates.decision import KEEP, REFUSE, Outcome
from nadie.surrogates.jobs import another, generalized, is_continued
from nadie.surrogates.occupations import group_of
from nadie.surrogates.spelling import in_case_of
from nadie.surrogates.traits import trait_outcome

_ACCOUNT = re.compile(r"@?[^\W\d_]{2,}[\w.-]{0,30}")
_LOGIN = re.compile(r"[a-z][a-z._-]{4,24}\d{0,3}")
_OF_TOWN = re.compile(r"\s+(?:de|del|d['’])\s*")
_MISREAD = re.compile(r"[^\W\d_][a-zñáéíóú]{3,}\d[a-zñáéíóú]*")
_BASQUE_CENTRE = re.compile(
    r"(?i)ospital(?:ea|ean|era|eko|etik)\b|osasun|zentro|ikastetxe|ikastol(?:a|an)\b|anbulatorio"
)
_DIGIT = re.compile(r"\d")
_MAIL = re.compile(r"[\w.+-]+@[\w.-]+\.[a-z]{2,}")
_POSTCODE = re.compile(r"(?:0[1-9]|[1-4]\d|5[0-2])\d{3}")
_MOJIBAKE = re.compile(r"Ã.|[^\W\d_] ?@[^\W\d_]*(?![\w.@-]*\.[a-z])")
_COLUMNS = re.compile(r"\d {3,}\d")
_SHORT = 3
_NEAR = 50
_BROKEN = re.compile(r"(?<=^\d) (?=\d(?:$|\s?[^\W\d_]))")
_NEAR_COUNTRIES = frozenset("AR BO BR CL CO CR CU DO EC ES FR GT HN IT MA MX NI PA PE PR PT PY RO SV US UY VE".split())
_ARTICLE_OF_NAME = re.compile(r"(?:El|La|Los|Las|EL|LA|LOS|LAS) ")
_ENGLISH_FIELD = re.compile(r"(?i)\b(?:occupation|job|job title|profession|employment)\s*[=:]\s*$")
_OF_CHURCH = re.compile(r"\b(?:evangelic|iglesia|cristian|pentecost|adventist|culto|bautista|menonit)")
_ON_DUTY = re.compile(r"\b(?:de|en|la) $")
_ARTICLE = re.compile(r"\b(el|la|un|una|del|al) $")
_SEX_WORDS = FEMALE | MALE | {"recien", "nacido", "nacida"}
_SAID_OF_STAFF = frozenset("profe sen doc doctora doctor enfermera enfermero matrona matron licenciada".split())
_SEX_SAID = frozenset(("mujer", "hombre", "varon", "femenino", "masculino", "femenina", "masculina", "hembra"))


class SurrogateOperator:
    """`Ana Pérez` → `Lucía Robles`: see the files of `surrogates/` for each kind.

    Sex and kinship are kept, because names keep their sex: so words still agree with names.
    """

    name = "surrogate"
    traits = Traits.INVENTS

    def replace(self, value: str, span: Span, context: Context) -> Outcome:
        label = Label(span.label)
        value = as_letters(value) if label in _IN_LETTERS else value
        if label in CONDITION_LABELS and is_condition(value):
            return KEEP
        if ("Ã" in value or "@" in value) and label in _WRITTEN and _MOJIBAKE.search(value):
            return REFUSE
        if label in _NAMED and value.islower() and (len(value) <= _SHORT or is_only_kind(words_of(value))):
            return KEEP  # `por` and `médica` name nothing
        invent = _BY_LABEL.get(label)
        if label not in _NOT_NUMBERS and (certain := _certain_number(value, label, context)):
            return certain
        if value.isalpha() and key_of(value) in _SEX_SAID:
            return KEEP  # `Mujer`, under whatever label
        if invent is None:
            invent = _identifier if label.parent is Parent.ID else _refuse
        outcome = invent(value, span, context)
        return REFUSE if outcome is None else outcome


def _certain_number(value: str, label: Label, context: Context) -> str | None:
    """The replacement of an address of a machine or a number with check digits: models mistake their labels.

    A telephone may have the figures of such a number by chance, so the signs between them have to tell.
    """
    if machine := context.contacts.machine(value):
        return machine
    number = without_name(value)
    is_number = is_certainly_number(number) if label in _PHONES else form_of(number, label) is not None
    return context.identifiers.rewrite(value, label) if is_number else None


def _refuse(value: str, span: Span, context: Context) -> Outcome:
    return REFUSE


def _person(value: str, span: Span, context: Context) -> Outcome | None:
    if value.islower() and all(word in PARTICLES for word in words_of(value)):
        return KEEP  # a model may label the `de` of a name as a separate span
    if key_of(value) in _SAID_OF_STAFF:
        return KEEP
    mentions = context.people.mentions(span)
    return context.inventor.rewrite(value, mentions[0]) if mentions else None


def _relative(value: str, span: Span, context: Context) -> Outcome:
    text, mentions = context.document.text, context.people.mentions(span)
    is_word = value.isalpha() and value.islower() and value.capitalize() not in text
    if mentions and is_word and any(map(str.isupper, text)):
        return REFUSE  # `chavalo`, which is no name
    return context.relatives.rewrite(value, mentions)


def _sex(value: str, span: Span, context: Context) -> Outcome:
    return KEEP if all(word in _SEX_WORDS for word in key_of(value).split()) else REFUSE


def _age(value: str, span: Span, context: Context) -> Outcome:
    if is_clinical(context.document, span):
        return KEEP
    read = _with_figures(value)
    outcome = context.ages.rewrite(read)
    return read if outcome is KEEP and read != context.document.text_of(span) else outcome


def _with_figures(value: str) -> str:
    """`3O a` as `30 a` and a broken `3 3` as `33`; all else stays as it is written."""
    value = _BROKEN.sub("", value)
    read = as_figures(same_length(value))
    return "".join(figure if figure.isdigit() else sign for figure, sign in zip(read, value, strict=True))


def _centre(value: str, span: Span, context: Context) -> Outcome | None:
    if _BASQUE_CENTRE.search(value):
        return REFUSE  # its case would be lost, and a Spanish name is none in a Basque sentence
    if mentions := context.people.mentions(span):
        return context.inventor.rewrite(value, mentions[0])
    is_maker = context.document.text[span.end : span.end + 1] in ("®", "™")  # of a product that was used
    is_kept = span.label == Label.INSTITUCION and (is_maker or is_faculty(value) or is_everywhere(value))
    if is_kept or (is_only_kind(words_of(value)) and _is_before_town(span, context)):
        return KEEP  # `Hospital General de` Lugo: the town identifies it, and the town is replaced
    if _ARTICLE_OF_NAME.match(value) and is_only_kind(words_of(value)):
        return REFUSE  # `El Centro Regional`, of the town El Centro: no word of it is surely no name
    values = context.hospitals if span.label == Label.HOSPITAL else ()
    if is_kind_of_one(value, values):
        return KEEP  # `el Clínico`, after `Hospital Clínico San Carlos`
    whole = whole_name(value, values)
    new = context.centres.rewrite(whole, span.label, context.places.address(span), _before(span, context))
    return new if new is None or whole == value else as_part(new, value, whole)


def _is_before_town(span: Span, context: Context) -> bool:
    spans = context.document.spans
    place = bisect_right(spans, span)
    if place == len(spans) or spans[place].label != Label.TERRITORIO:
        return False
    return _OF_TOWN.fullmatch(context.document.text, span.end, spans[place].start) is not None


def _street(value: str, span: Span, context: Context) -> Outcome | None:
    if _MAIL.fullmatch(value):
        return _mail(value, span, context)
    if _POSTCODE.fullmatch(value):
        return context.places.postcode(value, Address((), (value,)))
    return context.streets.rewrite(value, _before(span, context))


def _country(value: str, span: Span, context: Context) -> Outcome | None:
    own = tables.country_codes().get(key_of(value))
    near = _NEAR_COUNTRIES - {own}
    pool = tuple(country.name for country in tables.countries() if country.code in near)
    chosen = context.key.choose(
        pool, lambda c: not context.originals.within(c), "country", context.scope_of(span.label), key_of(value)
    )
    return None if chosen is None else in_case_of(chosen, value)


def _identifier(value: str, span: Span, context: Context) -> Outcome | None:
    if begins_condition(context.document.text, span.start, span.end):
        return KEEP
    persons = list(context.people.nearest(span))
    has_digit = _DIGIT.search(value) is not None
    if not _DIGIT.search(word := as_letters(value)):
        trait = trait_outcome(word, _before(span, context), context.options.traits)
        if trait is not None:
            return word if trait is KEEP and word != value else trait  # `so1tera`
    if span.label == Label.ID_SUJETO_ASISTENCIA and _MISREAD.fullmatch(word):
        return REFUSE  # `Separad4`: not a number
    login = value.lower() if value.isupper() and sum(sign in "AEIOU" for sign in value) > 1 else value
    is_account = span.label == Label.ID_EMPLEO_PERSONAL_SANITARIO and (not has_digit or _LOGIN.fullmatch(login))
    if _ACCOUNT.fullmatch(value) and (is_account or context.mails.is_of(value, persons)):
        return context.mails.account(value, persons)
    return context.identifiers.rewrite(value, span.label, _before(span, context))


def _phone(value: str, span: Span, context: Context) -> Outcome | None:
    if _COLUMNS.search(value):
        return REFUSE  # two results of a table
    if context.document.text[max(0, span.start - 1) : span.start] != "+":
        return context.phones.rewrite(value)
    new = context.phones.rewrite(f"+{value}")  # the plus sign is not in the span
    return new and new.removeprefix("+")


def _mail(value: str, span: Span, context: Context) -> Outcome | None:
    persons = list(context.people.nearest(span))
    return context.mails.mail(value, persons) if "@" in value.strip("@") else context.mails.account(value, persons)


def _job(value: str, span: Span, context: Context) -> Outcome | None:
    rule = context.options.traits.profession
    if rule in ("keep", "label") or begins_condition(context.document.text, span.start, span.end):
        return REFUSE if rule == "label" else KEEP
    before = _before(span, context)
    if group_of(value) is None and (trait := trait_outcome(value, before, context.options.traits)) is not None:
        return trait  # `mestiza`, which is no profession
    if is_continued(value, context.document.text[span.end : span.end + _NEAR]):
        return REFUSE
    if key_of(value) == "guardia" and _ON_DUTY.search(before.lower()):
        return KEEP
    if key_of(value) == "iman":
        return REFUSE  # of a mosque, or of an implant
    if key_of(value) == "pastor" and _OF_CHURCH.search(same_length(context.document.text)):
        return REFUSE  # of a church, and not of sheep
    is_english = _ENGLISH_FIELD.search(before) is not None
    if is_english or language_around(context.document.text, span.start, span.end) != "es":
        return REFUSE  # a Spanish word among others; and what ends in -a is not of a woman everywhere
    sex = _sex_of_worker(before, span, context)
    if rule == "generalize":
        return generalized(value, sex, before)
    return another(value, context.key, context.scope, sex)


def _before(span: Span, context: Context) -> str:
    return context.document.text[max(0, span.start - _NEAR) : span.start]


def _sex_of_worker(before: str, span: Span, context: Context) -> str:
    """The sex by the article before a profession, by the person or relative just before it, or else of the patient."""
    if article := _ARTICLE.search(before.lower()):
        return "f" if article[1] in ("la", "una") else "m"
    sentence = before.rpartition(". ")[2]
    spans = context.document.spans
    first = bisect_left(spans, span.start - len(sentence), key=lambda s: s.start)
    beside = (s for s in spans[first : bisect_left(spans, span)] if s.end <= span.start)
    persons = [(s, m.person) for s in beside for m in context.people.mentions(s) if m.person.role != STAFF]
    after = sentence[len(sentence) - (span.start - persons[-1][0].end) :] if persons else sentence
    kin = [word for word in words_of(after) if word in RELATIVES or word in ("mama", "papa")]
    if kin:
        return "f" if kin[-1] == "madre" or (kin[-1].endswith("a") and kin[-1] != "papa") else "m"
    if persons and persons[-1][1].sex:
        return persons[-1][1].sex
    return context.sex_of_patient_at(span.start)


_NOT_NUMBERS = frozenset((Label.FECHAS, Label.EDAD_SUJETO_ASISTENCIA, Label.SEXO_SUJETO_ASISTENCIA, Label.URL_WEB))
_PHONES = frozenset((Label.NUMERO_TELEFONO, Label.NUMERO_FAX, Label.TERRITORIO))
_IN_LETTERS = frozenset(
    (Label.CALLE, Label.HOSPITAL, Label.CENTRO_SALUD, Label.INSTITUCION, Label.PROFESION, Label.PAIS,
     Label.OTROS_SUJETO_ASISTENCIA, Label.EDAD_SUJETO_ASISTENCIA, Label.FAMILIARES_SUJETO_ASISTENCIA,
     Label.SEXO_SUJETO_ASISTENCIA)
)  # fmt: skip
_WRITTEN = frozenset(
    (Label.NOMBRE_SUJETO_ASISTENCIA, Label.NOMBRE_PERSONAL_SANITARIO, Label.FAMILIARES_SUJETO_ASISTENCIA,
     Label.ID_SUJETO_ASISTENCIA, Label.CALLE, Label.HOSPITAL)
)  # fmt: skip
_NAMED = frozenset((Label.CALLE, Label.HOSPITAL, Label.CENTRO_SALUD, Label.INSTITUCION))
_BY_LABEL: dict[Label, Callable[[str, Span, Context], Outcome | None]] = {
    Label.NOMBRE_SUJETO_ASISTENCIA: _person,
    Label.NOMBRE_PERSONAL_SANITARIO: _person,
    Label.FAMILIARES_SUJETO_ASISTENCIA: _relative,
    Label.SEXO_SUJETO_ASISTENCIA: _sex,
    Label.EDAD_SUJETO_ASISTENCIA: _age,
    Label.PROFESION: _job,
    Label.OTROS_SUJETO_ASISTENCIA: another_value,
    Label.FECHAS: lambda _, span, context: context.moved_date(span),
    Label.TERRITORIO: lambda _, span, context: context.places.territory(span),
    Label.PAIS: _country,
    Label.CALLE: _street,
    Label.HOSPITAL: _centre,
    Label.CENTRO_SALUD: _centre,
    Label.INSTITUCION: _centre,
    Label.NUMERO_TELEFONO: _phone,
    Label.NUMERO_FAX: _phone,
    Label.CORREO_ELECTRONICO: _mail,
    Label.URL_WEB: lambda value, _, context: context.contacts.web(value),
    Label.DIREC_PROT_INTERNET: lambda value, _, context: context.contacts.network(value),
}

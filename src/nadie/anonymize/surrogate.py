"""Replaces a span by a surrogate: an invented value with the same label."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable

from nadie.anonymize.context import Context
from nadie.anonymize.dates.corrections import as_figures
from nadie.anonymize.decision import KEEP, REFUSE, Outcome
from nadie.anonymize.operator import Traits
from nadie.anonymize.persons.parsing import as_letters
from nadie.anonymize.persons.person import PATIENT
from nadie.anonymize.persons.sex import sex_of_patient
from nadie.anonymize.surrogates.centre_words import is_only_kind
from nadie.anonymize.surrogates.clinical_ages import is_clinical
from nadie.anonymize.surrogates.jobs import another
from nadie.anonymize.surrogates.marks import another_mark
from nadie.anonymize.surrogates.pets import another_pet
from nadie.anonymize.surrogates.spelling import in_case_of
from nadie.anonymize.surrogates.traits import another_trait
from nadie.document import Span
from nadie.labels import Label, Parent
from nadie.spanish import tables
from nadie.spanish.folding import key_of, words_of
from nadie.spanish.kinship import FEMALE, MALE, RELATIVES
from nadie.spanish.names import PARTICLES

_ACCOUNT = re.compile(r"@?[^\W\d_]{2,}[\w.-]{0,30}")
_LOGIN = re.compile(r"[a-z][a-z._-]{4,24}\d{0,3}")
_HANDLE = re.compile(
    r"(?P<network>(?:(?:instagram|facebook|twitter|tiktok|ig|fb|telegram|twitch|snapchat|skype|x)\s*:?\s*)?)"
    r"(?P<account>@[\w.-]{2,40})",
    re.IGNORECASE,
)
_OF_TOWN = re.compile(r"\s+(?:de|del|d['’])\s*")
_DIGIT = re.compile(r"\d")
_EVERYWHERE = frozenset(
    ("guardia civil", "cruz roja", "proteccion civil", "policia local", "policia nacional", "policia", "bomberos",
     "caja de seguro social", "seguro social", "seguro general", "medicatura forense", "medicina legal",
     "instituto de medicina legal", "cuerpo de paz", "cuerpos de paz", "defensoria del pueblo", "ministerio publico",
     "registro civil", "fiscalia", "comisaria de familia", "policia de carreteras",
     "policia municipal", "bomberos voluntarios", "head start", "ayuntamiento",
     "juzgado")
)  # fmt: skip
_SMALL = frozenset("de del la las los el y e en".split())
_MOST_FIRM_WORDS = 5
_NEAR = 50
_ARTICLE = re.compile(r"\b(el|la|un|una|del|al) $")
_SEX_WORDS = FEMALE | MALE | {"recien", "nacido", "nacida"}


class SurrogateOperator:
    """`Ana Pérez` → `Lucía Robles`: see the files of `surrogates/` for each kind.

    Sex and kinship are kept, because names keep their sex: so words still agree with names.
    """

    name = "surrogate"
    traits = Traits.NONE

    def replace(self, value: str, span: Span, context: Context) -> Outcome:
        label = Label(span.label)
        value = as_letters(value) if label in _IN_LETTERS else value
        invent = _BY_LABEL.get(label)
        if invent is None:
            invent = _identifier if label.parent is Parent.ID else _refuse
        outcome = invent(value, span, context)
        return REFUSE if outcome is None else outcome


def _refuse(value: str, span: Span, context: Context) -> Outcome:
    return REFUSE


def _person(value: str, span: Span, context: Context) -> Outcome | None:
    if value.islower() and all(word in PARTICLES for word in words_of(value)):
        return KEEP  # a model may label the `de` of a name as a separate span
    mentions = context.people.mentions(span)
    return context.inventor.rewrite(value, mentions[0]) if mentions else None


def _relative(value: str, span: Span, context: Context) -> Outcome:
    return context.relatives.rewrite(value, context.people.mentions(span))


def _sex(value: str, span: Span, context: Context) -> Outcome:
    return KEEP if all(word in _SEX_WORDS for word in key_of(value).split()) else REFUSE


def _age(value: str, span: Span, context: Context) -> Outcome:
    return KEEP if is_clinical(context.document, span) else context.ages.rewrite(as_figures(value))


def _centre(value: str, span: Span, context: Context) -> Outcome | None:
    if key_of(value) in _EVERYWHERE or (is_only_kind(words_of(value)) and _is_before_town(span, context)):
        return KEEP  # `Hospital General de` Lugo: the town identifies it, and the town is replaced
    return context.centres.rewrite(value, span.label, context.places.address(span))


def _is_before_town(span: Span, context: Context) -> bool:
    spans = context.document.spans
    place = bisect_right(spans, span)
    if place == len(spans) or spans[place].label != Label.TERRITORIO:
        return False
    return _OF_TOWN.fullmatch(context.document.text, span.end, spans[place].start) is not None


def _country(value: str, span: Span, context: Context) -> Outcome | None:
    own = tables.country_codes().get(key_of(value))
    near = {"ES", *tables.towns_abroad()} - {own}
    pool = tuple(country.name for country in tables.countries() if country.code in near)
    chosen = context.key.choose(
        pool, lambda c: not context.originals.within(c), "country", context.scope, key_of(value)
    )
    return None if chosen is None else in_case_of(chosen, value)


def _identifier(value: str, span: Span, context: Context) -> Outcome | None:
    persons = list(context.people.nearest(span))
    has_digit = _DIGIT.search(value) is not None
    is_trait = not has_digit and span.label == Label.ID_SUJETO_ASISTENCIA
    if not has_digit and (trait := another_trait(value, context.key, context.scope, is_surely=is_trait)):
        return trait
    is_account = span.label == Label.ID_EMPLEO_PERSONAL_SANITARIO and (not has_digit or _LOGIN.fullmatch(value))
    if _ACCOUNT.fullmatch(value) and (is_account or context.mails.is_of(value, persons)):
        return context.mails.account(value, persons)
    return context.identifiers.rewrite(value, span.label)


def _phone(value: str, span: Span, context: Context) -> Outcome | None:
    if context.document.text[max(0, span.start - 1) : span.start] != "+":
        return context.phones.rewrite(value)
    new = context.phones.rewrite(f"+{value}")  # the plus sign is not in the span
    return new and new.removeprefix("+")


def _mail(value: str, span: Span, context: Context) -> Outcome | None:
    persons = list(context.people.nearest(span))
    return context.mails.mail(value, persons) if "@" in value.strip("@") else context.mails.account(value, persons)


def _other(value: str, span: Span, context: Context) -> Outcome | None:
    """Other values of a patient: numbers, accounts and companies have surrogates, free text has none."""
    digits = sum(map(str.isdigit, value))
    if not digits and (trait := another_trait(value, context.key, context.scope)):
        return trait
    if digits and 2 * digits >= sum(map(str.isalnum, value)):
        return context.identifiers.rewrite(value, span.label)
    if handle := _HANDLE.fullmatch(value):
        account = context.mails.account(handle["account"], list(context.people.nearest(span)))
        return account and handle["network"] + account
    words = re.findall(r"[^\W\d_]+", value)
    before, after = context.document.text[max(0, span.start - 40) : span.start], context.document.text[span.end :][:30]
    is_one = len(words) == 1
    if is_one and (pet := another_pet(value, before + value + after, context.key, context.scope)) is not None:
        return pet
    if (mark := another_mark(value, before, context.key, context.scope)) is not None:
        return mark
    is_firm = not digits and all(word[0].isupper() or word in _SMALL for word in words)
    return context.centres.firm(value) if is_firm and len(words) <= _MOST_FIRM_WORDS else None


def _job(value: str, span: Span, context: Context) -> Outcome | None:
    before = context.document.text[max(0, span.start - _NEAR) : span.start]
    return another(value, context.key, context.scope, _sex_of_worker(before, context))


def _sex_of_worker(before: str, context: Context) -> str:
    """The sex by the article before a profession, by the relative just before it, or else that of the patient."""
    if article := _ARTICLE.search(before.lower()):
        return "f" if article[1] in ("la", "una") else "m"
    kin = [word for word in words_of(before.rpartition(". ")[2]) if word in RELATIVES or word in ("mama", "papa")]
    if kin:
        return "f" if kin[-1] == "madre" or (kin[-1].endswith("a") and kin[-1] != "papa") else "m"
    named = (person.sex for person in context.people.persons if person.role == PATIENT and person.sex)
    return next(named, "") or sex_of_patient(context.document)


_IN_LETTERS = frozenset(
    (Label.CALLE, Label.HOSPITAL, Label.CENTRO_SALUD, Label.INSTITUCION, Label.PROFESION, Label.PAIS,
     Label.OTROS_SUJETO_ASISTENCIA, Label.EDAD_SUJETO_ASISTENCIA, Label.FAMILIARES_SUJETO_ASISTENCIA,
     Label.SEXO_SUJETO_ASISTENCIA)
)  # fmt: skip
_BY_LABEL: dict[Label, Callable[[str, Span, Context], Outcome | None]] = {
    Label.NOMBRE_SUJETO_ASISTENCIA: _person,
    Label.NOMBRE_PERSONAL_SANITARIO: _person,
    Label.FAMILIARES_SUJETO_ASISTENCIA: _relative,
    Label.SEXO_SUJETO_ASISTENCIA: _sex,
    Label.EDAD_SUJETO_ASISTENCIA: _age,
    Label.PROFESION: _job,
    Label.OTROS_SUJETO_ASISTENCIA: _other,
    Label.FECHAS: lambda _, span, context: context.moved_date(span),
    Label.TERRITORIO: lambda _, span, context: context.places.territory(span),
    Label.PAIS: _country,
    Label.CALLE: lambda value, _, context: context.streets.rewrite(value),
    Label.HOSPITAL: _centre,
    Label.CENTRO_SALUD: _centre,
    Label.INSTITUCION: _centre,
    Label.NUMERO_TELEFONO: _phone,
    Label.NUMERO_FAX: _phone,
    Label.CORREO_ELECTRONICO: _mail,
    Label.URL_WEB: lambda value, _, context: context.contacts.web(value),
    Label.DIREC_PROT_INTERNET: lambda value, _, context: context.contacts.network(value),
}

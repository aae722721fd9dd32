"""Replaces a span by a surrogate: an invented value with the same label."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable
from functools import cache

from nadie.anonymize.context import Context
from nadie.anonymize.operators.base import Traits
from nadie.anonymize.other_values import another_value
from nadie.document import Span
from nadie.labels import Label, Parent
from nadie.persons.parsing import as_letters
from nadie.persons.person import PATIENT, STAFF
from nadie.persons.sex import sex_of_patient
from nadie.spanish import tables
from nadie.spanish.centre_words import is_only_kind
from nadie.spanish.dates.corrections import as_figures
from nadie.spanish.folding import key_of, same_length, words_of
from nadie.spanish.kinship import FEMALE, MALE, RELATIVES
from nadie.spanish.names import PARTICLES
from nadie.surrogates.bodies import is_everywhere
from nadie.surrogates.clinical_ages import is_clinical
from nadie.surrogates.decision import KEEP, REFUSE, Outcome
from nadie.surrogates.jobs import another
from nadie.surrogates.spelling import in_case_of
from nadie.surrogates.traits import another_trait

_ACCOUNT = re.compile(r"@?[^\W\d_]{2,}[\w.-]{0,30}")
_LOGIN = re.compile(r"[a-z][a-z._-]{4,24}\d{0,3}")
_OF_TOWN = re.compile(r"\s+(?:de|del|d['’])\s*")
_AT_WORK = re.compile(r",?\s+(?:en|de|del|para|con)(?:\s+(?:la|el|los|las|una?))?(?:\s+[a-zñáéíóú]+)?\s*")
_WORKPLACES = (Label.OTROS_SUJETO_ASISTENCIA, Label.INSTITUCION)
_DIGIT = re.compile(r"\d")
_SCANNED = re.compile(r"\bl(?=[A-Z]{2,}\b)|(?<=\b[A-Z])l(?=[A-Z]{2,}\b)|(?<=\b[A-Z]{2})l\b")  # `lMSS`
_NEAR = 50
_NEAR_COUNTRIES = frozenset("AR BO BR CL CO CR CU DO EC ES FR GT HN IT MA MX NI PA PE PR PT PY RO SV US UY VE".split())
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
    return KEEP if is_clinical(context.document, span) else context.ages.rewrite(_with_figures(value))


def _with_figures(value: str) -> str:
    """`3O a` as `30 a`; all else stays as it is written."""
    read = as_figures(same_length(value))
    return "".join(figure if figure.isdigit() else sign for figure, sign in zip(read, value, strict=True))


def _centre(value: str, span: Span, context: Context) -> Outcome | None:
    value = _SCANNED.sub("I", value)
    is_kept = span.label == Label.INSTITUCION and is_everywhere(value)
    if is_kept or (is_only_kind(words_of(value)) and _is_before_town(span, context)):
        return KEEP  # `Hospital General de` Lugo: the town identifies it, and the town is replaced
    whole = _whole_name(value, span, context)
    return context.centres.rewrite(whole, span.label, context.places.address(span), _before(span, context))


def _whole_name(value: str, span: Span, context: Context) -> str:
    """The full name of a hospital that is called by a part of it elsewhere: `Barrón` of `Guzmán Barrón`."""
    own = words_of(value)
    values = (context.document.text_of(s) for s in context.document.spans if s.label == span.label == Label.HOSPITAL)
    longer = (other for other in values if len(words_of(other)) > len(own) and words_of(other)[-len(own) :] == own)
    whole = max(longer, key=len, default=value) if own and not value.islower() else value
    return whole.title() if whole.isupper() and not value.isupper() else whole


def _is_before_town(span: Span, context: Context) -> bool:
    spans = context.document.spans
    place = bisect_right(spans, span)
    if place == len(spans) or spans[place].label != Label.TERRITORIO:
        return False
    return _OF_TOWN.fullmatch(context.document.text, span.end, spans[place].start) is not None


def _country(value: str, span: Span, context: Context) -> Outcome | None:
    own = tables.country_codes().get(key_of(value))
    near = _NEAR_COUNTRIES - {own}
    pool = tuple(country.name for country in tables.countries() if country.code in near)
    chosen = context.key.choose(
        pool, lambda c: not context.originals.within(c), "country", context.scope, key_of(value)
    )
    return None if chosen is None else in_case_of(chosen, value)


def _identifier(value: str, span: Span, context: Context) -> Outcome | None:
    persons = list(context.people.nearest(span))
    has_digit = _DIGIT.search(value) is not None
    is_trait = not has_digit and span.label == Label.ID_SUJETO_ASISTENCIA
    if is_trait and _is_of_named_country(value, context):
        return KEEP  # the country stays in the text
    if not has_digit and (
        trait := another_trait(value, context.key, context.scope, _before(span, context), is_surely=is_trait)
    ):
        return trait
    login = value.lower() if value.isupper() and sum(sign in "AEIOU" for sign in value) > 1 else value
    is_account = span.label == Label.ID_EMPLEO_PERSONAL_SANITARIO and (not has_digit or _LOGIN.fullmatch(login))
    if _ACCOUNT.fullmatch(value) and (is_account or context.mails.is_of(value, persons)):
        return context.mails.account(value, persons)
    return context.identifiers.rewrite(value, span.label)


@cache
def _countries_of() -> dict[str, frozenset[str]]:
    """Folded nationality → the codes of its countries."""
    found: dict[str, set[str]] = defaultdict(set)
    for country in tables.countries():
        for name in filter(None, (country.masculine, country.feminine)):
            found[key_of(name)].add(country.code)
    return {name: frozenset(codes) for name, codes in found.items()}


def _is_of_named_country(value: str, context: Context) -> bool:
    """Whether a nationality is that of a country that the document names."""
    codes = _countries_of().get(key_of(value), frozenset())
    named = (context.document.text_of(s) for s in context.document.spans if s.label == Label.PAIS)
    return bool(codes) and any(tables.country_codes().get(key_of(name)) in codes for name in named)


def _phone(value: str, span: Span, context: Context) -> Outcome | None:
    if context.document.text[max(0, span.start - 1) : span.start] != "+":
        return context.phones.rewrite(value)
    new = context.phones.rewrite(f"+{value}")  # the plus sign is not in the span
    return new and new.removeprefix("+")


def _mail(value: str, span: Span, context: Context) -> Outcome | None:
    persons = list(context.people.nearest(span))
    return context.mails.mail(value, persons) if "@" in value.strip("@") else context.mails.account(value, persons)


def _job(value: str, span: Span, context: Context) -> Outcome | None:
    before = _before(span, context)
    sex = _sex_of_worker(before, span, context)
    return another(value, context.key, context.scope, sex, has_employer=_has_employer(span, context))


def _has_employer(span: Span, context: Context) -> bool:
    """Whether the span after a profession is the workplace: `soldador en Talleres Gil`."""
    spans = context.document.spans
    place = bisect_right(spans, span)
    if place == len(spans) or spans[place].label not in _WORKPLACES:
        return False
    return _AT_WORK.fullmatch(context.document.text, span.end, spans[place].start) is not None


def _before(span: Span, context: Context) -> str:
    return context.document.text[max(0, span.start - _NEAR) : span.start]


def _sex_of_worker(before: str, span: Span, context: Context) -> str:
    """The sex by the article before a profession, by the person or relative just before it, or else of the patient."""
    if article := _ARTICLE.search(before.lower()):
        return "f" if article[1] in ("la", "una") else "m"
    sentence = before.rpartition(". ")[2]
    beside = (s for s in context.document.spans if span.start - len(sentence) <= s.start and s.end <= span.start)
    persons = [m.person for s in beside for m in context.people.mentions(s) if m.person.role != STAFF]
    if persons and persons[-1].sex:
        return persons[-1].sex
    kin = [word for word in words_of(sentence) if word in RELATIVES or word in ("mama", "papa")]
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
    Label.OTROS_SUJETO_ASISTENCIA: another_value,
    Label.FECHAS: lambda _, span, context: context.moved_date(span),
    Label.TERRITORIO: lambda _, span, context: context.places.territory(span),
    Label.PAIS: _country,
    Label.CALLE: lambda value, span, context: context.streets.rewrite(value, _before(span, context)),
    Label.HOSPITAL: _centre,
    Label.CENTRO_SALUD: _centre,
    Label.INSTITUCION: _centre,
    Label.NUMERO_TELEFONO: _phone,
    Label.NUMERO_FAX: _phone,
    Label.CORREO_ELECTRONICO: _mail,
    Label.URL_WEB: lambda value, _, context: context.contacts.web(value),
    Label.DIREC_PROT_INTERNET: lambda value, _, context: context.contacts.network(value),
}

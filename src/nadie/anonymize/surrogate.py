"""Replaces a span by a surrogate: an invented value with the same label."""

from __future__ import annotations

from collections.abc import Callable

from nadie.anonymize.context import Context
from nadie.anonymize.decision import KEEP, REFUSE, Outcome
from nadie.anonymize.operator import Traits
from nadie.anonymize.surrogates.clinical_ages import is_clinical
from nadie.anonymize.surrogates.jobs import another
from nadie.anonymize.surrogates.people import sex_of_patient
from nadie.anonymize.surrogates.spelling import in_case_of
from nadie.document import Span
from nadie.labels import Label, Parent
from nadie.spanish import tables
from nadie.spanish.folding import key_of
from nadie.spanish.kinship import FEMALE, MALE

_SEX_WORDS = FEMALE | MALE | {"recien", "nacido", "nacida"}


class SurrogateOperator:
    """`Ana Pérez` → `Lucía Robles`: see the files of `surrogates/` for each kind.

    Sex and kinship stay, because names keep their sex: so words agree with names, and the grammar stays right.
    """

    name = "surrogate"
    traits = Traits.NONE

    def replace(self, value: str, span: Span, context: Context) -> Outcome:
        label = Label(span.label)
        invent = _BY_LABEL.get(label)
        if invent is None:
            invent = _identifier if label.parent is Parent.ID else _refuse
        outcome = invent(value, span, context)
        return REFUSE if outcome is None else outcome


def _refuse(value: str, span: Span, context: Context) -> Outcome:
    return REFUSE


def _person(value: str, span: Span, context: Context) -> Outcome | None:
    name, person = context.people.named[span]
    return context.inventor.rewrite(value, name, person)


def _sex(value: str, span: Span, context: Context) -> Outcome:
    return KEEP if all(word in _SEX_WORDS for word in key_of(value).split()) else REFUSE


def _age(value: str, span: Span, context: Context) -> Outcome:
    return KEEP if is_clinical(context.document, span) else context.ages.rewrite(value)


def _centre(value: str, span: Span, context: Context) -> Outcome | None:
    return context.centres.rewrite(value, span.label, context.places.address(span))


def _country(value: str, span: Span, context: Context) -> Outcome | None:
    own = tables.country_codes().get(key_of(value))
    near = {"ES", *tables.towns_abroad()} - {own}
    pool = tuple(country.name for country in tables.countries() if country.code in near)
    chosen = context.key.choose(
        pool, lambda c: not context.originals.within(c), "country", context.scope, key_of(value)
    )
    return None if chosen is None else in_case_of(chosen, value)


def _identifier(value: str, span: Span, context: Context) -> Outcome | None:
    return context.identifiers.rewrite(value, span.label)


def _mail(value: str, span: Span, context: Context) -> Outcome | None:
    return context.contacts.mail(value, list(context.people.nearest(span)))


def _job(value: str, span: Span, context: Context) -> Outcome | None:
    return another(value, context.key, context.scope, sex_of_patient(context.document))


_BY_LABEL: dict[Label, Callable[[str, Span, Context], Outcome | None]] = {
    Label.NOMBRE_SUJETO_ASISTENCIA: _person,
    Label.NOMBRE_PERSONAL_SANITARIO: _person,
    Label.FAMILIARES_SUJETO_ASISTENCIA: lambda value, _, context: context.relatives.rewrite(value),
    Label.SEXO_SUJETO_ASISTENCIA: _sex,
    Label.EDAD_SUJETO_ASISTENCIA: _age,
    Label.PROFESION: _job,
    Label.FECHAS: lambda _, span, context: context.moved_date(span),
    Label.TERRITORIO: lambda _, span, context: context.places.territory(span),
    Label.PAIS: _country,
    Label.CALLE: lambda value, _, context: context.streets.rewrite(value),
    Label.HOSPITAL: _centre,
    Label.CENTRO_SALUD: _centre,
    Label.INSTITUCION: _centre,
    Label.NUMERO_TELEFONO: lambda value, _, context: context.contacts.phone(value),
    Label.NUMERO_FAX: lambda value, _, context: context.contacts.phone(value),
    Label.CORREO_ELECTRONICO: _mail,
    Label.URL_WEB: lambda value, _, context: context.contacts.web(value),
    Label.DIREC_PROT_INTERNET: lambda value, _, context: context.contacts.network(value),
}

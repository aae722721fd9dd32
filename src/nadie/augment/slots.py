"""The slots of the templates: each writes one fact of the case, as a span if it identifies a person."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from operator import attrgetter

from nadie.augment import contacts, dates, identifiers, people_slots, place_slots
from nadie.augment.case import Case
from nadie.augment.dates import bare_age
from nadie.augment.form import form_block
from nadie.augment.invention import invented_word
from nadie.augment.passage import AnnotatedText, marked
from nadie.augment.people import FOREIGN, InventedPerson, initials, nickname, write_full
from nadie.augment.people_slots import Filler
from nadie.augment.places import new_address, new_street, write_address, write_postcode
from nadie.augment.vocabulary import countries, pick_name
from nadie.labels import Label


class CaseSlots:
    """A case with its vocabulary and random generator, as the grammar needs them."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.feminine = case.feminine
        self.tags = case.tags

    def choose(self, count: int) -> int:
        return int(self.case.rng.random() * count)

    def slot(self, name: str, argument: str) -> AnnotatedText | None:
        filler = SLOTS.get(name)
        return None if filler is None else filler(self.case, argument)


def _labelled(label: Label, make: Callable[[Case], str]) -> Filler:
    return lambda case, argument: marked(make(case), label)


def _identifier(label: Label, kind: str) -> Filler:
    return lambda case, argument: marked(identifiers.number(kind, case.rng), label)


def _date(form: dates.DateForm, day: Callable[[Case], date]) -> Filler:
    return lambda case, argument: marked(form(day(case), case.rng), Label.FECHAS)


def national_number(case: Case) -> str:
    """The identity number of the patient's country."""
    if case.country == "ES":
        return (identifiers.nie if case.patient.origin in FOREIGN else identifiers.dni)(case.rng)
    if case.country == "MX":
        return identifiers.curp(case.rng, case.patient.full, case.born, case.patient.sex)
    return identifiers.american_id(case.rng, case.country)


def _count(case: Case, argument: str) -> AnnotatedText:
    """A plain number between bounds: `{n:60-180}`, or with a decimal: `{n:3,5-12,0}`. It is not a span."""
    low, _, high = argument.partition("-")
    if "," not in low:
        return AnnotatedText(str(case.rng.randint(int(low), int(high))))
    value = case.rng.uniform(float(low.replace(",", ".")), float(high.replace(",", ".")))
    text = f"{value:.{len(low.partition(',')[2])}f}"
    return AnnotatedText(text.replace(".", ",") if case.rng.random() < 0.7 else text)


def _filler(case: Case, argument: str) -> AnnotatedText:
    """Sentences of the source note without spans."""
    if not case.fillers:
        return AnnotatedText("")
    count = min(len(case.fillers), int(argument or 1))
    start = case.rng.randrange(len(case.fillers) - count + 1)
    return AnnotatedText(" ".join(case.fillers[start : start + count]))


def _dialled(label: Label) -> Filler:
    """A telephone number; a plus or bracket before its digits is not part of the span (guidelines, G3)."""

    def fill(case: Case, argument: str) -> AnnotatedText:
        number = contacts.phone(case.rng, case.country)
        bare = number.lstrip("+(")
        return AnnotatedText(number[: len(number) - len(bare)]).then(marked(bare, label))

    return fill


def _mail(person: Callable[[Case], InventedPerson]) -> Filler:
    return lambda case, argument: marked(contacts.mail(case.rng, person(case)), Label.CORREO_ELECTRONICO)


SLOTS: dict[str, Filler] = {
    "paciente": _labelled(Label.NOMBRE_SUJETO_ASISTENCIA, people_slots.patient_name),
    "ficha": lambda case, argument: write_full(case.patient, Label.NOMBRE_SUJETO_ASISTENCIA, case.rng),
    "nombre": _labelled(Label.NOMBRE_SUJETO_ASISTENCIA, lambda case: case.patient.given),
    "apellido": _labelled(Label.NOMBRE_SUJETO_ASISTENCIA, lambda case: case.patient.surnames[0]),
    "apellidos": _labelled(Label.NOMBRE_SUJETO_ASISTENCIA, lambda case: case.patient.surname),
    "iniciales": _labelled(Label.NOMBRE_SUJETO_ASISTENCIA, lambda case: initials(case.patient, case.rng)),
    "apodo": _labelled(Label.NOMBRE_SUJETO_ASISTENCIA, lambda case: nickname(case.patient)),
    "edad": people_slots.age,
    "edad_n": _labelled(Label.EDAD_SUJETO_ASISTENCIA, lambda case: bare_age(case.days_old, case.rng)),
    "edad_pasada": people_slots.past_age,
    "sexo": people_slots.sex,
    "ella": people_slots.relative("f", whole=False),
    "el": people_slots.relative("m", whole=False),
    "ella_c": people_slots.relative("f", whole=True),
    "el_c": people_slots.relative("m", whole=True),
    "dr": people_slots.titled("", ""),
    "el_dr": people_slots.titled("el ", "la "),
    "al_dr": people_slots.titled("al ", "a la "),
    "del_dr": people_slots.titled("del ", "de la "),
    "medico": people_slots.physician,
    "enf": lambda case, argument: marked(
        people_slots.staff_name(people_slots.somebody(case, "nuevo"), case.rng), Label.NOMBRE_PERSONAL_SANITARIO
    ),
    "siglas": lambda case, argument: AnnotatedText(initials(people_slots.somebody(case, "nuevo"), case.rng)),
    "fecha": _date(dates.full_date, attrgetter("today")),
    "fecha_num": _date(dates.numeric, attrgetter("today")),
    "fecha_otra": _date(dates.full_date, Case.past_day),
    "fecha_vaga": _date(dates.vague_date, Case.past_day),
    "fecha_dm": _date(dates.day_and_month, Case.past_day),
    "fecha_sem": _date(dates.with_weekday, Case.past_day),
    "fecha_futura": _date(dates.full_date, Case.next_day),
    "fecha_dm_futura": _date(dates.day_and_month, Case.next_day),
    "fecha_sem_futura": _date(dates.with_weekday, Case.next_day),
    "dia_sem": _date(dates.weekday_only, Case.past_day),
    "mes": _date(dates.month_only, Case.past_day),
    "mes_anio": _date(dates.month_and_year, Case.past_day),
    "anio": _date(lambda day, rng: f"{day.year}", Case.past_day),
    "estacion": _date(dates.season, Case.past_day),
    "fiesta": _date(dates.feast, Case.past_day),
    "fnac": _date(dates.full_date, attrgetter("born")),
    "calle": _labelled(Label.CALLE, lambda case: case.address.street),
    "otra_calle": _labelled(Label.CALLE, lambda case: new_street(case.words, case.rng, case.country)),
    "direccion": lambda case, argument: write_address(case.address, case.rng),
    "direccion_hospital": lambda case, argument: write_address(
        new_address(case.words, case.rng, case.country), case.rng
    ),
    "pueblo": place_slots.town,
    "provincia": _labelled(Label.TERRITORIO, lambda case: case.address.region or case.address.town),
    "comunidad": _labelled(Label.TERRITORIO, lambda case: case.address.state or case.address.town),
    "barrio": _labelled(Label.TERRITORIO, lambda case: case.address.quarter),
    "cp": lambda case, argument: write_postcode(case.address, case.rng),
    "pais": _labelled(Label.PAIS, lambda case: countries()[case.country].name),
    "extranjero": place_slots.abroad,
    "hospital": place_slots.hospital,
    "cs": place_slots.health_centre,
    "institucion": place_slots.institution,
    "empresa": place_slots.employer,
    "profesion": _labelled(Label.PROFESION, people_slots.profession),
    "profesion_llana": lambda case, argument: AnnotatedText(people_slots.profession(case)),
    "tel": _dialled(Label.NUMERO_TELEFONO),
    "fax": _dialled(Label.NUMERO_FAX),
    "mail": _mail(attrgetter("patient")),
    "mail_medico": _mail(Case.physician),
    "web": place_slots.web,
    "id_nac": _labelled(Label.ID_SUJETO_ASISTENCIA, national_number),
    "nhc": _identifier(Label.ID_SUJETO_ASISTENCIA, "history"),
    "pasaporte": _identifier(Label.ID_SUJETO_ASISTENCIA, "passport"),
    "tsi": _identifier(Label.ID_SUJETO_ASISTENCIA, "health_card"),
    "nass": _identifier(Label.ID_ASEGURAMIENTO, "social_security"),
    "imss": _identifier(Label.ID_ASEGURAMIENTO, "american_social"),
    "poliza": _identifier(Label.ID_ASEGURAMIENTO, "policy"),
    "afiliado": _identifier(Label.NUMERO_BENEF_PLAN_SALUD, "policy"),
    "episodio": _identifier(Label.ID_CONTACTO_ASISTENCIAL, "episode"),
    "colegiado": _identifier(Label.ID_TITULACION_PERSONAL_SANITARIO, "licence_spain"),
    "licencia": _identifier(Label.ID_TITULACION_PERSONAL_SANITARIO, "licence_america"),
    "empleado": _identifier(Label.ID_EMPLEO_PERSONAL_SANITARIO, "employee"),
    "matricula": lambda case, argument: marked(
        identifiers.number("plate_spain" if case.country == "ES" else "plate_america", case.rng),
        Label.IDENTIF_VEHICULOS_NRSERIE_PLACAS,
    ),
    "bastidor": _identifier(Label.IDENTIF_VEHICULOS_NRSERIE_PLACAS, "chassis"),
    "serie": _identifier(Label.IDENTIF_DISPOSITIVOS_NRSERIE, "serial"),
    "mac": _labelled(Label.IDENTIF_DISPOSITIVOS_NRSERIE, lambda case: identifiers.mac_address(case.rng)),
    "ip": _labelled(Label.IDENTIF_DISPOSITIVOS_NRSERIE, lambda case: identifiers.ip_address(case.rng)),
    "huella": _identifier(Label.IDENTIF_BIOMETRICOS, "fingerprint"),
    "iban": _identifier(Label.OTROS_SUJETO_ASISTENCIA, "iban"),
    "numero": _identifier(Label.OTRO_NUMERO_IDENTIF, "other"),
    "n": _count,
    "apellido_ajeno": lambda case, argument: AnnotatedText(pick_name(case.words.surnames["es"], case.rng)),
    "inventado": lambda case, argument: AnnotatedText(invented_word(argument, case.split, case.rng)),
    "relleno": _filler,
    "formulario": lambda case, argument: form_block(case, argument, lambda name, more: SLOTS[name](case, more)),
}

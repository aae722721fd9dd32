"""The words that say what kind of place a hospital or an institution is, and not which one."""

from __future__ import annotations

from nadie.spanish.names import JOINING

KINDS = frozenset(
    "hospital hopital clinica clinico clinic universitario universitaria universitari general complejo complexo "
    "hospitalario hospitalaria asistencial ciencias regional provincial comarcal central materno infantil maternal "
    "fundacion fundacio centro centre medico medica salud instituto institut nacional sanatorio policlinica "
    "policlinico consorcio consorci residencia geriatrico militar civil docente especialidades especialidad "
    "quirurgico ambulatorio consultorio urgencias atencion primaria cap caps ceip ies colegio escuela universidad "
    "universitat facultad medicina odontologia enfermeria farmacia psicologia biologia quimica derecho servicio "
    "departamento unidad seccion catedra area laboratorio laboratorios juzgado juzgados edificio "
    "palacio justicia penitenciario investigaciones investigacion biomedica biomedicas oncologicas oncologia "
    "oftalmologia oftalmologico oftalmologica microbiologia toxicologia transfusion sanguinea sangre banco "
    "asociacion sociedad academia ministerio consejeria gerencia direccion ciudad deportiva deportivo deporte "
    "legal forense forenses ancianos dia mayores tercera edad rehabilitacion psicosocial mutua agencia espanola "
    "espanol internacional cs pac eap abs ubs suap umf ips caps cesfam posta subcentro puesto policia local guardia "
    "fiscalia ayuntamiento ikastola liceo parroquia club caja seguro social cooperativa sindicato farmacia botica "
    "jardin preescolar kinder instituto tanatorio funeraria comisaria audiencia consulado "
    "maternidad dispensario poli cdt hmi minsa capsi prim secundaria preparatoria bomberos alcaldia "
    "utu ie ei cra escoleta salita notaria proteccion head start familia estancia finca carreteras "
    "usf ucsf uaps esc "
    "serenazgo municipal sanidad hogar casa materna fcia farm policl empacadora penal juvenil instruccion "
    "instancia laboral mixto tribunal imagenes optica ortopedia dental podologia fisioterapia radiologia "
    "diagnostico comedor merendero albergue cecosf cesco modulo clinica puesto ebais "
    "escuelita escuelas escola escoles ue ce iei cdi cp ipem pronoei cens cecyt cbtis telesecundaria normal basica "
    "bilingue rural superior distrital experimental inicial tecnica circulo escolar univ universitarios mutua "
    "tecnologico politecnico educativa cultura jardines guarderia sala cuna".split()
)
LINKS = JOINING | {"el", "y", "en"}


def is_only_kind(words: list[str]) -> bool:
    """`hospital general`: a kind of place that every town has, and no place."""
    return all(word in KINDS or word in LINKS for word in words)

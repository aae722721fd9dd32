"""Public bodies: names shared by every town or a whole country are kept; in others the place or number changes."""

from __future__ import annotations

import re

from nadie.spanish import tables
from nadie.spanish.centre_words import KINDS, LINKS
from nadie.spanish.folding import key_of, words_of

# Every town has one, or the whole country: they do not identify anybody.
_EVERYWHERE = frozenset(
    key_of(name)
    for name in (
        "Guardia Civil|Garda Civil|Cruz Roja|Protección Civil|Policía Local|Policía Nacional|Policía|Bomberos|"
        "Caja de Seguro Social|Seguro Social|Seguro General|Medicatura Forense|Medicina Legal|"
        "Instituto de Medicina Legal|Cuerpo de Paz|Cuerpos de Paz|Defensoría del Pueblo|Ministerio Público|"
        "Registro Civil|Fiscalía|Comisaría de Familia|Policía de Carreteras|Policía Municipal|Bomberos Voluntarios|"
        "Head Start|Ayuntamiento|Juzgado|Seguridad Social|INSS|TGSS|SEPE|IMSERSO|UNED|SEPRONA|UME|DGT|ONCE|112|061|"
        "Sanidad Exterior|Policía Portuaria|Agentes Forestales|Agentes Rurales|Salvamento Marítimo|Cáritas|ITV|"
        "Instituto Nacional de la Seguridad Social|Policía Autonómica|Guardia Urbana|Policía Foral de tráfico|"
        "IMSS|IMSS Bienestar|ISSSTE|INSABI|Bienestar|DIF|SEDENA|Guardia Nacional|Ejército|Marina|INAPAM|SSA|"
        "EsSalud|SIS|MINSA|RENIEC|SUTRAN|DEMUNA|PNP|MIMP|INPE|FONASA|Carabineros|Carabineros de Chile|Gendarmería|"
        "Gendarmería de Chile|PDI|JUNAEB|JUNJI|SENAME|PAMI|RENAPER|ANSES|ANMAT|Prefectura|ASSE|BPS|FNR|INAU|MSP|IESS|"
        "Seguro Campesino|ECU 911|IGSS|MSPAS|RENAP|PNC|PNR|FMC|MINSAP|CDR|ELAM|IHSS|COPECO|DNVT|ISSS|MINSAL|PDDH|CCSS|"
        "INS|INAMU|OIJ|PANI|CSS|SENAFRONT|SINAPROC|MIDES|MINSA|SENASA|CONAPE|IDOPPRIL|IPS|INE|IVSS|CICPC|SAIME|GNB|"
        "CLAP|ICBF|INPEC|SENA|Sisbén|Medicaid|Medicare|WIC|CHIP|CPS|APS|SNAP|ICE|FEMA|VA|Border Patrol|AHCCCS|SSI|"
        "Head Start|911|Emergency Medicaid|Procuraduría|Procuraduría para la Defensa de los Derechos Humanos|"
        "Mutual|Aldeas Infantiles|"
        "Médicos Sin Fronteras|ACNUR|OIM|UNICEF|OPS|Alcohólicos Anónimos|Dept. de la Familia|ASSMCA|ASEM|Vital|"
        "Plan Vital|Caja Petrolera|Caja Nacional|Caja Nacional de Salud|Instituto Guatemalteco de Seguridad Social|"
        "Instituto Mexicano del Seguro Social|Instituto Salvadoreño del Seguro Social|Capitanía de Puerto|Junta "
        "Electoral|Comité de Ética|Universidad|Escuela|Colegio|Instituto"
    ).split("|")
)
# First words of names of public bodies, as opposed to firms.
_HEADS = frozenset(
    "juzgado juzgados tribunal fiscalia policia bomberos guardia consejeria conselleria ministerio secretaria comite "
    "comision delegacion junta capitania procuraduria defensoria comisaria agentes direccion registro aduana "
    "ayuntamiento alcaldia municipalidad gobernacion diputacion inspeccion audiencia cuerpo consejo dept depto dpto "
    "servicio servicios area personeria jefatura corregiduria serenazgo prefectura intendencia seguro comandancia "
    "contraloria subsidio brigada patrulla oficina unidad centro instituto defensa proteccion obra estacion "
    "sanidad concello concejalia "
    "subdireccion sistema coordinacion red programa plan".split()
)
_WORDS = frozenset(
    "etica gobierno electoral puerto peritaje campesino epidemiologia rurales forestales portuaria estatal preventiva "
    "promocion ninez adolescencia menores menor mujer mujeres violencia contencioso administrativo social sociales "
    "base bomberos voluntarios municipales municipal unidos cantonal paz letras garantias ejecucion ejecuciones "
    "primera segunda tercera cuarta quinta segundo tercero primero cuarto quinto civil penal mercantil sala sobre "
    "calificadora invalidez invalideces derechos humanos infancia juventud familia familias trabajo empleo educacion "
    "transito trafico vial carreteras caminos migraciones migracion extranjeria frontera fronteras aduanas sanidad "
    "salud publica rectora exterior prevencion ambiente medio ambiental vivienda bienestar discapacidad dependencia "
    "conciliacion mediacion control garantia nacional local judicial forense peritos arbitraje "
    "proteccion atencion victimas victima nino nina ninos adolescente adulto mayor mayores igualdad ganaderia pesca "
    "sanitaria sanitario mixta mixto domestica letrado turno naval agricultura comercio consumo hacienda "
    "tesoreria cultura deporte "
    "deportes compania".split()
)
_ALONE = frozenset(
    "consejeria conselleria fiscalia ayuntamiento municipalidad alcaldia procuraduria comisaria caja intendencia "
    "personeria diresa geresa sedes diris seremi contraloria junta prefectura comandancia "
    "armada ejercito proteccion".split()
)
_SMALL = frozenset(("lo", "al", "para", "a", "d", "del", "con", "comunidad"))
_NUMBERED = re.compile(r"(\D+)(\d{1,4})")
_LONGEST_NUMBER_WORD = 3  # `n.º`, `nro`
_HEALTH = (
    "Servicio Andaluz de Salud", "Servicio Aragonés de Salud", "Servicio Cántabro de Salud", "Servicio Riojano "
    "de Salud",
    "Servicio Extremeño de Salud", "Servicio Gallego de Salud", "Servicio Madrileño de Salud",
    "Servicio Murciano de Salud",
)  # fmt: skip
_HEALTH_SERVICE = re.compile(r"(?i)serv(?:icio|ei|izo)\s+(?!nacional|de )\w+ d(?:e la|e) (?:salud|salut|saude)")
_AMBULANCES = {key_of(name): name for name in ("SAMUR", "SUMMA 112", "EPES", "SAMU", "SEM")}
_POLICE = ("Ertzaintza", "Policía Foral", "Policía Canaria")


def is_everywhere(value: str) -> bool:
    """Whether a body is too common to identify anybody: `Policía Local`, `IMSS`, `Tribunal de Familia`."""
    folded, words = key_of(value), words_of(value)
    if bodies_like(value):
        return False
    if folded in _EVERYWHERE or folded in _ALONE:
        return True
    for end in (1, 2):
        if " ".join(words[-end:]) in tables.country_codes():
            words = words[:-end]  # `Policía Nacional del Perú`
    return len(words) > 1 and words[0] in _HEADS and all(is_body_word(word) for word in words[1:])


def is_body_word(word: str) -> bool:
    """Whether a word gives the kind of a body, not its name."""
    return word in KINDS or word in LINKS or word in _WORDS or word in _HEADS or word in _SMALL


def number_in(value: str) -> re.Match[str] | None:
    """The match of a body that is named by its number alone: `Juzgado de lo Contencioso n.º 14`."""
    numbered = _NUMBERED.fullmatch(value)
    words = words_of(numbered[1]) if numbered else []
    is_named = any(not is_body_word(word) and len(word) > _LONGEST_NUMBER_WORD for word in words)
    return None if is_named or not is_body(words) else numbered


def is_body(words: list[str]) -> bool:
    """Whether a name begins like that of a public body; a place may follow."""
    return bool(words) and words[0] in _HEADS


def bodies_like(value: str) -> tuple[str, ...]:
    """Bodies of the same kind in other regions: health services, police, ambulances."""
    if _HEALTH_SERVICE.fullmatch(value):
        return tuple(name for name in _HEALTH if key_of(name) != key_of(value))
    if any(key_of(name) == key_of(value) for name in _POLICE):
        return tuple(name for name in _POLICE if key_of(name) != key_of(value))
    if key_of(value) in _AMBULANCES:
        return tuple(name for folded, name in _AMBULANCES.items() if folded != key_of(value))
    if key_of(value) in ("mossos", "mossos d'esquadra", "mossos d esquadra"):
        return ("Policía Autonómica",)
    return ()

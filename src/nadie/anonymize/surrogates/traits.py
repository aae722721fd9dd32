"""Words that stand where a number is expected, as marital status, nationality or language: another one of the kind."""

from __future__ import annotations

import re
from functools import cache

from nadie.anonymize.secret import Key
from nadie.anonymize.surrogates.spelling import in_case_of
from nadie.spanish import tables
from nadie.spanish.folding import key_of

_STATUS = (("casado", "casada"), ("soltero", "soltera"), ("viudo", "viuda"), ("divorciado", "divorciada"),
           ("separado", "separada"))  # fmt: skip
_BELIEFS = (("católico", "católica"), ("evangélico", "evangélica"), ("musulmán", "musulmana"), ("budista", "budista"),
            ("adventista", "adventista"), ("ortodoxo", "ortodoxa"), ("judío", "judía"), ("mormón", "mormona"),
            ("pentecostal", "pentecostal"), ("testigo de Jehová", "testigo de Jehová"), ("ateo", "atea"),
            ("moravo", "morava"), ("menonita", "menonita"), ("santero", "santera"), ("espiritista", "espiritista"),
            ("bautista", "bautista"), ("luterano", "luterana"), ("anglicano", "anglicana"), ("hindú", "hindú"),
            ("agnóstico", "agnóstica"), ("cristiano", "cristiana"), ("protestante", "protestante"),
            ("yoruba", "yoruba"), ("valdense", "valdense"),
            ("cuáquero", "cuáquera"), ("abakuá", "abakuá"), ("metodista", "metodista"))  # fmt: skip
_ORIGINS = (("gitano", "gitana"), ("magrebí", "magrebí"), ("subsahariano", "subsahariana"), ("latino", "latina"),
            ("asiático", "asiática"), ("caucásico", "caucásica"), ("árabe", "árabe"))  # fmt: skip
_ALIASES = {"unido": "casado", "unida": "casada", "acompañado": "casado", "acompañada": "casada"}
_PEOPLES = (("mestizo", "mestiza"), ("mapuche", "mapuche"), ("quechua", "quechua"),
            ("aimara", "aimara"), ("aymara", "aymara"), ("guaraní", "guaraní"), ("maya", "maya"), ("wayuu", "wayuu"),
            ("garífuna", "garífuna"), ("zapoteco", "zapoteca"), ("afrodescendiente", "afrodescendiente"),
            ("ngäbe", "ngäbe"), ("guna", "guna"), ("emberá", "emberá"), ("miskito", "miskita"), ("mulato", "mulata"),
            ("criollo", "criolla"), ("afrocolombiano", "afrocolombiana"), ("afroecuatoriano", "afroecuatoriana"),
            ("afroperuano", "afroperuana"), ("afromexicano", "afromexicana"), ("montubio", "montubia"),
            ("kichwa", "kichwa"), ("shuar", "shuar"), ("mixteco", "mixteca"), ("náhuatl", "náhuatl"),
            ("tzotzil", "tzotzil"), ("tzeltal", "tzeltal"), ("purépecha", "purépecha"), ("otomí", "otomí"),
            ("q'eqchi'", "q'eqchi'"), ("q'eqchi", "q'eqchi"), ("k'iche'", "k'iche'"), ("kaqchikel", "kaqchikel"),
            ("mam", "mam"), ("lenca", "lenca"), ("qom", "qom"), ("wichí", "wichí"), ("nasa", "nasa"),
            ("asháninka", "asháninka"), ("shipibo", "shipiba"), ("afrocubano", "afrocubana"), ("mayangna", "mayangna"),
            ("bribri", "bribri"), ("cabécar", "cabécar"), ("arhuaco", "arhuaca"), ("misak", "misak"),
            ("indígena", "indígena"), ("mapuche", "mapuche"), ("rapanui", "rapanui"),
            ("yoreme", "yoreme"), ("yaqui", "yaqui"), ("rarámuri", "rarámuri"), ("mbyá guaraní", "mbyá guaraní"),
            ("mbyá", "mbyá"), ("ava guaraní", "ava guaraní"), ("tsáchila", "tsáchila"),
            ("achuar", "achuar"))  # fmt: skip
_NATIONS = (("sueco", "sueca"), ("noruego", "noruega"), ("danés", "danesa"), ("finlandés", "finlandesa"),
            ("griego", "griega"), ("turco", "turca"), ("irlandés", "irlandesa"), ("austriaco", "austriaca"),
            ("checo", "checa"), ("húngaro", "húngara"), ("belga", "belga"), ("australiano", "australiana"),
            ("canadiense", "canadiense"), ("sirio", "siria"), ("libanés", "libanesa"), ("iraní", "iraní"),
            ("beliceño", "beliceña"), ("jamaicano", "jamaicana"), ("haitiano", "haitiana"))  # fmt: skip
_LANGUAGES = tuple((name, name) for name in (
    "tamazight", "euskera", "catalán", "gallego", "valenciano", "árabe", "darija", "wolof", "bambara", "inglés",
    "francés", "portugués", "chino", "urdu", "bereber", "soninké", "ucraniano", "creole", "lengua de signos",
    "lengua de señas", "bengalí", "mandinga", "fula", "italiano", "alemán", "chelja",
))  # fmt: skip
_UNIONS = (("unión libre", "unión libre"), ("pareja de hecho", "pareja de hecho"), ("en concubinato", "en concubinato"),
           ("concubinato", "concubinato"), ("convivencia", "convivencia"))  # fmt: skip


@cache
def _kinds() -> tuple[tuple[tuple[str, str], ...], ...]:
    nations = ((country.masculine, country.feminine) for country in tables.countries())
    people = tuple(dict.fromkeys((*((man, woman) for man, woman in nations if man and woman), *_NATIONS)))
    return _STATUS, _BELIEFS, _UNIONS, _ORIGINS, _PEOPLES, people, _LANGUAGES


_UNKNOWN = re.compile(r"[^\W\d_]{3,}(?:[ '’-][^\W\d_]+){0,2}")
_SAYS_WHAT = re.compile(
    r"(?:(?:nacionalidad|origen|etnia|raza|pueblo|religi[oó]n|creencias?|estado civil|idioma|lengua materna|habla|"
    r"de|es|son)\s*:?\s+)+",
    re.IGNORECASE,
)


def another_trait(value: str, key: Key, scope: str, *, is_surely: bool = False) -> str | None:
    """Another word of the same kind and gender, or None for a word of no known kind: `etnia gitana` → `etnia maya`.

    Where `is_surely` a trait, words of no known kind are taken for a people.
    """
    before = _SAYS_WHAT.match(value)
    start = before.end() if before else 0
    new = _another(value[start:], key, scope)
    if new is None and is_surely and _UNKNOWN.fullmatch(value[start:]):
        either = tuple(man for man, woman in _PEOPLES if man == woman)
        new = key.choose(either, lambda word: key_of(word) != key_of(value), "trait", scope, key_of(value))
        new = new and in_case_of(new, value[start:])
    return None if new is None else value[:start] + new


def _another(value: str, key: Key, scope: str) -> str | None:
    folded = key_of(_ALIASES.get(value.lower(), value))
    for kind in _kinds():
        for column in (0, 1):
            if any(key_of(row[column]) == folded for row in kind):
                both = any(row[0] == row[1] and key_of(row[0]) == folded for row in kind)
                pool = tuple(row[column] for row in kind if not both or row[0] == row[1])
                chosen = key.choose(pool, lambda word: key_of(word) != folded, "trait", scope, folded)
                if chosen is None or value.islower():
                    return chosen  # `testigo de Jehová`
                return in_case_of(chosen, value)
    return None

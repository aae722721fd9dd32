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
_ALIASES = {
    "unido": "casado", "unida": "casada", "acompañado": "casado", "acompañada": "casada", "concubinado": "casado",
    "concubinada": "casada", "concubino": "casado", "concubina": "casada", "quechuahablante": "quechua",
    "conviviente": "convivencia", "u. libre": "unión libre", "sep": "separado",
    "viúva": "viuda", "viúvo": "viudo", "vidu": "viudo", "vídua": "viuda", "vidua": "viuda", "solter": "soltero",
    "casat": "casado", "casados": "casados", "musulmá": "musulmán", "gringo": "británico", "gringa": "británica",
    "americano": "británico", "americana": "británica", "alernán": "alemán", "rnenonita": "menonita",
    "unión de hecho": "unión libre", "afro": "mestizo",
}  # fmt: skip
_PLURALS = (("católicos", "católicas"), ("evangélicos", "evangélicas"), ("ortodoxos", "ortodoxas"),
            ("musulmanes", "musulmanas"), ("valdenses", "valdenses"), ("adventistas", "adventistas"),
            ("judíos", "judías"), ("luteranos", "luteranas"), ("testigos de Jehová", "testigos de Jehová"))  # fmt: skip
_STATUS_PLURALS = (("casados", "casadas"), ("separados", "separadas"), ("divorciados", "divorciadas"),
                   ("solteros", "solteras"))  # fmt: skip
_ORIENTATIONS = (("homosexual", "homosexual"), ("heterosexual", "heterosexual"), ("bisexual", "bisexual"))
# Peoples that live in the same part of America, and what few people believe, which is not drawn.
_OF_THE_SOUTH = frozenset(
    "mapuche quechua aimara aymara guarani wayuu embera kichwa shuar qom wichi nasa ashaninka shipibo shipiba arhuaco "
    "arhuaca misak mbya tsachila achuar montubio montubia afroperuano afroperuana afrocolombiano afrocolombiana".split()
)
_RARE = frozenset(
    "moravo morava valdense cuáquero cuáquera abakuá yoruba santero santera espiritista hindú budista".split()
)
_CODES = ("S", "M", "D", "W")  # of marital status in HL7
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
            ("beliceño", "beliceña"), ("jamaicano", "jamaicana"), ("haitiano", "haitiana"), ("inglés", "inglesa"),
            ("japonés", "japonesa"), ("paquistaní", "paquistaní"), ("afgano", "afgana"), ("saharaui", "saharaui"),
            ("escocés", "escocesa"), ("bangladesí", "bangladesí"), ("polaco", "polaca"), ("coreano", "coreana"),
            ("holandés", "holandesa"), ("kurdo", "kurda"), ("palestino", "palestina"), ("serbio", "serbia"),
            ("georgiano", "georgiana"), ("armenio", "armenia"), ("egipcio", "egipcia"),
            ("tunecino", "tunecina"))  # fmt: skip
_LANGUAGES = tuple((name, name) for name in (
    "tamazight", "euskera", "catalán", "gallego", "valenciano", "árabe", "darija", "wolof", "bambara", "inglés",
    "francés", "portugués", "polaco", "rumano", "ruso", "quechua", "wólof", "aimara", "guaraní", "mam", "náhuatl",
    "chino", "urdu", "bereber", "soninké", "ucraniano", "creole", "lengua de signos", "lengua de señas", "bengalí",
    "mandinga", "fula", "italiano", "alemán", "chelja",
))  # fmt: skip
_UNIONS = (("unión libre", "unión libre"), ("pareja de hecho", "pareja de hecho"), ("en concubinato", "en concubinato"),
           ("concubinato", "concubinato"), ("convivencia", "convivencia"))  # fmt: skip


@cache
def _kinds() -> tuple[tuple[tuple[str, str], ...], ...]:
    nations = ((country.masculine, country.feminine) for country in tables.countries())
    people = tuple(dict.fromkeys((*((man, woman) for man, woman in nations if man and woman), *_NATIONS)))
    return _STATUS, _STATUS_PLURALS, _BELIEFS, _PLURALS, _UNIONS, _ORIENTATIONS, _ORIGINS, _PEOPLES, people, _LANGUAGES


_SPEAKS = re.compile(r"\b(?:habla|hablan|idioma|lengua|lengua materna|int[eé]rprete de|en|hablante de)(?: es el)?\W*$")
_UNKNOWN = re.compile(r"[^\W\d_]{3,}(?:[ '’-][^\W\d_]+){0,2}")
_SAYS_WHAT = re.compile(
    r"(?:(?:nacionalidad|origen|etnia|raza|pueblo|religi[oó]n|creencias?|estado civil|idioma|lengua materna|habla|"
    r"de|es|son)\s*:?\s+)+",
    re.IGNORECASE,
)


def another_trait(value: str, key: Key, scope: str, before: str = "", *, is_surely: bool = False) -> str | None:
    """Another word of the same kind and gender, or None for a word of no known kind: `etnia gitana` → `etnia maya`.

    Where `is_surely` a trait, words of no known kind are taken for a people. The text before tells a language from a
    nationality.
    """
    if is_surely and value in _CODES:
        return key.choose(_CODES, lambda code: code != value, "trait", scope, value)
    if _SPEAKS.search(before.lower()) and any(key_of(name) == key_of(value) for name, _ in _LANGUAGES):
        others = tuple(name for name, _ in _LANGUAGES)
        spoken = key.choose(others, lambda name: key_of(name) != key_of(value), "trait", scope, key_of(value))
        return spoken and in_case_of(spoken, value)
    return _trait(value, key, scope, is_surely=is_surely)


def _trait(value: str, key: Key, scope: str, *, is_surely: bool) -> str | None:
    before = _SAYS_WHAT.match(value)
    start = before.end() if before else 0
    words = value[start:].split()
    new = _another(value[start:], key, scope)
    if new is None and len(words) > 1:
        new = _another(words[0], key, scope)  # `judía askenazí`
    if new is None and is_surely and _UNKNOWN.fullmatch(value[start:]):
        either = tuple(man for man, woman in _PEOPLES if man == woman)
        new = key.choose(either, lambda word: key_of(word) != key_of(value), "trait", scope, key_of(value))
        new = new and in_case_of(new, value[start:])
    return None if new is None else value[:start] + new


@cache
def _peoples() -> frozenset[str]:
    return frozenset(key_of(name) for row in _PEOPLES for name in row)


@cache
def _folded() -> tuple[tuple[tuple[str, str], ...], ...]:
    """The words of all kinds, folded."""
    return tuple(tuple((key_of(man), key_of(woman)) for man, woman in kind) for kind in _kinds())


def _is_near(word: str, people: str) -> bool:
    """Whether two peoples live in the same part of America; of all other words it is true."""
    return people not in _peoples() or (key_of(word) in _OF_THE_SOUTH) == (people in _OF_THE_SOUTH)


def _another(value: str, key: Key, scope: str) -> str | None:
    folded = key_of(_ALIASES.get(value.lower(), value))
    for kind, keys in zip(_kinds(), _folded(), strict=True):
        for column in (0, 1):
            if any(row[column] == folded for row in keys):
                both = (folded, folded) in keys
                pool = tuple(row[column] for row in kind if not both or row[0] == row[1])
                pool = tuple(word for word in pool if word not in _RARE and _is_near(word, folded)) or pool
                chosen = key.choose(pool, lambda word: key_of(word) != folded, "trait", scope, folded)
                if chosen is None or value.islower():
                    return chosen  # `testigo de Jehová`
                return in_case_of(chosen, value)
    return None

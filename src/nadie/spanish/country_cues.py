"""Words that identify the country of a note: documents, insurers and offices that only one country has."""

from __future__ import annotations

import re

from nadie.spanish.folding import words_of

_CUES = {
    "MX": "mtra mtro curp imss issste insabi derechohabiente derechohabiencia edomex cdmx",
    "AR": "salita pami osde osecac osprera apross ioma cuil cuit iosper renaper",
    "CL": "fonasa isapre cesfam compin junji sapu junaeb carabineros polola pololo",
    "CO": "sisben eps",
    "PE": "essalud reniec diresa geresa pnp ugel demuna pronoei sutran",
    "EC": "iess afroecuatoriano afroecuatoriana montubio montubia",
    "VE": "ivss saime cicpc chamo chama chamos",
    "GT": "igss dpi renap mspas",
    "HN": "ihss dnvt copeco",
    "SV": "dui isss minsal ucsf conna fosalud jvpm",
    "BO": "sedes segip trufi palliri",
    "PY": "terere karanday senad mbya",
    "CR": "ebais ccss oij inamu",
    "PA": "capsi sinaproc ngabe",
    "CU": "minsap fmc pnr",
    "NI": "chompipe silais",
    "DO": "senasa",
    "PR": "tablilla guiador",
    "UY": "asse bps mutualista",
    "ES": "nuss nass nuhsa cipna muface isfas mugeju sergas sescam sacyl osakidetza osasunbidea catsalut ceip ies dgt",
    "US": "medicaid medicare mrn dob",
}
_COUNTRY_OF = {cue: country for country, cues in _CUES.items() for cue in cues.split()}
_MOST_WORDS = 4000
_DOMAIN = re.compile(
    r"(?i)(?:@|://|www\.)[\w.-]{1,80}?\.(ar|bo|cl|co|cr|cu|do|ec|gt|hn|mx|ni|pa|pe|pr|py|sv|uy|ve)(?![\w.-]*\w)"
)


_CALLED = re.compile(r"\+\s?(34|5[1-8]|50[2-7]|59[1358]|240)(?=[ (.-])")
_COUNTRY_CALLED = {
    "34": "ES", "51": "PE", "52": "MX", "53": "CU", "54": "AR", "56": "CL", "57": "CO", "58": "VE", "502": "GT",
    "503": "SV", "504": "HN", "505": "NI", "506": "CR", "507": "PA", "591": "BO", "593": "EC", "595": "PY",
    "598": "UY", "240": "GQ",
}  # fmt: skip
_SPANISH_NUMBER = re.compile(
    r"(?<![\w.])(?:\d{8}|\d{2}\.\d{3}\.\d{3})-?[A-HJ-NP-TV-Z]\b|\b[XYZ]-?\d{7}-?[A-Z]\b"
)  # DNI, NIE


def country_by_words(text: str) -> str | None:
    """The one country, of America or Spain, that words, numbers and web domains point to; None where there is "
    "none, or more than one."""
    text = text[: _MOST_WORDS * 8]
    found = {_COUNTRY_OF[word] for word in words_of(text)[:_MOST_WORDS] if word in _COUNTRY_OF}
    found |= {_COUNTRY_CALLED[match[1]] for match in _CALLED.finditer(text) if match[1] in _COUNTRY_CALLED}
    found |= {"ES"} if _SPANISH_NUMBER.search(text) else set()
    found |= {match[1].upper() for match in _DOMAIN.finditer(text)}
    return found.pop() if len(found) == 1 else None

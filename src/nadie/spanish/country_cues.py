"""Words that identify the country of a note: documents, insurers and offices that only one country has."""

from __future__ import annotations

import re

from nadie.spanish.folding import words_of

_CUES = {
    "MX": "mtra mtro curp imss issste insabi derechohabiente derechohabiencia edomex cdmx",
    "AR": "salita pami osde osecac osprera apross ioma cuil cuit",
    "CL": "fonasa isapre cesfam compin",
    "CO": "sisben eps",
    "PE": "essalud reniec diresa geresa",
    "EC": "iess afroecuatoriano afroecuatoriana montubio montubia",
    "VE": "ivss saime",
    "GT": "igss dpi renap",
    "HN": "ihss",
    "SV": "dui isss minsal",
    "CR": "ebais",
    "PA": "capsi sinaproc ngabe",
    "CU": "minsap",
    "NI": "chompipe",
    "DO": "senasa",
    "PR": "tablilla guiador",
    "UY": "asse",
    "US": "medicaid medicare mrn dob",
}
_COUNTRY_OF = {cue: country for country, cues in _CUES.items() for cue in cues.split()}
_MOST_WORDS = 4000
_DOMAIN = re.compile(
    r"(?i)(?:@|://|www\.)[\w.-]{1,80}?\.(ar|bo|cl|co|cr|cu|do|ec|gt|hn|mx|ni|pa|pe|pr|py|sv|uy|ve)(?![\w.-]*\w)"
)


def country_by_words(text: str) -> str | None:
    """The one country of America that words and web domains point to; None where there is none, or more than one."""
    text = text[: _MOST_WORDS * 8]
    found = {_COUNTRY_OF[word] for word in words_of(text)[:_MOST_WORDS] if word in _COUNTRY_OF}
    found |= {match[1].upper() for match in _DOMAIN.finditer(text)}
    return found.pop() if len(found) == 1 else None

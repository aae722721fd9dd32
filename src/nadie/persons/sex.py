"""The sex of a person, by the name or by the words around it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from nadie.document import Document, Span
from nadie.labels import NAMES, Label
from nadie.persons.fields import sex_of_words
from nadie.spanish.folding import key_of, same_length
from nadie.spanish.name_forms import full_name
from nadie.spanish.name_kin import american_sex, listed_sex
from nadie.spanish.population import bearers, sex_elsewhere, sex_of
from nadie.spanish.word_lists import Lists

_WORDS = Lists("gender")
_FEMALE = re.compile(rf"\b(?:{_WORDS.pattern('female')}|{_WORDS.pattern('stems')}a)\b")
_MALE = re.compile(rf"\b(?:{_WORDS.pattern('male')}|{_WORDS.pattern('stems')}o)\b")
# A profession just after a name: `Zhao Meiling, farmacéutica`.
_APPOSITION = re.compile(rf",? (?:el |la |su )?{_WORDS.pattern('professions')}(a|o)?(?![a-z])")
_TRADE = (
    r"(?!primer|carreter|cader|maner|espera|unic)[a-z]+"
    r"(?:dora?|tora?|er[oa]|ista|olog[oa]|eut[ao]|[nlt]ic[oa]|[ei]nte|ante|iar|iatra|grafa?)"
)
_TRADE_AFTER = re.compile(rf", (el|la) {_TRADE}\b")
_TRADE_BEFORE = re.compile(rf"\b(el|la|del|al|un|una) {_TRADE}(?: (?:de )?[a-z]+){{0,2}},? $")
_SAID = re.compile(
    r"(?:,|;| \||\n)? ?(?:sexo ?[:=]? ?)?(?:es |un |una |\()?(?:(?P<man>varon|hombre|masculino)|mujer|femenin[oa])\b"
)
_OF_MOTHER = re.compile(
    r"\b(?:rn|recien nacid[oa]|neonato|bebe|hij[oa]|producto|gemel[oa]) (?:\w+ )?de(?: d[.n]a?)? *$"
)
_OF_WOMEN = re.compile(rf"\b(?:{_WORDS.pattern('of women')})\b")
_OF_MEN = re.compile(rf"\b(?:{_WORDS.pattern('of men')})\b")
_OF_NEWBORNS = re.compile(rf"\b(?:{_WORDS.pattern('of newborns')})\b")
_OF_KIND = re.compile(rf"\b{_WORDS.pattern('kinds of traits')}\W+$")
_ENDS_OF_WOMEN = re.compile(f"{_WORDS.pattern('endings of women')}$")
_ENDS_OF_MEN = re.compile(f"{_WORDS.pattern('endings of men')}$")
# The endings of the feminine and the masculine of traits and jobs; `policía`, `artista` and `indígena` have but one.
_GENDERED = ("ada", "ado", "ida", "ido", "era", "ero", "ora", "tera", "tero", "iza", "izo", "ica", "ico", "ana", "ano",
             "uda", "udo", "ina", "ino", "enta", "osa", "oso", "aria", "ario")  # fmt: skip
_FORM_OF_WOMEN = re.compile("f|femenin[oa]|fem|mujer|female")
_FORM = re.compile(rf"{_FORM_OF_WOMEN.pattern}|h|v|hombre|varon|masculin[oa]|masc|male")
_USUAL = 1_000  # bearers of a first name, which is then surer than the form
_NEAR = 150
_LETTERS = 3  # of an abbreviation
_ARTICLE = re.compile(r"\b(el|la) [\"'«“]?$")
_KIN = dict.fromkeys([*_WORDS["kinswomen"], *(f"{stem}a" for stem in _WORDS["kin"])], "f") | dict.fromkeys(
    [*_WORDS["kinsmen"], *(f"{stem}o" for stem in _WORDS["kin"])], "m"
)
_WHICH = frozenset("mayor menor materna materno paterna paterno pequena pequeno".split())
_REACH_BEFORE = 22
_REACH_AFTER = 45


def sex_of_patient(document: Document) -> str:
    """The patient's sex by its spans: `m`, `f`, or empty. See `nadie.spanish.kinship` for a lone `M`."""
    words = [key_of(document.text_of(s)) for s in document.spans if s.label == Label.SEXO_SUJETO_ASISTENCIA]
    return sex_of_words(words, document)


def sex_around(document: Document, span: Span) -> str:
    """The sex by the gender of the words beside a name: `su hermana Yuli`, `Ikram, jubilada`."""
    before = re.split(r"[.;\n]", same_length(document.text[max(0, span.start - _REACH_BEFORE) : span.start]))[-1]
    after = re.split(r"[.;\n]", same_length(document.text[span.end : span.end + _REACH_AFTER]))[0]
    for text in (before, after):
        women, men = len(_FEMALE.findall(text)), len(_MALE.findall(text))
        if women != men:
            return "f" if women > men else "m"
    return ""


def sex_by_condition(document: Document) -> str:
    """The patient's sex by what only women or only men have: `gestante`, `FUR`, `PSA`; empty if both occur."""
    text = same_length(document.text)
    women, men = _OF_WOMEN.search(text), _OF_MEN.search(text)
    if bool(women) == bool(men) or _OF_NEWBORNS.search(text):
        return ""
    return "f" if women else "m"


def sex_by_traits(document: Document, span: Span) -> str:
    """The sex by the gender of the traits and jobs after a name, before somebody else is named: `casada`, `obrero`."""
    for other in document.spans[bisect_left(document.spans, span.end, key=lambda s: s.start) :]:
        if other.label in NAMES or other.label == Label.FAMILIARES_SUJETO_ASISTENCIA or other.start > span.end + _NEAR:
            return ""
        word = key_of(document.text_of(other)).split(" ")[0]
        is_trait = other.label in (Label.ID_SUJETO_ASISTENCIA, Label.PROFESION) and word.isalpha()
        of_kind = _OF_KIND.search(same_length(document.text[max(0, other.start - 14) : other.start]))
        if is_trait and not of_kind and word.endswith(_GENDERED):
            return "f" if word[-1] == "a" else "m"
    return ""


def sex_by_profession(document: Document, span: Span) -> str:
    """The sex by the profession just after a name, or its article: `Itsel Uc, la cocinera`."""
    after = same_length(document.text[span.end : span.end + _REACH_AFTER])
    found = _APPOSITION.match(after)
    if found and found[1]:
        return "f" if found[1] == "a" else "m"
    trade = _TRADE_AFTER.match(after)
    return {"la": "f", "el": "m"}[trade[1]] if trade else ""


def sex_by_trade(document: Document, span: Span) -> str:
    """The sex by the article of the trade just before a name: `la cuidadora nueva, Francis`."""
    found = _TRADE_BEFORE.search(same_length(document.text[max(0, span.start - _REACH_AFTER) : span.start]))
    return "" if found is None else "f" if found[1] in ("la", "una") else "m"


def is_of_either_sex(given: Sequence[str]) -> bool:
    return bool(given) and given[0] in _WORDS.words("names of either sex")


def sex_by_form(document: Document, given: Sequence[str]) -> str:
    """The sex of a patient whose first name few people have, if a form says one that is not a lone `M`."""
    if not given or bearers(full_name(given[0])) >= _USUAL:
        return ""
    words = (key_of(document.text_of(s)) for s in document.spans if s.label == Label.SEXO_SUJETO_ASISTENCIA)
    told = {"f" if _FORM_OF_WOMEN.fullmatch(word) else "m" for word in words if _FORM.fullmatch(word)}
    return told.pop() if len(told) == 1 else ""


def sex_as_said(document: Document, span: Span, given: Sequence[str] = ()) -> str:
    """The sex by the word just after a name, which decides where men and women bear it: `Práxedes Gil, varón de 64`.

    For the `given` names of a patient that may be of either sex it is that of the form, if that is more than a letter,
    which means other sexes in other countries. In `hijo de Guadalupe Gil` it is the sex of somebody else.
    """
    if _OF_MOTHER.search(same_length(document.text[max(0, span.start - _REACH_BEFORE) : span.start])):
        return ""
    if found := _SAID.match(same_length(document.text[span.end : span.end + _REACH_AFTER])):
        return "m" if found["man"] else "f"
    if not is_of_either_sex(given):
        return ""
    words = (key_of(document.text_of(s)) for s in document.spans if s.label == Label.SEXO_SUJETO_ASISTENCIA)
    return sex_of_words([word for word in words if len(word) > _LETTERS], document)


def sex_by_kinship(document: Document, span: Span) -> str:
    """The sex by the word of kinship just before a name, which decides whatever the name is: `su hermana Yury`.

    After a comma it is that of a relative only: `acude con su madre, Juan refiere`.
    """
    before = same_length(document.text[max(0, span.start - _REACH_BEFORE) : span.start])
    words = before.rstrip("(: ").split(" ")
    if len(words) > 1 and words[-1] in _WHICH:
        words.pop()
    is_apart = words[-1].endswith(",") and span.label != Label.FAMILIARES_SUJETO_ASISTENCIA
    return "" if is_apart or before[-1:].isalnum() else _KIN.get(words[-1].rstrip(","), "")


def sex_by_article(document: Document, span: Span) -> str:
    """The sex by the article just before a nickname: `"el Chispa"`."""
    found = _ARTICLE.search(same_length(document.text[max(0, span.start - 6) : span.start]))
    return {"el": "m", "la": "f"}[found[1]] if found else ""


def sex_by_name(given: Sequence[str]) -> str:
    """The sex by the first names: that of the first name with a known sex."""
    return next((sex for key in given if (sex := _sex_of_name(key))), "")


def _sex_of_name(key: str) -> str:
    if key.endswith("ita") and full_name(key) != key:
        return "f"  # `Alvarita`, whatever name it is short for
    return sex_of(full_name(key)) or (_listed(key) if not bearers(key) else "")


def _listed(key: str) -> str:
    """The sex that bears a first name which the census does not have."""
    by_hand = "f" if key in _WORDS.words("names of women") else "m" if key in _WORDS.words("names of men") else ""
    return american_sex(key) or sex_elsewhere(key) or by_hand or listed_sex(key)


def sex_by_usual_ending(given: Sequence[str]) -> str:
    """The sex that most first names with such an ending have, where nothing else tells: `Yosmel`, `Yulibeth`."""
    if not given:
        return ""
    return "f" if _ENDS_OF_WOMEN.search(given[0]) else "m" if _ENDS_OF_MEN.search(given[0]) else ""


def sex_by_ending(given: Sequence[str]) -> str:
    return {"a": "f", "o": "m"}.get(given[0][-1], "") if given else ""

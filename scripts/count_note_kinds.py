"""Count, in the training notes, the types of identifiers that systems trained on MEDDOCAN miss most.

    python scripts/count_note_kinds.py            print the table
    python scripts/count_note_kinds.py --write    write it into docs/en/contribute/notes-corpus.md

The markup has labels but no types, so a type is counted by the form of its spans, the words around them and the layout
of the note. The counts are estimates: some spans of a type have another form, and a few of that form are not of the
type.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from dataclasses import dataclass

from check_notes import PAGE, between, splits

from nadie.document import Document, Span
from nadie.labels import Label
from nadie.spanish import calendar, kinship, languages
from nadie.spanish.folding import fold
from nadie.spanish.tables import professions

MARKS = "kinds"
PATIENT = Label.NOMBRE_SUJETO_ASISTENCIA
STAFF = Label.NOMBRE_PERSONAL_SANITARIO
RELATIVE = Label.FAMILIARES_SUJETO_ASISTENCIA
PERSONS = (PATIENT, STAFF, RELATIVE)
NUMBERS = (
    Label.ID_SUJETO_ASISTENCIA,
    Label.NUMERO_TELEFONO,
    Label.NUMERO_FAX,
    Label.OTRO_NUMERO_IDENTIF,
    Label.ID_ASEGURAMIENTO,
)
EXPORTS = ("hl7", "pipes", "tabs", "json", "key-value")
LISTS = ("columns", "table", "bullets")
_NAME = r"[^\W\d_a-zà-ÿ][^\W\d_]*[.]?"  # a word that begins with a capital
_TITLE = r"\b(?:Dra?s?|D|Dña|Don|Doña|Sra?|Srta|Lic|Licda|Enf|Prof|Ing|Psic|Mtro|Mtra|Sor)\.?[ª]?\s*$"
_SMALL = r"[a-záéíóúñü,;]\s+$"  # preceded by a word in lower case, not by a field name
_DIGITS = r"(?i:cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|mil|cien|veinti\w+|treinta|cuarenta|cincuenta)"
_MONTHS = "|".join(sorted({re.escape(fold(word)) for word in languages.month_words()}, key=len, reverse=True))
_DAYS = "|".join(sorted({re.escape(fold(word)) for word in languages.weekday_words()}, key=len, reverse=True))
_FEASTS = "|".join(sorted({re.escape(fold(name)) for name in calendar.FEASTS}, key=len, reverse=True))
_CUES = "|".join(("paciente", "llamad[oa]", "nombre", *sorted(kinship.RELATIVES | kinship.OTHER_RELATIVES)))
_ABROAD = (
    "aleman|andorran|argentin|belga|boliv|brasil|británic|búlgar|californ|chilen|colomb|costarric|cuban|dominic"
    "|ecuator"
    "|extranjer|frances|guatem|holand|hondur|ingles|italian|lituan|marroqu|mexican|nicarag|panam|paragu|perua"
    "|polac|portugu"
    "|ruman|salvador|suiz|texan|ucrani|urugu|venezol"
)
_KIN = {fold(word) for word in kinship.RELATIVES | kinship.OTHER_RELATIVES}


@dataclass(frozen=True)
class Kind:
    """Spans of these labels with a certain form, context, layout or country."""

    name: str
    labels: tuple[Label, ...]
    form: str = ""
    before: str = ""
    not_before: str = ""
    after: str = ""
    layouts: tuple[str, ...] = ()
    countries: tuple[str, ...] = ()
    folded: bool = False

    def covers(self, note: Document, span: Span) -> bool:
        text = note.text_of(span)
        before, after = note.text[max(0, span.start - 40) : span.start], note.text[span.end : span.end + 40]
        return (
            span.label in self.labels
            and (not self.layouts or note.meta.get("layout") in self.layouts)
            and (not self.countries or note.meta.get("country") in self.countries)
            and (not self.form or re.search(self.form, fold(text) if self.folded else text) is not None)
            and (not self.before or re.search(self.before, before) is not None)
            and (not self.not_before or re.search(self.not_before, before) is None)
            and (not self.after or re.match(self.after, after) is not None)
            and not (span.label == RELATIVE and bool(_KIN & set(re.findall(r"\w+", fold(text)))))
        )


KINDS = (
    Kind("name in mid-sentence, no cue before it", (PATIENT, RELATIVE), _NAME, _SMALL, rf"{_TITLE}|(?i:{_CUES}),?\s+$"),
    Kind("first name or nickname alone", (PATIENT, RELATIVE), rf"^{_NAME}$"),
    Kind("surname of a colleague alone, no title", (STAFF,), rf"^{_NAME}$", not_before=_TITLE),
    Kind("initials", PERSONS, r"^(?:(?:[^\W\d_a-z]\.\s?){1,3}[^\W\d_a-z]\.?|[B-DF-HJ-NP-TV-Z]{2,3})$"),
    Kind("login name", (Label.ID_EMPLEO_PERSONAL_SANITARIO,), r"^(?=.*[a-z])[\w.\\-]+$"),
    Kind("name in a list, table or aligned columns", PERSONS, _NAME, layouts=LISTS),
    Kind("name in an export (HL7, pipes, tabs, JSON, key=value)", PERSONS, _NAME, layouts=EXPORTS),
    Kind("SURNAME, NAME in capitals", (PATIENT, RELATIVE, STAFF), r"^[^a-zà-ÿ\d]{3,}$", after=r",\s*[^\Wa-zà-ÿ\d_]{2}"),
    Kind(
        "hospital by nickname, short name or acronym",
        (Label.HOSPITAL,),
        r"^(?!(?:hosp|clinica|h\.|complej|instituto|centro))",
        folded=True,
    ),
    Kind(
        "insurer or health service",
        (Label.INSTITUCION,),
        r"segur|mutua|asisa|adeslas|sanitas|dkv|mapfre|\beps\b|imss|issste|ips\b|essalud|fonasa|isapre|ioma"
        r"|pami|osde|medica"
        r"|obra social|sns\b|servicio|servei|osakidetza|sergas|sescam|sacyl|salud|\bss\b|\bccss\b|ivss|igss"
        r"|\bsis\b|arl\b|ars\b",
        folded=True,
    ),
    Kind(
        "police, court, agency or brigade",
        (Label.INSTITUCION,),
        r"polic|guardia|mosso|ertzain|carabiner|gendarm|juzgad|tribunal|fiscal|bomber|proteccion|defensor"
        r"|ministerio|agencia"
        r"|ayuntamiento|municipal|alcaldia|icbf|\bdif\b|sename|instituto|consul|embajad|cruz roja|penal|prision"
        r"|migra|secretaria",
        folded=True,
    ),
    Kind(
        "school, nursery or university",
        (Label.INSTITUCION,),
        r"ceip|\bies\b|\bcra\b|\bcpr\b|coleg|escol|escuel|eskola|ikastola|liceo|guarder|jardin|infantil"
        r"|instituci\w+ educ|\bie\b"
        r"|univers|school|academi|kinder|prepa|\bcecyt|facultad|preescolar",
        folded=True,
    ),
    Kind("employer, shop or firm", (Label.OTROS_SUJETO_ASISTENCIA,), rf"^{_NAME}(?:\s|$)(?!.*\d{{3}})"),
    Kind(
        "address by reference",
        (Label.CALLE,),
        r"\d+\s*(?:m|mts?|metros|varas|c|cdras?|cuadras?|leguas|km)\b|frente|detras|junto|al lado|esquina"
        r"|\besq\b|entre|casi"
        r"|pegad|costado|arriba|abajo|bajando|subiendo|antes de|despues de|contiguo|media cuadra|casa \w+"
        r"|portal|parada",
        folded=True,
    ),
    Kind(
        "address of Guatemala, Cuba, Bolivia, Nicaragua or the US",
        (Label.CALLE,),
        countries=("GT", "CU", "BO", "NI", "US"),
    ),
    Kind(
        "neighbourhood",
        (Label.TERRITORIO,),
        before=r"(?i)\b(?:barrios?|bo?\.|bº|col(?:onia|\.)?|urb(?:anizaci[oó]n|\.)?|vereda|sector|villa|reparto"
        r"|caser[ií]o|aldea|pobl(?:aci[oó]n|\.)?"
        r"|residencial|pedan[ií]a|corregimiento|comuna|recinto|caserío|vecindario|ejido|colonia|barri|parroquia"
        r"|paraje|zona)\s+$",
    ),
    Kind("feast day", (Label.FECHAS,), rf"{_FEASTS}|fiesta|feria|romeria|san |santa |virgen|puente", folded=True),
    Kind("weekday alone", (Label.FECHAS,), rf"^(?:{_DAYS})$", folded=True),
    Kind(
        "day and month without year",
        (Label.FECHAS,),
        rf"^(?:\d{{1,2}}[/.-]\d{{1,2}}|\d{{1,2}}\s*(?:de\s+|-|/)?(?:{_MONTHS})\.?)$",
        folded=True,
    ),
    Kind("day alone", (Label.FECHAS,), r"^(?:dias?\s+)?\d{1,2}$", folded=True),
    Kind(
        "date in an e-mail header",
        (Label.FECHAS,),
        before=r"(?i)(?:^|\n)[> ]*(?:date|fecha|sent|enviado(?: el)?|el)\s*:?\s*$",
        layouts=("email", "email-chain"),
    ),
    Kind("number in words", NUMBERS, _DIGITS),
    Kind("age as a bare number", (Label.EDAD_SUJETO_ASISTENCIA,), r"^\d{1,3}$"),
    Kind("licence of at most five characters", (Label.ID_TITULACION_PERSONAL_SANITARIO,), r"^.{1,5}$"),
    Kind("sample or episode number of at most six characters", (Label.ID_CONTACTO_ASISTENCIAL,), r"^.{1,6}$"),
    Kind("extension or pager", (Label.NUMERO_TELEFONO,), r"^[\d#* -]{2,6}$"),
    Kind("foreign vehicle plate", (Label.IDENTIF_VEHICULOS_NRSERIE_PLACAS,), before=rf"(?i)\b(?:{_ABROAD})"),
    Kind(
        "identity number with letters, dots or a suffix",
        (Label.ID_SUJETO_ASISTENCIA,),
        r"^(?=.*\d)(?=.*[A-Za-z.-]).{5,}$",
    ),
    Kind(
        "mark, tattoo or public fact",
        (Label.OTROS_SUJETO_ASISTENCIA,),
        r"^(?![A-ZÁÉÍÓÚÑ][\wáéíóúñ]*(?:\s|$))[^\d]*\s[^\d]*$",
    ),
)


def unusual_trades(notes: Iterable[Document]) -> int:
    """Trades that are not in the list of professions."""
    known = {fold(form) for pair in professions() for form in pair}
    return sum(s.label == Label.PROFESION and fold(n.text_of(s)) not in known for n in notes for s in n.spans)


_SPANISH = "el los las del con por para una su sus lo y le al que es en se no un la de".split()
_OTHER_LANGUAGES = {
    "Catalan": "amb els pel dels aquest aquesta avui està molt diu sense però més i el la que no ho hi em va li"
    " jo fa té vol"
    " què això mare pare nen nena noia senyora senyor ella seva seu una un és són nit dia res ja on si de",
    "Galician": "coa unha polo pola dixo non hai moi doe nai fillo filla ao á da do dos das cos pero meu miña"
    " onte na no nas"
    " que e o a os as é un eu ten foi está xa máis senón súa seu lle se de",
    "Basque": "eta da du ez dio dago izan bere ditu egun etxean gaur baina dut naiz zait daukat dute zuen zen"
    " den bat hau oso"
    " ondo mina ama aita semea alaba etorri",
    "English": "the and with was his her patient for from has not please this that will you she he is of to in"
    " on at a my it"
    " i we they are be have but no if call says said does don t can by as",
}


def other_languages(notes: Iterable[Document]) -> int:
    """Ranges between full stops, quotes or line ends in which most words are function words of another language."""
    spanish = frozenset(_SPANISH)
    others = [frozenset(words.split()) for words in _OTHER_LANGUAGES.values()]
    stretches = (part for note in notes for part in re.split(r"[.!?;:\n«»“”\"()|]+", note.text))
    return sum(_is_foreign(re.findall(r"[^\W\d_]+", part.lower()), spanish, others) for part in stretches)


def _is_foreign(words: list[str], spanish: frozenset[str], others: list[frozenset[str]]) -> bool:
    own = sum(word in spanish for word in words)
    most = max(sum(word in known for word in words) for known in others)
    return len(words) > 3 and most >= max(3, own + 2)


def counts(notes: list[Document]) -> dict[str, int]:
    """The number of occurrences of each type."""
    spans = [(note, span) for note in notes for span in note.spans]
    found = {kind.name: sum(kind.covers(note, span) for note, span in spans) for kind in KINDS}
    found["unusual trade"] = unusual_trades(notes)
    found["sentence in Catalan, Galician, Basque or English"] = other_languages(notes)
    return found


def table(found: dict[str, int]) -> str:
    rows = (f"| {name} | {count:,} |" for name, count in found.items())
    return "\n".join(("| kind | in training |", "| --- | --- |", *rows))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the table into docs/en/contribute/notes-corpus.md")
    written = table(counts(splits()["train"]))
    if parser.parse_args().write:
        PAGE.write_text(between(PAGE.read_text(encoding="utf-8"), MARKS, written), encoding="utf-8")
    else:
        print(written)


if __name__ == "__main__":
    main()

"""Draw writing cards for the notes corpus: what each note has to be, so that the planned coverage is reached.

    python scripts/draw_note_cards.py --lists DIR --split train --first 1 --count 50 --seed 7 > cards.md

A card fixes country, place, document type, layout, register, length and density, and names what must occur. Names and
towns are drawn from public lists (folder `--lists`: INE, RENAPER, Registro Civil, GeoNames), so that writers do not
all think of the same ones. Surnames of the suite are kept apart from those of training and development by a hash.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import random
from pathlib import Path

REGIONS = (
    "Andalucía", "Aragón", "Asturias", "Illes Balears", "Canarias", "Cantabria", "Castilla-La Mancha",
    "Castilla y León", "Catalunya", "Comunitat Valenciana", "Extremadura", "Galicia", "La Rioja", "Madrid", "Murcia",
    "Navarra", "País Vasco", "Ceuta", "Melilla",
)  # fmt: skip
PROVINCES = {
    "Andalucía": "Almería Cádiz Córdoba Granada Huelva Jaén Málaga Sevilla", "Aragón": "Huesca Teruel Zaragoza",
    "Asturias": "Asturias", "Illes Balears": "Balears", "Canarias": "Palmas Tenerife", "Cantabria": "Cantabria",
    "Castilla-La Mancha": "Albacete Ciudad Cuenca Guadalajara Toledo", "Galicia": "Coruña Lugo Ourense Pontevedra",
    "Castilla y León": "Ávila Burgos León Palencia Salamanca Segovia Soria Valladolid Zamora",
    "Catalunya": "Barcelona Girona Lleida Tarragona", "Comunitat Valenciana": "Alicante Castellón Valencia",
    "Extremadura": "Badajoz Cáceres", "La Rioja": "Rioja", "Madrid": "Madrid", "Murcia": "Murcia", "Navarra": "Navarra",
    "País Vasco": "Araba Bizkaia Gipuzkoa", "Ceuta": "Ceuta", "Melilla": "Melilla",
}  # fmt: skip
AMERICAS = {
    "MX": 10, "AR": 8, "CO": 8, "CL": 7, "PE": 7, "US": 6, "EC": 4, "VE": 4, "BO": 4, "CU": 4, "GT": 5, "DO": 3,
    "HN": 3, "SV": 3, "NI": 4, "CR": 4, "PA": 3, "PY": 4, "UY": 4, "PR": 3, "GQ": 1,
}  # fmt: skip
TYPES = (
    "emergency department report", "triage note", "discharge summary", "admission note", "progress note on the ward",
    "nursing shift note", "ICU daily note", "operating report", "anaesthesia record", "radiology report",
    "pathology report", "laboratory report with header", "microbiology phone note", "outpatient letter",
    "referral from primary care", "primary care visit", "home visit by a nurse", "paediatric check-up",
    "neonatal summary", "obstetric note", "midwife's home visit", "psychiatry admission", "psychology session note",
    "social work report", "physiotherapy note", "dental record", "optometry or ophthalmology note",
    "occupational health certificate", "pharmacy note or dispensing record", "ambulance / pre-hospital report",
    "forensic or court report", "consent form", "sick-leave or disability form", "prescription", "appointment list",
    "e-mail between colleagues", "message from a patient portal", "telephone consultation", "handover list of patients",
    "tumour board minutes", "transplant coordination note", "haemodialysis session sheet", "vaccination record",
    "epidemiological report of a case", "school or nursery health report", "care home note", "palliative home care note",
    "rehabilitation plan", "clinical trial visit note", "complaint to the patient office", "death certificate summary",
    "genetic counselling letter", "veterans', prison or refugee clinic note", "waiting list extract",
)  # fmt: skip
LAYOUTS = (
    "flowing prose", "telegraphic, abbreviations everywhere", "bulleted list", "columns aligned with spaces",
    "table with borders or header row", "fields separated by pipes", "fields separated by tabs", "key=value or key:value",
    "JSON (escape braces as in the guide)", "HL7-like segments", "e-mail chain with headers and quoted replies",
    "chat", "dictation without punctuation", "OCR of a scan with its errors", "ALL CAPITALS",
    "form with field names and values", "sections with headings", "free text pasted after a structured header",
)  # fmt: skip
LAYOUT_WEIGHTS = (9, 7, 4, 4, 4, 3, 2, 3, 3, 3, 4, 4, 4, 4, 4, 6, 6, 5)
REGISTERS = (
    "a professor who writes full sentences", "a hurried resident", "a nurse at the end of a night shift",
    "an administrative clerk", "a paramedic", "a family doctor who has known the patient for years", "a pharmacist",
    "a midwife", "a social worker", "a foreign-trained doctor", "a medical student", "a physiotherapist",
    "a secretary who transcribes dictation", "a psychologist",
)  # fmt: skip
KINDS = (
    "a patient's or relative's name in mid-sentence with no cue before it", "a first name or nickname alone",
    "surnames of colleagues alone, without title", "initials of a person", "a login name of staff",
    "names in a list or table", "surname-comma-name in capitals", "a hospital by nickname, short name or acronym",
    "an insurer or health service", "an agency, police force, fire brigade or court", "a school or nursery",
    "the employer's name", "an address by reference (landmark, metres, blocks) or local custom of the country",
    "a neighbourhood, hamlet, colonia or vereda", "a feast day or local fiesta as a date", "a weekday as a date",
    "day and month without year", "a day alone (`el 14`, `día 3`)", "a date range or a list of dates",
    "a date in a technical form (ISO, time stamp, e-mail header, yymmdd)", "a number said in words",
    "an age as a bare number", "a short licence or sample number (3 to 5 digits)", "an extension or pager",
    "a foreign or unusual vehicle plate", "an identity number with regional suffix, letter or dots", "an unusual trade",
    "a sentence in Catalan, Galician, Basque or English (as fits the place)", "a tattoo, singular mark or public fact",
    "a relative with name and age", "a third person (neighbour, boss, friend, other driver)", "a month or year alone",
    "a family history with several relatives", "a health centre by short name", "a nationality, ethnic group or religion",
    "a town in mid-sentence with no cue", "a word that is a name here and a common word elsewhere in the note",
    "a person with a foreign name", "a patient with an eponym's surname beside the eponym",
)  # fmt: skip
RARE = ("FAX", "URL", "NET", "BENEF", "EMP", "NUM", "DISP", "OTRO", "VEH", "BIO", "SEG", "EPI", "COL", "MAIL", "PAIS", "CS")
LENGTHS = (("40 to 80", 16), ("80 to 150", 32), ("150 to 250", 30), ("250 to 350", 16), ("over 600", 6))
DENSITIES = ("sparse: 3 to 6 identifiers", "usual: 8 to 15 identifiers", "dense: 20 to 40 identifiers")
MIGRANT = (
    "Hassan El Idrissi", "Mihaela Dumitrescu", "Wei Zhang", "Oleksandra Kovalenko", "Fatou Ndiaye", "Ahmed Benali",
    "Priya Raman", "João Teixeira", "Giulia Ferraro", "Jean-Baptiste Louis", "Yuki Tanabe", "Agnieszka Wrona",
    "Nguyễn Minh", "Abdoulaye Sow", "Elif Aydın", "Siobhan Kerr", "Dieter Lange", "Zhao Meiling", "Olumide Adebayo",
    "Marielle Pierre", "Katya Ivanova", "Rajesh Patel", "Nadia Haddad", "Tomasz Lis", "Lakshmi Iyer", "Omar Farouk",
)  # fmt: skip
LOCAL_SURNAMES = {
    "GT": "Ixcoy Tzoc Chávez Xicará Batz Cojulún Sical Yat Pop Caal", "BO": "Mamani Quispe Condori Choque Vacaflor Suárez Justiniano Yujra",
    "PE": "Huamán Ccori Flores Mamani Chávarry Atoche Ñaupari Tello", "EC": "Guamán Chango Quishpe Tituaña Zambrano Cedeño Moreira",
    "PY": "Benítez Giménez Ayala Cabañas Duarte Ñamandú Vera", "CL": "Huenchullán Painemal Soto Cárcamo Millaqueo Oyarzún Catrileo",
    "MX": "Xolalpa Tepox Canché Uc Pech Zúñiga Villaseñor Tzompa", "CU": "Despaigne Hechavarría Zaldívar Ferrer Labrada",
    "PR": "Maldonado Rivera Colón Quiñones Irizarry", "NI": "Urbina Sequeira Bustamante Talavera Blandón",
    "US": "Ramírez Sepúlveda Johnson-Ortiz Trujillo Baca", "PA": "Him De León Arosemena Chong Guerra", "GQ": "Nsue Obiang Ondo Mangue Esono",
    "HN": "Zelaya Cálix Reconco Maradiaga", "SV": "Menjívar Escobar Ayala Alfaro", "DO": "Peguero Encarnación Jean Féliz Almonte",
    "CR": "Chinchilla Umaña Solano Bonilla Jiménez", "VE": "Urdaneta Chourio Yépez Bracho Rondón", "UY": "Olivera Pereyra Ferreira Bentancor",
    "CO": "Chiquillo Mosquera Palacios Cuspoca Güiza Hinestroza", "AR": "Bustos Gatti Quiroga Ledesma Kowalczuk",
}  # fmt: skip


def main() -> None:
    options = _arguments()
    chance = random.Random(options.seed)  # noqa: S311
    lists = _Lists(options.lists, options.split)
    print(f"# {options.count} cards for the {options.split} split\n")
    for number in range(options.first, options.first + options.count):
        print(_card(f"{options.split}-{number:04d}", number, chance, lists))


def _card(name: str, number: int, chance: random.Random, lists: _Lists) -> str:
    spain = number % 3 == 0
    country = "ES" if spain else chance.choices(list(AMERICAS), list(AMERICAS.values()))[0]
    region = REGIONS[(number // 3) % len(REGIONS)] if spain else None
    where = f"ES ({region})" if region else country
    length = chance.choices([each for each, _ in LENGTHS], [weight for _, weight in LENGTHS])[0]
    kind, layout = chance.choice(TYPES), chance.choices(LAYOUTS, LAYOUT_WEIGHTS)[0]
    head = f"## {name} {country}\n- place: {where}; towns nearby you may use: {', '.join(lists.towns(country, region, chance))}\n"
    head += f"- type: {kind}\n- layout: {layout}\n- writer: {chance.choice(REGISTERS)}\n- length: {length} words\n"
    if number % 8 == 0:
        return head + "- density: NO PHI at all (only traps, at least ten: eponyms, drugs, figures, scales, services)\n"
    head += f"- density: {chance.choices(DENSITIES, (3, 5, 3))[0]}\n"
    head += f"- must occur: {'; '.join(chance.sample(KINDS, 5))}\n- rare codes to use, each once or more: {', '.join(chance.sample(RARE, 3))}\n"
    return head + f"- names you may use or vary: {', '.join(lists.people(country, chance))}\n"


class _Lists:
    """Given names, surnames and towns by country."""

    def __init__(self, folder: Path, split: str) -> None:
        self._suite = split == "suite"
        self._given = [row[0].title() for row in _rows(folder / "nombres_es_ine.tsv.gz", 2500)]
        self._given_cl = [row[0] for row in _rows(folder / "nombres_cl_registro_civil.tsv.gz", 2500)]
        self._surnames = self._kept(row[0].title() for row in _rows(folder / "apellidos_es_ine.tsv.gz", 6000))
        self._surnames_ar = self._kept(row[0].title() for row in _rows(folder / "apellidos_ar_renaper.txt.gz", 6000, 0))
        self._spain = [row for row in _rows(folder / "lugares_es_ine.tsv.gz", 70_000)]
        self._world: dict[str, list[str]] = {}
        for row in _rows(folder / "lugares_hispanos_geonames.tsv.gz", 40_000):
            self._world.setdefault(row[1], []).append(row[0])

    def _kept(self, names: object) -> list[str]:
        return [name for name in names if (hashlib.sha256(name.encode()).digest()[0] % 4 == 0) == self._suite]  # type: ignore[attr-defined]

    def towns(self, country: str, region: str | None, chance: random.Random) -> list[str]:
        if region:
            near = [row[0] for row in self._spain if any(part in row[2] for part in PROVINCES[region].split())]
            return chance.sample(near, min(3, len(near)))
        return chance.sample(self._world.get(country, ["Houston", "El Paso", "Fresno", "Union City", "Laredo", "Yuma"]), 3)

    def people(self, country: str, chance: random.Random) -> list[str]:
        spain = country == "ES"
        given = chance.sample(self._given if spain else self._given_cl, 7)
        surnames = chance.sample(self._surnames if spain else self._surnames_ar, 8)
        if not spain and country in LOCAL_SURNAMES and not self._suite:
            surnames += chance.sample(LOCAL_SURNAMES[country].split(), 2)
        return [*given, *surnames, chance.choice(MIGRANT)]


def _rows(path: Path, most: int, skip: int = 1) -> list[list[str]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file][skip : most + skip]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lists", type=Path, required=True, help="the folder with the lists of names and places")
    parser.add_argument("--split", choices=("train", "dev", "suite"), default="train")
    parser.add_argument("--first", type=int, default=1, help="the number of the first card")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


if __name__ == "__main__":
    main()

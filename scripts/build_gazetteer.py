"""Build the table of words and the lists that contain them, with which the network `convnet` is trained.

    python scripts/build_gazetteer.py LISTS gazetteer.tsv

LISTS is a folder of public lists (names of INE, RENAPER and the Registro Civil of Chile, places of INE and GeoNames,
streets of OpenStreetMap, hospitals, professions of ESCO, universities, medical terms), gzip-compressed. The first line
of the table has the names of the lists; each further line has a folded word and, in hexadecimal, the mask of its lists.
"""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Iterable, Iterator
from pathlib import Path

from nadie.neural.vocabulary import fold
from nadie.tokens.tokenizer import tokenize


class Gazetteer:
    """Words, each with a bit for every list that contains it."""

    def __init__(self) -> None:
        self.lists: list[str] = []
        self.masks: dict[str, int] = {}

    def add(self, name: str, words: Iterable[str], shortest: int = 2) -> None:
        bit = 1 << len(self.lists)
        self.lists.append(name)
        for word in words:
            if len(word) >= shortest and word.isalpha():
                key = fold(word)
                self.masks[key] = self.masks.get(key, 0) | bit

    def write(self, path: Path) -> None:
        rows = (f"{word}\t{mask:x}" for word, mask in sorted(self.masks.items()))
        path.write_text("\n".join(["\t".join(self.lists), *rows]) + "\n", encoding="utf-8")


def rows_of(path: Path) -> list[list[str]]:
    """The rows of a list after its heading."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file][1:]


def words_in(phrases: Iterable[str]) -> Iterator[str]:
    for phrase in phrases:
        yield from (token.text for token in tokenize(phrase))


def capitalised(phrases: Iterable[str]) -> Iterator[str]:
    return (word for word in words_in(phrases) if word[0].isupper())


def number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def add_people(table: Gazetteer, folder: Path) -> None:
    surnames = [(row[0], max(map(number, row[1:]))) for row in rows_of(folder / "apellidos_es_ine.tsv.gz")]
    simple = [(name, count) for name, count in surnames if " " not in name]
    table.add("surname-common", (name for name, count in simple if count > 20_000))
    table.add("surname", (name for name, count in simple if 1_000 < count <= 20_000))
    table.add("surname-rare", [name for name, count in simple if count <= 1_000][:40_000])
    given = [(row[0], number(row[2])) for row in rows_of(folder / "nombres_es_ine.tsv.gz")]
    table.add("given-common", words_in(name for name, count in given if count > 20_000))
    table.add("given", words_in(name for name, count in given if 500 < count <= 20_000))
    table.add("given-rare", words_in(name for name, count in given if 20 <= count <= 500))
    with gzip.open(folder / "apellidos_ar_renaper.txt.gz", "rt", encoding="utf-8") as file:
        table.add("surname-argentina", [line.strip() for line in file][:30_000])
    with gzip.open(folder / "nombres_ar_renaper.txt.gz", "rt", encoding="utf-8") as file:
        table.add("given-argentina", [line.strip() for line in file][:15_000])
    table.add(
        "given-chile", (row[0] for row in rows_of(folder / "nombres_cl_registro_civil.tsv.gz") if number(row[2]) > 30)
    )


def add_places(table: Gazetteer, folder: Path) -> None:
    places = [(row[0], number(row[2])) for row in rows_of(folder / "lugares_hispanos_geonames.tsv.gz")]
    table.add("place-large", words_in(name for name, people in places if people > 30_000), 4)
    table.add("place", words_in(name for name, people in places if people <= 30_000), 4)
    spanish = rows_of(folder / "lugares_es_ine.tsv.gz")
    table.add("place-spain", capitalised(row[0] for row in spanish), 4)
    table.add("municipality-spain", capitalised(row[1] for row in spanish), 4)
    table.add("street", words_in(row[0] for row in rows_of(folder / "calles_osm.tsv.gz")), 4)
    table.add("hospital", words_in(row[0] for row in rows_of(folder / "hospitales_es_cnh2020.tsv.gz")), 4)
    centres = rows_of(folder / "establecimientos_salud_cl_deis.tsv.gz")
    table.add("health-centre", words_in(row[1] for row in centres if len(row) > 1), 4)
    table.add("university", words_in(row[0] for row in rows_of(folder / "universidades.tsv.gz")), 4)
    table.add("institution", words_in(row[0] for row in rows_of(folder / "instituciones_normas.tsv.gz")), 4)


def add_terms(table: Gazetteer, folder: Path) -> None:
    professions = [row[0] for row in rows_of(folder / "profesiones_esco_es.tsv.gz")]
    table.add("profession", (name for name in professions if " " not in name))
    table.add("profession-first", (name.split()[0] for name in professions if " " in name))
    table.add("profession-word", words_in(professions), 4)
    table.add("eponym", words_in(row[0] for row in rows_of(folder / "eponimos_medicos.tsv.gz")), 3)
    table.add("acronym", (row[0] for row in rows_of(folder / "siglas_medicas.tsv.gz")))
    table.add("clinical-capitals", (row[0] for row in rows_of(folder / "mayusculas_clinicas.tsv.gz")))
    terms = rows_of(folder / "menciones_medicas.tsv.gz")
    for kind in sorted({row[1] for row in terms}):
        table.add(f"medical-{kind}", words_in(row[0] for row in terms if row[1] == kind), 4)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lists", type=Path)
    parser.add_argument("out", type=Path)
    given = parser.parse_args()
    table = Gazetteer()
    for add in (add_people, add_places, add_terms):
        add(table, given.lists)
    table.write(given.out)
    print(f"{len(table.masks)} words on {len(table.lists)} lists")


if __name__ == "__main__":
    main()

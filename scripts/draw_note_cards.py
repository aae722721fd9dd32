"""Draw writing cards for the notes corpus: the requirements of each note, so that the planned coverage is reached.

    python scripts/draw_note_cards.py --lists DIR --split train --first 1 --count 50 --seed 7 > cards.md

A card specifies country, place, document type, layout, register, length and density, and names what must occur. Names
and towns are drawn from public lists (folder `--lists`: INE, RENAPER, Registro Civil, GeoNames), so that writers do not
all choose the same ones. Surnames of the suite are separated from those of training and development by a hash.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import random
import tomllib
from collections.abc import Iterable
from pathlib import Path

GRID = tomllib.loads((Path(__file__).parent.parent / "data" / "notes" / "grid.toml").read_text(encoding="utf-8"))
TOWNS_OF_US = ["Houston", "El Paso", "Fresno", "Union City", "Laredo", "Yuma"]


def main() -> None:
    options = _arguments()
    chance = random.Random(options.seed)  # noqa: S311
    lists = _Lists(options.lists, options.split)
    print(f"# {options.count} cards for the {options.split} split\n")
    for number in range(options.first, options.first + options.count):
        print(_card(f"{options.split}-{number:04d}", number, chance, lists))


def _card(name: str, number: int, chance: random.Random, lists: _Lists) -> str:
    spain = number % 3 == 0
    country = "ES" if spain else _drawn(GRID["countries"], chance)
    region = GRID["regions"][(number // 3) % len(GRID["regions"])] if spain else None
    length = _drawn(GRID["lengths"], chance)
    kind = chance.choice(list(GRID["types"]))
    layout = _drawn({name: each["weight"] for name, each in GRID["layouts"].items()}, chance)
    towns = ", ".join(lists.towns(country, region, chance))
    head = (
        f"## {name} {country}\n- place: {f'ES ({region})' if region else country}; towns nearby you may use: {towns}\n"
    )
    head += f"- type: {kind} ({GRID['types'][kind]})\n- layout: {layout} ({GRID['layouts'][layout]['text']})\n"
    head += f"- writer: {chance.choice(GRID['registers'])}\n- length: {length} words\n"
    if number % 8 == 0:
        return head + "- density: NO PHI at all (only traps, at least ten: eponyms, drugs, figures, scales, services)\n"
    head += f"- density: {chance.choices(GRID['densities'], (3, 5, 3))[0]}\n"
    head += f"- must occur: {'; '.join(chance.sample(GRID['must_occur'], 5))}\n"
    head += f"- rare codes to use, each once or more: {', '.join(chance.sample(GRID['rare_codes'], 3))}\n"
    return head + f"- names you may use or vary: {', '.join(lists.people(country, chance))}\n"


def _drawn(weights: dict[str, int], chance: random.Random) -> str:
    return chance.choices(list(weights), list(weights.values()))[0]


class _Lists:
    """Given names, surnames and towns by country."""

    def __init__(self, folder: Path, split: str) -> None:
        self._suite = split == "suite"
        self._given = [row[0].title() for row in _rows(folder / "nombres_es_ine.tsv.gz", 2500)]
        self._given_cl = [row[0] for row in _rows(folder / "nombres_cl_registro_civil.tsv.gz", 2500)]
        self._surnames = self._kept(row[0].title() for row in _rows(folder / "apellidos_es_ine.tsv.gz", 6000))
        self._surnames_ar = self._kept(row[0].title() for row in _rows(folder / "apellidos_ar_renaper.txt.gz", 6000, 0))
        self._spain = _rows(folder / "lugares_es_ine.tsv.gz", 70_000)
        self._world: dict[str, list[str]] = {}
        for row in _rows(folder / "lugares_hispanos_geonames.tsv.gz", 40_000):
            self._world.setdefault(row[1], []).append(row[0])

    def _kept(self, names: Iterable[str]) -> list[str]:
        return [name for name in names if (hashlib.sha256(name.encode()).digest()[0] % 4 == 0) == self._suite]

    def towns(self, country: str, region: str | None, chance: random.Random) -> list[str]:
        if region:
            near = [row[0] for row in self._spain if any(part in row[2] for part in GRID["provinces"][region].split())]
            return chance.sample(near, min(3, len(near)))
        return chance.sample(self._world.get(country, TOWNS_OF_US), 3)

    def people(self, country: str, chance: random.Random) -> list[str]:
        spain = country == "ES"
        given = chance.sample(self._given if spain else self._given_cl, 7)
        surnames = chance.sample(self._surnames if spain else self._surnames_ar, 8)
        if not spain and country in GRID["local_surnames"] and not self._suite:
            surnames += chance.sample(GRID["local_surnames"][country].split(), 2)
        return [*given, *surnames, chance.choice(GRID["foreign_names"])]


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

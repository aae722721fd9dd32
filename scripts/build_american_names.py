"""Build the table of names that are usual in America: `python scripts/build_american_names.py LISTS`.

LISTS is a folder with the first names of Chile with their sex and bearers (`nombres_cl_registro_civil.tsv.gz`) and the
surnames of Argentina, the most frequent first (`apellidos_ar_renaper.txt.gz`).
"""

from __future__ import annotations

import csv
import gzip
import sys
from collections import Counter, defaultdict
from pathlib import Path

from nadie.spanish import tables
from nadie.spanish.folding import key_of

OUT = Path(__file__).parent.parent / "src/nadie/spanish/data/american_names.tsv.gz"
_LEAST_BEARERS = 20
_ONE_SEX = 0.95
_SURNAMES = 15_000


def given(lists: Path) -> list[str]:
    """First names of one sex, with their bearers."""
    bearers: dict[str, Counter[str]] = defaultdict(Counter)
    text = gzip.decompress((lists / "nombres_cl_registro_civil.tsv.gz").read_bytes()).decode()
    for row in csv.DictReader(text.splitlines(), delimiter="\t"):
        bearers[key_of(row["nombre"])][row["sexo"].lower()] += int(float(row["n_1920_2021"]))
    rows = []
    for name, sexes in sorted(bearers.items()):
        sex, count = sexes.most_common(1)[0]
        if name.isalpha() and sexes.total() >= _LEAST_BEARERS and count >= _ONE_SEX * sexes.total() and sex in "mf":
            rows.append(f"{name}\t{sex}\t{count}")
    return rows


def surnames(lists: Path) -> list[str]:
    """Usual (`s`) and rare (`r`) surnames that the census of Spain has, too."""
    here = {key_of(row[0]).split()[-1] for row in tables.rows("surnames.tsv.gz") if len(row) > 2}
    names = gzip.decompress((lists / "apellidos_ar_renaper.txt.gz").read_bytes()).decode().splitlines()
    usual = here.intersection(map(key_of, names[:_SURNAMES]))
    return [f"{name}\t{'s' if name in usual else 'r'}" for name in sorted(here.intersection(map(key_of, names)))]


def main() -> None:
    lists = Path(sys.argv[1])
    rows = [*given(lists), *surnames(lists)]
    OUT.write_bytes(gzip.compress(("\n".join(rows) + "\n").encode(), mtime=0))
    print(f"{len(rows)} names, {OUT.stat().st_size // 1024} kB")


if __name__ == "__main__":
    main()

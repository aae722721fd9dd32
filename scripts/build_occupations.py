"""Build the table of job titles of ESCO with their groups of occupations: `python scripts/build_occupations.py ESCO`.

ESCO is a table (TSV, gzipped or not) with the columns `profesion` and `isco08`. Of each title only as many words are
stored as its group needs: `soldador` where all titles that begin so are of one group, two or more words elsewhere.
"""

from __future__ import annotations

import argparse
import csv
import gzip
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from nadie.spanish.folding import words_of
from nadie.surrogates.occupations import group_of_code

OUT = Path(__file__).parent.parent / "src/nadie/surrogates/data/titles.tsv.gz"
_MOST = 0.8  # of the titles with these first words are of one group
_LONGEST = 6  # words


def titles(path: Path) -> Iterator[tuple[tuple[str, ...], str]]:
    """The folded words of each title with its group."""
    content = path.read_bytes()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
    for row in csv.DictReader(text.splitlines(), delimiter="\t"):
        words = tuple(words_of(row["profesion"]))
        if words and (group := group_of_code(row["isco08"])):
            yield words, group


def beginnings(found: list[tuple[tuple[str, ...], str]]) -> dict[str, str]:
    """The shortest beginnings of titles that tell the group."""
    told: dict[str, str] = {}
    for length in range(1, _LONGEST + 1):
        groups: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        for words, group in found:
            groups[words[:length]][group] += 1
        for words, counts in groups.items():
            group, count = counts.most_common(1)[0]
            is_told = any(" ".join(words[:n]) in told for n in range(1, length))
            if not is_told and len(words) == length and count >= _MOST * counts.total():
                told[" ".join(words)] = group
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("esco", type=Path)
    rows = sorted(beginnings(list(titles(parser.parse_args().esco))).items())
    content = "".join(f"{words}\t{group}\n" for words, group in rows)
    OUT.write_bytes(gzip.compress(content.encode(), mtime=0))
    print(f"{len(rows)} beginnings of titles, {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()

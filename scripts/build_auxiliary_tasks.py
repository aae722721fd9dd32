"""Build the auxiliary tasks that ConvNet can be trained on in addition to its own: files of tokens and BIO tags.

    python scripts/build_auxiliary_tasks.py RESOURCES OUT

RESOURCES has the folders `ner_livingner` (people and species in clinical cases), `ner_profner` (professions in tweets)
and `ner_multiconer` (persons, places and organisations in sentences of Wikipedia). OUT gets `humans.tsv`,
`professions.tsv` and `entities.tsv`.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from nadie.tokens.tokenizer import tokenize

Sentence = list[tuple[str, str]]
_KEPT = {"humans": ("HUMAN", "SPECIES"), "entities": ("PER", "LOC", "CORP", "GRP")}


def columns(paths: Iterable[Path], labels: tuple[str, ...]) -> Iterator[Sentence]:
    """Sentences of files with one token and its tag per line; entities with other labels are left out."""
    for path in paths:
        lines = gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()
        for filled, some in groupby(lines, key=lambda line: bool(line.strip()) and not line.startswith("#")):
            if filled:
                pairs = [(line.split("\t")[0], line.split("\t")[-1].strip()) for line in some]
                yield [(token, tag if tag[2:] in labels else "O") for token, tag in pairs if token.strip()]


def tweets(path: Path) -> Iterator[Sentence]:
    """Each tweet as a sentence of nadie's tokens, with its professions."""
    for line in gzip.decompress(path.read_bytes()).decode("utf-8").splitlines():
        record: dict[str, Any] = json.loads(line)
        spans = [(start, end) for start, end, label in record["spans"] if label == "PROFESION"]
        sentence = []
        for token in tokenize(record["text"]):
            inside = next(((start, end) for start, end in spans if start <= token.start < end), None)
            tag = "O" if inside is None else "B-PROFESION" if token.start == inside[0] else "I-PROFESION"
            sentence.append((token.text, tag))
        yield sentence


def write(sentences: Iterable[Sentence], path: Path) -> None:
    blocks = ("".join(f"{token}\t{tag}\n" for token, tag in sentence) for sentence in sentences if sentence)
    path.write_text("\n".join(blocks), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("resources", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    root: Path = options.resources
    write(columns(sorted((root / "ner_livingner").glob("*.gz")), _KEPT["humans"]), options.out / "humans.tsv")
    write(columns(sorted((root / "ner_multiconer").glob("*2022*.gz")), _KEPT["entities"]), options.out / "entities.tsv")
    write(tweets(root / "ner_profner" / "profner_tweets.jsonl.gz"), options.out / "professions.tsv")


if __name__ == "__main__":
    main()

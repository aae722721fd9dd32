"""Check the notes corpus, and write its tables into docs/en/contribute/notes-corpus.md.

    python scripts/check_notes.py            run the checks; exit code 1 if one fails
    python scripts/check_notes.py --write    write the counts by split, country, region, type, layout and label
    python scripts/check_notes.py --variety [--against DIR]   distinct trigrams and repeated sentences

Checked: the markup; unique ids; types, layouts and regions of `grid.toml`; near-duplicates within and between the
splits and the suite (shingles of eight words); full names that occur both in training and in the suite; strings that
are marked in one place of a note and neither marked nor a trap in another.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from nadie.document import Document
from nadie.evaluation.suite.runner import load_notes
from nadie.files.annotated.reading import read_documents
from nadie.labels import Label
from nadie.spanish.folding import fold

ROOT = Path(__file__).resolve().parent.parent / "data" / "notes"
PAGE = Path(__file__).resolve().parent.parent / "docs" / "en" / "contribute" / "notes-corpus.md"
GRID = tomllib.loads((ROOT / "grid.toml").read_text(encoding="utf-8"))
REGIONS = {fold(name).replace(" ", "-") for name in GRID["regions"]}
SHINGLE = 8
MOST_SHARED = 0.2  # share of the shingles of the shorter note
NAMES = (Label.NOMBRE_SUJETO_ASISTENCIA, Label.NOMBRE_PERSONAL_SANITARIO)
_WORD = re.compile(r"\w+")


def splits(root: Path = ROOT) -> dict[str, list[Document]]:
    """The notes of training, of development and of the held-out suite, the hard ones apart."""
    return {
        "train": list(read_documents(root / "train")),
        "dev": list(read_documents(root / "dev")),
        "dev-hard": list(read_documents(root / "dev-hard")),
        "suite": list(load_notes()),
        "suite-hard": list(read_documents(root / "suite-hard")),
    }


def problems(notes: dict[str, list[Document]]) -> Iterator[str]:
    """The problems of the corpus; they name notes and never quote them."""
    ids = Counter(note.id for split in notes.values() for note in split)
    yield from (f"{name}: {count} notes have this id" for name, count in ids.items() if count > 1)
    for key in ("type", "layout"):
        known = GRID[f"{key}s"]
        strange = (n.id for some in notes.values() for n in some if n.meta.get(key, next(iter(known))) not in known)
        yield from (f"{name}: its {key} is not in grid.toml" for name in strange)
    yield from (
        f"{note.id}: its region is not in grid.toml"
        for note in (*notes["train"], *notes["dev"], *notes["dev-hard"])
        if note.meta["country"] == "ES" and note.meta.get("region") not in REGIONS
    )
    yield from near_duplicates([note for split in notes.values() for note in split])
    shared = full_names(notes["train"]) & full_names(notes["suite"] + notes["suite-hard"])
    if shared:
        yield f"{len(shared)} full names of patients are both in training and in the suite"


def near_duplicates(notes: Iterable[Document]) -> Iterator[str]:
    """Pairs of notes that share more than `MOST_SHARED` of the shorter one's shingles."""
    shingles = {note.id: set(_shingles(note.text)) for note in notes}
    where = defaultdict(list)
    for name, own in shingles.items():
        for shingle in own:
            where[shingle].append(name)
    shared: Counter[tuple[str, str]] = Counter()
    for names in where.values():
        shared.update((a, b) for i, a in enumerate(names) for b in names[i + 1 :])
    for (a, b), count in shared.items():
        if count > MOST_SHARED * min(len(shingles[a]), len(shingles[b])):
            yield f"{a} and {b} are near-duplicates: {count} shingles of {SHINGLE} words in common"


def full_names(notes: Iterable[Document]) -> set[str]:
    """Names of two words or more, folded."""
    values = (fold(note.text_of(span)) for note in notes for span in note.spans if span.label in NAMES)
    return {value for value in values if len(value.split()) > 1}


def unmarked(notes: Iterable[Document]) -> Iterator[tuple[str, str, int]]:
    """Id, label and offset of a string that is marked elsewhere in its note, and neither marked nor a trap here."""
    for note in notes:
        marked = bytearray(len(note.text))
        traps = [tuple(map(int, trap.split("-"))) for trap in note.meta.get("traps", "").split()]
        for start, end in [(s.start, s.end) for s in note.spans] + traps:
            marked[start:end] = b"\1" * (end - start)
        for value, label in {note.text_of(s): s.label for s in note.spans if len(s) > 3}.items():
            for match in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", note.text):
                if not any(marked[match.start() : match.end()]):
                    yield note.id, label, match.start()


def tables(notes: dict[str, list[Document]]) -> str:
    """Counts by split, country, region, type, layout and label, as Markdown."""
    parts = [
        _table("split", ["notes", "without PHI", "words", "spans", "traps"], {k: _sizes(v) for k, v in notes.items()})
    ]
    for field in ("country", "region", "type", "layout"):
        counts = {k: Counter(note.meta[field] for note in v if field in note.meta) for k, v in notes.items()}
        name = "region of Spain" if field == "region" else field
        parts.append(_table(name, list(counts), _by_value(counts, least=5 if field in ("type", "layout") else 1)))
    labels = {k: Counter(str(span.label) for note in v for span in note.spans) for k, v in notes.items()}
    parts.append(_table("label", list(labels), _by_value(labels)))
    return "\n\n".join(parts)


def page(notes: dict[str, list[Document]]) -> str:
    """The page with its tables up to date."""
    return between(PAGE.read_text(encoding="utf-8"), "tables", tables(notes))


def between(text: str, marks: str, content: str) -> str:
    """The page with `content` between these marks."""
    before, begin, rest = text.partition(f"<!-- {marks}: begin -->\n")
    _, end, after = rest.partition(f"<!-- {marks}: end -->")
    if not (begin and end):
        raise ValueError(f"the page has no marks for {marks}")
    return f"{before}{begin}\n{content}\n\n{end}{after}"


def variety(notes: Iterable[Document], words: int = 100_000) -> dict[str, float]:
    """The percentages of distinct words and trigrams in the first `words` words, and of sentences that occur twice."""
    texts = [note.text for note in notes]
    stream = list(islice((w for text in texts for w in _WORD.findall(fold(text))), words))
    trigrams = list(zip(stream, stream[1:], stream[2:], strict=False))
    sentences = Counter(s for text in texts for s in _sentences(text))
    repeated = sum(count for count in sentences.values() if count > 1)
    return {
        "words": len(stream),
        "distinct words %": 100 * len(set(stream)) / len(stream),
        "distinct trigrams %": 100 * len(set(trigrams)) / len(trigrams),
        "sentences that occur twice %": 100 * repeated / max(1, sentences.total()),
    }


def _sentences(text: str) -> Iterator[str]:
    for piece in re.split(r"[.\n]+", text):
        words = _WORD.findall(fold(piece))
        if len(words) >= 4:
            yield " ".join(words)


def _shingles(text: str) -> Iterator[int]:
    words = _WORD.findall(fold(text))
    return (hash(tuple(words[i : i + SHINGLE])) for i in range(len(words) - SHINGLE + 1))


def _sizes(notes: list[Document]) -> list[int]:
    traps = sum(len(note.meta.get("traps", "").split()) for note in notes)
    without = sum(not note.spans for note in notes)
    return [len(notes), without, sum(len(n.text.split()) for n in notes), sum(len(n.spans) for n in notes), traps]


def _by_value(counts: dict[str, Counter[str]], least: int = 1) -> dict[str, list[int]]:
    """A row for each value that occurs at least this often, and one for all others."""
    order = sum(counts.values(), Counter())
    rows = {value: [c[value] for c in counts.values()] for value, n in order.most_common() if n >= least}
    others = [sum(n for value, n in c.items() if value not in rows) for c in counts.values()]
    return {**rows, f"{len(order) - len(rows)} others": others} if any(others) else rows


def _table(name: str, columns: list[str], rows: dict[str, list[int]]) -> str:
    lines = [f"| {name} | {' | '.join(columns)} |", "| --- |" + " --- |" * len(columns)]
    return "\n".join(lines + [f"| {key} | {' | '.join(f'{n:,}' for n in row)} |" for key, row in rows.items()])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--variety", action="store_true")
    parser.add_argument("--against", type=Path, help="another annotated corpus, such as MEDDOCAN's training set")
    parser.add_argument("--notes", type=Path, default=ROOT, help="the folder with train/ and dev/")
    options = parser.parse_args()
    notes = splits(options.notes)
    if options.write:
        PAGE.write_text(page(notes), encoding="utf-8")
    if options.variety:
        compared = {
            **notes,
            **({str(options.against): list(read_documents(options.against))} if options.against else {}),
        }
        for name, documents in compared.items():
            print(name, {key: round(value, 2) for key, value in variety(documents).items()})
    if options.write or options.variety:
        return 0
    found = list(problems(notes))
    for problem in found:
        print(problem)
    loose = list(unmarked(notes["train"] + notes["dev"] + notes["dev-hard"]))
    for name, label, start in loose:
        print(f"look at {name}: a {label} is marked elsewhere in the note and not at {start}")
    print(f"{len(found)} problems, {len(loose)} places to look at")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

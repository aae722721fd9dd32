"""Compare the spans of every shipped model before and after a change to the code.

    python benchmarks/same_spans.py --write before.json [--documents DIR] [--models fast recrf]
    python benchmarks/same_spans.py --against before.json

The documents are the hand-written notes of the suite, filled up to 300 with the first texts of `--documents`
(MEDDOCAN's background notes, say). The second call reads the same documents and exits with 1 if any span differs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path

import nadie
from nadie.document import Document
from nadie.evaluation.suite.runner import load_notes

MODELS = ("recrf", "bilstm_crf", "e2ej", "tccnn", "exhaustive-single", "exhaustive", "fast", "best")
MOST = 300


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", type=Path, help="write the spans of every model to this file")
    parser.add_argument("--against", type=Path, help="compare with the spans in this file")
    parser.add_argument("--documents", type=Path, help="a folder of .txt files to fill up with")
    parser.add_argument("--models", nargs="+", default=list(MODELS))
    options = parser.parse_args()
    documents = _documents(options.documents)
    before = json.loads(options.against.read_text()) if options.against else None
    if before and before["documents"] != _fingerprint(documents):
        print("the documents are not the ones the spans were written for", file=sys.stderr)
        return 2
    found = {model: _spans(model, documents) for model in options.models}
    if options.write:
        options.write.write_text(json.dumps({"documents": _fingerprint(documents), "spans": found}))
    return _compare(before["spans"], found) if before else 0


def _documents(folder: Path | None) -> list[Document]:
    documents = [note.with_spans(()) for note in load_notes()]
    for path in sorted(folder.glob("*.txt"))[: MOST - len(documents)] if folder else ():
        documents.append(Document(path.stem, path.read_text(encoding="utf-8")))
    return documents


def _fingerprint(documents: list[Document]) -> str:
    return hashlib.sha256("\0".join(document.text for document in documents).encode()).hexdigest()


def _spans(model: str, documents: list[Document]) -> list[list[list[object]]]:
    annotated = list(nadie.load(model).annotate_all(documents))
    print(f"{model}: {sum(len(each.spans) for each in annotated)} spans in {len(annotated)} documents")
    return [[[s.start, s.end, str(s.label), round(s.score, 3)] for s in each.spans] for each in annotated]


def _compare(before: dict[str, list[list[list[object]]]], after: dict[str, list[list[list[object]]]]) -> int:
    differing = 0
    for model, documents in after.items():
        pairs = list(zip(before[model], documents, strict=True))
        spans = sum([s[:3] for s in a] != [s[:3] for s in b] for a, b in pairs)
        scores = sum(a != b for a, b in pairs)
        print(f"{model}: {spans} documents with other spans, {scores} with other spans or scores")
        differing += spans
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())

"""How many annotated spans begin and end at a token of spaCy's Spanish tokenizer, by label, beside the recall of
Suárez-Paniagua (2019), whose system used these tokens.

    python benchmarks/spacy_tokens.py MEDDOCAN_FOLDER [--json FILE]

A tagger cannot find a span that begins or ends within a token.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

from nadie.files.annotated.reading import read_documents
from nadie.tokens.spacy_tokens import spacy_tokens
from nadie.tokens.tokenizer import tokenize

RESULTS = Path(__file__).resolve().parent.parent / "docs" / "results.json"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--json", type=Path, help="write the shares to this file")
    options = parser.parse_args()
    total, spacy, own = Counter[str](), Counter[str](), Counter[str]()
    for part in ("train", "dev"):
        for document in read_documents(options.corpus / part / "brat"):
            for counts, tokens in ((spacy, spacy_tokens(document.text)[0]), (own, tokenize(document.text))):
                starts, ends = {token.start for token in tokens}, {token.end for token in tokens}
                counts.update(str(s.label) for s in document.spans if s.start in starts and s.end in ends)
            total.update(str(span.label) for span in document.spans)
    published = json.loads(RESULTS.read_text(encoding="utf-8"))["papers"]["labels"]
    rows = {}
    for label, count in [("all", total.total()), *sorted(total.items())]:
        at = (spacy.total(), own.total()) if label == "all" else (spacy[label], own[label])
        recall = published.get(f"bilstm_crf: {label}", {}).get("recall")
        rows[label] = {"spans": count, "spacy": _share(at[0], count), "nadie": _share(at[1], count), "recall": recall}
        print(f"{label:<34}{count:>6}{rows[label]['spacy']:>8.1f}{rows[label]['nadie']:>8.1f}  {recall or ''}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def _share(part: int, whole: int) -> float:
    return round(100 * part / whole, 1)


if __name__ == "__main__":
    main()

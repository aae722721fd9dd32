"""How many sentences a document has: the denominator of the leak score.

The task counted them with a tool of its own, so its counts can only be read, not computed; without them nadie's own
splitter counts, and the leak is then not comparable with published figures.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from nadie.document import Document
from nadie.errors import CorpusError, FormatError
from nadie.tokens.sentences import split_sentences
from nadie.tokens.tokenizer import tokenize


def count_sentences(documents: Sequence[Document]) -> dict[str, int]:
    """Counted with nadie's own splitter."""
    return {document.id: len(split_sentences(document.text, tokenize(document.text))) for document in documents}


def read_sentence_counts(path: Path, documents: Sequence[Document]) -> dict[str, int]:
    """Read from a JSON object of document ids and numbers, which must know every document."""
    counts = _read(path)
    missing = [document.id for document in documents if document.id not in counts]
    if missing:
        raise CorpusError(f"{path}: no sentence count for {len(missing)} documents, the first is {missing[0]}")
    return {document.id: counts[document.id] for document in documents}


def _read(path: Path) -> Mapping[str, int]:
    try:
        counts = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise FormatError(error.strerror or "cannot be read", where=str(path)) from None
    except (ValueError, RecursionError):
        raise FormatError("not a JSON file", where=str(path)) from None
    if not isinstance(counts, dict):
        raise FormatError("not a JSON object of document ids and numbers", where=str(path))
    for name, count in counts.items():
        if not isinstance(count, int) or isinstance(count, bool) or count < 0:
            raise FormatError(f"the count of document {name[:80]!r} is not a whole number from 0", where=str(path))
    return counts

"""Gold, system annotations and sentence counts from files; annotations in any supported format.

A system's output is often only `.ann` files without the texts, as the shared task required; they are read with the
texts of gold.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from nadie.document import Document
from nadie.errors import CorpusError, FormatError
from nadie.files import disk as files
from nadie.files.annotated.brat import parse_annotations
from nadie.files.annotated.reading import read_documents
from nadie.files.format import FORMATS, guess


def read_gold(path: Path, form: str = "") -> tuple[Document, ...]:
    """The documents of gold, in the format `form` if it is given."""
    return tuple(read_documents(path, _annotated(path, "gold", form)))


def read_system(path: Path, gold: Sequence[Document], form: str = "") -> Iterator[Document]:
    """The system's documents; an `.ann` without a `.txt` uses the text of the gold document with the same id."""
    name_of_format = _annotated(path, "the system", form)
    if name_of_format != "brat":
        yield from read_documents(path, name_of_format)
        return
    texts = {document.id: document.text for document in gold}
    walk = files.walk(path, (".ann",))
    if walk.errors:
        raise walk.errors[0]
    for name, file in walk.files:
        if file.with_suffix(".txt").is_file():
            yield from (replace(document, id=name) for document in read_documents(file, "brat"))
        elif name in texts:
            yield Document(name, texts[name], parse_annotations(files.read_bytes(file), texts[name], str(file)))
        else:
            yield Document(name, "")  # pairing reports it as missing in gold


def read_sentence_counts(path: Path, documents: Sequence[Document]) -> dict[str, int]:
    """Read a JSON object of document ids and numbers, which must have every document."""
    counts = _read_counts(path)
    missing = [document.id for document in documents if document.id not in counts]
    if missing:
        raise CorpusError(f"{path}: no sentence count for {len(missing)} documents, the first is {missing[0]}")
    return {document.id: counts[document.id] for document in documents}


def _annotated(path: Path, side: str, form: str) -> str:
    """The format of a path that must have annotations: plain texts would count as documents without spans."""
    name = form or guess(path)
    if not FORMATS.get(name).holds_spans:
        raise CorpusError(f"{path}: {side} must be annotated, and this is plain text")
    return name


def _read_counts(path: Path) -> Mapping[str, int]:
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

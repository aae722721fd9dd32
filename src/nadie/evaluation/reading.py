"""Gold and system annotations from files, in any format that nadie reads.

A system's output often comes as bare `.ann` files without the texts, as the task asked for them; those are read
against gold's texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from nadie.document import Document
from nadie.errors import CorpusError
from nadie.evaluation.pairing import Pairing, pair
from nadie.formats import files
from nadie.formats.brat import parse_annotations
from nadie.formats.reading import guess, read_documents


def read_gold(path: Path) -> tuple[Document, ...]:
    return tuple(read_documents(path, _annotated(path, "gold")))


def read_pairs(gold: Sequence[Document], system: Path) -> Pairing:
    """Gold's documents beside what the system found in them."""
    return pair(gold, read_system(system, gold))


def read_system(path: Path, gold: Sequence[Document]) -> Iterator[Document]:
    """The system's documents; the text of an `.ann` without a `.txt` is that of gold's document of the same id."""
    form = _annotated(path, "the system")
    if form != "brat":
        yield from read_documents(path, form)
        return
    texts = {document.id: document.text for document in gold}
    walk = files.walk(path, (".ann",))
    if walk.errors:
        raise walk.errors[0]
    for name, file in walk.files:
        if file.with_suffix(".txt").is_file():
            yield from (replace(document, id=name) for document in read_documents(file, form))
        elif name in texts:
            yield Document(name, texts[name], parse_annotations(files.read_bytes(file), texts[name], str(file)))
        else:
            yield Document(name, "")  # pairing names it among those that gold lacks


def _annotated(path: Path, side: str) -> str:
    """The format of a path that must carry annotations: texts alone would pass for documents without any."""
    form = guess(path)
    if form == "text":
        raise CorpusError(f"{path}: {side} must be annotated (.ann, .xml or .jsonl), and here are none")
    return form

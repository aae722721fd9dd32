"""spaCy's DocBin: documents in spaCy's training format, with exact offsets.

Spans are in `doc.ents`, and all of them, including overlapping ones, in the span group `nadie`.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from nadie.document import Document, Span
from nadie.errors import FormatError, MissingExtraError
from nadie.files import disk as files
from nadie.files.annotated.cut_tokens import cut_tokens
from nadie.files.annotated.spans import checked_span
from nadie.files.format import Add, Format, scan_collections
from nadie.files.label_sets import LabelSet

FILE_NAME = "documents.spacy"
GROUP = "nadie"
_MOST_BYTES = 2 * files.MAX_BYTES


class DocBinFormat(Format):
    """Reads any number of `.spacy` files; writes `documents.spacy`. The id and the meta are in `doc.user_data`."""

    name = "docbin"
    suffixes = (".spacy",)
    one_document_per_file = False

    def scan(self, path: Path) -> Iterator[Document | FormatError]:
        return scan_collections(files.walk(path, self.suffixes), self._read)

    def _read(self, name: str, file: Path) -> Iterator[tuple[None, Document | FormatError]]:
        for number, doc in enumerate(_docs(files.read_bytes(file), str(file)), start=1):
            yield None, _document(doc, f"{name}-{number}", self.labels, str(file))

    @contextmanager
    def writer(self, folder: Path) -> Iterator[Add]:
        spacy = _spacy()
        vocab = spacy.vocab.Vocab()
        packed = spacy.tokens.DocBin(attrs=["ENT_IOB", "ENT_TYPE"], store_user_data=True)
        target = folder / FILE_NAME
        ids: set[str] = set()

        def add(document: Document) -> None:
            if document.id in ids:
                raise FormatError("the document id was used before", where=document.id)
            ids.add(document.id)
            packed.add(_doc(document, vocab, self.labels, str(target)))

        yield add
        files.write_bytes(target, packed.to_bytes())


def _doc(document: Document, vocab: Any, labels: LabelSet, where: str) -> Any:
    """The document with tokens split at span borders. One space after a token is part of it, other white space is a
    separate token, so that the text is unchanged.
    """
    spacy = _spacy()
    files.encode(document.text, where)
    words: list[str] = []
    spaces: list[bool] = []
    reached = 0
    starts, ends = {span.start for span in document.spans}, {span.end for span in document.spans}
    for token in [*cut_tokens(document), None]:
        start = token.start if token else len(document.text)
        between = document.text[reached:start]
        if words and between.startswith(" ") and reached not in starts and reached + 1 not in ends:
            spaces[-1], between = True, between[1:]
        words += list(between)
        spaces += [False] * len(between)
        if token:
            words.append(token.text)
            spaces.append(False)
            reached = token.end
    doc = spacy.tokens.Doc(vocab, words=words, spaces=spaces)
    spans = [
        doc.char_span(span.start, span.end, labels.written(span.label, document.text_of(span)), alignment_mode="expand")
        for span in document.spans
    ]
    doc.spans[GROUP] = spans
    doc.set_ents(spacy.util.filter_spans(spans))
    doc.user_data.update({"id": document.id, "meta": dict(document.meta)})
    return doc


def _document(doc: Any, name: str, labels: LabelSet, where: str) -> Document | FormatError:
    try:
        found: Iterable[Any] = doc.spans.get(GROUP, doc.ents)
        spans = [_span(each, labels, doc.text) for each in found]
        meta = doc.user_data.get("meta", {})
        is_plain = isinstance(meta, dict) and all(isinstance(v, str) for pair in meta.items() for v in pair)
        return Document(str(doc.user_data.get("id", name)), doc.text, tuple(spans), meta if is_plain else {})
    except ValueError as error:
        return FormatError(str(error), where=where)


def _span(each: Any, labels: LabelSet, text: str) -> Span:
    return checked_span(each.start_char, each.end_char, labels.read(each.label_), text)


def _docs(content: bytes, where: str) -> list[Any]:
    spacy = _spacy()
    docs: list[Any] | None = None
    try:
        unpacked = zlib.decompressobj()
        size = len(unpacked.decompress(content, _MOST_BYTES))
        if unpacked.unconsumed_tail or size >= _MOST_BYTES:
            raise FormatError(f"unpacks to more than {_MOST_BYTES} bytes", where=where)
        docs = list(spacy.tokens.DocBin().from_bytes(content).get_docs(spacy.vocab.Vocab()))
    except FormatError:
        raise
    except Exception:  # spaCy passes on errors of zlib, msgpack and numpy
        docs = None
    if docs is None:
        raise FormatError("is not a spaCy DocBin, or is damaged", where=where)
    return docs


def _spacy() -> Any:
    try:
        import spacy
        import spacy.tokens
        import spacy.util
        import spacy.vocab
    except ModuleNotFoundError:
        raise MissingExtraError("spaCy's DocBin", "spacy") from None
    return spacy

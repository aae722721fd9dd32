"""CoNLL: one token per line with its BIO tag, and an empty line between sentences.

nadie writes four columns with tabs: token, start, end, tag. Offsets keep the spans exact; of the white space only the
width is kept. Files from other tools have the token in the first column and the tag in the last, and no offsets.
"""

from __future__ import annotations

from pathlib import Path

from nadie.document import Document, Span
from nadie.errors import FormatError
from nadie.files import disk as files
from nadie.files.annotated.cut_tokens import check_disjoint, cut_tokens
from nadie.files.annotated.spans import checked_span, offset
from nadie.files.format import FileFormat
from nadie.files.label_sets import LabelSet
from nadie.tokens.codec import OUTSIDE, decode, encode
from nadie.tokens.sentences import split_sentences
from nadie.tokens.tokenizer import Token

_BEGINNING = "-DOCSTART-"


class Conll(FileFormat):
    """`ID.conll`. White space, and the score and source of spans, cannot be stored."""

    name = "conll"
    suffixes = (".conll", ".bio", ".iob")
    suffix = ".conll"

    def read_file(self, name: str, file: Path) -> Document:
        return parse_conll(files.decode(files.read_bytes(file), str(file)), name, self.labels, str(file))

    def write_file(self, document: Document, file: Path) -> None:
        files.write_bytes(file, files.encode(format_conll(document, self.labels), str(file)))


def format_conll(document: Document, labels: LabelSet) -> str:
    """The content of the document's file; spans that overlap, or contain no token, are an error."""
    check_disjoint(document)
    tokens = cut_tokens(document)
    tags = encode(tokens, document.spans)
    if sum(tag.startswith("B-") for tag in tags) != len(document.spans):
        raise FormatError("has a span without a token in it", where=document.id)
    names = iter([labels.written(span.label, document.text_of(span)) for span in document.spans])
    lines: list[str] = []
    name = ""
    for sentence in split_sentences(document.text, tokens):
        for token, tag in zip(tokens[slice(*sentence)], tags[slice(*sentence)], strict=True):
            name = next(names) if tag.startswith("B") else name
            own = "O" if tag == OUTSIDE else f"{tag[0]}-{name}"
            lines.append(f"{token.text}\t{token.start}\t{token.end}\t{own}\n")
        lines.append("\n")
    return "".join(lines)


def parse_conll(content: str, name: str, labels: LabelSet, where: str) -> Document:
    """The document of a file, with its text built from the tokens."""
    parts, tags, tokens, pending, reached = list[str](), list[str](), list[Token](), "", 0
    for number, line in enumerate(content.split("\n"), start=1):
        fields = line.strip("\r").split("\t" if "\t" in line else None)
        if not line.strip() or fields[0] == _BEGINNING:
            pending = "\n" if reached else ""
            continue
        try:
            token, start, tag = _line(fields, reached, pending)
        except ValueError as error:
            raise FormatError(str(error), where=where, line=number) from None
        parts += [pending[: start - reached].ljust(start - reached), token]
        reached = start + len(token)
        tokens.append(Token(start, start + len(token), token))
        tags.append(tag)
        pending = " "
    text = "".join(parts)
    spans: list[Span] = []
    for chunk in decode(tags):
        try:
            label = labels.read(chunk.label)
            spans.append(checked_span(tokens[chunk.first].start, tokens[chunk.stop - 1].end, label, text))
        except ValueError as error:
            raise FormatError(str(error), where=where) from None
    return Document(name, text, tuple(spans))


def _line(fields: list[str], reached: int, pending: str) -> tuple[str, int, str]:
    if len(fields) < 2:
        raise ValueError("is not a token and a tag")
    token, tag = fields[0], fields[-1]
    if tag != "O" and tag[:2] not in ("B-", "I-", "E-", "S-"):
        raise ValueError("the tag is not O, and not B- or I- with a label")
    if len(fields) != 4 or not (fields[1] + fields[2]).isascii() or not (fields[1] + fields[2]).isdigit():
        return token, reached + len(pending), tag
    start, end = offset(fields[1]), offset(fields[2])
    if start < reached or end - start != len(token) or end > files.MAX_BYTES:
        raise ValueError("the offsets do not match the tokens")
    return token, start, tag

"""Synthetic notes, written by the grammar about invented cases."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from nadie.augment.case import new_case
from nadie.augment.edits import insertion, rewrite
from nadie.augment.grammar import expand
from nadie.augment.layout import read_header
from nadie.augment.passage import AnnotatedText, fused_names
from nadie.augment.slots import CaseSlots
from nadie.augment.split import Split
from nadie.document import Document
from nadie.tokens.sentences import split_sentences
from nadie.tokens.tokenizer import tokenize

_SPACES = re.compile(r" {2,}")
_MOST_FILLERS = 400


def synthetic_note(document: Document, rng: Random, split: Split = Split.TRAINING) -> Document:
    """A new note in any style. Only the id and some clinical sentences without spans are taken from `document`."""
    case = new_case(rng, split, clinical_sentences(document))
    note = expand("nota", CaseSlots(case), split).stripped()
    return Document(document.id, note.text, fused_names(note.text, note.spans), document.meta)


def with_added_sentences(document: Document, rng: Random, split: Split = Split.TRAINING) -> Document:
    """The note with sentences about the patient's life inserted between its own."""
    _, body = read_header(document)
    places = [end for end in sentence_ends(document) if end > body]
    if not places:
        return document
    slots = CaseSlots(new_case(rng, split))
    chosen = sorted(rng.sample(places, min(len(places), rng.randint(1, 5))))
    edits = []
    for place in chosen:
        sentence = expand("frase", slots, split)
        edits.append(insertion(place, AnnotatedText(" ").then(sentence)))
    return rewrite(document, edits)


def sentence_ends(document: Document) -> list[int]:
    """The ends of sentences of running text with a full stop outside every span."""
    tokens = tokenize(document.text)
    ends = []
    for sentence in split_sentences(document.text, tokens):
        last = tokens[sentence.stop - 1]
        long_enough = sentence.stop - sentence.first > 9
        if long_enough and last.text == "." and not any(s.start < last.end < s.end for s in document.spans):
            ends.append(last.end)
    return ends


def clinical_sentences(document: Document) -> tuple[str, ...]:
    """The sentences of a note without spans, each on one line."""
    found = []
    tokens = tokenize(document.text)
    for sentence in split_sentences(document.text, tokens):
        start, end = tokens[sentence.first].start, tokens[sentence.stop - 1].end
        free = not any(span.start < end and start < span.end for span in document.spans)
        if free and sentence.stop - sentence.first > 5 and end - start < _MOST_FILLERS:
            found.append(_SPACES.sub(" ", document.text[start:end].replace("\n", " ").replace("\t", " ")))
    return tuple(found)


def synthetic_notes(count: int, seed: int, split: Split = Split.TRAINING) -> Iterator[Document]:
    """Notes without a source document."""
    for number in range(count):
        rng = Random(f"{seed}/{split}/{number}")  # noqa: S311 - not for cryptography
        yield synthetic_note(Document(f"synthetic-{seed}-{number}", ""), rng, split)

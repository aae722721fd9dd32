"""The reviewed notes of a sample, from its folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from nadie.document import Document, Span
from nadie.errors import ConfigError, FormatError
from nadie.evaluation.pairing import pair
from nadie.evaluation.reading import read_gold, read_system
from nadie.files.annotated.reading import iter_readable
from nadie.risk.sample import Sample, SampledNote, text_hash

_REVIEWED, _FOR_BRAT = "training", "notes"
"""The folder with the reviewed notes of a project, and that with all notes of a sample for brat."""

Readings = Mapping[int, tuple[tuple[Span, ...], tuple[Span, ...]]]
"""What two reviewers marked in a note, by its number."""


@dataclass(frozen=True)
class ReviewedNote:
    """A note of the sample with the spans that its review gave, and those of the system that is measured."""

    sampled: SampledNote
    gold: Document
    system: tuple[Span, ...]

    @property
    def weight(self) -> float:
        return 1 / self.sampled.chance


def read_reviewed(
    folder: Path, sample: Sample, gold: Path | None = None, last: int | None = None
) -> list[ReviewedNote]:
    """The notes that count so far: see `reviewed_notes`.

    They are read from the folder `gold`, by default that of the project's reviewed documents or of the brat files. No
    note after number `last` counts. Brat files do not say whether somebody has read them: for these it must be given,
    or the model would be measured by its own annotations.
    """
    documents: Iterable[Document | FormatError] = ()
    if gold is None and (folder / _FOR_BRAT).is_dir():
        gold = folder / _FOR_BRAT
        if last is None:
            raise ConfigError("brat files do not say which notes were read: give the last one's number as --reviewed")
    if gold is not None:
        documents = read_gold(gold)
    elif (folder / _REVIEWED).is_dir():
        documents = iter_readable(folder / _REVIEWED)
    found = {int(each.id): each for each in documents if isinstance(each, Document) and each.id.isdecimal()}
    return reviewed_notes(sample, {n: each for n, each in found.items() if last is None or n <= last})


def reviewed_notes(sample: Sample, gold: Mapping[int, Document]) -> list[ReviewedNote]:
    """The reviewed notes that count, from documents by their number.

    Units count in the order in which they were drawn, up to the first that is not wholly reviewed: if reviewers take
    the doubtful or the short ones first, this changes no figure. Documents that are not in the sample never count.
    """
    waiting = min((note.unit for note in sample.notes if note.number not in gold), default=sample.units)
    return [_reviewed(note, gold[note.number]) for note in sample.notes if note.unit < waiting]


def with_system(notes: list[ReviewedNote], system: Path) -> tuple[list[ReviewedNote], tuple[str, ...]]:
    """The same notes with the spans of another system: a folder of annotations, named by the numbers of the notes.

    A note that the system lacks counts as one in which it found nothing: these are named. Its other notes are left out.
    """
    gold = [replace(note.gold, id=f"{note.sampled.number:06d}") for note in notes]
    counted = {each.id for each in gold}
    found = [each for each in read_system(system, gold) if each.id in counted]
    if gold and not found:
        raise ConfigError(f"{system} has no annotations of the sample: its files must be named by the notes' numbers")
    paired = pair(gold, found)
    return [replace(note, system=e.found) for note, e in zip(notes, paired.pairs, strict=True)], paired.missing


def _reviewed(note: SampledNote, gold: Document) -> ReviewedNote:
    is_longer = any(span.end > len(gold.text) for span in (*note.found, *note.possible))
    if is_longer or note.text_hash not in ("", text_hash(gold.text)):
        raise ConfigError(f"the text of note {note.number} is not the one that was drawn")
    return ReviewedNote(note, gold, note.found)

"""A sample of notes for review: how it was drawn, what was found in it, and the rule by which the review ends.

The file `sample.json` is written before the review begins and never changed. It has numbers, offsets, file names and
hashes of the texts, and no text; file names may be PHI, so it stays with the notes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from nadie.document import Span
from nadie.errors import ConfigError, FormatError
from nadie.files.disk import read_bytes, write_bytes
from nadie.risk.bounds import LEVEL
from nadie.risk.kinds import Kind

FILE = "sample.json"
_VERSION, _DIGITS = 1, 16


@dataclass(frozen=True)
class StoppingRule:
    """What the review is to state, written down before it begins.

    All of the sample is reviewed; then, and not before, the statement "at most this share of the units leak a direct
    identifier" is made if the bound at this level allows it. Figures before the end are for planning only: whoever
    stops as soon as they look good states too little.
    """

    at_most: float = 0.01
    level: float = LEVEL

    def __post_init__(self) -> None:
        if not (0 < self.at_most < 1 and 0.5 <= self.level < 1):
            raise ConfigError("the share must be between 0 and 1, and the level from 0.5 to below 1")


@dataclass(frozen=True)
class SampledNote:
    """A note of the sample: its number in the order of review, its unit and chance, and what the model found in it.

    `possible` are the spans of recall mode. `text_hash` tells whether a reviewed text is the one that was drawn.
    """

    number: int
    name: str
    unit: int
    chance: float
    kind: Kind
    found: tuple[Span, ...]
    possible: tuple[Span, ...]
    text_hash: str = ""


@dataclass(frozen=True)
class Sample:
    """A sample of `units` notes or patients, drawn from `of_units`.

    `by` is what it was spread over, `unsure` the number of further notes in its project, which are not part of it, and
    `detection` the options with which the model found what is measured.
    """

    model: str
    seed: int
    unit: str
    of_units: int
    of_notes: int
    oversampled: float
    rule: StoppingRule
    drawn_at: str
    notes: tuple[SampledNote, ...]
    profile: Mapping[str, list[float]] = field(default_factory=dict)
    """The profile of its notes: see `nadie.risk.drift`."""
    by: tuple[str, ...] = ()
    unsure: int = 0
    detection: Mapping[str, Any] = field(default_factory=dict)

    @property
    def units(self) -> int:
        return len({note.unit for note in self.notes})

    @property
    def heaviest(self) -> float:
        """The largest weight of a unit: see `heaviest`."""
        return heaviest((note.chance for note in self.notes), self.oversampled)

    @property
    def digest(self) -> str:
        """The hash of the file, by which a report names its sample."""
        return hashlib.sha256(self.content()).hexdigest()

    def content(self) -> bytes:
        """The content of the file."""
        content = asdict(self) | {"version": _VERSION}
        for note, stored in zip(self.notes, content["notes"], strict=True):
            stored["found"], stored["possible"] = _packed(note.found), _packed(note.possible)
        return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()

    def write(self, folder: Path) -> None:
        """Write the file into the folder, readable by its owner only."""
        write_bytes(folder / FILE, self.content(), 0o600)

    @classmethod
    def read(cls, folder: Path) -> Sample:
        """Read the file of a folder that `nadie sample` has written."""
        file = folder / FILE
        try:
            content = json.loads(read_bytes(file))
            if content.pop("version") != _VERSION:
                raise FormatError("is of another version of nadie", where=FILE)
            notes = tuple(_note(each) for each in content.pop("notes"))
            by = tuple(content.pop("by", ()))
            return cls(**{**content, "rule": StoppingRule(**content["rule"]), "notes": notes, "by": by})
        except FormatError:
            raise
        except (ValueError, KeyError, TypeError, AttributeError):
            raise FormatError("cannot be read as a sample of `nadie sample`", where=FILE) from None


def text_hash(text: str) -> str:
    """The hash of the text of a note."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def heaviest(chances: Iterable[float], oversampled: float) -> float:
    """The largest weight that a unit can have: if all that were drawn are of one kind, the other may weigh more."""
    weights = {1 / chance for chance in chances}
    is_one_of_two = len(weights) == 1 and weights != {1.0}  # with a weight of 1, all notes were drawn
    return max(weights, default=1.0) * (oversampled if is_one_of_two else 1.0)


def is_sample(folder: Path) -> bool:
    return (folder / FILE).is_file()


def _packed(spans: Sequence[Span]) -> list[list[Any]]:
    return [[span.start, span.end, span.label, round(span.score, 4)] for span in spans]


def _note(stored: dict[str, Any]) -> SampledNote:
    found, possible = (tuple(Span(*span) for span in stored[name]) for name in ("found", "possible"))
    return SampledNote(**{**stored, "kind": Kind(*stored["kind"]), "found": found, "possible": possible})

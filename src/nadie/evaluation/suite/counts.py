"""The counts for a group of documents: a country, a style, an alteration, or all."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from nadie.evaluation.leaks import CharacterCounts, characters, is_safe
from nadie.evaluation.official import Counts, subtask1
from nadie.evaluation.pairing import Pair


@dataclass(frozen=True, slots=True)
class TrapCounts:
    """The numbers of traps and of masked traps, separately for terms (names, drugs, organisms) and figures."""

    terms: int = 0
    terms_masked: int = 0
    figures: int = 0
    figures_masked: int = 0

    def __add__(self, other: TrapCounts) -> TrapCounts:
        return TrapCounts(
            self.terms + other.terms,
            self.terms_masked + other.terms_masked,
            self.figures + other.figures,
            self.figures_masked + other.figures_masked,
        )

    @property
    def all(self) -> int:
        return self.terms + self.figures

    @property
    def masked(self) -> int:
        return self.terms_masked + self.figures_masked

    @property
    def masked_share(self) -> float:
        return self.masked / self.all if self.all else 0.0


@dataclass(frozen=True, slots=True)
class GroupCounts:
    """Sums of counts, so the counts of documents add up to those of a group.

    `harmless` is the number of visible characters that are not PHI.
    """

    documents: int = 0
    safe: int = 0
    harmless: int = 0
    characters: CharacterCounts = field(default_factory=CharacterCounts)
    subtask1: Counts = field(default_factory=Counts)
    traps: TrapCounts = field(default_factory=TrapCounts)

    def __add__(self, other: GroupCounts) -> GroupCounts:
        return GroupCounts(
            self.documents + other.documents,
            self.safe + other.safe,
            self.harmless + other.harmless,
            self.characters + other.characters,
            self.subtask1 + other.subtask1,
            self.traps + other.traps,
        )

    @property
    def safe_share(self) -> float:
        """The share of documents in which nothing was missed."""
        return self.safe / self.documents if self.documents else 0.0

    @property
    def overmasked_share(self) -> float:
        """The share of harmless characters that the system masks."""
        masked = self.characters.system - self.characters.both
        return masked / self.harmless if self.harmless else 0.0

    def summary(self) -> dict[str, Any]:
        """The counts and the shares derived from them, as plain data."""
        return {
            "documents": self.documents,
            "safe_documents": self.safe,
            "safe_share": self.safe_share,
            "characters": asdict(self.characters),
            "character_recall": self.characters.recall,
            "character_precision": self.characters.precision,
            "harmless_characters": self.harmless,
            "overmasked_share": self.overmasked_share,
            "subtask1": asdict(self.subtask1),
            "subtask1_f1": self.subtask1.f1,
            "traps": asdict(self.traps),
            "traps_masked_share": self.traps.masked_share,
        }


def count(pair: Pair) -> GroupCounts:
    """The counts of one document."""
    covered = characters(pair)
    visible = sum(not character.isspace() for character in pair.text)
    return GroupCounts(1, int(is_safe(pair)), visible - covered.gold, covered, subtask1(pair), _count_traps(pair))


def _count_traps(pair: Pair) -> TrapCounts:
    """A trap counts as masked if any of its characters is covered, since a partly masked eponym is useless."""
    counts = TrapCounts()
    for trap in pair.gold.meta.get("traps", "").split():
        start, end = map(int, trap.split("-"))
        masked = int(any(start < span.end and span.start < end for span in pair.found))
        is_term = pair.text[start].isalpha()
        counts += TrapCounts(1, masked, 0, 0) if is_term else TrapCounts(0, 0, 1, masked)
    return counts

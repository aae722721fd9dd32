"""The audit of a run, read back: what was done with each label, and how spans were detected."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nadie.errors import FormatError
from nadie.labels import Label
from nadie.risk.misses import Certainty

_STAYS = frozenset({"keep", "generalize"})


@dataclass
class Audit:
    """The sums over the documents of an audit; `run` is its first line."""

    run: dict[str, Any] = field(default_factory=dict)
    documents: int = 0
    failed: int = 0
    without_patient: int = 0
    name_like: int = 0
    labels: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    operators: dict[str, Counter[str]] = field(default_factory=dict)
    certainties: dict[str, Certainty] = field(default_factory=dict)

    @property
    def policy(self) -> str:
        return str(self.run.get("policy", {}).get("name", ""))

    @property
    def has_second_look(self) -> bool:
        return bool(self.run.get("detection", {}).get("second_model"))

    def certainty(self, document: str) -> Certainty:
        """How certain the detector was about the original of a document; the mean of all if the audit has no such."""
        if document in self.certainties or not self.certainties:
            return self.certainties.get(document, Certainty())
        return Certainty(*(sum(each) / len(self.certainties) for each in zip(*self.certainties.values(), strict=True)))

    def operator(self, label: Label) -> str:
        """The operator that was applied most often to a label; empty if the label was not found."""
        counts = self.operators.get(label, Counter())
        return max(counts, key=lambda name: (counts[name], name)) if counts else ""

    def stays(self, label: Label) -> bool:
        """Whether values of the label are readable in the output, as they were or generalized."""
        return self.operator(label) in _STAYS or self.kept[label] > 0

    def add(self, line: dict[str, Any]) -> None:
        """Add one line; what a line does not say counts as nothing."""
        if "run" in line:
            self.run = line["run"]
        elif "failed" in line:
            self.failed += 1
        elif "document" in line:
            self.documents += 1
            self.name_like += int(line.get("name_like", 0))
            tenths = line.get("scores", [0])
            self.certainties[str(line["document"])] = Certainty(sum(tenths[:-1]), sum(tenths))
            for name in ("labels", "kept", "refused"):
                getattr(self, name).update(line.get(name, {}))
            for label, total in line.get("labels", {}).items():
                others = Counter(line.get("other_operators", {}).get(label, {}))
                usual = Counter({self.run.get("operators", {}).get(label, ""): total - others.total()})
                self.operators.setdefault(label, Counter()).update(others + usual)
        elif "end" in line:
            self.without_patient = int(line["end"].get("without_patient", 0))


def read_audit(path: Path) -> Audit:
    """Read an audit that `nadie anonymize --audit` has written."""
    audit = Audit()
    try:
        with path.open(encoding="utf-8") as lines:
            for number, text in enumerate(lines, 1):
                line = json.loads(text)
                if not isinstance(line, dict):
                    raise FormatError("is not a line of an audit", where=path.name, line=number)
                audit.add(line)
    except (OSError, UnicodeDecodeError, ValueError):
        raise FormatError("cannot be read as an audit", where=path.name) from None
    if not audit.run:
        raise FormatError("has no line about the run: it is not an audit of nadie", where=path.name)
    return audit

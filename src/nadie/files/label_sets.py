"""Label sets of other projects, and the mapping between them and the 29 MEDDOCAN labels.

A coarser set merges labels, and spans without a corresponding label are left out, so a round trip may lose information.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files

from nadie.document import Document
from nadie.errors import UnknownNameError
from nadie.labels import LABELS, Label, is_own


@dataclass(frozen=True)
class LabelSet:
    """`outward` maps our labels to theirs, if there is one; `inward` maps theirs to ours."""

    name: str
    outward: Mapping[str, str]
    inward: Mapping[str, str]
    postcode: str = field(default="")
    """Their label for a `TERRITORIO` in digits, if they have one."""

    def written(self, label: str, value: str) -> str:
        """Their label for a span of a document that went through `fitted`."""
        is_postcode = self.postcode and label == Label.TERRITORIO and value.replace(" ", "").isdigit()
        return self.postcode if is_postcode else self._theirs(label)

    def read(self, label: object) -> str:
        """Our label for theirs; raises a `ValueError` whose message is safe to show if there is no such label."""
        if isinstance(label, str) and label in self.inward:
            return self.inward[label]
        if self is not MEDDOCAN:
            raise ValueError(f"no label of {self.name}")
        if not isinstance(label, str) or not is_own(label) or label in PRESIDIO.inward:
            raise ValueError("the label is not one of the 29, nor can it be one of your own")
        return label

    def fitted(self, document: Document) -> Document:
        """The document without spans for which the set has no label."""
        return document.with_spans(span for span in document.spans if self._theirs(span.label))

    def _theirs(self, label: str) -> str:
        """Their label; for one of a user's own itself in MEDDOCAN's set, elsewhere that of another identifier."""
        if label in LABELS:
            return self.outward.get(label, "")
        return label if self is MEDDOCAN else self.outward.get(Label.OTRO_NUMERO_IDENTIF, "")


MEDDOCAN = LabelSet("meddocan", {label: label for label in LABELS}, {label: label for label in LABELS})


def _from_table(name: str, postcode: str = "") -> LabelSet:
    """A set of `label_sets.tsv`: its labels as they are written for ours, and ours as theirs are read."""
    lines = (files(__package__) / "label_sets.tsv").read_text("ascii").splitlines()
    rows = [(use, Label(ours), theirs) for of, use, ours, theirs in (line.split("\t") for line in lines) if of == name]
    outward: dict[str, str] = {ours: theirs for use, ours, theirs in rows if use == "written"}
    inward = {theirs: ours for use, ours, theirs in rows if use == "read"}
    return LabelSet(name, outward, inward, postcode)


PRESIDIO = _from_table("presidio")
I2B2 = _from_table("i2b2", postcode="ZIP")
_SETS = {each.name: each for each in (MEDDOCAN, PRESIDIO, I2B2)}


def label_set(name: str) -> LabelSet:
    if name not in _SETS:
        raise UnknownNameError(f"there is no label set called {name[:60]!r}; there are: {', '.join(_SETS)}")
    return _SETS[name]

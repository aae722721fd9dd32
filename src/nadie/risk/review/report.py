"""What is known of a sample so far, as lines for a terminal and as plain data; the page shows the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from nadie.labels import DIRECT, LABELS
from nadie.risk.review.agreement import Agreement
from nadie.risk.review.comparison import Difference
from nadie.risk.review.figures import Figure, Figures


@dataclass(frozen=True)
class Report:
    """The figures of a sample, the agreement of its reviewers, and the comparison with a second system, if any.

    `system` and `second` name what was measured, if it is not the model of the sample.
    """

    figures: Figures
    agreement: Agreement | None = None
    differences: dict[str, Difference] | None = None
    system: str = ""
    second: str = ""

    def shares(self) -> dict[str, Figure]:
        """The shares of all notes together, by name."""
        figures = self.figures
        return {
            "notes_direct": figures.leaking_notes(),
            "notes_any": figures.notes_with_any_leak(),
            "identifiers": figures.identifiers(),
            "direct": figures.identifiers(DIRECT),
            "quasi": figures.identifiers(LABELS - DIRECT),
            "false_alarms": figures.false_alarms(),
        }

    def lines(self) -> Iterator[str]:
        """The figures, one a line."""
        sample, stated = self.figures.sample, self.figures.statement()
        goal = f"at most {sample.rule.at_most:.2%} of {sample.unit}s leak a direct identifier, {sample.rule.level:.0%}"
        yield f"reviewed {stated.reviewed} of {stated.drawn} {sample.unit}s drawn from {sample.of_units}"
        yield f"goal: {goal}"
        if stated.holds is None:
            yield f"not finished: nothing is stated yet; the bound is {stated.bound:.2%} so far"
            yield f"the goal needs {stated.more} more {sample.unit}s without another leak"
        else:
            yield f"stated: at most {stated.bound:.2%}; the goal is {'met' if stated.holds else 'not met'}"
        if stated.holds is False:
            yield f"a new sample of {stated.reviewed + stated.more} {sample.unit}s with as many leaks would meet it"
        for name, figure in self.shares().items():
            yield f"{_NAMES[name]}: {_told(figure)}"
        for label in self.figures.labels():
            yield f"{label}: {_told(self.figures.identifiers([label]))}"
        for kind in ("type", "language"):
            for name, (notes, _) in self.figures.by_kind(kind).items():
                yield f"notes of {kind} {name} with a direct leak: {_told(notes)}"
        yield from self._more()

    def _more(self) -> Iterator[str]:
        if self.agreement is not None:
            kappa = "–" if self.agreement.kappa is None else f"{self.agreement.kappa:.3f}"
            yield f"two readers: {self.agreement.notes} notes, kappa {kappa}, {self.agreement.leaks} leaks"
            yield f"found by nobody: at least {self.agreement.unseen:.1f} leaks (Chapman, a lower bound)"
        for name, each in (self.differences or {}).items():
            interval = f"{each.low:+.2%} to {each.high:+.2%}"
            change = f"{each.first:.2%} to {each.second:.2%}"
            yield f"second system, {_NAMES[name]}: {change}, difference {interval}, p = {each.p:.4f}"

    def summary(self) -> dict[str, Any]:
        """The figures as plain data."""
        figures = self.figures
        return {
            "sample": {
                "unit": figures.sample.unit,
                "drawn": figures.sample.units,
                "of": figures.sample.of_units,
                "at_most": figures.sample.rule.at_most,
                "level": figures.sample.rule.level,
                "sha256": figures.sample.digest,
            },
            "statement": figures.statement()._asdict(),
            "shares": {name: _plain(figure) for name, figure in self.shares().items()},
            "labels": {label: _plain(figures.identifiers([label])) for label in figures.labels()},
            "types": {name: _plain(notes) for name, (notes, _) in figures.by_kind("type").items()},
            "languages": {name: _plain(notes) for name, (notes, _) in figures.by_kind("language").items()},
            "comparison": {name: each._asdict() for name, each in (self.differences or {}).items()},
        }


_NAMES = {
    "notes_direct": "notes with a direct leak",
    "notes_any": "notes with any leak",
    "identifiers": "identifiers that leak",
    "direct": "direct identifiers that leak",
    "quasi": "quasi-identifiers that leak",
    "false_alarms": "found spans that are no identifier",
}


def _told(figure: Figure) -> str:
    share = figure.share
    return (
        f"{figure.found} of {figure.counted}, {share.estimate:.2%} ({share.low:.2%} to {share.high:.2%}), "
        f"at most {share.at_most:.2%}"
    )


def _plain(figure: Figure) -> dict[str, Any]:
    return {"found": figure.found, "of": figure.counted, "notes": figure.notes, **figure.share._asdict()}

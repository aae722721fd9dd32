"""The audit: one line about each document, with counts and offsets and without its text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from nadie.anonymize.engine import Anonymized
from nadie.anonymize.leaks import SOURCE
from nadie.anonymize.policy import Policy
from nadie.anonymize.vault.entry import digest

DOUBTFUL = 0.8
_MOST_DOUBTFUL = 50
_VERSION = version("nadie")


def audit_of(anonymized: Anonymized, policy: Policy, about: Mapping[str, Any]) -> dict[str, Any]:
    """One line of the audit: counts, hashes, and where doubtful spans stand; places and labels, never text.

    `about` describes the model and the detection options. The document's id is the only thing in it that comes from
    outside, and it is the same as in the names of the output files.
    """
    replaced = anonymized.replaced
    operators: dict[str, Counter[str]] = {}
    for item in replaced:
        operators.setdefault(item.span.label, Counter())[item.operator] += 1
    doubtful = sorted((r.span for r in replaced if r.span.score < DOUBTFUL), key=lambda s: (s.score, s.start))
    return {
        "document": anonymized.document.id,
        "characters": len(anonymized.document.text),
        "labels": _counted(r.span.label for r in replaced),
        "operators": {label: dict(sorted(counts.items())) for label, counts in sorted(operators.items())},
        "kept": _counted(r.span.label for r in replaced if r.kept),
        "refused": _counted(r.span.label for r in replaced if r.refused),
        "found_again": _counted(r.span.label for r in replaced if r.span.source == SOURCE),
        "scores": _tenths(r.span.score for r in replaced if r.span.source != SOURCE),
        "doubtful": [[s.label, s.start, s.end, round(s.score, 4)] for s in doubtful[:_MOST_DOUBTFUL]],
        "policy": {"name": policy.name, "scope": policy.scope, "sha256": policy.digest},
        **about,
        "nadie": _VERSION,
        "input_sha256": digest(anonymized.document.text),
        "output_sha256": digest(anonymized.text),
    }


def _counted(labels: Any) -> dict[str, int]:
    return dict(sorted(Counter(labels).items()))


def _tenths(scores: Any) -> list[int]:
    """How many spans have a score below 0.1, below 0.2, ... up to 1."""
    counts = [0] * 10
    for score in scores:
        counts[min(9, int(score * 10))] += 1
    return counts

"""An evaluation as plain data for `--json`: numbers, labels and document ids, never document text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from nadie.evaluation.evaluate import Difference, Evaluation
from nadie.evaluation.official import Counts
from nadie.evaluation.scores import DocumentScores
from nadie.evaluation.statistics import LEVEL, RESAMPLES, Interval


def summary(evaluation: Evaluation) -> dict[str, Any]:
    return {
        "documents": len(evaluation.documents),
        "missing_documents": list(evaluation.missing),
        "sentences": {"count": evaluation.sentences, "from": evaluation.sentences_from},
        "tokens": evaluation.token_count,
        "interval": {"level": LEVEL, "resamples": RESAMPLES, "seed": evaluation.seed},
        "subtask1": {**_counts(evaluation.subtask1), "leak": evaluation.leak, **_intervals(evaluation, "subtask1")},
        "strict": {**_counts(evaluation.strict), **_intervals(evaluation, "strict")},
        "merged": {**_counts(evaluation.merged), **_intervals(evaluation, "merged")},
        "characters": _characters(evaluation),
        "safe_documents": {
            "count": evaluation.safe,
            "share": evaluation.safe_share,
            "interval": _pair(evaluation.intervals["documents.safe_share"]),
        },
        "labels": {label: _label(evaluation, label) for label in evaluation.labels},
        "errors": {kind.value: count for kind, count in evaluation.confusion.kinds.items()},
        "confusion": _confusion(evaluation),
        "curve": [asdict(point) for point in evaluation.curve],
        "by_document": [_document(document) for document in evaluation.documents],
    }


def comparison_summary(differences: Mapping[str, Difference]) -> dict[str, Any]:
    return {
        name: {
            "system": each.one,
            "other": each.other,
            "difference": each.difference,
            "interval": _pair(each.interval),
            "p": each.p,
        }
        for name, each in differences.items()
    }


def _counts(counts: Counts) -> dict[str, Any]:
    return {**asdict(counts), "precision": counts.precision, "recall": counts.recall, "f1": counts.f1}


def _intervals(evaluation: Evaluation, part: str) -> dict[str, Any]:
    names = (name for name in evaluation.intervals if name.startswith(f"{part}."))
    return {"intervals": {name.removeprefix(f"{part}."): _pair(evaluation.intervals[name]) for name in names}}


def _characters(evaluation: Evaluation) -> dict[str, Any]:
    counts = evaluation.characters
    return {
        **asdict(counts),
        "leaked": counts.leaked,
        "recall": counts.recall,
        "precision": counts.precision,
        "leaked_share": counts.leaked_share,
        **_intervals(evaluation, "characters"),
    }


def _label(evaluation: Evaluation, label: str) -> dict[str, Any]:
    characters = evaluation.characters_by_label[label]
    return {
        **_counts(evaluation.labels[label]),
        "interval": _pair(evaluation.label_intervals[f"{label}.f1"]),
        "characters": {
            "gold": characters.gold,
            "leaked": characters.leaked,
            "recall": characters.recall,
            "interval": _pair(evaluation.label_intervals[f"{label}.characters.recall"]),
        },
    }


def _confusion(evaluation: Evaluation) -> list[dict[str, Any]]:
    """The non-empty cells; null means no span: a miss, or a false alarm."""
    cells = sorted(evaluation.confusion.cells.items(), key=lambda cell: (cell[0][0] or "", cell[0][1] or ""))
    return [{"gold": gold, "system": system, "count": count} for (gold, system), count in cells]


def _document(document: DocumentScores) -> dict[str, Any]:
    return {
        "id": document.id,
        "tp": document.subtask1.tp,
        "fp": document.subtask1.fp,
        "fn": document.subtask1.fn,
        "f1": document.subtask1.f1,
        "character_recall": document.characters.recall,
        "readable_letters": document.leaked,
        "safe": document.leaked == 0,
        "sentences": document.sentences,
    }


def _pair(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]

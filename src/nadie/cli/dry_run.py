"""`nadie anonymize --dry-run`: show on the screen what would be replaced, and write nothing."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable

from nadie.anonymize.engine import Anonymized
from nadie.cli.console import Summary
from nadie.errors import Failure

_SAMPLES = 3
_LONGEST = 60


def dry_run(results: Iterable[Anonymized | Failure], summary: Summary) -> None:
    """Count the spans that would be replaced, and show a few of each label. This prints original values."""
    counts: Counter[str] = Counter()
    samples: dict[str, dict[str, str]] = defaultdict(dict)
    for result in results:
        if isinstance(result, Failure):
            summary.fail(result)
            continue
        summary.done()
        for item in result.replaced:
            counts[item.span.label] += 1
            shown = samples[item.span.label]
            if len(shown) < _SAMPLES:
                new = "(kept)" if item.kept else result.text[item.start : item.end]
                shown.setdefault(_short(result.document.text_of(item.span)), _short(new))
    for label, count in counts.most_common():
        sys.stdout.write(f"{label}\t{count}\n")
        for original, new in samples[label].items():
            sys.stdout.write(f"    {original} -> {new}\n")
    sys.stdout.write(f"{sum(counts.values())} spans in {summary.handled} texts; nothing was written\n")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"

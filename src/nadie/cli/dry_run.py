"""`nadie anonymize --dry-run`: show on the screen what would be replaced, and write nothing."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict

from nadie.anonymize.engine import Anonymized
from nadie.cli.console import counted
from nadie.cli.language import say

_SAMPLES = 3
_LONGEST = 60


class Preview:
    """Counts the spans that would be replaced, and shows a few of each label. This prints original values."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._samples: dict[str, dict[str, str]] = defaultdict(dict)

    def add(self, result: Anonymized) -> None:
        for item in result.replaced:
            self._counts[item.span.label] += 1
            shown = self._samples[item.span.label]
            if len(shown) < _SAMPLES:
                new = say("(kept)") if item.kept else result.text[item.start : item.end]
                shown.setdefault(_short(result.document.text_of(item.span)), _short(new))

    def show(self, texts: int) -> None:
        for label, count in self._counts.most_common():
            sys.stdout.write(f"{label}\t{count}\n")
            for original, new in self._samples[label].items():
                sys.stdout.write(f"    {original} -> {new}\n")
        sys.stdout.write(say(f"{self._counts.total()} spans in {counted(texts, 'text')}; nothing was written") + "\n")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"

"""Why PHI stays on scans: the model, the reading or the painting, for every character that is not gone.

python benchmarks/scan_losses.py --notes dev --pages 22 [--show]

A character is lost by the model if it is not found in the clean text of its note either, by the painting if some of its
ink is painted, and otherwise by the reading: its word was misread, or stands in a text of another order.
"""

from __future__ import annotations

import argparse
from collections import Counter

from scan_pages import Page
from scans import INDIRECT, gone_letters, pages, painted_page

from nadie.document import Document
from nadie.files.container import SCAN
from nadie.options import DetectionOptions, Mode
from nadie.run.documents import RunOptions
from nadie.run.pipeline import Pipeline


def losses(page: Page, pipeline: Pipeline) -> tuple[Counter[str], list[str]]:
    """The characters and the direct identifiers of a page that are not gone, by cause, and what they are."""
    read, paint, _ = painted_page(page, pipeline)
    clean = pipeline.annotate(Document("page", page.note[: max(letter.at for letter in page.letters) + 1], meta=SCAN))
    found = {at for span in clean.spans for at in range(span.start, span.end)}
    of_span: dict[int, Counter[str]] = {}
    for n, covered in gone_letters(page, paint):
        letter = page.letters[n]
        is_right = page.words[letter.word] in read.split()
        unread = "order" if is_right else "reading"
        cause = "painting" if covered > 0.25 else unread if letter.at < 0 or letter.at in found else "model"
        of_span.setdefault(letter.span, Counter())[cause if covered < 0.9 else "gone"] += 1
    counts: Counter[str] = Counter()
    told = []
    for span, causes in of_span.items():
        is_direct = page.labels[span] not in INDIRECT
        counts["characters"] += causes.total()
        counts["direct"] += is_direct
        left = causes - Counter({"gone": causes["gone"]})
        counts.update({f"characters, {cause}": n for cause, n in left.items()})
        if left:
            counts[f"direct, {left.most_common(1)[0][0]}"] += is_direct
            words = dict.fromkeys(letter.word for letter in page.letters if letter.span == span)
            told.append(f"{page.labels[span]} {' '.join(page.words[n] for n in words)!r} {dict(causes)}")
    return counts, told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=22)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--model", default="fast")
    parser.add_argument("--mode", type=Mode, default=Mode.RECALL)
    parser.add_argument("--notes", choices=("dev", "dev-hard", "suite", "suite-hard"), default="dev")
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    pipeline = RunOptions(given.model, DetectionOptions(scan_mode=given.mode)).pipeline()
    total: Counter[str] = Counter()
    for page in pages(given.notes, given.pages, given.first):
        counts, told = losses(page, pipeline)
        total += counts
        for line in told if given.show else ():
            print(f"{page.name}: {line}", flush=True)
    for name, n in sorted(total.items()):
        print(f"{name:24} {n:6} {100 * n / total[name.split(',')[0]]:6.2f} %")


if __name__ == "__main__":
    main()

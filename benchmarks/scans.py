"""How clean scans come out: corpus notes rendered as scans, anonymized, and judged by pixels.

python benchmarks/scans.py --pages 44 --model fast --mode recall
"""

from __future__ import annotations

import argparse
import io
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image
from scan_pages import Page, render
from scan_paper import KINDS
from scan_sheets import Pixels

from nadie.document import Document
from nadie.evaluation.suite.runner import load_notes
from nadie.files.annotated.reading import iter_readable
from nadie.files.container import OpenOptions
from nadie.files.recognition import open_as
from nadie.files.source import Source
from nadie.options import DetectionOptions, Mode
from nadie.run.documents import RunOptions
from nadie.run.pipeline import Pipeline
from nadie.run.rewriting import edits_of

Mask = npt.NDArray[np.bool_]
_NOTES = Path(__file__).parents[1] / "data/notes"
_GONE = 0.9  # the share of the ink of a character that must be painted
_OPENED = 9  # pixels: strokes of letters are thinner than boxes
INDIRECT = frozenset(
    "EDAD_SUJETO_ASISTENCIA SEXO_SUJETO_ASISTENCIA FAMILIARES_SUJETO_ASISTENCIA PROFESION OTROS_SUJETO_ASISTENCIA "
    "FECHAS PAIS TERRITORIO HOSPITAL INSTITUCION CENTRO_SALUD".split()
)


def notes(folder: str) -> list[Document]:
    """The notes of a folder, or of the suite, on which nothing was chosen."""
    if folder == "suite":
        return list(load_notes())
    files = sorted((_NOTES / folder).glob("*.txt"))
    return [item for file in files for item in iter_readable(file, "notes") if isinstance(item, Document)]


def pages(folder: str, count: int, first: int = 0) -> Iterator[Page]:
    """One page of each of so many notes, spread over the folder, in all kinds of scans in turn."""
    documents = notes(folder)
    for n in range(count):
        document = documents[(n * 37 + first) % len(documents)]
        yield from render(document, list(KINDS)[n % len(KINDS)], n + first, most_pages=1)


def painted_page(page: Page, pipeline: Pipeline) -> tuple[str, Mask, float]:
    """Anonymize a page as a PNG file: its text as it was read, where it is painted, and the CPU seconds."""
    content = io.BytesIO()
    Image.fromarray(page.image).save(content, "PNG", dpi=(200, 200))
    begin = time.process_time()
    opened = open_as("image", Source("page.png", "page.png", None, content.getvalue()), OpenOptions())
    texts = list(opened.texts())
    results = list(pipeline.anonymize_all(text.document("page.png") for text in texts))
    copy = io.BytesIO()
    opened.write(iter([edits_of(result) for result in results]), copy)
    seconds = time.process_time() - begin
    shown = np.array(Image.open(copy))
    black = (shown == 0) if shown.ndim == 2 else (shown == 0).all(axis=2)
    paint = cv2.morphologyEx(black.astype(np.uint8), cv2.MORPH_OPEN, np.ones((_OPENED, _OPENED), np.uint8)) > 0
    return texts[0].text if texts else "", paint, seconds


def judge(page: Page, pipeline: Pipeline) -> Counter[str]:
    """Anonymize a page, and count."""
    text, paint, seconds = painted_page(page, pipeline)
    counts = Counter({"pages": 1, "milliseconds": round(1000 * seconds)})
    _count_words(page, text, counts)
    _count_ink(page, paint, counts)
    return counts


def _count_words(page: Page, text: str, counts: Counter[str]) -> None:
    read = Counter(text.split())
    of_spans = {letter.word for letter in page.letters if letter.span >= 0}
    for name, numbers in (("words", range(len(page.words))), ("PHI words", of_spans)):
        gold = Counter(page.words[n] for n in numbers if any(map(str.isalnum, page.words[n])))
        counts[name] += gold.total()
        counts[f"{name} right"] += (gold & read).total()


def gone_letters(page: Page, paint: Mask) -> Iterator[tuple[int, float]]:
    """The numbers of the letters of spans that are seen, with the share of their ink that is painted."""
    total, covered = _inks(page, paint)
    for n, letter in enumerate(page.letters):
        if letter.span >= 0 and total[n + 1] >= 4:
            yield n, float(covered[n + 1] / total[n + 1])


def _inks(page: Page, paint: Mask) -> tuple[Pixels, Pixels]:
    """How much ink each letter has, and how much of it is painted."""
    numbers = page.ink.clip(0)
    size = len(page.letters) + 1
    return np.bincount(numbers.ravel(), minlength=size), np.bincount(numbers[paint], minlength=size)


def _count_ink(page: Page, paint: Mask, counts: Counter[str]) -> None:
    covered = _inks(page, paint)[1]
    is_span = np.array([False, *(letter.span >= 0 for letter in page.letters)])
    whole: dict[int, bool] = {}
    for n, share in gone_letters(page, paint):
        span = page.letters[n].span
        counts["characters"] += 1
        counts["characters gone"] += share >= _GONE
        whole[span] = whole.get(span, True) and share >= _GONE
    direct = [gone for span, gone in whole.items() if page.labels[span] not in INDIRECT]
    counts["direct"] += len(direct)
    counts["direct whole"] += sum(direct)
    counts["painted ink"] += int(covered[1:].sum())
    counts["painted PHI ink"] += int(covered[is_span].sum())
    for n, name in enumerate(page.graphics, start=1):
        ink = page.ink == -n
        counts["graphics"] += 1
        is_gone = bool((paint & ink).sum() >= _GONE * ink.sum())
        counts["graphics gone"] += is_gone
        counts[f"left: {name}"] += not is_gone


def _percent(counts: Counter[str], part: str, whole: str) -> str:
    return f"{100 * counts[part] / max(1, counts[whole]):.1f}"


def told(name: str, counts: Counter[str]) -> str:
    figures = (
        ("words right", "words"), ("PHI words right", "PHI words"), ("characters gone", "characters"),
        ("painted PHI ink", "painted ink"), ("direct whole", "direct"),
    )  # fmt: skip
    shares = " ".join(f"{_percent(counts, *pair):>6}" for pair in figures)
    seconds = counts["milliseconds"] / 1000 / max(1, counts["pages"])
    return f"{name:24} {shares}  {counts['graphics gone']} of {counts['graphics']}  {seconds:.2f} s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=44)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--model", default="fast")
    parser.add_argument("--mode", type=Mode, default=Mode.RECALL)
    parser.add_argument("--notes", choices=("dev", "dev-hard", "suite", "suite-hard"), action="append")
    given = parser.parse_args()
    options = DetectionOptions(scan_mode=given.mode)
    pipeline = RunOptions(given.model, options).pipeline()
    pipeline.annotate("Se carga el modelo antes de medir.")
    print(f"{'':24} words    PHI   gone    ink direct  graphics  CPU a page")
    for folder in given.notes or ("dev", "dev-hard"):
        total: Counter[str] = Counter()
        kinds: dict[str, Counter[str]] = {}
        for page in pages(folder, given.pages, given.first):
            counts = judge(page, pipeline)
            total += counts
            kinds.setdefault(page.name.split(" ", 1)[1][:-2], Counter()).update(counts)
        for kind, counts in kinds.items():
            print(told(f"  {kind}", counts), flush=True)
        print(told(f"{folder}, {given.model}, {given.mode}", total), flush=True)
        print("  left:", {key: n for key, n in total.items() if key.startswith("left") and n}, flush=True)


if __name__ == "__main__":
    main()

"""Draw the pictures of the README and the docs as SVG: a note before and after, its walk, and the policies.

    python scripts/build_pictures.py

The note is found by `fast` and replaced by the shipped policies, under a key that is in this file. The pictures have no
fonts, scripts or links of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from textwrap import wrap
from xml.sax.saxutils import escape

import nadie
from nadie.anonymize.engine import Anonymized
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import Key
from nadie.run.documents import RunOptions

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
NOTE = (
    "Paciente: Ana Pérez Soto, de 70 años, natural de Lugo. NHC 4471920. Enfermedad de Wilson. "
    "Ingresa el 3/11/2023. Remitida por la Dra. Elena Roca, tel. 612 345 678."
)
_KEY = Key(b"pictures" * 4)
_INK, _PAPER, _FOUND, _NEW, _LINE = "#1b1f24", "#ffffff", "#ffe08a", "#bfe8c8", "#57606a"
_WIDTH, _COLUMN, _LETTER, _ROW = 860, 92, 8.4, 24
_WALK = {
    "walk": ("file", "text", "model", "resolve", "complete", "replace", "verify", "copy"),
    "walk-es": ("archivo", "texto", "modelo", "resolver", "completar", "sustituir", "verificar", "copia"),
}
_TREE = {
    "policies": (
        ("Must a reader take it for a note?", "yes", "research", "no"),
        ("Must a patient's records be linked?", "yes", "gdpr-pseudonymise", "no"),
        ("Is HIPAA's Safe Harbor asked for?", "yes", "hipaa-safe-harbor", "no"),
    ),
    "policies-es": (
        ("¿Tiene que leerse como una nota?", "sí", "research", "no"),
        ("¿Hay que vincular los datos de un paciente?", "sí", "gdpr-pseudonymise", "no"),
        ("¿Se exige el Safe Harbor de HIPAA?", "sí", "hipaa-safe-harbor", "no"),
    ),
}

Place = tuple[int, int]


def before_after() -> str:
    """The note with its spans, and what two policies make of it."""
    results = [_through("default", Key.random()), _through("research", _KEY)]
    spans = [(span.start, span.end) for span in results[0].document.spans]
    blocks: list[tuple[str, str, list[Place], str]] = [("", NOTE, spans, _FOUND)]
    for result, title in zip(results, ("default", "research"), strict=True):
        blocks.append((f"--policy {title}", result.text, [(r.start, r.end) for r in result.replaced], _NEW))
    parts: list[str] = []
    top = 16
    for title, text, places, colour in blocks:
        if title:
            parts.append(_text(16, top + 12, title, size=13, fill=_LINE))
            top += 22
        for line, start in _lines(text):
            parts += _marked(line, start, places, top, colour)
            top += _ROW
        top += 14
    return _svg(_WIDTH, top, parts, "before and after")


def _through(policy: str, key: Key) -> Anonymized:
    pipeline = RunOptions("fast", policy=read_policy(policy), key=key).pipeline()
    return next(pipeline.anonymize_all([nadie.Document("note", NOTE)]))


def _lines(text: str) -> Iterable[tuple[str, int]]:
    start = 0
    for line in wrap(text, _COLUMN, break_long_words=False, break_on_hyphens=False):
        start = text.index(line, start)
        yield line, start
        start += len(line)


def _marked(line: str, start: int, places: Sequence[Place], top: int, colour: str) -> list[str]:
    """A line of text in a fixed pitch, with a box behind each place in it."""
    parts = []
    for first, last in places:
        left, right = max(first - start, 0), min(last - start, len(line))
        if left < right:
            box = f'x="{16 + left * _LETTER:.1f}" y="{top}" width="{(right - left) * _LETTER:.1f}" height="20" rx="3"'
            parts.append(f'<rect {box} fill="{colour}"/>')
    return [*parts, _text(16, top + 15, line, length=len(line) * _LETTER)]


def walk(steps: Sequence[str]) -> str:
    """The steps of a note as boxes with arrows between them, in two rows."""
    parts = []
    for number, step in enumerate(steps):
        left, top = 20 + (number % 4) * 210, 20 + (number // 4) * 90
        parts += _box(left, top, 150, f"{number + 1}. {step}")
        if number % 4 < 3:
            parts.append(_arrow(left + 150, top + 22, left + 210, top + 22))
    parts.append(f'<path d="M725 64 v23 H95 v23" fill="none" stroke="{_LINE}" stroke-width="2" marker-end="url(#a)"/>')
    return _svg(_WIDTH, 176, parts, " → ".join(steps))


def tree(questions: Sequence[tuple[str, str, str, str]]) -> str:
    """Which policy: questions below each other, each with a policy beside it; the last one is `default`."""
    parts, top = [], 16
    for question, yes, policy, no in questions:
        parts += _box(16, top, 400, question)
        parts += [_arrow(416, top + 22, 560, top + 22), _text(470, top + 16, yes, size=13)]
        parts += _box(560, top, 220, policy, fill=_NEW)
        parts += [_arrow(216, top + 44, 216, top + 80), _text(226, top + 66, no, size=13)]
        top += 80
    return _svg(_WIDTH, top + 60, [*parts, *_box(106, top, 220, "default", fill=_NEW)], "which policy")


def _box(left: int, top: int, width: int, words: str, fill: str = _PAPER) -> list[str]:
    rect = f'<rect x="{left}" y="{top}" width="{width}" height="44" rx="6" fill="{fill}" stroke="{_LINE}"/>'
    return [rect, _text(left + width / 2, top + 27, words, size=14, anchor="middle")]


def _arrow(left: float, top: float, right: float, bottom: float) -> str:
    ends = f'x1="{left}" y1="{top}" x2="{right - 3 * (left < right)}" y2="{bottom}"'
    return f'<line {ends} stroke="{_LINE}" stroke-width="2" marker-end="url(#a)"/>'


def _text(
    left: float, top: float, words: str, *, size: int = 14, fill: str = _INK, anchor: str = "start", length: float = 0
) -> str:
    fitted = f' textLength="{length:.1f}" lengthAdjust="spacingAndGlyphs" font-family="monospace"' if length else ""
    family = "" if length else ' font-family="sans-serif"'
    place = f'x="{left:g}" y="{top:g}" font-size="{size}" fill="{fill}" text-anchor="{anchor}"'
    return f'<text {place}{family}{fitted} xml:space="preserve">{escape(words)}</text>'


def _svg(width: int, height: int, parts: Iterable[str], title: str) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">\n<title>{escape(title)}'
        f'</title>\n<defs><marker id="a" markerWidth="8" markerHeight="8" refX="5" refY="3" orient="auto">'
        f'<path d="M0 0 L6 3 L0 6 Z" fill="{_LINE}"/></marker></defs>\n'
        f'<rect width="{width}" height="{height}" fill="{_PAPER}"/>\n'
    )
    return head + "\n".join(parts) + "\n</svg>\n"


def main() -> None:
    pictures = {"before-after": before_after()}
    pictures |= {name: walk(steps) for name, steps in _WALK.items()}
    pictures |= {name: tree(questions) for name, questions in _TREE.items()}
    for name, content in pictures.items():
        (IMAGES / f"{name}.svg").write_text(content, encoding="utf-8")
        print(f"{name}.svg")


if __name__ == "__main__":
    main()

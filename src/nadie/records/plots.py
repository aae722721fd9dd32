"""Plots of the report, as inline SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

_WIDTH = 860
_NAMES = 290
_ROW = 24


def bars(rows: Mapping[str, Sequence[int]], classes: Sequence[str], title: str) -> str:
    """Horizontal stacked bars: one row for each name, one CSS class for each part."""
    if not rows:
        return ""
    most = max(max(sum(parts) for parts in rows.values()), 1)
    room = _WIDTH - _NAMES - 70
    drawn: list[str] = []
    for place, (name, parts) in enumerate(rows.items()):
        y = place * _ROW
        drawn.append(f'<text x="{_NAMES - 10}" y="{y + 16}" class="name">{escape(name)}</text>')
        x = float(_NAMES)
        for part, css in zip(parts, classes, strict=True):
            width = room * part / most
            if part:
                tip = f"<title>{escape(name)}: {part}</title>"
                drawn.append(
                    f'<rect x="{x:.1f}" y="{y + 4}" width="{max(width, 1):.1f}" height="16" class="{css}">{tip}</rect>'
                )
            x += width
        drawn.append(f'<text x="{x + 8:.1f}" y="{y + 16}" class="count">{thousands(sum(parts))}</text>')
    return _svg(drawn, len(rows) * _ROW + 4, title)


def columns(counts: Sequence[int], names: Sequence[str], title: str, *, doubtful: int = 0) -> str:
    """Vertical bars; the first `doubtful` of them in the warning colour."""
    height, base = 180, 150
    most = max(*counts, 1)
    step = _WIDTH / len(counts)
    drawn = [f'<line x1="0" y1="{base}" x2="{_WIDTH}" y2="{base}" class="axis"/>']
    for place, (count, name) in enumerate(zip(counts, names, strict=True)):
        tall = (base - 24) * count / most
        x, middle = place * step, place * step + step / 2
        css = "doubt" if place < doubtful else "replaced"
        if count:
            tip = f"<title>{escape(name)}: {count}</title>"
            drawn.append(
                f'<rect x="{x + 4:.1f}" y="{base - max(tall, 1):.1f}" width="{step - 8:.1f}" '
                f'height="{max(tall, 1):.1f}" class="{css}">{tip}</rect>'
            )
            drawn.append(f'<text x="{middle:.1f}" y="{base - tall - 6:.1f}" class="above">{thousands(count)}</text>')
        drawn.append(f'<text x="{middle:.1f}" y="{base + 18}" class="below">{escape(name)}</text>')
    return _svg(drawn, height, title)


def thousands(number: int) -> str:
    """The number in Spanish notation: `16 370`, with a thin non-breaking space; four digits are not separated."""
    return str(number) if number < 10000 else f"{number:,}".replace(",", "\u202f")


def _svg(drawn: list[str], height: int, title: str) -> str:
    inner = "\n".join(drawn)
    return f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{escape(title)}">\n{inner}\n</svg>'

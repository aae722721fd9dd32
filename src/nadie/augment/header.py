"""The layouts of headers: lines, packed lines, tables, bare values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from nadie.augment.fields import HeaderField, label_for
from nadie.augment.passage import AnnotatedText, join
from nadie.augment.split import Split

_SIGNS = (": ", ": ", ": ", ": ", ":", " : ", ":  ", ":\t", " ", "\t", " - ", ".- ", " = ", "; ", ": \t")
_FRAMES = ("{}", "**{}**", "**{}:**", "[{}]", "*{}", "- {}", "- **{}:**", "• {}")
_FRAME_WEIGHTS = (20, 0.7, 1.2, 0.4, 0.4, 1, 0.8, 0.4)
_JOINTS = ("   ", " | ", "\t", "; ", " - ", ", ", "  ", " // ", " · ", ". ", "        ")


def render_header(fields: Sequence[HeaderField], split: Split, rng: Random) -> AnnotatedText:
    """The fields as one block of text, without a line break at its end."""
    styles: tuple[tuple[Callable[[Sequence[HeaderField], Split, Random], AnnotatedText], float], ...] = (
        (_lines, 5), (_packed, 5), (_one_line, 2), (_piped, 1.2), (_columns, 1.2), (_stacked, 0.8), (_bare, 2),
    )  # fmt: skip
    functions, weights = zip(*styles, strict=True)
    chosen: Callable[[Sequence[HeaderField], Split, Random], AnnotatedText] = rng.choices(functions, weights)[0]
    return chosen(fields, split, rng)


def _label_case(rng: Random) -> Callable[[str], str]:
    return rng.choices((str, str.upper, str.lower, str.title), (7, 2, 0.7, 0.6))[0]


def _labelled(fields: Sequence[HeaderField], split: Split, rng: Random, dropping: float = 0.0) -> list[AnnotatedText]:
    """Each field with its label, with the same punctuation in the whole header."""
    case, sign = _label_case(rng), rng.choice(_SIGNS)
    frame = rng.choices(_FRAMES, _FRAME_WEIGHTS)[0]
    if frame.endswith(":**"):
        sign = " "
    out = []
    for field in fields:
        label = frame.format(case(label_for(field.kind, split, rng)))
        bare = rng.random() < dropping
        out.append(field.value if bare else AnnotatedText(label + sign).then(field.value))
    return out


def _lines(fields: Sequence[HeaderField], split: Split, rng: Random) -> AnnotatedText:
    end = rng.choice(("", "", "", ".", ";", "  "))
    return join(_labelled(fields, split, rng, rng.choice((0, 0, 0.2))), end + "\n")


def _packed(fields: Sequence[HeaderField], split: Split, rng: Random) -> AnnotatedText:
    """Two to four fields on a line."""
    parts = _labelled(fields, split, rng, rng.choice((0, 0, 0.2, 0.5)))
    joint = rng.choice(_JOINTS)
    lines = []
    while parts:
        count = rng.randint(1, 4)
        lines.append(join(parts[:count], joint))
        parts = parts[count:]
    return join(lines, "\n")


def _one_line(fields: Sequence[HeaderField], split: Split, rng: Random) -> AnnotatedText:
    return join(_labelled(fields, split, rng, rng.choice((0, 0.3))), rng.choice(_JOINTS))


def _piped(fields: Sequence[HeaderField], split: Split, rng: Random) -> AnnotatedText:
    """A two-column table with bars, as copied from a web page."""
    case = _label_case(rng)
    edge, mark = rng.choice((("| ", " | "), ("", " | "), ("", "\t|\t"), ("|", "|")))
    rows = [
        AnnotatedText(edge + case(label_for(f.kind, split, rng)) + mark)
        .then(f.value)
        .then(AnnotatedText(edge.rstrip() and " |"))
        for f in fields
    ]
    return join(rows, "\n")


def _columns(fields: Sequence[HeaderField], split: Split, rng: Random) -> AnnotatedText:
    """A line of labels above a line of values."""
    case, mark = _label_case(rng), rng.choice((" | ", "\t", "   ", " ; "))
    lines = []
    rest = list(fields)
    while rest:
        count = rng.randint(2, 5)
        some, rest = rest[:count], rest[count:]
        lines.append(AnnotatedText(mark.join(case(label_for(field.kind, split, rng)) for field in some)))
        lines.append(join((field.value for field in some), mark))
    return join(lines, "\n")


def _stacked(fields: Sequence[HeaderField], split: Split, rng: Random) -> AnnotatedText:
    """Each label on a line, its value on the next."""
    case, sign = _label_case(rng), rng.choice(("", ":", ""))
    blocks = [AnnotatedText(case(label_for(f.kind, split, rng)) + sign + "\n").then(f.value) for f in fields]
    return join(blocks, "\n")


def _bare(fields: Sequence[HeaderField], split: Split, rng: Random) -> AnnotatedText:
    """Values without any label."""
    return join((field.value for field in fields), rng.choice(("\n", "\n", ", ", " ", " - ", "; ", ". ", " | ")))

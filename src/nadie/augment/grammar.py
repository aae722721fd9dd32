"""The grammar of synthetic notes: rules of alternatives, with slots, choices and agreement.

A file of rules has blocks. `: name` begins a rule, and each line below it is one alternative. In an alternative

    {name}          is a rule or a slot (a capital letter makes its first letter a capital)
    {name:argument} is a slot with an argument
    {LABEL=text}    is PHI with the short name of a label; the text may contain slots
    [a|b|c]         is a choice; `[a|]` is an optional part
    <o/a>           agrees with the patient's sex
    \\n \\t           are a line break and a tab; a backslash escapes any other character

An alternative that begins with `@tag,other+third ` is used only for a case with the first tag, or with both of the
others; one that begins with `*3 ` has the weight 3. `:* name` begins a rule of which one alternative in eight is
reserved for the held-out side, and `:+ name` continues an earlier rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import NamedTuple, Protocol

from nadie.augment.passage import AnnotatedText, join, marked
from nadie.augment.split import Split, split_of
from nadie.augment.vocabulary import table
from nadie.errors import ConfigError

_FOLDER = "notes"
_PREFIX = re.compile(r"(?:@(?P<tags>\S+) )?(?:\*(?P<weight>\d+) )?")


class LiteralText(NamedTuple):
    text: str


class SlotPart(NamedTuple):
    name: str
    argument: str


class MarkedPart(NamedTuple):
    label: str
    parts: tuple[Node, ...]


class Choice(NamedTuple):
    options: tuple[tuple[Node, ...], ...]


class Agreement(NamedTuple):
    masculine: str
    feminine: str


Node = LiteralText | SlotPart | MarkedPart | Choice | Agreement


class Alternative(NamedTuple):
    """One way to write a rule, for the cases whose tags allow it."""

    parts: tuple[Node, ...]
    tags: tuple[frozenset[str], ...]
    weight: int

    def fits(self, tags: frozenset[str]) -> bool:
        return not self.tags or any(wanted <= tags for wanted in self.tags)


class GrammarCase(Protocol):
    """The interface of a case for the grammar."""

    feminine: bool
    tags: frozenset[str]

    def choose(self, count: int) -> int: ...

    def slot(self, name: str, argument: str) -> AnnotatedText | None: ...


Rules = dict[str, tuple[Alternative, ...]]


@cache
def rules(split: Split) -> Rules:
    """Every rule of every file, for one side of the split."""
    found: Rules = {}
    for name, shared, lines in _blocks():
        chosen = lines if shared else _side(lines, split)
        found[name] = tuple(_alternative(line) for line in chosen)
    return found


def expand(name: str, case: GrammarCase, split: Split) -> AnnotatedText:
    """The text of the rule of that name for a case."""
    return _Expansion(rules(split), case).rule(name)


class _Expansion:
    def __init__(self, found: Rules, case: GrammarCase) -> None:
        self.rules = found
        self.case = case
        self.used: set[Alternative] = set()

    def rule(self, name: str) -> AnnotatedText:
        """A suitable alternative, preferably one that the note has not used yet."""
        fitting = [a for a in self.rules[name] if a.fits(self.case.tags)]
        if not fitting:
            return AnnotatedText("")
        pool = [a for a in fitting if a not in self.used] or fitting
        total = sum(a.weight for a in pool)
        at = self.case.choose(total)
        for alternative in pool:
            at -= alternative.weight
            if at < 0:
                if len(fitting) > 3:
                    self.used.add(alternative)
                return self.parts(alternative.parts)
        raise AssertionError("the weights of a rule have a sum")

    def parts(self, parts: tuple[Node, ...]) -> AnnotatedText:
        return join(self.node(part) for part in parts)

    def node(self, node: Node) -> AnnotatedText:
        if isinstance(node, LiteralText):
            return AnnotatedText(node.text)
        if isinstance(node, Choice):
            return self.parts(node.options[self.case.choose(len(node.options))])
        if isinstance(node, Agreement):
            return AnnotatedText(node.feminine if self.case.feminine else node.masculine)
        if isinstance(node, MarkedPart):
            return marked(self.parts(node.parts).text, node.label)
        return self.slot(node)

    def slot(self, node: SlotPart) -> AnnotatedText:
        lowered = node.name[0].lower() + node.name[1:]
        if lowered in self.rules:
            passage = self.rule(lowered)
        else:
            text = self.case.slot(lowered, node.argument)
            if text is None:
                raise ConfigError(f"a template uses the unknown slot {node.name!r}")
            passage = text
        if node.name != lowered and passage.text:
            return AnnotatedText(passage.text[0].upper() + passage.text[1:], passage.spans)
        return passage


def _blocks() -> Iterator[tuple[str, bool, list[str]]]:
    """(name, whether both sides share it, lines) of each rule."""
    folder = files("nadie.augment") / "data" / _FOLDER
    shared: dict[str, bool] = {}
    lines: dict[str, list[str]] = {}
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        name = ""
        for line in file.read_text(encoding="utf-8").split("\n"):
            if line.startswith(":"):
                sign, _, name = line.partition(" ")
                if (sign == ":+") != (name in lines):
                    raise ConfigError(f"the rule {name!r} is defined twice, or continued before it is defined")
                shared.setdefault(name, sign != ":*")
                lines.setdefault(name, [])
            elif line.strip() and not line.startswith("#"):
                lines[name].append(line)
    for name, alternatives in lines.items():
        yield name, shared[name], alternatives


def _side(lines: list[str], split: Split) -> list[str]:
    """The lines of one side; a rule with too few lines to be split gives its first line to the held-out side."""
    held = [line for line in lines if split_of(line) is Split.HELD_OUT] or lines[:1]
    return held if split is Split.HELD_OUT else [line for line in lines if line not in held]


def _alternative(line: str) -> Alternative:
    match = _PREFIX.match(line)
    if match is None:
        raise ConfigError("the beginning of a template cannot be parsed")
    tags = tuple(frozenset(group.split("+")) for group in match["tags"].split(",")) if match["tags"] else ()
    parts, _ = _parse(line, match.end(), "")
    return Alternative(parts, tags, int(match["weight"] or 1))


def _parse(line: str, at: int, stops: str) -> tuple[tuple[Node, ...], int]:
    """The nodes from `at` up to one of `stops` or the end."""
    nodes: list[Node] = []
    text: list[str] = []
    while at < len(line) and line[at] not in stops:
        sign = line[at]
        if sign == "\\":
            text.append({"n": "\n", "t": "\t"}.get(line[at + 1], line[at + 1]))
            at += 2
        elif sign in "{[" or (sign == "<" and re.match(r"<[^<>/\s]*/[^<>/]*>", line[at:])):
            if text:
                nodes.append(LiteralText("".join(text)))
                text = []
            node, at = _parse_bracket(line, at)
            nodes.append(node)
        elif sign in "]}" or (sign == "|" and stops == "}"):
            raise ConfigError(f"an unmatched closing character at {at} of {line[:60]!r}")
        else:
            text.append(sign)
            at += 1
    if text:
        nodes.append(LiteralText("".join(text)))
    return tuple(nodes), at


def _parse_bracket(line: str, at: int) -> tuple[Node, int]:
    opening = line[at]
    if opening == "[":
        options, at = [], at
        while line[at : at + 1] != "]":
            parts, at = _parse(line, at + 1, "|]")
            options.append(parts)
            if at >= len(line):
                raise ConfigError(f"a choice is not closed in {line[:60]!r}")
        return Choice(tuple(options)), at + 1
    if opening == "<":
        masculine, _, feminine = line[at + 1 : line.index(">", at)].partition("/")
        return Agreement(masculine, feminine), line.index(">", at) + 1
    match = re.compile(r"\{(\w+)(?::([^{}]*))?\}").match(line, at)
    if match is not None:
        return SlotPart(match[1], match[2] or ""), match.end()
    match = re.compile(r"\{([A-Z]{3})=").match(line, at)
    if match is None:
        raise ConfigError(f"a slot cannot be parsed in {line[:60]!r}")
    parts, at = _parse(line, match.end(), "}")
    if at >= len(line):
        raise ConfigError(f"a mark is not closed in {line[:60]!r}")
    return MarkedPart(table("label_codes.tsv")[match[1]], parts), at + 1

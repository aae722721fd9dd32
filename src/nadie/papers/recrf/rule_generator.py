"""The data-driven rule generator (Hassan et al. 2019, section 3.2): annotated notes in, regular expressions out.

Every occurrence of every type is generalised: its words are replaced by their shapes, and the words around it are kept
literally in an expression that ignores case. One occurrence gives several candidates, from narrow (two words on the
left, one on the right) to wide (the shape with one neighbour). Candidates that several occurrences share are tested on
folds of the training notes that they do not come from. They are kept if they are precise there and find something that
a better rule does not find.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import re2

from nadie.document import Document, Span
from nadie.papers.recrf.rules import LearnedRule, RuleSet
from nadie.tokens.tokenizer import Token, tokenize

FOLDS = 5
_MIN_SHARED = 4
_MIN_SUPPORT = 3
_MIN_PRECISION = 0.85
_MOST_TRIED = 1500
_MOST_KEPT = 250
_LONGEST_BODY = 14
_CAPITAL = r"\p{Lu}[\p{L}.'’-]+"


def generate_rules(documents: Sequence[Document]) -> RuleSet:
    """The rules learned from the documents, best first."""
    given: dict[LearnedRule, Counter[int]] = defaultdict(Counter)
    for number, document in enumerate(documents):
        for rule in _candidates(document):
            given[rule][number % FOLDS] += 1
    shared = sorted(
        (rule for rule in given if given[rule].total() >= _MIN_SHARED), key=lambda r: (-given[r].total(), r)
    )
    return RuleSet(_keep_best(shared[:_MOST_TRIED], given, documents))


def out_of_fold_rules(documents: Sequence[Document], folds: int = FOLDS) -> list[RuleSet]:
    """For each document, the rules learned from the other folds, so that the document is like a new note."""
    sets = [generate_rules([d for i, d in enumerate(documents) if i % folds != fold]) for fold in range(folds)]
    return [sets[i % folds] for i in range(len(documents))]


def _candidates(document: Document) -> set[LearnedRule]:
    tokens = tokenize(document.text)
    first_at = {token.start: i for i, token in enumerate(tokens)}
    last_at = {token.end: i for i, token in enumerate(tokens)}
    found: set[LearnedRule] = set()
    for span in document.spans:
        first, last = first_at.get(span.start), last_at.get(span.end)
        if first is None or last is None or last - first >= _LONGEST_BODY:
            continue
        body = _body(document.text, tokens[first : last + 1])
        left = [_left(document.text, tokens, first, count) for count in range(4)]
        right = _right(document.text, tokens, last)
        for count, after in ((3, ""), (2, right), (2, ""), (1, right), (0, right)):
            found.add(LearnedRule(span.label, left[count], body, after))
    return found


def _body(text: str, tokens: Sequence[Token]) -> str:
    """The shape of the span: `Calle Miguel Benitez 90` → a capitalised run and one to four digits."""
    parts: list[str] = []
    for i, token in enumerate(tokens):
        gap = r"\s*" if i and text[tokens[i - 1].end : token.start] else ""
        parts.append(gap + _shape(token.text))
    return _collapse(parts)


def _shape(word: str) -> str:
    if word.isdigit():
        return rf"\d{{{len(word)}}}" if len(word) < 3 or len(word) == 5 else r"\d{3,12}"
    if not word[0].isalpha():
        return _literal(word)
    if len(word) == 1:
        return r"\p{Lu}" if word.isupper() else rf"(?i:{_literal(word)})"
    if word[0].isupper():
        return _CAPITAL
    return rf"(?i:{_literal(word)})" if len(word) <= 5 else r"\p{Ll}+"


def _collapse(parts: Iterable[str]) -> str:
    """Replace runs of capitalised words by one part that matches one to six of them."""
    collapsed: list[str] = []
    for part in parts:
        if collapsed and part == rf"\s*{_CAPITAL}" and collapsed[-1].endswith(_CAPITAL):
            collapsed[-1] = rf"{collapsed[-1]}(?:[ ]{_CAPITAL}){{0,5}}"
        elif collapsed and part == rf"\s*{_CAPITAL}" and collapsed[-1].endswith("){0,5}"):
            continue
        else:
            collapsed.append(part)
    return "".join(collapsed)


def _left(text: str, tokens: Sequence[Token], first: int, count: int) -> str:
    """The preceding words, literally; the start of a line is a neighbour like any other."""
    pieces: list[str] = []
    for i in range(first - 1, first - 1 - count, -1):
        if i < 0 or "\n" in text[tokens[i].end : tokens[i + 1].start]:
            pieces.append(r"(?m:^)\s*")
            break
        gap = r"\s*" if text[tokens[i].end : tokens[i + 1].start] else ""
        word = tokens[i].text
        pieces.append((r"\d+" if word.isdigit() else f"(?i:{_literal(word)})") + gap)
    else:
        if first - count >= 0 and tokens[first - count].text[0].isalnum():
            pieces.append(r"\b")
    return "".join(reversed(pieces))


def _right(text: str, tokens: Sequence[Token], last: int) -> str:
    if last + 1 >= len(tokens) or "\n" in text[tokens[last].end : tokens[last + 1].start]:
        return r"\s*(?m:$)"
    gap = r"\s*" if text[tokens[last].end : tokens[last + 1].start] else ""
    word = tokens[last + 1].text
    return gap + (r"\d" if word.isdigit() else f"(?i:{_literal(word)})")


def _literal(word: str) -> str:
    return str(re2.escape(word))


def _keep_best(
    candidates: Sequence[LearnedRule], given: Mapping[LearnedRule, Counter[int]], documents: Sequence[Document]
) -> list[LearnedRule]:
    """Test candidates on the folds that they do not come from; by descending precision, keep those that find more."""
    right: dict[int, set[tuple[int, Span]]] = defaultdict(set)
    wrong: dict[int, Counter[int]] = defaultdict(Counter)
    probe = RuleSet(candidates)
    for number, document in enumerate(documents):
        gold = set(document.spans)
        for rule, span in probe.find(document.text):
            if span in gold:
                right[rule].add((number, span))
            else:
                wrong[rule][number % FOLDS] += 1
    judged = []
    for rule, hits in right.items():
        counts = given[candidates[rule]]
        folds = {fold for fold in range(FOLDS) if counts.total() - counts[fold] >= _MIN_SHARED - 1}
        held_out = sum(number % FOLDS in folds for number, _ in hits)
        precision = (held_out + 1) / (held_out + sum(wrong[rule][fold] for fold in folds) + 2)
        if held_out >= _MIN_SUPPORT and precision >= _MIN_PRECISION:
            judged.append((precision, held_out, rule))
    kept: list[LearnedRule] = []
    covered: set[tuple[int, Span]] = set()
    for precision, support, rule in sorted(judged, key=lambda j: (-round(j[0], 2), -j[1], candidates[j[2]])):
        if len(right[rule] - covered) >= _MIN_SUPPORT and len(kept) < _MOST_KEPT:
            covered |= right[rule]
            kept.append(replace(candidates[rule], precision=precision, support=support))
    return kept

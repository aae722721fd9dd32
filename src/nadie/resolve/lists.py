"""Allow- and deny-lists: terms that are never masked, and terms that always are.

A list is a UTF-8 text file with one term per line; lines that begin with # are comments. A line of a deny-list may
have a label before the term, separated by a tab; the default label is OTROS_SUJETO_ASISTENCIA. Case, accents and
punctuation are ignored. Terms in both lists are masked: when in doubt, nothing leaks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from nadie.document import Document, Span
from nadie.errors import ConfigError, FormatError
from nadie.labels import Label, is_label
from nadie.resolve.terms import Terms, folded_words, has_words

_LARGEST = 8 << 20
_ALLOWED = "allowed"


@dataclass(frozen=True)
class Lists:
    """Both lists, ready to be applied to documents; the lists in `base` apply as well.

    A term that either denies is masked, even if the other allows it.
    """

    allow: Terms
    deny: Terms
    base: Lists | None = None

    @classmethod
    def of(cls, allow: Iterable[str] = (), deny: Iterable[tuple[str, str]] = ()) -> Lists:
        """Build lists from allowed terms, and from pairs of a denied term and its label."""
        allowed, denied = Terms(), Terms()
        for term in allow:
            allowed.add(term, _ALLOWED)
        for term, label in deny:
            denied.add(term, label)
        return cls(allowed, denied)

    @classmethod
    def read(
        cls, allow: Path | Iterable[str] | None = None, deny: Path | Iterable[tuple[str, str]] | None = None
    ) -> Lists:
        """The lists in files, or of allowed terms and of pairs of a label and a denied term."""
        allowed = _read_terms(allow) if isinstance(allow, Path) else allow or ()
        if isinstance(deny, Path):
            return cls.of(allowed, _read_labelled(deny))
        return cls.of(allowed, [(_checked(term), _known_label(label)) for label, term in deny or ()])

    def apply(self, document: Document, spans: Iterable[Span]) -> tuple[Span, ...]:
        """The spans except those that consist of allowed terms, plus one for each denied term, in order.

        A span with more than allowed terms is kept whole: part of a name must not be shown because it is also a word.
        """
        found = spans if self.base is None else self.base.apply(document, spans)
        kept = [span for span in found if not self._is_allowed(document.text_of(span))]
        return tuple(sorted((*self._denied(document), *kept)))

    def _denied(self, document: Document) -> Iterator[Span]:
        for found in self.deny.find(document.text):
            yield Span(found.start, found.end, found.payload, 1.0, "deny-list")
        if self.base is not None:
            yield from self.base._denied(document)

    def _is_allowed(self, text: str) -> bool:
        words = folded_words(text)
        covered = {i for found in self.allow.find(text, words) for i in range(found.start, found.end)}
        return bool(words) and all(word.start in covered for word in words)


def _checked(term: str) -> str:
    if not has_words(term):
        raise ConfigError("a denied term needs a letter or a digit")
    return term


def _known_label(label: str) -> str:
    if not is_label(label):
        raise ConfigError(f"a term is denied as {label[:40]!r}, which is not a label")
    return label


def _read_terms(path: Path) -> Iterator[str]:
    for line, text in _lines(path):
        if "\t" in text:
            raise FormatError("an allow-list has one term per line and no tab", where=path.name, line=line)
        if not has_words(text):
            raise FormatError("a term needs a letter or a digit", where=path.name, line=line)
        yield text


def _read_labelled(path: Path) -> Iterator[tuple[str, str]]:
    for line, text in _lines(path):
        label, tab, term = text.partition("\t")
        if not tab:
            label, term = Label.OTROS_SUJETO_ASISTENCIA, text
        if not is_label(label.strip()):
            raise FormatError("the text before the tab is not a label", where=path.name, line=line)
        if not has_words(term):
            raise FormatError("a term needs a letter or a digit", where=path.name, line=line)
        yield term, label.strip()


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """The numbered lines that have a term. Errors give the line number, never the text of the line."""
    try:
        if path.stat().st_size > _LARGEST:
            raise FormatError(f"the list is larger than {_LARGEST >> 20} MiB", where=path.name)
        content = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise FormatError("the list is not UTF-8", where=path.name) from None
    except OSError:
        raise FormatError("the list cannot be read", where=path.name) from None
    for number, line in enumerate(content.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            yield number, line.strip()

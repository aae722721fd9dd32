"""Custom patterns: a TOML file of regular expressions and lists of terms, each with its label.

[[pattern]]
name = "episode"
label = "ID_CONTACTO_ASISTENCIAL"
regex = 'EP-(\\d{6})'              # RE2; the first group is the span, or the whole match
context = ["episodio"]             # optional: one of these words must be near
unless = ["lote"]                  # optional: none of these words may be near
checksum = "luhn"                  # optional
finds = ["Episodio: EP-123455"]    # texts in which it must match
ignores = ["EP-12"]                # texts in which it must not match

[[pattern]]
name = "wards"
label = "HOSPITAL"
list = ["Torre Norte", "Pabellón B"]    # or the name of a text file with one term per line
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import re2
from stdnum import iban, luhn
from stdnum.ar import cuit
from stdnum.cl import rut
from stdnum.co import nit
from stdnum.es import dni, nie
from stdnum.iso7064 import mod_97_10
from stdnum.mx import curp

from nadie.document import Document, Span
from nadie.errors import ConfigError
from nadie.expressions import compiled_of_caller
from nadie.labels import is_label
from nadie.resolve.terms import Terms, folded_words, has_words
from nadie.spanish.folding import fold

_MOST_BYTES = 4 << 20
_REACH = 60
_SETTINGS = frozenset(
    {"name", "label", "regex", "list", "ignore_case", "context", "unless", "checksum", "finds", "ignores"}
)
_FOUND = "found"
CHECKSUMS: dict[str, Callable[[str], bool]] = {
    "dni": dni.is_valid,
    "nie": nie.is_valid,
    "iban": iban.is_valid,
    "luhn": luhn.is_valid,
    "mod97": mod_97_10.is_valid,
    "curp": curp.is_valid,
    "rut": rut.is_valid,
    "cuit": cuit.is_valid,
    "nit": nit.is_valid,
}


@dataclass(frozen=True)
class OwnPattern:
    """One pattern: an expression or terms, and further conditions for a match."""

    name: str
    label: str
    expression: str = ""
    terms: Terms | None = None
    context: frozenset[str] = frozenset()
    checksum: str = ""
    finds: tuple[str, ...] = ()
    ignores: tuple[str, ...] = ()
    unless: frozenset[str] = frozenset()

    def find(self, text: str) -> Iterator[Span]:
        """The spans of this pattern in a text; they may overlap those of other patterns."""
        for start, end in self._places(text):
            if start < end and self._has_context(text, start, end) and self._has_checksum(text[start:end]):
                yield Span(start, end, self.label, 1.0, f"own:{self.name}")

    def problems(self) -> list[str]:
        """The examples on which the pattern fails, by number, because they may be real values."""
        missed = [f"finds nothing in example {n}" for n, text in enumerate(self.finds, 1) if not any(self.find(text))]
        wrong = [
            f"finds something in {n} of `ignores`" for n, text in enumerate(self.ignores, 1) if any(self.find(text))
        ]
        return missed + wrong

    @cached_property
    def _compiled(self) -> Any:
        return compiled_of_caller(self.expression)

    def _places(self, text: str) -> Iterator[tuple[int, int]]:
        if self.terms is not None:
            yield from ((found.start, found.end) for found in self.terms.find(text))
            return
        expression = self._compiled
        for match in expression.finditer(text):
            is_grouped = expression.groups > 0 and match.span(1) != (-1, -1)
            yield match.span(1 if is_grouped else 0)

    def _has_context(self, text: str, start: int, end: int) -> bool:
        if not self.context and not self.unless:
            return True
        around = f"{text[max(0, start - _REACH) : start]} {text[end : end + _REACH]}"
        near = {word.folded for word in folded_words(around)}
        return self.unless.isdisjoint(near) and (not self.context or not self.context.isdisjoint(near))

    def _has_checksum(self, value: str) -> bool:
        return not self.checksum or CHECKSUMS[self.checksum](re.sub(r"[^\w]", "", value))


class OwnPatterns:
    """The patterns of a file."""

    def __init__(self, patterns: Sequence[OwnPattern]) -> None:
        self.patterns = tuple(patterns)

    def __len__(self) -> int:
        return len(self.patterns)

    def find(self, document: Document) -> tuple[Span, ...]:
        return tuple(sorted({span for pattern in self.patterns for span in pattern.find(document.text)}))

    @classmethod
    def read(cls, path: Path) -> OwnPatterns:
        """Read the patterns from a TOML file; errors give the number of the pattern."""
        try:
            if path.stat().st_size > _MOST_BYTES:
                raise ConfigError(f"{path.name} is larger than {_MOST_BYTES >> 20} MiB")
            content = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError):
            raise ConfigError(f"{path.name} cannot be read as text in UTF-8") from None
        except tomllib.TOMLDecodeError as error:
            raise ConfigError(f"{path.name}: {error}") from None
        tables = content.get("pattern")
        if set(content) != {"pattern"} or not isinstance(tables, list) or not tables:
            raise ConfigError(f"{path.name}: a file of patterns has [[pattern]] tables and nothing else")
        return cls.of(tables, f"{path.name}, ", path.parent)

    @classmethod
    def of(cls, tables: Iterable[Mapping[str, Any]], where: str = "", folder: Path | None = None) -> OwnPatterns:
        """The patterns with these settings; a list in a file is read from `folder`, and refused without one."""
        return cls([_pattern(table, f"{where}pattern {n}", folder) for n, table in enumerate(tables, 1)])


def _pattern(table: Mapping[str, Any], where: str, folder: Path | None) -> OwnPattern:
    if unknown := set(table) - _SETTINGS:
        raise ConfigError(f"{where}: unknown setting {min(unknown)!r}; there are: {', '.join(sorted(_SETTINGS))}")
    label, checksum = table.get("label"), table.get("checksum", "")
    if not isinstance(label, str) or not is_label(label):
        raise ConfigError(f"{where}: label must be one of the 29, or one of your own, such as NUMERO_CAMA")
    if ("regex" in table) == ("list" in table):
        raise ConfigError(f"{where}: needs either a regex or a list")
    if checksum and checksum not in CHECKSUMS:
        raise ConfigError(f"{where}: checksum must be one of {', '.join(CHECKSUMS)}")
    expression = _expression(table, where) if "regex" in table else ""
    return OwnPattern(
        str(table.get("name", label)),
        label,
        expression,
        _terms(table["list"], where, folder) if "list" in table else None,
        _words(table, "context", where),
        checksum,
        _texts(table, "finds", where),
        _texts(table, "ignores", where),
        _words(table, "unless", where),
    )


def _words(table: Mapping[str, Any], name: str, where: str) -> frozenset[str]:
    return frozenset(word for text in _texts(table, name, where) for word in fold(text).split())


def _expression(table: Mapping[str, Any], where: str) -> str:
    expression = table["regex"]
    if not isinstance(expression, str) or not isinstance(table.get("ignore_case", False), bool):
        raise ConfigError(f"{where}: regex must be a string, and ignore_case true or false")
    expression = f"(?i){expression}" if table.get("ignore_case") else expression
    try:
        matches_nothing = compiled_of_caller(expression).search("") is not None
    except re2.error:
        raise ConfigError(f"{where}: the regex is not valid in RE2 (which has no look-around), or too large") from None
    if matches_nothing:
        raise ConfigError(f"{where}: the regex matches the empty text, so it would match everywhere")
    return expression


def _terms(given: Any, where: str, folder: Path | None) -> Terms:
    if isinstance(given, str) and folder is not None:
        try:
            given = (folder / given).read_text(encoding="utf-8-sig").splitlines()
        except (OSError, UnicodeDecodeError):
            raise ConfigError(f"{where}: the list cannot be read as text in UTF-8") from None
    if not isinstance(given, list) or not all(isinstance(term, str) for term in given):
        raise ConfigError(f"{where}: list must be a list of terms, or the name of a text file with one term per line")
    terms, count = Terms(), 0
    for term in given:
        if has_words(term) and not term.startswith("#"):
            terms.add(term, _FOUND)
            count += 1
    if not count:
        raise ConfigError(f"{where}: the list has no terms")
    return terms


def _texts(table: Mapping[str, Any], name: str, where: str) -> tuple[str, ...]:
    given = table.get(name, [])
    if not isinstance(given, list) or not all(isinstance(text, str) for text in given):
        raise ConfigError(f"{where}: {name} must be a list of strings")
    return tuple(given)

"""Replaces the disjoint spans of a document, and verifies that no value of them is left."""

from __future__ import annotations

import dataclasses
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from nadie.anonymize.columns import fitted
from nadie.anonymize.conditions import ByValue
from nadie.anonymize.context import Context
from nadie.anonymize.operators.base import Operator, Traits
from nadie.anonymize.operators.label import marker
from nadie.anonymize.policy import Policy
from nadie.anonymize.secret import Key
from nadie.anonymize.verification import hidden_values, survivors
from nadie.document import DOUBTFUL, UNKNOWN_FIELD, Document, Span
from nadie.errors import ConfigError, LeakError, SpanError
from nadie.labels import Label
from nadie.resolve.name_words import is_eponym
from nadie.resolve.outside import is_completed
from nadie.resolve.values import identifying_values, values_of
from nadie.spanish.squashing import Found, squash
from nadie.surrogates.dates.births import AgeRule
from nadie.surrogates.dates.events import contradicts_event, years_in
from nadie.surrogates.decision import KEEP, REFUSE
from nadie.surrogates.originals import Originals

_WAY_ON = ": review it with `nadie serve`, or list the word with --allow if it is no PHI"
_ROUNDS = 4
_INDENT = 60
_HYPHEN_AFTER = re.compile(r"-[ \t]*\n[ \t]*[a-zñáéíóú]")
_HYPHEN_BEFORE = re.compile(r"[^\W\d_]-[ \t]*\n[ \t]*$")
_LONGEST_VALUE = 1000  # a longer value is not a name, and parsing it could take long
_FALLBACK = "label"
_NATURAL = frozenset(("surrogate", "shift", "generalize"))  # operators after which a table should look as before
_MIXED, _OTHERS = 192, 32
_SIMPLE = Traits.CONSTANT | Traits.KEEPS
_LABELLED = (UNKNOWN_FIELD, DOUBTFUL)
_BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class Replaced:
    """One span, and its replacement at `start:end` of the output.

    `operator` is the one that was applied: if another one refused, it is `label`, and `refused` is true. In a table it
    also stands for the `taken` spaces after the span.
    """

    span: Span
    start: int
    end: int
    operator: str
    kept: bool = False
    refused: bool = False
    taken: int = 0


@dataclass(frozen=True, slots=True)
class Anonymized:
    """The output of the engine for one document; `name` is its name in the output, if it is not its id."""

    document: Document
    text: str
    replaced: tuple[Replaced, ...]
    name: str = ""

    def output(self) -> Document:
        """The anonymized document, without spans."""
        return Document(self.name or self.document.id, self.text, (), self.document.meta)

    def count_name_like(self) -> int:
        """The number of words that were not replaced and look like names; nearly all are none, see `name_like`."""
        from nadie.resolve.name_like import name_like  # it reads the tables of names

        return sum(1 for _ in name_like(self.document))

    def names_later_event(self) -> bool:
        """Whether an event or a guideline in the text is later than its dates since they were shifted."""
        shifted = [r for r in self.replaced if r.operator == "shift" and not r.kept]
        if not shifted:
            return False
        new = [year for r in shifted for year in years_in(self.text[r.start : r.end])]
        old = [year for r in shifted for year in years_in(self.document.text_of(r.span))]
        return contradicts_event(self.text, new) and not contradicts_event(self.document.text, old)


@dataclass(frozen=True, slots=True)
class Piece:
    """The text that takes the place of one span, and the operator that gave it."""

    span: Span
    text: str
    operator: str
    kept: bool = False
    refused: bool = False
    is_constant: bool = False
    taken: int = 0


class Engine:
    """Applies a policy to documents, one at a time; the output depends only on the document and the key.

    With a random key no other run gives the same surrogates. `patient` identifies the patient of a document; without
    it, the metadata field `patient` does. A document without a patient is a patient of its own, identified by a keyed
    fingerprint of its text: the same note has the same output as a file, a row or a request, whatever its name.
    """

    def __init__(
        self,
        policy: Policy,
        key: Key,
        *,
        patient: Callable[[Document], str] | None = None,
    ) -> None:
        self.policy = policy
        self._operators = policy.operators()
        needing = sorted({o.name for o in self._operators.values() if Traits.NEEDS_KEY in o.traits})
        if key.is_random and needing:
            raise ConfigError(f"the operator {needing[0]!r} of policy {policy.name!r} needs a key")
        self._key = key
        self._patient = patient or (lambda document: document.meta.get("patient", ""))
        self.kept = frozenset(label for label, operator in self._operators.items() if Traits.KEEPS in operator.traits)
        self.invents_names = policy.invents_names()

    def run(self, document: Document) -> Anonymized:
        """Replace every span of the document; the text between spans is not changed.

        The engine finds nothing: give it documents that `nadie.resolve.completing.complete` has returned. A value of
        the detected spans that is left in the output is an error.
        """
        end = 0
        for span in document.spans:
            if span.start < end:
                raise SpanError(f"spans overlap at {span.start}: resolve them before anonymizing")
            end = span.end
        identifying = {
            span: value
            for span, value in identifying_values(document).items()
            if not is_completed(span) and span.source != DOUBTFUL
        }
        context = self._context(document, identifying)
        pieces = [self._piece(span, context) for span in document.spans]
        for _ in range(_ROUNDS):
            output = assemble(document, pieces)
            constant = [(r.start, r.end) for r, p in zip(output.replaced, pieces, strict=True) if p.is_constant]
            values = hidden_values(identifying, ((piece.span, piece.kept) for piece in pieces))
            leaks = [leak for leak in survivors(output.text, values, constant) if not _is_term(output, leak)]
            if not leaks:
                aligned = [_fitted(piece, document.text) for piece in pieces]
                return output if aligned == pieces else assemble(document, aligned)
            pieces = _handled(output, pieces, leaks)
        raise LeakError(f"a detected value would remain at {leaks[0].start}{_WAY_ON}", where=document.id)

    def _context(self, document: Document, identifying: Mapping[Span, str]) -> Context:
        own = f"document {self._key.base.fingerprint(' '.join(document.text.lstrip(_BYTE_ORDER_MARK).split()))}"
        patient = self._patient(document) or own
        units = {"document": own, "patient": patient, "corpus": "", "mixed": self._mixed(patient)}
        scope, scopes = units[self.policy.scope], {name: units[unit] for name, unit in self.policy.scopes.items()}
        originals = Originals(values_of(identifying))
        options = dataclasses.replace(self.policy.options, ages=self._age_rule())
        numbers = own if self.policy.scope == "document" else ""
        return Context(document, self._key, scope, patient, options, originals, scopes, numbers)

    def _mixed(self, patient: str) -> str:
        """The scope `mixed`: that of the corpus for five patients in six, and one of 32 others for the rest.

        A name that is missed in one note of fifty stands in as few notes as most surrogates of these other scopes.
        """
        share = self._key.number(_MIXED, "mixed scope", patient)
        return f"mixed {share}" if share < _OTHERS else ""

    def _age_rule(self) -> AgeRule:
        """What is shown of ages; if the operator shows nothing of the age, the date of birth is hidden as well."""
        operator = self._operators[Label.EDAD_SUJETO_ASISTENCIA]
        is_hidden = bool(operator.traits & (Traits.CONSTANT | Traits.NEEDS_KEY))
        shown: AgeRule = getattr(operator, "ages", AgeRule())
        return AgeRule(is_hidden=True) if is_hidden else shown

    def _piece(self, span: Span, context: Context) -> Piece:
        value = context.document.text_of(span)
        operator: Operator | None = self._operators[span.label]
        if span.source in _LABELLED:
            return Piece(span, marker(span.label), _FALLBACK, is_constant=True)
        if isinstance(operator, ByValue):
            operator = operator.chosen(value)
        if operator is None:
            return Piece(span, marker(span.label), _FALLBACK, refused=True, is_constant=True)
        is_taken = len(value) <= _LONGEST_VALUE or bool(operator.traits & _SIMPLE)
        outcome = operator.replace(value, span, context) if is_taken else REFUSE
        if outcome is KEEP:
            return Piece(span, value, operator.name, kept=True)
        is_same = outcome is not REFUSE and outcome and squash(str(outcome)) == squash(value)
        is_half = operator.name in _NATURAL and _is_half(context.document.text, span)
        if outcome is REFUSE or is_same or is_half:
            return Piece(span, marker(span.label), _FALLBACK, refused=operator.name != _FALLBACK, is_constant=True)
        return Piece(span, str(outcome), operator.name, is_constant=Traits.CONSTANT in operator.traits)


def _is_half(text: str, span: Span) -> bool:
    """Whether a span ends or begins within a word that is hyphenated at the end of a line: it cannot be understood."""
    return _HYPHEN_AFTER.match(text, span.end) is not None or (
        text[span.start].islower()
        and _HYPHEN_BEFORE.search(text[max(0, span.start - _INDENT) : span.start]) is not None
    )


def _fitted(piece: Piece, text: str) -> Piece:
    """The piece, in a table of fixed columns with the spaces that keep the next column in place."""
    if piece.kept or (piece.operator not in _NATURAL and not piece.refused):
        return piece
    taken, new = fitted(text, piece.span, piece.text)
    if (taken, new) == (piece.taken, piece.text):
        return piece
    return dataclasses.replace(piece, text=new, taken=taken)


def assemble(document: Document, pieces: Iterable[Piece]) -> Anonymized:
    """The text of a document with the pieces in place of its spans, which are those of the pieces, in order."""
    parts: list[str] = []
    replaced: list[Replaced] = []
    end = length = 0
    for piece in pieces:
        between = document.text[end : piece.span.start]
        parts += [between, piece.text]
        length += len(between) + len(piece.text)
        replaced.append(
            Replaced(
                *(piece.span, length - len(piece.text), length, piece.operator), piece.kept, piece.refused, piece.taken
            )
        )
        end = piece.span.end + piece.taken
    parts.append(document.text[end:])
    return Anonymized(document, "".join(parts), tuple(replaced))


def _is_term(output: Anonymized, leak: Found) -> bool:
    """Whether a value is part of a term in the document, though a label stands now before it: `ganglio de Gasser`."""
    last = bisect_right([r.end for r in output.replaced], leak.start)
    if last < len(output.replaced) and output.replaced[last].start < leak.end:
        return False
    before = output.replaced[last - 1] if last else None
    moved = before.span.end + before.taken - before.end if before else 0
    return is_eponym(output.document.text, leak.start + moved, leak.end + moved)


def _handled(output: Anonymized, pieces: list[Piece], leaks: list[Found]) -> list[Piece]:
    """If a surrogate reveals an original value, replace it by its label; any other leak is an error."""
    new = list(pieces)
    ends = [r.end for r in output.replaced]
    starts = [r.start for r in output.replaced]
    for leak in leaks:
        touched = range(bisect_right(ends, leak.start), bisect_left(starts, leak.end))
        if not touched:
            raise LeakError(f"a detected value remains at {leak.start}{_WAY_ON}", where=output.document.id)
        for n in touched:
            new[n] = Piece(new[n].span, marker(new[n].span.label), _FALLBACK, refused=True, is_constant=True)
    return new

"""Replaces what a patient is known by besides names and numbers: accounts, pets, marks, firms, and traits."""

from __future__ import annotations

import re
from typing import NamedTuple

from nadie.anonymize.context import Context
from nadie.document import Span
from nadie.spanish.folding import words_of
from nadie.spanish.names import ROMANCE_PARTICLES
from nadie.spanish.numbers import NUMBERS
from nadie.surrogates.decision import Outcome
from nadie.surrogates.marks import another_mark
from nadie.surrogates.pets import another_pet, is_owner
from nadie.surrogates.rules import Rule, by_first
from nadie.surrogates.traits import trait_outcome

_HANDLE = re.compile(
    r"(?P<network>(?:(?:instagram|facebook|twitter|tiktok|ig|fb|telegram|twitch|snapchat|skype|x)\s*:?\s*)?)"
    r"(?P<account>@[\w.-]{2,40})",
    re.IGNORECASE,
)
_SMALL = ROMANCE_PARTICLES | {"en", "a"}
_MOST_FIRM_WORDS = 8
_SIGNS = frozenset("mil cien ciento barra guion punto diagonal doscientos trescientos cuatrocientos quinientos".split())
_EMPLOYER = re.compile(r"(?:trabaj\w*|empresa|jefe|n[oó]mina|emplead[oa]|chofer|soldador)\s(?:\w+\s){0,3}$")


class _Other(NamedTuple):
    """Any other value of a patient, with its digits, its words and the text around it."""

    value: str
    span: Span
    context: Context
    digits: int
    words: list[str]
    before: str
    after: str


def another_value(value: str, span: Span, context: Context) -> Outcome | None:
    """Other values of a patient: numbers, accounts and companies have surrogates, free text has none."""
    text, digits = context.document.text, sum(map(str.isdigit, value))
    before, after = text[max(0, span.start - 40) : span.start], text[span.end :][:30]
    if not digits and (trait := trait_outcome(value, before, context.options.traits)) is not None:
        return trait
    words = re.findall(r"[^\W\d_]+", value)
    return by_first(_OTHERS, _Other(value, span, context, digits, words, before, after))


def _is_number(other: _Other) -> bool:
    is_dictated = not other.digits and all(word in NUMBERS or word in _SIGNS for word in words_of(other.value))
    return is_dictated or (other.digits > 0 and 2 * other.digits >= sum(map(str.isalnum, other.value)))


def _account(other: _Other, account: str, network: str = "") -> str | None:
    new = other.context.mails.account(account, list(other.context.people.nearest(other.span)))
    return new and network + new


def _pet(other: _Other) -> str | None:
    around = other.before + other.value + other.after
    is_one = len(other.words) == 1 and not is_owner(other.before)
    return another_pet(other.value, around, other.context.key, other.context.scope) if is_one else None


def _is_firm(other: _Other) -> bool:
    value, words = other.value, other.words
    is_named = all(word[0].isupper() or word in _SMALL for word in words) and value[:1].isupper()
    is_employer = value.islower() and len(words) != 1 and _EMPLOYER.search(other.before.lower()) is not None
    return (is_named or is_employer) and len(words) <= _MOST_FIRM_WORDS


_OTHERS: tuple[Rule[_Other], ...] = (
    (_is_number, lambda o, _: o.context.identifiers.rewrite(o.value, o.span.label)),
    (lambda o: o.before.endswith("@"), lambda o, _: _account(o, o.value)),
    (lambda o: _HANDLE.fullmatch(o.value), lambda o, found: _account(o, found["account"], found["network"])),
    (_pet, lambda _, pet: pet),
    (lambda o: o.context.people.mentions(o.span), lambda o, named: o.context.inventor.rewrite(o.value, named[0])),
    (lambda o: another_mark(o.value, o.before, o.context.key, o.context.scope), lambda _, mark: mark),
    (_is_firm, lambda o, _: o.context.centres.firm(o.value)),
)

"""For callers of a language model: a text with placeholders to send, and restoration of the originals in the answer.

nadie itself sends nothing. The originals stay in the memory of the caller's process.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterable, AsyncIterator, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Unpack

from nadie.anonymize.engine import Anonymized, Replaced
from nadie.anonymize.operators.base import OPERATORS
from nadie.anonymize.operators.label_number import SHORT
from nadie.anonymize.policy import Policy, Rule
from nadie.document import Document
from nadie.errors import ConfigError
from nadie.integrations.placeholders import STRICT, bare_names, cut, placeholders
from nadie.labels import Label
from nadie.options import DetectionArguments, DetectionOptions
from nadie.run.documents import RunOptions
from nadie.run.pipeline import Pipeline

_NAMES = frozenset(SHORT.get(label, label) for label in Label)


@dataclass(frozen=True)
class Shielded:
    """`text` has a placeholder such as `[NOMBRE_1]` for each value, always the same for the same person or value.

    Other written forms of a person's name have placeholders such as `[NOMBRE_1.2]`, so that each is restored as it was.
    """

    text: str
    originals: dict[str, str] = field(repr=False)
    """The original of each placeholder; that of `[NOMBRE_1]` is the fullest written form of the name."""

    def restore(self, answer: str, *, only: Collection[str] = (), in_addresses: bool = False) -> str:
        """The answer with originals in place of the placeholders of `text`, also of altered ones (`[nombre 1]`).

        Any other placeholder is not changed; `unplaced` lists those. `only` names the placeholders to restore, such as
        `FECHA` and `SANITARIO`. In addresses of pages and images nothing is restored unless it is asked for: an answer
        may be shown by a program that loads them, and so sends what they contain.
        """
        parts, end = [], 0
        for found in placeholders(answer, None if in_addresses else self.text):
            if found.name in self.originals and (not only or _name_of(found.name) in only):
                parts += [answer[end : found.start], self.originals[found.name]]
                end = found.end
        return "".join([*parts, answer[end:]])

    def unplaced(self, answer: str) -> list[str]:
        """What looks like a placeholder in an answer and is not restored: unknown, in an address, without brackets."""
        outside = {found.start for found in placeholders(answer, self.text)}
        bracketed = [
            answer[found.start : found.end]
            for found in placeholders(answer, None)
            if (_name_of(found.name) in _NAMES and found.name not in self.originals)
            or (found.name in self.originals and found.start not in outside)
        ]
        return [*bracketed, *bare_names(answer, self.originals)]

    def stream(self, chunks: Iterable[str]) -> Iterator[str]:
        """The same for an answer in chunks, which may split placeholders."""
        restoring = StreamRestorer(self)
        yield from filter(None, map(restoring.feed, chunks))
        yield from filter(None, [restoring.end()])

    async def astream(self, chunks: AsyncIterable[str]) -> AsyncIterator[str]:
        """The same for an asynchronous client."""
        restoring = StreamRestorer(self)
        async for chunk in chunks:
            if ready := restoring.feed(chunk):
                yield ready
        if ready := restoring.end():
            yield ready


class StreamRestorer:
    """Restores one stream of text; what may be the beginning of a placeholder or an address is held back."""

    def __init__(self, shielded: Shielded) -> None:
        self._shielded = shielded
        self._held = ""

    def feed(self, chunk: str) -> str:
        """What can be shown after this chunk."""
        text = self._held + chunk
        at = cut(text)
        self._held = text[at:]
        return self._shielded.restore(text[:at])

    def end(self) -> str:
        """What was held back, when the stream is at its end."""
        held, self._held = self._held, ""
        return self._shielded.restore(held)


def shield(
    text: str | Document,
    *,
    model: str = "fast",
    keep: Collection[str] = (),
    after: Shielded | None = None,
    **detection: Unpack[DetectionArguments],
) -> Shielded:
    """The text with placeholders for everything that identifies a person, and the means to restore an answer.

    `keep` names labels or classes of labels that are not replaced, such as `AGE` and `SEXO_SUJETO_ASISTENCIA`, if the
    question depends on them. `after` is the result for the messages before: its placeholders never change, and the
    result restores all of them. Known identities of a `Document` are found in any spelling. A text that has other
    placeholders is refused: it was shielded before. The arguments about detection are those of `nadie.load`.

    >>> shielded = nadie.shield("Paciente: Ana Pérez, con fiebre.")     # doctest: +SKIP
    >>> shielded.text                                                   # doctest: +SKIP
    'Paciente: [NOMBRE_1], con fiebre.'
    >>> shielded.restore("Explique a [NOMBRE_1] el tratamiento.")       # doctest: +SKIP
    'Explique a Ana Pérez el tratamiento.'
    """
    document = text if isinstance(text, Document) else Document("", text)
    return shielded_by(shielding(model, frozenset(keep), DetectionOptions.of(**detection)), document, after)


def shielded_by(pipeline: Pipeline, document: Document, after: Shielded | None = None) -> Shielded:
    """The same by a pipeline of `shielding`."""
    before, text = after.originals if after else {}, document.text
    for found in STRICT.finditer(text):
        if found[0] not in before and _name_of(found[0]) in _NAMES:
            raise ConfigError(f"the text already has a placeholder at {found.start()}: shield the original text")
    done = next(pipeline.anonymize_all([document]))
    names = _Names(before)
    new = names.of(done)
    parts, end = [], 0
    for item in done.replaced:
        if (name := new.get(item)) is not None:
            parts += [text[end : item.span.start], name]
            end = item.span.end
    return Shielded("".join([*parts, text[end:]]), names.originals)


class _Names:
    """Gives placeholders to values; those that have one already keep it."""

    def __init__(self, before: Mapping[str, str]) -> None:
        self._before = Shielded("", dict(before))
        self.originals = dict(before)
        self._known = {(_name_of(name), value): name for name, value in reversed(list(before.items()))}
        self._last: dict[str, int] = defaultdict(int)
        for name in before:
            self._last[_name_of(name)] = max(self._last[_name_of(name)], int(_number_of(name).partition(".")[0]))

    def of(self, done: Anonymized) -> dict[Replaced, str]:
        """The placeholder of each replaced span; a placeholder of an earlier message stays."""
        values: dict[str, dict[str, list[Replaced]]] = defaultdict(lambda: defaultdict(list))
        for item in done.replaced:
            value = done.document.text_of(item.span)
            if not item.kept and value not in self._before.originals:
                values[done.text[item.start : item.end]][self._before.restore(value)].append(item)
        made: dict[Replaced, str] = {}
        for forms in values.values():
            label = next(iter(forms.values()))[0].span.label
            for value, name in self._placeholders(SHORT.get(Label(label), label), list(forms)).items():
                self.originals[name] = value
                made |= dict.fromkeys(forms[value], name)
        return made

    def _placeholders(self, short: str, values: list[str]) -> dict[str, str]:
        """The placeholders of all written forms of one person or value."""
        known = {value: self._known[short, value] for value in values if (short, value) in self._known}
        if known:
            number = _number_of(next(iter(known.values()))).partition(".")[0]
        else:
            self._last[short] += 1
            number = str(self._last[short])
        for value in sorted((value for value in values if value not in known), key=len, reverse=True):
            taken, form = f"[{short}_{number}]", 1
            while taken in self.originals or taken in known.values():
                form += 1
                taken = f"[{short}_{number}.{form}]"
            known[value] = self._known[short, value] = taken
        return known


def _name_of(placeholder: str) -> str:
    return placeholder[1:-1].rpartition("_")[0]


def _number_of(placeholder: str) -> str:
    return placeholder[1:-1].rpartition("_")[2]


@lru_cache(maxsize=4)
def shielding(model: str, keep: frozenset[str], detection: DetectionOptions) -> Pipeline:
    """The model with a policy of numbered placeholders, without those that are kept."""
    numbered = Policy.of_one(OPERATORS.get("label-number")())
    policy = numbered.with_rules({label: Rule("keep") for label in keep}) if keep else numbered
    return RunOptions(model, detection, policy, patient="none").pipeline()

"""For callers of a language model: a text with placeholders to send, and restoration of the originals in the answer.

nadie itself sends nothing. The originals stay in the memory of the caller's process.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterable, AsyncIterator, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from nadie.anonymize.engine import Anonymized
from nadie.anonymize.operators.base import OPERATORS
from nadie.anonymize.policy import Policy, Rule
from nadie.document import Document
from nadie.errors import ConfigError
from nadie.options import DetectionOptions
from nadie.run.documents import RunOptions
from nadie.run.pipeline import Pipeline

_PLACEHOLDER = re.compile(r"\[[A-Z_]{1,40}_[0-9]{1,9}\]")


@dataclass(frozen=True)
class Shielded:
    """`text` has a placeholder such as `[NOMBRE_1]` for each value, always the same for the same person or value."""

    text: str
    originals: dict[str, str] = field(repr=False)
    """The original of each placeholder; for a person, the fullest written form of the name."""

    def restore(self, answer: str) -> str:
        """The answer with originals in place of the placeholders of `text`. Any other placeholder is not changed."""
        return _PLACEHOLDER.sub(lambda found: self.originals.get(found[0], found[0]), answer)

    def stream(self, chunks: Iterable[str]) -> Iterator[str]:
        """The same for an answer in chunks, which may split placeholders."""
        held = ""
        for chunk in chunks:
            ready, held = self._cut(held + chunk)
            if ready:
                yield self.restore(ready)
        if held:
            yield self.restore(held)

    async def astream(self, chunks: AsyncIterable[str]) -> AsyncIterator[str]:
        """The same for an asynchronous client."""
        held = ""
        async for chunk in chunks:
            ready, held = self._cut(held + chunk)
            if ready:
                yield self.restore(ready)
        if held:
            yield self.restore(held)

    def _cut(self, text: str) -> tuple[str, str]:
        """The text that can be returned, and the rest, which may be the beginning of a placeholder."""
        at = text.rfind("[")
        tail = text[at:] if at >= 0 else ""
        may_go_on = any(placeholder.startswith(tail) and placeholder != tail for placeholder in self.originals)
        return (text[:at], tail) if tail and may_go_on else (text, "")


def shield(
    text: str, *, model: str = "fast", keep: Collection[str] = (), detection: DetectionOptions | None = None
) -> Shielded:
    """The text with placeholders for everything that identifies a person, and the means to restore an answer.

    `keep` names labels or classes of labels that are not replaced, such as `AGE` and `SEXO_SUJETO_ASISTENCIA`, if the
    question depends on them. A text that already has such placeholders is refused, because they would be ambiguous.

    >>> shielded = nadie.shield("Paciente: Ana Pérez, con fiebre.")     # doctest: +SKIP
    >>> shielded.text                                                   # doctest: +SKIP
    'Paciente: [NOMBRE_1], con fiebre.'
    >>> shielded.restore("Explique a [NOMBRE_1] el tratamiento.")       # doctest: +SKIP
    'Explique a Ana Pérez el tratamiento.'
    """
    done = next(_loaded(model, frozenset(keep), detection or DetectionOptions()).anonymize_all([Document("", text)]))
    originals = _originals(done)
    covered = {at for item in done.replaced if not item.kept for at in range(item.span.start, item.span.end)}
    for found in _PLACEHOLDER.finditer(text):
        if found[0] in originals and found.start() not in covered:
            raise ConfigError(f"the text already has a placeholder at {found.start()}: shield the original text")
    return Shielded(done.text, originals)


def _originals(done: Anonymized) -> dict[str, str]:
    originals: dict[str, str] = {}
    for item in done.replaced:
        placeholder, value = done.text[item.start : item.end], done.document.text_of(item.span)
        if not item.kept and len(value) > len(originals.get(placeholder, "")):
            originals[placeholder] = value
    return originals


@lru_cache(maxsize=4)
def _loaded(model: str, keep: frozenset[str], detection: DetectionOptions) -> Pipeline:
    numbered = Policy.of_one(OPERATORS.get("label-number")())
    policy = numbered.with_rules({label: Rule("keep") for label in keep}) if keep else numbered
    return RunOptions(model, detection, policy, patient="none").pipeline()

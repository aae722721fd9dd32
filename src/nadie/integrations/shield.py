"""For callers of a language model: a text with placeholders to send, and the way back for the answer.

nadie sends nothing itself. The originals stay in the memory of the caller's process.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterable, AsyncIterator, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from nadie.anonymize.engine import Anonymized
from nadie.anonymize.operator import OPERATORS
from nadie.anonymize.policy import Policy, Rule
from nadie.document import Document
from nadie.errors import ConfigError
from nadie.options import DetectionOptions
from nadie.pipeline import Pipeline
from nadie.run import RunOptions

_PLACEHOLDER = re.compile(r"\[[A-Z_]{1,40}_[0-9]{1,9}\]")


@dataclass(frozen=True)
class Shielded:
    """`text` has a placeholder such as `[NOMBRE_1]` for each value, and the same one for the same person or value."""

    text: str
    originals: dict[str, str] = field(repr=False)
    """The original of each placeholder; of a person, the fullest writing of the name."""

    def restore(self, answer: str) -> str:
        """The answer with originals for the placeholders of `text`. Any other is left as it is."""
        return _PLACEHOLDER.sub(lambda found: self.originals.get(found[0], found[0]), answer)

    def stream(self, chunks: Iterable[str]) -> Iterator[str]:
        """The same for an answer that comes in chunks, with placeholders cut anywhere."""
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
        """What can be given out, and what may be the beginning of a placeholder."""
        at = text.rfind("[")
        tail = text[at:] if at >= 0 else ""
        may_go_on = any(placeholder.startswith(tail) and placeholder != tail for placeholder in self.originals)
        return (text[:at], tail) if tail and may_go_on else (text, "")


def shield(
    text: str, *, model: str = "fast", keep: Collection[str] = (), detection: DetectionOptions | None = None
) -> Shielded:
    """The text with placeholders for all that identifies a person, and the way back for an answer.

    `keep` names labels or classes of labels that stay, such as `AGE` and `SEXO_SUJETO_ASISTENCIA`, where the question
    turns on them. A text that has such placeholders already is refused: its own could not be told from them.

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

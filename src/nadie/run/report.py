"""What a run did: counts, the first of many files and messages, and the failures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from nadie.bounded import FirstItems
from nadie.document import Document
from nadie.errors import Failure, NadieError
from nadie.run.rewriting import Rewritten

NAMED = 20
"""The number of files, notes and uncovered parts that a report names; it counts the others."""
_NAMED_FAILURES = 200
_REASONS = 50


@dataclass
class RunReport:
    """The result of a run, filled while it goes on. Its size does not grow with the number of files.

    `handled` counts the documents and files that were written, and `failures` the others and the inner files that were
    left out; `failed` is their number. `inputs` is the number of files if the texts in them were counted. `files` are
    the containers written, `formats` counts them by format, `uncovered` are the parts that were not searched,
    `warnings` name what may identify a person and stays because the user wants it, and `notes` are messages that the
    user should read. `on_failure` is called with every failure, of which only the first are stored.
    """

    on_failure: Callable[[Failure], None] | None = field(default=None, repr=False)
    handled: int = 0
    inputs: int = 0
    failures: FirstItems[Failure] = field(default_factory=lambda: FirstItems(_NAMED_FAILURES))
    reasons: Counter[str] = field(default_factory=Counter)
    files: FirstItems[Rewritten] = field(default_factory=lambda: FirstItems(NAMED))
    formats: Counter[str] = field(default_factory=Counter)
    uncovered: FirstItems[str] = field(default_factory=lambda: FirstItems(NAMED))
    warnings: FirstItems[str] = field(default_factory=lambda: FirstItems(NAMED))
    notes: FirstItems[str] = field(default_factory=lambda: FirstItems(NAMED))

    @property
    def failed(self) -> int:
        return self.failures.count

    def write(self, results: Iterable[Document | Failure | Rewritten], writer: Callable[[Document], None]) -> None:
        """Write each document; a document that cannot be written is a failure, and the others are still written."""
        for result in results:
            if isinstance(result, Failure):
                self.fail(result)
            elif isinstance(result, Rewritten):
                self._add(result)
            else:
                try:
                    writer(result)
                    self.handled += 1
                except NadieError as error:
                    self.fail(Failure.of(error, result.id))

    def fail(self, failure: Failure) -> None:
        self.failures.add([failure])
        is_counted = failure.reason in self.reasons or len(self.reasons) < _REASONS
        self.reasons[failure.reason if is_counted else "other reasons"] += 1
        if self.on_failure:
            self.on_failure(failure)

    def note(self, messages: Iterable[str] | FirstItems[str]) -> None:
        """Add messages that the user should read although nothing failed."""
        if isinstance(messages, FirstItems):
            self.notes.add(messages.first)
            self.notes.count += messages.more
        else:
            self.notes.add(messages)

    def _add(self, file: Rewritten) -> None:
        """Add a file that was written; a failure inside it counts like a failed file."""
        self.handled += 1
        for failure in file.account.failures:
            self.fail(failure)
        self.files.add([file])
        self.formats[file.title] += 1
        self.uncovered.add(f"{file.name}, {place}: {reason}" for place, reason in file.account.uncovered)
        self.warnings.add(f"{file.name}: {warning}" for warning in file.account.warnings)

"""The run of `nadie anonymize`: what is read, in which order it is kept, written and told."""

from __future__ import annotations

import hashlib
import json
import struct
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from nadie.anonymize.audit import audit_of
from nadie.anonymize.engine import Anonymized, Engine
from nadie.anonymize.originals import told_by, values_of
from nadie.anonymize.policy import Policy
from nadie.anonymize.report import Report
from nadie.anonymize.vault.writing import VaultWriter
from nadie.cli.batch import Batch
from nadie.document import Document, Span
from nadie.errors import NadieError
from nadie.formats.files import writing
from nadie.labels import Label

_TOGETHER = 32
_SPAN = struct.Struct("<IIBf")
_LABELS = list(Label)


def invents(policy: Policy) -> bool:
    """Whether the policy invents values, which must not repeat a value of any other document of the run."""
    return any(operator.name == "surrogate" for operator in policy.operators().values())


class TwoReadings:
    """Spans of a first reading, to be put on the documents of a second one; the texts are not held in memory."""

    def __init__(self) -> None:
        self.values: set[str] = set()
        self._spans: dict[tuple[str, bytes], list[bytes]] = defaultdict(list)

    def first(self, annotated: Iterable[Document]) -> None:
        for document in annotated:
            self.values |= values_of(told_by(document))
            packed = b"".join(
                _SPAN.pack(s.start, s.end, _LABELS.index(Label(s.label)), s.score) for s in document.spans
            )
            self._spans[_print_of(document)].append(packed)

    def second(self, documents: Iterable[Document], batch: Batch) -> Iterator[Document]:
        for document in documents:
            waiting = self._spans.get(_print_of(document))
            if waiting:
                spans = _SPAN.iter_unpack(waiting.pop())
                yield document.with_spans(Span(a, b, _LABELS[label], min(1.0, score)) for a, b, label, score in spans)
        for (name, _), left in self._spans.items():
            for _ in left:
                batch.fail(f"{name}: changed while it was being anonymized")


def _print_of(document: Document) -> tuple[str, bytes]:
    return document.id, hashlib.sha256(document.text.encode("utf-8", "surrogatepass")).digest()


@dataclass
class Outputs:
    """Where a run's results go: the texts, the vault, the audit and the report."""

    write: Callable[[Document], None]
    vault: VaultWriter | None
    audit: Path | None
    report: Path | None
    model: dict[str, Any]

    def take(self, documents: Iterable[Document], engine: Engine, batch: Batch) -> None:
        """Anonymize and write; what cannot be handled is counted, and nothing of it is written."""
        report = Report(engine.policy)
        with ExitStack() as stack:
            note = stack.enter_context(writing(self.audit)) if self.audit else None
            waiting = iter(documents)
            while group := list(islice(waiting, _TOGETHER)):
                done = list(_anonymized(group, engine, batch))
                if self.vault is not None:
                    self.vault.add(done)
                for item in done:
                    self._write(item, batch)
                    line = audit_of(item, engine.policy, self.model)
                    report.add(line)
                    if note is not None:
                        note(json.dumps(line, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n")
        if self.report is not None:
            with writing(self.report) as put:
                put(report.html(failures=len(batch.failures)).encode("utf-8"))

    def _write(self, item: Anonymized, batch: Batch) -> None:
        try:
            self.write(Document(item.document.id, item.text, (), item.document.meta))
            batch.done()
        except NadieError as error:
            batch.fail(str(error))


def _anonymized(group: Iterable[Document], engine: Engine, batch: Batch) -> Iterator[Anonymized]:
    for document in group:
        try:
            yield engine.run(document)
        except NadieError as error:
            batch.fail(f"{document.id}: {error}")
        except Exception as error:  # the message of a stranger may quote the text: only its kind is told
            batch.fail(f"{document.id}: {type(error).__name__} while it was being anonymized")

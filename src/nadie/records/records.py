"""The records of a run besides its texts: the vault, the audit and the report.

The audit has one line about the run, and one about each document, with counts and offsets and without its text.
"""

from __future__ import annotations

import json
import platform
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from nadie.anonymize.engine import Anonymized
from nadie.anonymize.policy import Policy
from nadie.anonymize.secret import Key
from nadie.errors import Failure
from nadie.records.report import DOUBTFUL, Report
from nadie.resolve.outside import is_completed

if TYPE_CHECKING:
    from nadie.records.vault.writing import VaultWriter

_MOST_DOUBTFUL = 50
_VERSION = version("nadie")


class Records:
    """The records of one run.

    `about` describes the model and all options (`Pipeline.about`). The first line of the audit is about the run, the
    last one about its end; between them are the documents and the failures. A random key is stored in the vault, if
    there is one, so that the fingerprints can be checked.
    """

    def __init__(
        self,
        policy: Policy,
        about: Mapping[str, Any],
        key: Key,
        *,
        vault: VaultWriter | None = None,
        audit: Callable[[bytes], None] | None = None,
    ) -> None:
        self.report = Report(policy, about.get("model", {}))
        self._operators = operator_names(policy)
        self._invents_names = policy.invents_names()
        self._vault = vault
        self._audit = audit
        self._key = key
        if key.is_random and vault is not None and audit is not None:
            vault.note("audit-key", {"name": key.name, "key": key.to_text()})
        self._started = {
            "started": _now(),
            "nadie": _VERSION,
            "python": platform.python_version(),
            "system": platform.system(),
            "policy": {"name": policy.name, "scope": policy.scope, "sha256": policy.digest},
            "operators": self._operators,
            "key": {"name": key.name, "random": key.is_random, "release": key.release},
            **about,
        }
        self._handled = self._failed = 0
        self._names = ("", "")
        self._write({"run": self._started})

    def keep(self, done: Sequence[Anonymized]) -> None:
        """Write a batch to the vault, then to the audit, and add it to the report."""
        if self._vault is not None:
            self._vault.add(done)
            self._keep_names(done, self._vault)
        for item in done:
            line = audit_of(item, self._operators, self._key, invents_names=self._invents_names)
            self.report.add(line)
            self._write(line)
        self._handled += len(done)

    def _keep_names(self, done: Sequence[Anonymized], vault: VaultWriter) -> None:
        """Store the original names of renamed files, once for each file, whose texts are consecutive."""
        for item in done:
            new, original = (name.partition("#")[0] for name in (item.name, item.document.id))
            if new and new != original and self._names != (new, original):
                self._names = (new, original)
                vault.note("name", {"output": new, "original": original})

    def fail(self, failure: Failure) -> None:
        """Write a failure to the audit."""
        self._failed += 1
        where = {"where": failure.where} if failure.where else {}
        self._write({"failed": {**where, "reason": failure.reason, "cause": failure.cause.kind}})

    def finish(self, **figures: int) -> dict[str, Any]:
        """Write the last line of the audit, with any other figures, and return everything known about the run."""
        end = {"ended": _now(), "handled": self._handled, "failed": self._failed, **figures}
        self._write({"end": end})
        return {**self._started, **end}

    def _write(self, line: Mapping[str, Any]) -> None:
        if self._audit is not None:
            self._audit(json.dumps(line, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n")


def operator_names(policy: Policy) -> dict[str, str]:
    """The name of the policy's operator for each label."""
    return {str(label): operator.name for label, operator in sorted(policy.operators().items())}


def audit_of(
    anonymized: Anonymized, operators: Mapping[str, str], key: Key, *, invents_names: bool = False
) -> dict[str, Any]:
    """One line of the audit: counts, fingerprints, and the offsets and labels of doubtful spans, never text.

    What holds for the whole run is in its first line; here is only what differs: `other_operators` counts the spans to
    which another operator was applied than the policy's `operators` of their labels, and counts of nothing are left
    out. The document's id is the only external value, and it is the same as in the names of the output files.
    Fingerprints are keyed: with a plain hash, somebody with the output could try all possible values of a replaced
    number until the hash of the input matches.
    """
    replaced = anonymized.replaced
    others: dict[str, Counter[str]] = {}
    for item in replaced:
        if item.operator != operators.get(item.span.label):  # a label of a user's own may have no rule
            others.setdefault(item.span.label, Counter())[item.operator] += 1
    doubtful = sorted((r.span for r in replaced if r.span.score < DOUBTFUL), key=lambda s: (s.score, s.start))
    counts = {
        "labels": _counted(r.span.label for r in replaced),
        "other_operators": {label: dict(sorted(counts.items())) for label, counts in sorted(others.items())},
        "kept": _counted(r.span.label for r in replaced if r.kept),
        "refused": _counted(r.span.label for r in replaced if r.refused),
        "found_again": _counted(r.span.label for r in replaced if is_completed(r.span)),
        "scores": _tenths(r.span.score for r in replaced if not is_completed(r.span)),
        **({"name_like": anonymized.count_name_like()} if invents_names else {}),
        "later_event": int(anonymized.names_later_event()),
        "doubtful": [[s.label, s.start, s.end, round(s.score, 4)] for s in doubtful[:_MOST_DOUBTFUL]],
    }
    return {
        "document": anonymized.name or anonymized.document.id,
        "characters": len(anonymized.document.text),
        **{name: value for name, value in counts.items() if value},
        "input_fingerprint": key.fingerprint(anonymized.document.text),
        "output_fingerprint": key.fingerprint(anonymized.text),
    }


def _counted(labels: Any) -> dict[str, int]:
    return dict(sorted(Counter(labels).items()))


def _tenths(scores: Any) -> list[int]:
    """The number of spans with a score below 0.1, below 0.2, ... up to 1; nothing if there are none."""
    counts = [0] * 10
    for score in scores:
        counts[min(9, int(score * 10))] += 1
    return counts if any(counts) else []


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")

"""What a run keeps beside its texts: the vault, the audit and the report."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nadie.anonymize.audit import audit_of
from nadie.anonymize.engine import Anonymized
from nadie.anonymize.policy import Policy
from nadie.anonymize.report import Report
from nadie.anonymize.vault.writing import VaultWriter


class Records:
    """The records of one run. `about` describes the model and the detection options (`Pipeline.about`)."""

    def __init__(
        self,
        policy: Policy,
        about: Mapping[str, Any],
        *,
        vault: VaultWriter | None = None,
        audit: Callable[[bytes], None] | None = None,
    ) -> None:
        self.report = Report(policy)
        self._policy = policy
        self._about = about
        self._vault = vault
        self._audit = audit

    def keep(self, done: Sequence[Anonymized]) -> None:
        """Write a batch to the vault, then to the audit, and add it to the report."""
        if self._vault is not None:
            self._vault.add(done)
        for item in done:
            line = audit_of(item, self._policy, self._about)
            self.report.add(line)
            if self._audit is not None:
                self._audit(json.dumps(line, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n")

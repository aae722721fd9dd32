"""The state that the routes share: options, workers, metrics, and lists that do not change during a run."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from typing import Any

from nadie.anonymize.engine import Anonymized
from nadie.anonymize.policy import read_policy, shipped
from nadie.detector import Model
from nadie.document import Document, Span
from nadie.errors import ConfigError
from nadie.labels import LABELS
from nadie.resolve.thresholds import Thresholds
from nadie.service.drift import drift_watch
from nadie.service.http.keys import project_secret, service_secret
from nadie.service.http.signon import Caller, SignOn
from nadie.service.http.vault import VaultFile, vault_of
from nadie.service.keyed import PROJECT, digest_key, digests, is_keyed
from nadie.service.monitoring import AUDIT, Metrics
from nadie.service.options import ServiceOptions
from nadie.service.problems import ProblemError
from nadie.service.project.store import Project, open_project
from nadie.service.schemas import ModelBody, PolicyBody
from nadie.service.team.reviewers import Team
from nadie.service.tokens import Permission
from nadie.service.workers.jobs import Setup
from nadie.service.workers.pool import WorkerPool


class Service:
    """One running service."""

    def __init__(self, options: ServiceOptions) -> None:
        self.project = None if options.project is None else open_project(options.project)
        self.team = None if self.project is None else Team(self.project)
        self.options = options
        self.sign_on = SignOn(options)
        self.people = self.sign_on.people
        self.limits = options.limits
        self.metrics = Metrics()
        self._watch = None if self.project is None else drift_watch(self.project.folder, self.metrics)
        self._batches: Counter[str] = Counter()
        models = [(name, Model.of(name)) for name in options.models]
        self.models: dict[str, ModelBody] = {}
        for _, model in models:
            if model.name in self.models:
                raise ConfigError(f"two models have the name {model.name!r}")
            self.models[model.name] = ModelBody(
                name=model.name,
                system=model.system,
                default=not self.models,
                bytes=model.folder.size if model.folder else 0,
                card=dict(model.card),
            )
        self.policies = _policies(options.policy)
        self._keyed_policies = {name for name in self.policies if is_keyed(read_policy(name))}
        if options.thresholds is not None:
            Thresholds.read(options.thresholds)  # so that an error in it is found at the start and not in the workers
        secret = service_secret(options)
        self._digest_key = digest_key(secret)
        setup = Setup(
            {model.name: name for name, model in models},
            options.detection(),
            secret.to_text(),
            "" if options.project is None else project_secret(options.project).to_text(),
            options.release,
        )
        self.vault = vault_of(options)
        self.pool = WorkerPool(setup, options.workers, options.limits, self.metrics)

    def audit(self, editor: str, event: str, detail: Mapping[str, Any]) -> None:
        """Write an event to the log, and to the project's change log if there is one.

        The line in the log has the last hash of the change log, so that the two can be compared.
        """
        chain = {} if self.project is None else {"chain": self.project.record(editor, event, detail)}
        AUDIT.info("%s", json.dumps({"event": event, "caller": editor, **detail, **chain}))

    def record(self, editor: str, event: str, *, count: int, parts: Sequence[str] = ()) -> None:
        """Write to the logs that documents leave the service."""
        self.audit(editor, event, {"parts": list(parts), "count": count})

    def delete(self, document: int, editor: str) -> None:
        """Remove a document of the project, and write to the log who did it."""
        chain = self.opened_project().delete(document, editor)
        AUDIT.info("%s", json.dumps({"event": "deleted", "caller": editor, "document": document, "chain": chain}))

    def model_named(self, name: str | None) -> str:
        return _chosen(self.models, name, "model")

    def policy_named(self, name: str | None) -> str:
        return _chosen(self.policies, name, "policy")

    def check_keep(self, caller: Caller) -> None:
        """Raise a problem if the caller may not add to the vault, or if there is none.

        A second entry for a text that is already out would make its restore fail, or give a forged original.
        """
        if Permission.KEEP not in caller.permissions:
            detail = "the permission 'keep' is missing, which storing in the vault needs"
            raise ProblemError("forbidden", detail, permission=Permission.KEEP.value)
        self.opened_vault()

    def check_given(self, caller: Caller, policy: str) -> None:
        """Raise a problem if the policy has keyed values that the caller may not get for values of their choice."""
        if policy in self._keyed_policies and Permission.KEYED not in caller.permissions:
            detail = "given values under a policy with hashes, surrogates or shifted dates need the permission 'keyed'"
            raise ProblemError("forbidden", detail, permission=Permission.KEYED.value)

    def check_project(self, caller: Caller, policy: str, documents: Iterable[int]) -> None:
        """The same for documents of the project: those whose text or patient the caller gave have such values.

        Those who administer the project own its key.
        """
        owns_key = policy not in self._keyed_policies or Permission.ADMINISTER in caller.permissions
        if not owns_key and self.opened_project().given_by(caller.name).intersection(documents):
            self.check_given(caller, policy)

    def spend(self, caller: Caller, key: str, results: Iterable[Anonymized]) -> None:
        """Count the keyed values of the results before the caller gets them; a problem if they are too many today."""
        self.spend_digests(caller, key, digests(self._digest_key, key, results))

    def spend_digests(self, caller: Caller, key: str, values: Set[bytes]) -> None:
        """The same with the digests of the values, which are all that is known of those in a file."""
        usage = self.sign_on.usage
        owns_key = key == PROJECT and Permission.ADMINISTER in caller.permissions
        if usage is not None and values and not owns_key:
            usage.spend(caller.name, values, self.limits.keyed_values)

    def store(self, caller: Caller, size: int) -> None:
        """Count the bytes that a caller adds to the project or the vault; a problem if they are too many today."""
        if self.sign_on.usage is not None:
            self.sign_on.usage.store(caller.name, size, self.limits.stored_bytes)

    def opened_project(self) -> Project:
        if self.project is None:
            raise ProblemError("not-found", "the service was started without --project")
        return self.project

    def opened_vault(self) -> VaultFile:
        if self.vault is None:
            raise ProblemError("not-found", "the service has no vault: see the setting `vault`")
        return self.vault

    def document(
        self,
        id: str,  # noqa: A002
        text: str,
        spans: Iterable[Span] = (),
        patient: str | None = None,
    ) -> Document:
        """A document for a job. Every document is created here, so that a text over the limit is refused."""
        limit = self.limits.text
        if len(text) > limit:
            raise ProblemError("too-large", f"a document may have {limit} characters", limit=limit)
        return Document(id, text, tuple(spans), {"patient": patient} if patient else {})

    def count(self, task: str, document: Document, result: tuple[Span, ...] | Anonymized | ProblemError) -> None:
        """Record the outcome of one document in the metrics."""
        if isinstance(result, ProblemError):
            self.metrics.documents.labels(task, result.type).inc()
            return
        self.metrics.documents.labels(task, "done").inc()
        self.metrics.characters.inc(len(document.text))
        spans = [each.span for each in result.replaced] if isinstance(result, Anonymized) else result
        for span in spans:
            self.metrics.spans.labels(span.label if span.label in LABELS else "own").inc()
        if self._watch is not None:
            self._watch.add(document.with_spans(spans))

    @contextmanager
    def batch(self, caller: str) -> Iterator[None]:
        """A slot among the few batches that may run at the same time."""
        if self._batches[caller] >= self.limits.batches_per_caller:
            raise ProblemError("too-many-requests", "this caller has too many batches in progress", retry_after=10)
        if self._batches.total() >= self.limits.batches:
            raise ProblemError("overloaded", "too many batches are in progress", retry_after=10)
        self._batches[caller] += 1
        try:
            yield
        finally:
            self._batches[caller] -= 1
            self._batches += Counter()


def _policies(default: str) -> dict[str, PolicyBody]:
    """The policies that a request may name, the default first."""
    first = read_policy(default)
    bodies = {default: PolicyBody(name=default, default=True, description=first.description)}
    for name, description in shipped().items():
        bodies.setdefault(name, PolicyBody(name=name, default=False, description=description))
    return bodies


def _chosen(known: Mapping[str, object], name: str | None, what: str) -> str:
    if name is None:
        return next(iter(known))
    if name not in known:
        raise ProblemError("invalid", f"there is no such {what}", known=sorted(known))
    return name

"""What the routes share: settings, workers, metrics, and the lists that do not change while the service runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from nadie.document import Span
from nadie.errors import ConfigError
from nadie.options import Mode
from nadie.resolve.thresholds import Thresholds
from nadie.service.anonymizing import policies_of
from nadie.service.observing import Metrics
from nadie.service.problems import ProblemError
from nadie.service.restoring import VaultKeeper, vault_of
from nadie.service.schemas import ModelBody, PolicyBody
from nadie.service.settings import Settings
from nadie.service.workers import WorkerPool
from nadie.storage import find_model, read_model


class Service:
    """One running service."""

    def __init__(self, settings: Settings, secret: str) -> None:
        self.settings = settings
        self.limits = settings.limits
        self.metrics = Metrics()
        self._batches = 0
        folders = [read_model(find_model(name)) for name in settings.models]
        self.models: dict[str, ModelBody] = {}
        for folder in folders:
            if folder.name in self.models:
                raise ConfigError(f"two models are called {folder.name!r}")
            self.models[folder.name] = ModelBody(
                name=folder.name,
                system=folder.system,
                default=not self.models,
                bytes=folder.size,
                card=dict(folder.card),
            )
        self.policies: dict[str, PolicyBody] = policies_of(settings.policy)
        setup = {
            "models": {folder.name: str(folder.path) for folder in folders},
            "finding": _finding(settings),
            "secret": secret,
        }
        self.vault = vault_of(settings)
        self.pool = WorkerPool(setup, settings.workers, settings.limits, self.metrics)

    def model_named(self, name: str | None) -> str:
        return _chosen(self.models, name, "model")

    def policy_named(self, name: str | None) -> str:
        return _chosen(self.policies, name, "policy")

    def opened_vault(self) -> VaultKeeper:
        if self.vault is None:
            raise ProblemError("not-found", "the service has no vault: see the setting `vault`")
        return self.vault

    async def annotate(self, id: str, text: str, model: str) -> tuple[Span, ...]:  # noqa: A002
        """The spans of one document, or the problem it has."""
        job = {"task": "annotate", "model": model, "documents": [self.document(id=id, text=text)]}
        result = self.checked("annotate", text, (await self.pool.run(job))[0])
        return tuple(Span(*span) for span in result["spans"])

    def document(self, *, text: str, **fields: Any) -> dict[str, Any]:
        """A document as a worker takes it. A text over the limit is refused here, at the one way in."""
        if len(text) > self.limits.text:
            raise ProblemError(
                "too-large", f"a document may have {self.limits.text} characters", limit=self.limits.text
            )
        return {"text": text, **fields}

    def checked(self, task: str, text: str, result: Mapping[str, Any]) -> Mapping[str, Any]:
        """The result of one document, counted; raised where it is a problem."""
        problem = result.get("problem")
        self.metrics.documents.labels(task, problem or "done").inc()
        if problem is not None:
            raise ProblemError(problem, result.get("detail", ""))
        self.metrics.characters.inc(len(text))
        for span in result["spans"]:
            self.metrics.spans.labels(span[2]).inc()
        return result

    @contextmanager
    def batch(self) -> Iterator[None]:
        """One of the few batches that may be under way."""
        if self._batches >= self.limits.batches:
            raise ProblemError("overloaded", "too many batches are under way", retry_after=10)
        self._batches += 1
        try:
            yield
        finally:
            self._batches -= 1


def _finding(settings: Settings) -> dict[str, str]:
    """How the workers are to look, as `nadie.options.DetectionOptions` has it."""
    if settings.mode not in set(Mode):
        raise ConfigError(f"the setting 'mode' is one of {', '.join(Mode)}")
    if settings.thresholds is not None:
        Thresholds.read(settings.thresholds)  # a fault in it is told at the start, not by the workers
    lists = {name: getattr(settings, name) for name in ("known", "allow", "deny", "thresholds")}
    return {"mode": settings.mode, **{name: str(path) for name, path in lists.items() if path is not None}}


def _chosen(known: Mapping[str, Any], name: str | None, kind: str) -> str:
    if name is None:
        return next(iter(known))
    if name not in known:
        raise ProblemError("invalid", f"there is no such {kind}", known=sorted(known))
    return name


def span_rows(spans: Sequence[Span]) -> list[list[Any]]:
    """Spans as a worker takes them."""
    return [[span.start, span.end, span.label, span.score, span.source] for span in spans]

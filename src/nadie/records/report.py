"""The report of a run: an HTML page for a privacy officer, without any document text."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from nadie.anonymize.policy import Policy
from nadie.errors import Failure
from nadie.report.markup import Markup, Phrase, join, say, tag
from nadie.report.numbers import count, written
from nadie.report.page import Page, card, cards, render
from nadie.report.plots import Stack, bars, columns
from nadie.report.tables import cell, label_name, listing, table
from nadie.report.texts import label_phrase, section, sentence

_MOST_ROWS = 200
DOUBTFUL = 0.8
_SIZES = ((0, 0), (1, 5), (6, 10), (11, 20), (21, 40), (41, 80), (81, 10**9))
_SCOPES = {
    "document": Phrase("document", "documento"),
    "patient": Phrase("patient", "paciente"),
    "corpus": Phrase("corpus", "corpus"),
}
_NAME_LIKE = Phrase("words left that look like names", "palabras no sustituidas que parecen nombres")
_LATER_EVENT = Phrase(
    "documents that name an event later than their dates", "documentos que nombran un hecho posterior a sus fechas"
)
_OUTCOMES = {
    "replaced": Phrase("replaced", "sustituido"),
    "kept": Phrase("kept on purpose", "conservado a propósito"),
    "refused": Phrase("refused: label", "rechazado: etiqueta"),
}


class Report:
    """Sums up the lines of the audit about documents; its memory does not grow with the number of documents."""

    def __init__(self, policy: Policy, model: Mapping[str, Any] | None = None) -> None:
        self._policy = policy
        self._documents = self._characters = self._again = self._name_like = self._later_events = 0
        self._usual = policy.operators()
        self._labels: Counter[str] = Counter()
        self._kept: Counter[str] = Counter()
        self._refused: Counter[str] = Counter()
        self._operators: Counter[tuple[str, str]] = Counter()
        self._scores = [0] * 10
        self._spread = [0] * len(_SIZES)
        self._doubtful: list[tuple[float, str, str, int, int]] = []
        self._nothing: list[str] = []
        self._model: Mapping[str, Any] = model or {}

    def add(self, line: Mapping[str, Any]) -> None:
        """Add one line of the audit."""
        self._documents += 1
        self._characters += line["characters"]
        labels: Mapping[str, int] = line.get("labels", {})
        self._labels.update(labels)
        self._kept.update(line.get("kept", {}))
        self._refused.update(line.get("refused", {}))
        self._again += sum(line.get("found_again", {}).values())
        self._name_like += line.get("name_like", 0)
        self._later_events += line.get("later_event", 0)
        others = line.get("other_operators", {})
        for label, total in labels.items():
            counts = others.get(label, {})
            usual = {self._usual[label].name: total - sum(counts.values())}
            self._operators.update({(label, operator): count for operator, count in (usual | counts).items() if count})
        self._scores = [a + b for a, b in zip(self._scores, line.get("scores", [0] * 10), strict=True)]
        found = sum(labels.values())
        self._spread[next(n for n, (low, high) in enumerate(_SIZES) if low <= found <= high)] += 1
        if not found and len(self._nothing) < _MOST_ROWS:
            self._nothing.append(line["document"])
        for label, start, end, score in line.get("doubtful", ()):
            # The heap has negative scores, so that the doubtful span with the highest score is dropped first.
            item = (-score, line["document"], label, start, end)
            push = heapq.heappush if len(self._doubtful) < _MOST_ROWS else heapq.heappushpop
            push(self._doubtful, item)

    def html(
        self, *, failures: Sequence[Failure] = (), failed: int | None = None, run: Mapping[str, Any] | None = None
    ) -> str:
        """The page; `failures` are the first of the `failed` failures, and `run` is the result of `Records.finish`."""
        failed = len(failures) if failed is None else failed
        model = f"{self._model.get('name', '?')} {self._model.get('version', '')}".strip()
        sections = {
            "labels": self._by_label(),
            "scores": join([self._confidence(), self._doubtful_spans()]),
            "documents": join([self._by_document(), self._without_spans()]),
            "operators": self._applied(),
            "failures": _failures(failures, failed),
            "run": _run(run or {}),
        }
        return render(
            Page(
                Phrase("Anonymization report", "Informe de anonimización"),
                [
                    (Phrase("Policy", "Política"), self._policy.name),
                    (Phrase("Scope", "Ámbito"), say(*_SCOPES[self._policy.scope])),
                    (Phrase("Model", "Modelo"), model),
                ],
                self._headline(failed, (run or {}).get("without_patient")),
                __package__,
                sections,
                self._footer(),
            )
        )

    def _headline(self, failed: int, without_patient: int | None) -> Markup:
        english, spanish = self._policy.description, self._policy.descripcion
        found, nothing = sum(self._labels.values()), self._spread[0]
        alone = card(
            say("documents without a patient", "documentos sin paciente"), count(without_patient or 0), is_alarm=False
        )
        figures = cards(
            card(say("documents", "documentos"), count(self._documents)),
            card(say("spans found", "datos detectados"), count(found)),
            card(say("refused", "rechazados"), count(sum(self._refused.values()))),
            card(
                say("repetitions found by the leak check", "repeticiones encontradas por la comprobación de fugas"),
                count(self._again),
            ),
            *([card(say(*_NAME_LIKE), count(self._name_like))] if self._policy.invents_names() else []),
            *([card(say(*_LATER_EVENT), count(self._later_events))] if self._later_events else []),
            card(
                say("documents without spans", "documentos sin datos detectados"), count(nothing), is_alarm=nothing > 0
            ),
            *([] if without_patient is None else [alone]),
            card(say("failures", "documentos con errores"), count(failed), is_alarm=failed > 0),
        )
        description = tag("p", say(english or spanish, spanish or english), class_="lead")
        return tag("section", description, figures, class_="headline", id="headline")

    def _by_label(self) -> Markup:
        stacks = []
        for label, total in sorted(self._labels.items(), key=lambda item: (-item[1], item[0])):
            kept, refused = self._kept[label], self._refused[label]
            counts = (total - kept - refused, kept, refused)
            stacks.append(Stack(say(*label_phrase(label), "tspan"), tuple(zip(counts, _OUTCOMES, strict=True))))
        keys = [join([tag("i", class_=f"key {style}"), say(*name)]) for style, name in _OUTCOMES.items()]
        return join([tag("p", *keys, class_="legend"), bars(stacks, "labels")])

    def _confidence(self) -> Markup:
        stacks = [
            Stack(
                written(f"{tenth / 10:.1f}–{(tenth + 1) / 10:.1f}", "tspan"),
                ((spans, "hatch" if tenth < DOUBTFUL * 10 else "replaced"),),
            )
            for tenth, spans in enumerate(self._scores)
        ]
        return columns(stacks, "scores", say("confidence", "confianza", "tspan"))

    def _by_document(self) -> Markup:
        stacks = [
            Stack(_size(low, high), ((documents, "replaced" if high else "hatch"),))
            for (low, high), documents in zip(_SIZES, self._spread, strict=True)
        ]
        return columns(stacks, "documents", say("spans in the document", "datos en el documento", "tspan"))

    def _doubtful_spans(self) -> Markup:
        if not self._doubtful:
            return tag("p", sentence(__package__, "certain"), class_="quiet")
        rows = [
            tag(
                "tr",
                tag("td", tag("code", document, class_="id")),
                tag("td", label_name(label)),
                cell(f"{start}–{end}"),
                cell(f"{-score:.2f}"),
            )
            for score, document, label, start, end in sorted(self._doubtful, reverse=True)
        ]
        return table(section(__package__, "scores").heads, rows, text_columns=(0, 1))

    def _without_spans(self) -> Markup:
        if not self._spread[0]:
            return tag("p", sentence(__package__, "found"), class_="quiet")
        return listing([(name,) for name in sorted(self._nothing)], self._spread[0])

    def _applied(self) -> Markup:
        rows = [
            tag("tr", tag("td", label_name(label)), tag("td", operator), cell(count(times)))
            for (label, operator), times in sorted(self._operators.items())
        ]
        return table(section(__package__, "operators").heads, rows, text_columns=(0, 1))

    def _footer(self) -> Markup:
        policy, model = (digest[:16] or "—" for digest in (self._policy.digest, str(self._model.get("sha256", ""))))
        return sentence(__package__, "footer", characters=count(self._characters), policy=policy, model=model)


def _failures(failures: Sequence[Failure], failed: int) -> Markup:
    if not failures:
        return tag("p", sentence(__package__, "done"), class_="quiet")
    return listing([(str(each),) for each in failures[:_MOST_ROWS]], failed)


def _run(run: Mapping[str, Any]) -> Markup:
    """All options of the run as in the audit, one row for each value."""
    rows = []
    for name, value in run.items():
        inside = value.items() if isinstance(value, Mapping) else [("", value)]
        for part, each in inside:
            text = ", ".join(f"{k} {v}" for k, v in each.items()) if isinstance(each, Mapping) else str(each)
            rows.append((f"{name} {part}".strip(), text or "—"))
    return listing(rows, len(rows))


def _size(low: int, high: int) -> Markup:
    if high == _SIZES[-1][1]:
        return say(f"{low} or more", f"{low} o más", "tspan")
    return join([str(low) if low == high else f"{low}–{high}"])

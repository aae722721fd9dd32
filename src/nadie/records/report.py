"""The report of a run: an HTML page for a privacy officer, without any document text."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from nadie.anonymize.policy import Policy
from nadie.errors import Failure
from nadie.records.plots import bars, columns, thousands

_MOST_ROWS = 200
DOUBTFUL = 0.8
_TENTHS = [f"{n / 10:.1f}–{(n + 1) / 10:.1f}".replace(".", ",") for n in range(10)]
_SIZES = ((0, 0), (1, 5), (6, 10), (11, 20), (21, 40), (41, 80), (81, 10**9))


class Report:
    """Sums up the lines of the audit; its memory does not grow with the number of documents."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._documents = self._characters = self._again = 0
        self._labels: Counter[str] = Counter()
        self._kept: Counter[str] = Counter()
        self._refused: Counter[str] = Counter()
        self._operators: Counter[tuple[str, str]] = Counter()
        self._scores = [0] * 10
        self._spread = [0] * len(_SIZES)
        self._doubtful: list[tuple[float, str, str, int, int]] = []
        self._nothing: list[str] = []
        self._model: Mapping[str, Any] = {}

    def add(self, line: Mapping[str, Any]) -> None:
        """Add one line of the audit."""
        self._documents += 1
        self._characters += line["characters"]
        self._labels.update(line["labels"])
        self._kept.update(line["kept"])
        self._refused.update(line["refused"])
        self._again += sum(line["found_again"].values())
        for label, counts in line["operators"].items():
            self._operators.update({(label, operator): count for operator, count in counts.items()})
        self._scores = [a + b for a, b in zip(self._scores, line["scores"], strict=True)]
        found = sum(line["labels"].values())
        self._spread[next(n for n, (low, high) in enumerate(_SIZES) if low <= found <= high)] += 1
        if not found and len(self._nothing) < _MOST_ROWS:
            self._nothing.append(line["document"])
        for label, start, end, score in line["doubtful"]:
            # The heap has negative scores, so that the doubtful span with the highest score is dropped first.
            item = (-score, line["document"], label, start, end)
            push = heapq.heappush if len(self._doubtful) < _MOST_ROWS else heapq.heappushpop
            push(self._doubtful, item)
        self._model = line["model"]

    def html(
        self, *, failures: Sequence[Failure] = (), failed: int | None = None, run: Mapping[str, Any] | None = None
    ) -> str:
        """The page; `failures` are the first of the `failed` failures, and `run` is the result of `Records.finish`."""
        failed = len(failures) if failed is None else failed
        page = Template((files("nadie.anonymize") / "report.html").read_text(encoding="utf-8"))
        return page.substitute(
            about=self._about(),
            cards=self._cards(failed),
            labels=self._bars(),
            scores=columns(self._scores, _TENTHS, "Confianza de la detección", doubtful=round(DOUBTFUL * 10)),
            doubtful=self._doubtful_rows(),
            spread=columns(self._spread, [_size(*size) for size in _SIZES], "Datos por documento", doubtful=1),
            nothing=self._nothing_rows(),
            operators="".join(
                f"<tr><td>{escape(label)}</td><td>{escape(name)}</td><td class='number'>{thousands(count)}</td></tr>"
                for (label, name), count in sorted(self._operators.items())
            ),
            failures=_failed_rows(failures, failed),
            run=_run_rows(run or {}),
            footer=self._footer(),
        )

    def _about(self) -> str:
        model = f"{self._model.get('name', '?')} {self._model.get('version', '')}".strip()
        text = f"Política <b>{escape(self._policy.name)}</b> (ámbito: {_SCOPES[self._policy.scope]}), modelo "
        return f"{text}<b>{escape(model)}</b>. {escape(self._policy.descripcion or self._policy.description)}"

    def _cards(self, failures: int) -> str:
        found = sum(self._labels.values())
        rows = [
            (self._documents, "documentos", False),
            (found, "datos detectados", False),
            (sum(self._refused.values()), "rechazados", False),
            (self._again, "repeticiones encontradas por la comprobación de fugas", False),
            (self._spread[0], "documentos sin datos detectados", self._spread[0] > 0),
            (failures, "documentos con errores", failures > 0),
        ]
        return "".join(
            f'<div class="card{" alarm" if alarm else ""}"><b>{thousands(number)}</b><span>{text}</span></div>'
            for number, text, alarm in rows
        )

    def _bars(self) -> str:
        rows = {}
        for label, count in sorted(self._labels.items(), key=lambda item: (-item[1], item[0])):
            kept, refused = self._kept[label], self._refused[label]
            rows[label] = (count - kept - refused, kept, refused)
        return bars(rows, ("replaced", "kept", "refused"), "Datos por tipo")

    def _doubtful_rows(self) -> str:
        if not self._doubtful:
            return '<p class="good">No hay datos dudosos.</p>'
        rows = "".join(
            f"<tr><td><code>{escape(document)}</code></td><td>{escape(label)}</td>"
            f'<td class="number">{start}–{end}</td><td class="number">{_comma(-score)}</td></tr>'
            for score, document, label, start, end in sorted(self._doubtful, reverse=True)
        )
        head = "<th>documento</th><th>tipo</th><th class='number'>posición</th><th class='number'>confianza</th>"
        return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'

    def _nothing_rows(self) -> str:
        if not self._spread[0]:
            return '<p class="good">En todos los documentos se detectó algún dato.</p>'
        rows = "".join(f"<tr><td><code>{escape(name)}</code></td></tr>" for name in sorted(self._nothing))
        more = self._spread[0] - len(self._nothing)
        note = f"<p>Y {thousands(more)} más, que constan en la auditoría.</p>" if more else ""
        return f'<div class="scroll"><table><tbody>{rows}</tbody></table></div>{note}'

    def _footer(self) -> str:
        parts = [
            f"{thousands(self._characters)} caracteres leídos",
            f"política SHA-256 <code>{escape(self._policy.digest[:16]) or '—'}</code>",
            f"modelo SHA-256 <code>{escape(str(self._model.get('sha256', ''))[:16]) or '—'}</code>",
            "esta página no contiene texto de los documentos y no carga recursos externos",
        ]
        return " · ".join(parts)


_SCOPES = {"document": "documento", "patient": "paciente", "corpus": "corpus"}


def _failed_rows(failures: Sequence[Failure], failed: int) -> str:
    if not failures:
        return '<p class="good">No hubo errores.</p>'
    rows = "".join(f"<tr><td><code>{escape(str(each))}</code></td></tr>" for each in failures[:_MOST_ROWS])
    more = failed - len(failures[:_MOST_ROWS])
    note = f"<p>Y {thousands(more)} más, que constan en la auditoría.</p>" if more > 0 else ""
    return f'<div class="scroll"><table><tbody>{rows}</tbody></table></div>{note}'


def _run_rows(run: Mapping[str, Any]) -> str:
    """All options of the run as in the audit, one row for each value."""
    rows = []
    for name, value in run.items():
        inside = value.items() if isinstance(value, Mapping) else [("", value)]
        for part, each in inside:
            text = ", ".join(f"{k} {v}" for k, v in each.items()) if isinstance(each, Mapping) else str(each)
            title = f"{name} {part}".strip()
            rows.append(f"<tr><td>{escape(title)}</td><td><code>{escape(text) or '—'}</code></td></tr>")
    return f'<div class="scroll"><table><tbody>{"".join(rows)}</tbody></table></div>'


def _comma(score: float) -> str:
    return f"{score:.2f}".replace(".", ",")


def _size(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}–{high}" if high < 10**9 else f"{low} o más"

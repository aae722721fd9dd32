"""The page about a reviewed sample, in Spanish and English, for a privacy officer to sign and file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from nadie.report.markup import Markup, Phrase, join, say, tag
from nadie.report.numbers import between, chance, count, percent, signed, signed_between, written
from nadie.report.page import Page, card, cards, render
from nadie.report.plots import plot
from nadie.report.tables import cell, label_name, table
from nadie.report.texts import label_phrase, phrase, section, sentence
from nadie.risk.review.figures import Figure, Statement
from nadie.risk.review.report import Report
from nadie.risk.sample import Sample

_NAMES, _WIDTH, _ROW = 300, 560, 26
_SHARES = {
    "notes_direct": Phrase("notes with a readable direct identifier", "notas con un identificador directo legible"),
    "notes_any": Phrase("notes with any readable identifier", "notas con algún identificador legible"),
    "identifiers": Phrase("identifiers", "identificadores"),
    "direct": Phrase("direct identifiers", "identificadores directos"),
    "quasi": Phrase("quasi-identifiers", "cuasiidentificadores"),
    "false_alarms": Phrase(
        "masked spans that are no identifier", "datos ocultados que no son identificadores (1 − precisión)"
    ),
}
_UNITS = {"note": Phrase("notes", "notas"), "patient": Phrase("patients", "pacientes")}
_ALL_UNITS = {"note": Phrase("the notes", "las notas"), "patient": Phrase("the patients", "los pacientes")}
_SMALLEST_P = 0.0001


def html(report: Report) -> str:
    """The page of a report."""
    sample, stated = report.figures.sample, report.figures.statement()
    sections = {
        "design": _design(report),
        "shares": table(section(__package__, "shares").heads, _share_rows(report)),
        "labels": _labels(report),
        "kinds": _kinds(report),
        "agreement": _agreement(report),
    }
    if report.differences:
        sections["comparison"] = _comparison(report)
    room = join([tag("br"), tag("br"), tag("br")])
    sections["signature"] = table(section(__package__, "signature").heads, [tag("tr", *[tag("td", room)] * 4)])
    footer = sentence(__package__, "footer", reviewed=count(stated.reviewed), drawn=count(stated.drawn))
    facts = [
        (Phrase("Measured", "Sistema medido"), report.system or _measured(sample)),
        (Phrase("Drawn", "Extraída"), sample.drawn_at),
    ]
    if report.second:
        facts.append((Phrase("Compared with", "Comparado con"), report.second))
    title = Phrase("How much leaks in these notes", "Cuánto queda legible en estas notas")
    return render(Page(title, facts, _headline(report, stated), __package__, sections, footer))


def _measured(sample: Sample) -> str:
    """The model of a sample and the options about detection that are set."""
    given = (f"{name} = {value}" for name, value in sample.detection.items() if value and name != "scan_mode")
    return ", ".join([Path(sample.model).name, *given])


def _headline(report: Report, stated: Statement) -> Markup:
    sample, shares = report.figures.sample, report.shares()
    name = {True: "holds", False: "fails", None: "open"}[stated.holds]
    told = sentence(
        __package__,
        name,
        units=_ALL_UNITS[sample.unit],
        level=percent(sample.rule.level, 0),
        bound=percent(stated.bound, 2),
        goal=percent(sample.rule.at_most, 2),
        more=count(stated.more),
        needed=count(stated.reviewed + stated.more),
        things=_UNITS[sample.unit],
        reviewed=count(stated.reviewed),
        drawn=count(stated.drawn),
    )
    figures = cards(
        card(say("reviewed", "revisadas"), f"{count(stated.reviewed)} / {count(stated.drawn)}"),
        card(say("with a direct leak", "con fuga directa"), count(stated.leaking), is_alarm=stated.leaking > 0),
        card(say("at most", "a lo sumo"), percent(stated.bound, 2)),
        card(
            say("identifiers that leak", "identificadores legibles"), percent(shares["identifiers"].share.estimate, 2)
        ),
        card(say("precision", "precisión"), percent(1 - shares["false_alarms"].share.estimate)),
    )
    return tag("section", tag("p", told, class_="lead"), figures, class_="headline", id="headline")


def _design(report: Report) -> Markup:
    sample = report.figures.sample
    rows = [tag("tr", tag("td", count(n)), cell(percent(b, 2))) for n, b in report.figures.possible_statements()]
    told = (
        sentence(
            __package__,
            "drawn",
            drawn=count(sample.units),
            of=count(sample.of_units),
            units=_UNITS[sample.unit],
            day=sample.drawn_at,
            seed=str(sample.seed),
            model=Path(sample.model).name,
        ),
        sentence(__package__, "uneven" if sample.oversampled > 1 else "even", oversampled=f"{sample.oversampled:g}"),
        sentence(__package__, "spread", by=", ".join(sample.by)) if sample.by else Markup(""),
        _rule(sample),
        sentence(__package__, "named", digest=sample.digest),
    )
    return join([*(tag("p", each) for each in told), table(section(__package__, "design").heads, rows)])


def _rule(sample: Sample) -> Markup:
    level, goal = percent(sample.rule.level, 0), percent(sample.rule.at_most, 2)
    return sentence(__package__, "rule", level=level, goal=goal)


def _share_rows(report: Report) -> list[Markup]:
    return [_row(say(*_SHARES[name]), figure) for name, figure in report.shares().items()]


def _row(name: Markup, figure: Figure, *more: str) -> Markup:
    share = figure.share
    cells = (
        count(figure.found),
        count(figure.counted),
        percent(share.estimate, 2),
        between((share.low, share.high), 2),
        percent(share.at_most, 2),
        *more,
    )
    return tag("tr", tag("td", name), *(cell(each) for each in cells))


def _labels(report: Report) -> Markup:
    figures = {label: report.figures.identifiers([label]) for label in report.figures.labels()}
    rows = [_row(label_name(label), figure) for label, figure in figures.items()]
    drawn = _intervals([(say(*label_phrase(label), "tspan"), figure) for label, figure in figures.items()], "labels")
    return join([drawn, table(section(__package__, "labels").heads, rows)])


def _kinds(report: Report) -> Markup:
    rows = [
        _row(say(*phrase(__package__, "names", name)), notes, f"{count(spans.found)} / {count(spans.counted)}")
        for kind in ("type", "language")
        for name, (notes, spans) in report.figures.by_kind(kind).items()
    ]
    return table(section(__package__, "kinds").heads, rows)


def _intervals(figures: Sequence[tuple[Markup, Figure]], name: str) -> Markup:
    """A dot for each estimate and a line for its interval."""
    most = max((figure.share.high for _, figure in figures), default=1.0) or 1.0
    parts: list[Markup] = []
    for row, (title, figure) in enumerate(figures):
        y = _ROW * row + 14
        low, dot, high = (
            _NAMES + _WIDTH * value / most for value in (figure.share.low, figure.share.estimate, figure.share.high)
        )
        parts.append(tag("text", title, x=_NAMES - 12, y=y + 4, class_="name"))
        parts.append(tag("line", x1=low, x2=high, y1=y, y2=y, stroke="currentColor", stroke_width=2))
        parts.append(tag("circle", cx=dot, cy=y, r=4, fill="currentColor"))
        parts.append(tag("text", written(percent(figure.share.high), "tspan"), x=high + 8, y=y + 4, class_="value"))
    return plot(parts, (_NAMES + _WIDTH + 100, _ROW * len(figures) + 8), name)


def _agreement(report: Report) -> Markup:
    found = report.agreement
    if found is None:
        return tag("p", sentence(__package__, "once"), class_="quiet")
    kappa = "–" if found.kappa is None else f"{found.kappa:.3f}"
    told = [
        sentence(__package__, "twice", notes=count(found.notes), kappa=kappa, leaks=count(found.leaks)),
        sentence(__package__, "unseen", unseen=f"{found.unseen:.1f}"),
    ]
    return join([tag("p", each) for each in told])


def _comparison(report: Report) -> Markup:
    rows = [
        tag(
            "tr",
            tag("td", say(*_SHARES[name])),
            cell(percent(each.first, 2)),
            cell(percent(each.second, 2)),
            cell(signed(each.difference, 2)),
            cell(signed_between((each.low, each.high), 2)),
            cell(chance(each.p, _SMALLEST_P)),
        )
        for name, each in (report.differences or {}).items()
    ]
    return table(section(__package__, "comparison").heads, rows)

"""The page about the risk of a release, for a privacy officer, without any document text."""

from __future__ import annotations

from collections import Counter

from nadie.labels import Hipaa, Label
from nadie.report.markup import Markup, Phrase, join, say, tag
from nadie.report.numbers import count, percent
from nadie.report.page import Page, card, cards, render
from nadie.report.tables import cell, label_name, table
from nadie.report.texts import hipaa_phrase, section, sentence
from nadie.risk.release import Release
from nadie.surrogates.dates.shifting import ShiftOptions


def html(release: Release, options: ShiftOptions) -> str:
    """The page, in Spanish and English."""
    sections = {
        "misses": _misses(release),
        "uniqueness": _uniqueness(release),
        "attacks": _attacks(release, options),
        "harbor": _harbor(release),
    }
    footer = sentence(__package__, "footer", documents=count(release.documents), policy=release.audit.policy)
    facts: list[tuple[Phrase, str]] = [(Phrase("Policy", "Política"), release.audit.policy)]
    title = Phrase("The risk that remains", "El riesgo que queda")
    return render(Page(title, facts, _headline(release), __package__, sections, footer))


def _headline(release: Release) -> Markup:
    names = release.misses.of_class("NAME")
    figures = cards(
        card(say("documents", "documentos"), count(release.documents)),
        card(say("patients", "pacientes"), count(len(release.persons))),
        card(say("documents without a patient", "documentos sin paciente"), count(release.without_patient)),
        card(say("names probably missed", "nombres probablemente no detectados"), f"{names.expected:.1f}"),
        card(say("notes with an age over 89", "notas con una edad de más de 89"), count(release.over_89)),
        card(
            say(
                "notes with a date finer than a year, not shifted",
                "notas con fechas sin desplazar, más finas que el año",
            ),
            count(release.fine_dates),
        ),
    )
    return tag("section", figures, class_="headline", id="headline")


def _misses(release: Release) -> Markup:
    rows = [
        tag("tr", tag("td", label_name(label)), *(cell(f"{figure:.1f}") for figure in estimate))
        for label, estimate in release.misses.estimates().items()
    ]
    return table(section(__package__, "misses").heads, rows, text_columns=(0,))


def _uniqueness(release: Release) -> Markup:
    found = release.uniqueness()
    if found is None:
        return tag("p", sentence(__package__, "nobody"), class_="quiet")
    figures = [
        (Phrase("smallest k", "k mínima"), count(found.smallest)),
        (Phrase("patients with k below 5", "pacientes con k menor de 5"), percent(found.share_small)),
        (Phrase("unique patients", "pacientes únicos"), percent(found.share_unique)),
        (Phrase("prosecutor, mean", "fiscal, media"), percent(found.prosecutor_mean)),
        (Phrase("prosecutor, highest", "fiscal, máximo"), percent(found.prosecutor_most)),
        (Phrase("journalist, mean", "periodista, media"), percent(found.journalist_mean, 4)),
        (Phrase("journalist, highest", "periodista, máximo"), percent(found.journalist_most, 4)),
    ]
    rows = [tag("tr", tag("td", say(*name)), cell(figure)) for name, figure in figures]
    return table(section(__package__, "uniqueness").heads, rows, text_columns=(0,))


def _attacks(release: Release, options: ShiftOptions) -> Markup:
    patients, fewest = release.guessable_shifts(options)
    seen = {"possible": count(release.possible_names), "unseen": count(release.unseen_names)}
    told = [
        sentence(__package__, "parrot", **seen),
        sentence(__package__, "recurrence", count=count(release.recurring_names())),
        sentence(__package__, "holidays", count=count(patients), fewest=count(fewest)),
        sentence(__package__, "events", count=count(release.events)),
        sentence(__package__, "classifier"),
    ]
    return join([tag("p", each) for each in told])


def _tick(identifier: Hipaa, kept: int, release: Release) -> str:
    """Whether nothing that was found of an identifier stays readable: ages over 89 and fine dates count as dates."""
    is_date = identifier is Label.FECHAS.hipaa
    return "✗" if kept or (is_date and (release.over_89 or release.fine_dates)) else "✓"


def _harbor(release: Release) -> Markup:
    found: Counter[Hipaa] = Counter()
    kept: Counter[Hipaa] = Counter()
    for label in map(Label, release.audit.labels | release.audit.kept):
        if label.hipaa is not None:
            found[label.hipaa] += release.audit.labels[label]
            kept[label.hipaa] += release.audit.kept[label]
    rows = [
        tag(
            "tr",
            tag("td", f"({each.value}) ", say(*hipaa_phrase(each))),
            *(cell(count(number)) for number in (found[each], kept[each], found[each] - kept[each])),
            cell(_tick(each, kept[each], release)),
        )
        for each in Hipaa
    ]
    return table(section(__package__, "harbor").heads, rows, text_columns=(0,))

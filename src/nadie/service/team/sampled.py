"""The sample of a project: its reviewed notes and the readings of two people, for the figures of its review."""

from __future__ import annotations

from pathlib import Path

from nadie.document import Document
from nadie.risk.review.agreement import agreement
from nadie.risk.review.figures import Figures
from nadie.risk.review.reading import Readings, reviewed_notes
from nadie.risk.review.report import Report
from nadie.risk.sample import Sample
from nadie.service.project.listing import REVIEWED
from nadie.service.project.sampled import check_unchanged
from nadie.service.project.store import Project, open_project
from nadie.service.team.reviewers import Team


def readings(folder: Path) -> Readings:
    """What two reviewers marked in the adjudicated notes of a project, if its sample is the one that was drawn."""
    project = open_project(folder)
    check_unchanged(project)
    return readings_of(Team(project))


def readings_of(team: Team) -> Readings:
    return {
        each.document.id: (each.first.spans, each.second.spans)
        for each in team.read_twice()
        if each.adjudicator is not None
    }


def report_of(project: Project, sample: Sample, team: Team) -> Report:
    """The figures of the notes that are reviewed at this moment, if the sample is the one that was drawn."""
    check_unchanged(project)
    left_out = team.undecided()
    gold = {
        stored.id: Document(stored.name, stored.text, stored.spans)
        for stored in project.documents(REVIEWED)
        if stored.id not in left_out
    }
    notes = reviewed_notes(sample, gold)
    return Report(Figures(sample, notes), agreement(notes, readings_of(team)))

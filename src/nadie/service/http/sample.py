"""The route of a project that is a sample: what its review says at this moment."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter
from pydantic import Field

from nadie.errors import NadieError
from nadie.risk.review.agreement import Agreement
from nadie.risk.review.figures import Figure
from nadie.risk.review.report import Report
from nadie.risk.sample import Sample, is_sample
from nadie.service.http.state import Service
from nadie.service.problems import ProblemError
from nadie.service.schemas import Body
from nadie.service.team.reviewers import Team
from nadie.service.team.sampled import report_of


class ShareBody(Body):
    """`found` of `of`, and the share of all notes that this stands for, with its interval and its one-sided bound."""

    name: str
    found: int
    of: int
    estimate: float
    low: float
    high: float
    at_most: float


class AgreementBody(Body):
    """The notes that two people read, Cohen's kappa, the leaks in them, and an estimate of those that nobody found."""

    notes: int
    kappa: float | None
    leaks: int
    unseen: float


class SampleBody(Body):
    """The sample of the project, if it is one: its rule, its progress, and what its review says so far.

    The documents 1 to `notes` are the sample, and the next `unsure` ones those of which the model was least sure. Only
    the sample is counted. `holds` is null before the whole sample is
    reviewed. `labels` has the leaking identifiers of each label, `types` and `languages` the notes with a direct leak.
    """

    open: bool
    unit: str = "note"
    notes: int = 0
    unsure: int = 0
    drawn: int = 0
    reviewed: int = 0
    goal: float = 0.0
    level: float = 0.0
    bound: float = 1.0
    holds: bool | None = None
    leaking: int = 0
    more: int = 0
    shares: list[ShareBody] = Field(default_factory=list)
    labels: list[ShareBody] = Field(default_factory=list)
    types: list[ShareBody] = Field(default_factory=list)
    languages: list[ShareBody] = Field(default_factory=list)
    agreement: AgreementBody | None = None


def add_routes(routes: APIRouter, service: Service) -> None:
    @routes.get("/sample", summary="What the review of a sample says so far")
    def sample() -> SampleBody:
        """For a project that `nadie sample` has made. No figure is a statement before the whole sample is reviewed."""
        project = service.opened_project()
        if not is_sample(project.folder):
            return SampleBody(open=False)
        try:
            known = Sample.read(project.folder)
            return _body(known, report_of(project, known, service.team or Team(project)))
        except NadieError as error:
            raise ProblemError("invalid", str(error)) from None


def _body(sample: Sample, report: Report) -> SampleBody:
    figures, twice = report.figures, report.agreement
    stated = figures.statement()
    kinds = ({name: notes for name, (notes, _) in figures.by_kind(kind).items()} for kind in ("type", "language"))
    types, languages = map(_shares, kinds)
    return SampleBody(
        open=True,
        unit=sample.unit,
        notes=len(sample.notes),
        unsure=sample.unsure,
        drawn=stated.drawn,
        reviewed=stated.reviewed,
        goal=sample.rule.at_most,
        level=sample.rule.level,
        bound=stated.bound,
        holds=stated.holds,
        leaking=stated.leaking,
        more=stated.more,
        shares=_shares(report.shares()),
        labels=_shares({label: figures.identifiers([label]) for label in figures.labels()}),
        types=types,
        languages=languages,
        agreement=twice and _agreement(twice),
    )


def _shares(figures: Mapping[str, Figure]) -> list[ShareBody]:
    return [
        ShareBody(name=name, found=each.found, of=each.counted, **each.share._asdict())
        for name, each in figures.items()
    ]


def _agreement(twice: Agreement) -> AgreementBody:
    return AgreementBody(**twice._asdict())

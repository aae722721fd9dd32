"""The report: one self-contained HTML page with every score and every error."""

from __future__ import annotations

from nadie.evaluation.report.page import render, write_report
from nadie.evaluation.report.sections import EvaluationReport

__all__ = ["EvaluationReport", "render", "write_report"]

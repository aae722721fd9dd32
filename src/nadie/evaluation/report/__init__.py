"""The report: one self-contained HTML page with every score and every error."""

from __future__ import annotations

from nadie.evaluation.report.sections import EvaluationReport, page, write_report

__all__ = ["EvaluationReport", "page", "write_report"]

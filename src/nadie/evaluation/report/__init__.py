"""The report: one page that shows a person what goes wrong, without a network and without a framework."""

from __future__ import annotations

from nadie.evaluation.report.page import render, write_report
from nadie.evaluation.report.sections import Report

__all__ = ["Report", "render", "write_report"]

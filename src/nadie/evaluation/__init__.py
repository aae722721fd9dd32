"""Measuring: official metrics, leak metrics, intervals, significance tests, the robustness suite, and the report.

Pure functions of annotated documents; nothing here runs a detector or reads a file of its own but the suite's notes.
"""

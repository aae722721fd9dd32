"""Replacing: policies, operators and the engine that applies them to the spans of a document.

The engine finds nothing: it takes documents whose spans `nadie.resolve` has completed, replaces each span by the
operator of its label, and verifies that no value is left. It may use `surrogates`, `resolve` and everything below, and
knows no file and no detector.
"""

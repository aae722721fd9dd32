"""Dates in a document: shifting, and writing in the same form."""

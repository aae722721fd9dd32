"""Invented identities: one for each person of a document, written as each of its names is."""

"""Dates in every written form, and ages."""

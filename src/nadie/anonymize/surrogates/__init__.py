"""Invented values that read as real ones, one kind of value in each file."""

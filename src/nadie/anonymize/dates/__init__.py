"""Dates as they are written: found, moved, and written again in the same form."""

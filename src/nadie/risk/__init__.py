"""The risk that remains in a release: attacks on one's own output, expected misses, uniqueness of what stays.

Pure functions over texts, spans and lines of the audit. It may use everything below `run`, which calls it for the
figures of a run; the command `nadie risk` puts the figures together for a whole release.
"""

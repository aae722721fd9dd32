"""Everything that still finds after the detector: from raw spans to the disjoint spans that are shown and replaced.

Overlaps, thresholds, lists, patterns of the user, eponyms, one role for one name, and last `completing`: names said
again, values that occur once more, the rest of dates. `annotate` and `anonymize` both call these functions, so both
cover the same characters.
It may use `persons`, `tokens` and `spanish`, and knows no detector and no operator.
"""

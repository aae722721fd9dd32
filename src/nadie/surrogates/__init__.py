"""Inventing: names, places, dates, contacts, identifiers, jobs, each in the form of the original.

Anonymization draws them by a key, augmentation by a random generator (`draws.py`). Most surrogates are made by an
ordered list of rules, each for values of one form; a value that no rule recognises has no surrogate.
The word lists are in `data/`.
"""

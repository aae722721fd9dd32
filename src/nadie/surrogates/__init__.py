"""Inventing: names, places, dates, contacts, identifiers, jobs, each in the form of the original.

Anonymization draws them by a key, augmentation by a random generator (`draws.py`). A surrogate is an ordered list of
rules, each of which recognises values of one kind and invents another; what no rule recognises has no surrogate.
The word lists are in `data/`.
"""

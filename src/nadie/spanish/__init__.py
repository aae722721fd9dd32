"""Knowledge of the Spanish language, names and places, used by patterns, known identities, surrogates, augmentation and
the features of the shipped models (their hash is in `fingerprint.json`).
"""

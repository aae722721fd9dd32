"""What is known of Spanish and of the people who speak it, in one copy: patterns, known identities, surrogates and
augmentation draw from here, and so do the features of the shipped models (their hash is in `fingerprint.json`).
"""

"""Detectors that serve users: the convolutional network, committees, known identities and patterns.

Each finds spans in documents by the protocol of `nadie.detector`, is registered by an entry point of `nadie.detectors`,
and imports no other detector. The systems of published papers are in `nadie.papers`.
"""

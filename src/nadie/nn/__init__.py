"""Layers only: tensors in, tensors out. Nothing here knows of spans, files or documents.

Letters in shapes: B sequences, T tokens, K tags, U distinct words, L characters, H hidden units.
"""

"""Formats of annotated documents, one file each: brat, the task's XML, JSONL, CoNLL, DocBin, marked notes, text.

A format reads documents with their spans and writes them; it is registered by an entry point of `nadie.formats`.
"""

"""The persons of a document: names are parsed, and the spans that name the same person are grouped.

It reads the text and the spans of a document and the tables of `nadie.spanish`; it finds no spans and invents nothing.
"""

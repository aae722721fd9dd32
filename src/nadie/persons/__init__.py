"""Who is who in a document: names taken apart, and the spans that name one person put together.

It reads the text and the spans of a document and the tables of `nadie.spanish`; it finds no spans and invents nothing.
"""

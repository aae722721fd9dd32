"""The HTML pages that nadie writes: the template, the style, safe markup, tables and plots, in Spanish and English.

A page is one file that loads nothing. What it says is told by the package that it is about, which builds its sections.
"""

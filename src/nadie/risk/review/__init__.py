"""What a reviewed sample says: shares of notes and identifiers that leak, with bounds, and the page for the file.

Pure functions over a sample and its reviewed documents; nothing here has or writes text of a document.
"""

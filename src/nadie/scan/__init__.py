"""Reading and painting images of pages: pixels in, lines of text with the place of every character out, and back.

Detection finds lines, recognition reads them, graphics finds what is not text, painting covers what must not be seen.
It knows nothing of files, documents and labels: `files/containers` brings the pixels and says what to paint.
"""

"""Files in, files out: what a file is (`recognition`), where it is (`source`, `disk`), and the texts inside it.

`annotated` reads and writes annotated documents; `containers` opens files that hold texts among other things and writes
copies with the texts changed. `container.py` and `format.py` define the protocols. Nothing here detects or replaces.
"""
